# SPDX-License-Identifier: MIT
"""The library behind the package: loaded once, its interface read from its own headers."""
from __future__ import annotations

import os
import threading
from typing import Any, Callable, List, NoReturn, Optional, TypeVar

import cffi  # type: ignore[import]

_FOLDER = os.path.dirname(os.path.abspath(__file__))

ffi: Any = cffi.FFI()
with open(os.path.join(_FOLDER, "_cdef.h")) as _file:
    ffi.cdef(_file.read())
lib: Any = ffi.dlopen(os.path.join(_FOLDER, "libjawari_python.so"))

Result = TypeVar("Result")


def text(pointer: Any) -> str:
    """A C text as a Python text; "" for NULL."""
    return "" if pointer == ffi.NULL else str(ffi.string(pointer).decode("utf-8", "replace"))


class Error(Exception):
    """Something that the library refused, with its own sentence.

    ``status`` is the library's short name for it, such as "bad value".
    """

    def __init__(self, message: str, status: str = ""):
        super().__init__(message)
        self.status = status


class SceneError(Error):
    """A scene has errors; ``diagnostics`` has all of them, each with its place.

    The text of the exception shows every one as compilers do: file, line, column, the line itself and a caret.
    ``file``, ``line`` and ``column`` are those of the first.
    """

    def __init__(self, diagnostics: "List[Any]", status: str = "bad scene"):
        super().__init__("\n".join(str(item).rstrip("\n") for item in diagnostics) or status, status)
        self.diagnostics = diagnostics
        first = diagnostics[0] if diagnostics else None
        self.file: str = first.file if first else ""
        self.line: int = first.line if first else 0
        self.column: int = first.column if first else 0

    def __reduce__(self) -> Any:
        return (SceneError, (self.diagnostics, self.status))


def name_of(status: int) -> str:
    """The short name of a status: "bad value"."""
    return text(lib.jw_status_name(status))


def fail(status: int, sentence: str = "") -> NoReturn:
    """Raise what a status stands for."""
    if status == lib.JW_STATUS_NO_MEMORY:
        raise MemoryError(sentence or "no memory")
    raise Error(sentence or text(lib.jw_status_text(status)), name_of(status))


_SHORT = 10_000_000  # Points times frames: about a tenth of a second


def interruptible(work: float, call: Callable[[], Result], cancel: Callable[[], Any]) -> Result:
    """Make a call so that Ctrl-C ends it: a long one in a thread of its own, if this is the main one.

    ``work`` is how many points are moved how often; a thread costs more than what is short.
    """
    if work < _SHORT or threading.current_thread() is not threading.main_thread():
        return call()
    results: List[Result] = []
    failure: List[BaseException] = []

    def run() -> None:
        try:
            results.append(call())
        except BaseException as error:  # Raised again by the thread that waits
            failure.append(error)

    worker = threading.Thread(target=run, daemon=True)
    worker.start()
    try:
        worker.join()
    except BaseException:
        cancel()
        worker.join()
        raise
    if failure:
        raise failure[0]
    return results[0]


def version() -> str:
    """The version of the library that is running."""
    return text(lib.jw_version())


def keep_alive(items: "List[bytes]") -> "tuple[Any, List[Any]]":
    """An array of C texts, and what must live as long as it."""
    held = [ffi.new("char[]", item) for item in items]
    return ffi.new("const char*[]", held), held


def optional(value: "Optional[float]") -> float:
    """NaN for what is not given."""
    return float("nan") if value is None else float(value)
