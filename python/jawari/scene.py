# SPDX-License-Identifier: MIT
"""Scenes: read, checked, changed by name."""
from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from ._library import SceneError, fail, ffi, keep_alive, lib, name_of, text

Source = Union[str, "os.PathLike[str]", Mapping[str, Any], "Scene"]


@dataclass(frozen=True)
class Diagnostic:
    """One error or warning of a scene, with its place; ``str()`` shows it as compilers do, with a caret."""

    file: str
    line: int
    column: int
    length: int
    message: str
    shown: str
    warning: bool

    def __str__(self) -> str:
        return self.shown


@dataclass(frozen=True)
class Part:
    """One part of a scene: an object, contact, event or pickup; ``line`` is where it is defined."""

    kind: str
    name: str
    line: int


def scenes() -> Dict[str, str]:
    """The built-in scenes: name and title of each."""
    count = ffi.new("uint32_t*")
    table = lib.jw_builtin_scenes(count)
    return {text(table[i].name): text(table[i].title) for i in range(count[0])}


def materials() -> Dict[str, Dict[str, float]]:
    """The materials that scenes can name, with density (kg/m3), Young's modulus (Pa) and Poisson's ratio."""
    count = ffi.new("uint32_t*")
    table = lib.jw_materials(count)
    return {text(table[i].name): {"density": table[i].density, "young": table[i].young, "poisson": table[i].poisson}
            for i in range(count[0])}


def note(name: str) -> float:
    """The frequency of a note in Hz: "A4" is 440, "C#3", "E2+15" with cents."""
    frequency = float(lib.jw_note_frequency(name.encode()))
    if frequency != frequency:
        raise ValueError("%r is no note; one is written \"A4\", \"C#3\" or \"E2+15\"" % name)
    return frequency


def schema() -> Dict[str, Any]:
    """The JSON Schema of the scene format."""
    made: Dict[str, Any] = json.loads(text(lib.jw_scene_schema()))
    return made


def _diagnostic(item: Any) -> Diagnostic:
    pointer = ffi.new("JwDiagnostic*", item)
    size = lib.jw_diagnostic_format(pointer, ffi.NULL, 0) + 1
    buffer = ffi.new("char[]", size)
    lib.jw_diagnostic_format(pointer, buffer, size)
    return Diagnostic(text(item.file), item.line, item.column, item.length, text(item.message), text(buffer), item.warning)


def _word(value: Any) -> str:
    """A value as a scene has it: JSON."""
    if hasattr(value, "item") and not isinstance(value, (str, bytes)):
        value = value.tolist()
    return json.dumps(value, allow_nan=False)


def _looks_like_text(source: str) -> bool:
    return "{" in source or "\n" in source


class Scene:
    """A scene: a text, a dict, a path, or the name of a built-in one.

    >>> scene = Scene("guitar").set("world.sample_rate", 48000)

    A scene that has errors raises ``SceneError``, with every error of the file and its place.
    """

    def __init__(self, source: Source, sets: "Optional[Mapping[str, Any]]" = None, folder: "Optional[str]" = None):
        """``sets`` are values by name, as ``set()`` takes them; ``folder`` is what a text may include from."""
        self._sets: List[Tuple[str, str]] = []
        self._folder = folder
        self._path: Optional[str] = None
        self._builtin: Optional[str] = None
        self._text: Optional[str] = None
        self._take_source(source)
        for name, value in (sets or {}).items():
            self._sets = _replaced(self._sets, name, _word(value))
        self._handle = self._read(self._sets)

    def _take_source(self, source: Source) -> None:
        if isinstance(source, Scene):
            self._sets = list(source._sets)
            self._folder, self._path, self._builtin, self._text = source._folder, source._path, source._builtin, source._text
        elif isinstance(source, Mapping):
            self._text = json.dumps(source, indent=2, allow_nan=False)
        elif isinstance(source, str) and _looks_like_text(source):
            self._text = source
        elif isinstance(source, str) and not os.path.exists(source):
            self._builtin = source
        else:
            self._path = os.fspath(source)

    def _read(self, sets: "Sequence[Tuple[str, str]]") -> Any:
        """The scene's handle, or SceneError."""
        options = ffi.new("JwSceneOptions*", lib.jw_scene_options())
        words, _held = keep_alive([("%s=%s" % item).encode() for item in sets])
        options.sets, options.set_count = words, len(sets)
        name = ffi.new("char[]", b"<scene>")
        options.file = name
        made = ffi.new("JwScene**")
        if self._text is not None:
            data = self._text.encode()
            folder = ffi.NULL if self._folder is None else ffi.new("char[]", os.fsencode(self._folder))
            status = lib.jw_scene_parse_in(folder, data, len(data), options, made)
        elif self._builtin is not None:
            status = lib.jw_builtin_load(self._builtin.encode(), options, made)
        else:
            status = lib.jw_scene_load(os.fsencode(self._path or ""), options, made)
        if made[0] == ffi.NULL:
            fail(status)
        handle = ffi.gc(made[0], lib.jw_scene_destroy)
        if status:
            raise SceneError(_diagnostics(handle), name_of(status))
        return handle

    # ------------------------------------------------------------ change

    def set(self, name: str, value: Any) -> "Scene":
        """Give another value to a number or parameter of the scene, by its name; returns the scene.

        Names are those of ``--set``: "rattle.stiffness", "string.loss[1]", "score[0].amplitude", "duration", or a
        parameter. A value that the scene does not take raises ``SceneError`` and changes nothing.
        """
        sets = _replaced(self._sets, name, _word(value))
        self._handle = self._read(sets)
        self._sets = sets
        return self

    def copy(self) -> "Scene":
        """A scene of its own, with the same values."""
        return Scene(self)

    def __reduce__(self) -> Any:
        return (_again, (self._text, self._path, self._builtin, self._folder, self._sets))

    # ------------------------------------------------------------ look

    @property
    def text(self) -> str:
        """The text as it was read, before ``set``."""
        file = lib.jw_scene_file(self._handle, 0)
        return bytes(ffi.buffer(file.text, file.size)).decode()

    @property
    def name(self) -> str:
        """The name of a built-in scene, the path of a file, or "<scene>"."""
        return self._builtin or self._path or "<scene>"

    @property
    def sets(self) -> Dict[str, Any]:
        """The values given by ``set``."""
        return {name: json.loads(word) for name, word in self._sets}

    @property
    def title(self) -> str:
        """One line, "" without one."""
        return text(lib.jw_scene_info(self._handle).title)

    @property
    def description(self) -> str:
        """What it is and what to listen for."""
        return text(lib.jw_scene_info(self._handle).description)

    @property
    def duration(self) -> float:
        """Seconds."""
        return float(lib.jw_scene_info(self._handle).duration)

    @property
    def rate(self) -> float:
        """The sample rate that is heard (Hz)."""
        return float(lib.jw_scene_world(self._handle).sample_rate / lib.jw_scene_info(self._handle).oversample)

    @property
    def parts(self) -> List[Part]:
        """What it is made of."""
        items = [lib.jw_scene_part(self._handle, i) for i in range(lib.jw_scene_parts(self._handle))]
        return [Part(text(lib.jw_kind_name(item.kind)), text(item.name), item.line) for item in items]

    def check(self) -> List[Diagnostic]:
        """What is allowed but probably not meant, with its place; and what the engine refuses, as errors.

        Errors of the text are raised when it is read: ``jawari.check()`` returns those too.
        """
        world = ffi.new("JwWorld**")
        handle = self._read(self._sets)
        if lib.jw_scene_build(handle, ffi.NULL, world):
            return _diagnostics(handle)
        owned = ffi.gc(world[0], lib.jw_world_destroy)
        status = lib.jw_world_prepare(owned)
        if status:
            fail(status, text(lib.jw_world_error(owned)))
        lib.jw_scene_warn(handle, owned)
        return [_diagnostic(lib.jw_scene_warning(handle, i)) for i in range(lib.jw_scene_warnings(handle))]

    def __repr__(self) -> str:
        changed = "".join(", %s=%s" % item for item in self._sets)
        return "<jawari.Scene %s: %s%s>" % (self.name, self.title or "without a title", changed)

    def _repr_html_(self) -> str:
        from .show import scene_html
        return scene_html(self)


def _replaced(sets: "List[Tuple[str, str]]", name: str, word: str) -> "List[Tuple[str, str]]":
    if any(letter in name for letter in "=\0"):
        raise ValueError("%r is no name of a value" % name)
    return [item for item in sets if item[0] != name] + [(name, word)]


def _diagnostics(handle: Any) -> List[Diagnostic]:
    return [_diagnostic(lib.jw_scene_diagnostic(handle, i)) for i in range(lib.jw_scene_diagnostics(handle))]


def _again(source: "Optional[str]", path: "Optional[str]", builtin: "Optional[str]", folder: "Optional[str]",
           sets: "List[Tuple[str, str]]") -> Scene:
    scene = Scene.__new__(Scene)
    scene._text, scene._path, scene._builtin, scene._folder, scene._sets = source, path, builtin, folder, list(sets)
    scene._handle = scene._read(scene._sets)
    return scene


def check(source: Source) -> List[Diagnostic]:
    """Every error and warning of a scene, each with its place; an empty list when there is none."""
    try:
        return Scene(source).check()
    except SceneError as error:
        return list(error.diagnostics)
