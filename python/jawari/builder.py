# SPDX-License-Identifier: MIT
"""Scenes built up in Python, with the words of the scene format.

Signatures and documentation of the methods that add parts come from the library's own tables: see ``describe``.
"""
from __future__ import annotations

import inspect
from typing import Any, Callable, Dict, List, Optional

from ._library import ffi, lib, text
from .scene import Scene, schema

_OBJECTS = ["mass", "string", "plate", "modal", "barrier"]
_CONTACTS = ["collision", "connection", "spring"]
_EVENTS = {"bow": "bow-event", "pluck": "pluck", "strike": "strike", "push": "push", "throw": "throw", "change": "set"}


class Handle(str):
    """The name of an object; ``handle.at(0.3)`` is a place on it."""

    def at(self, x: float, y: "Optional[float]" = None) -> str:
        """A place, as fractions of its length or sides; on a modal object the number of a shape."""
        return "%s@%.17g" % (self, x) if y is None else "%s@%.17g,%.17g" % (self, x, y)


def _units(kind: str) -> Dict[str, Any]:
    """Rows of the parameter table of a kind, by key."""
    count = ffi.new("uint32_t*")
    for number in range(lib.JW_KIND_COUNT):
        if text(lib.jw_kind_name(number)) == {"bow-event": "bow", "pluck": "force", "strike": "force", "push": "force"}.get(kind, kind):
            table = lib.jw_params(number, count)
            return {text(table[i].key): table[i] for i in range(count[0])}
    return {}


def _range(row: Any) -> str:
    if row.type in (lib.JW_TYPE_FLAG, lib.JW_TYPE_CHOICE, lib.JW_TYPE_CHOICES):
        return ""
    initial = "" if row.required or row.initial != row.initial else ", %g if not given" % row.initial
    return " (%s%g to %g%s)" % (text(row.unit) + ", " if text(row.unit) else "", row.minimum, row.maximum, initial)


def _choices(shape: Dict[str, Any]) -> str:
    for part in [shape] + shape.get("anyOf", []):
        if "enum" in part and len(part["enum"]) < 12:
            return ": " + ", ".join(part["enum"])
    return ""


def describe(kind: str) -> str:
    """Every key of a kind of part, with unit, range and meaning, as the library's tables have it."""
    form, units = schema()["definitions"][kind], _units(kind)
    lines = []
    for key, shape in form["properties"].items():
        lines.append("%s%s: %s%s%s" % (key, " (needed)" if key in form.get("required", []) else "", shape.get("description", ""),
                                       _choices(shape), _range(units[key]) if key in units else ""))
    return "\n".join(lines)


class Builder:
    """A scene in the making.

    >>> scene = Builder(title="A rattle")
    >>> string = scene.string("string", length=0.65, frequency="A2", material="steel")
    >>> bridge = scene.mass("bridge", mass=1e-3, frequency=500, position=-1e-3)
    >>> scene.collision(below=bridge, above=string.at(0.9), stiffness=1e7, name="rattle")
    >>> scene.pluck(string.at(0.2), amplitude=3)
    >>> scene.pickup(string.at(0.95), gain="auto")
    >>> y, fs = jawari.render(scene.scene(), seconds=1)
    """

    def __init__(self, **keys: Any):
        """Keys of the scene itself: title, duration, world, parameters and so on."""
        self._made: Dict[str, Any] = dict({"jawari": 1}, **keys)

    def _list(self, name: str) -> List[Any]:
        made: List[Any] = self._made.setdefault(name, [])
        return made

    def _object(self, kind: str, name: str, keys: Dict[str, Any]) -> Handle:
        objects = self._made.setdefault("objects", {})
        if name in objects:
            raise ValueError("there is an object called %r already" % name)
        objects[name] = dict({"kind": kind}, **keys)
        return Handle(name)

    def dict(self) -> Dict[str, Any]:
        """The scene as the format has it."""
        return self._made

    def scene(self) -> Scene:
        """The scene; ``SceneError`` shows every error of it at once."""
        return Scene(self._made)


def _sign(call: Callable[..., Any], first: "List[str]", kind: str, leave: "List[str]") -> None:
    """Give a method the signature and the documentation of its kind."""
    form = schema()["definitions"][kind]
    parameters = [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for name in ["self"] + first]
    parameters += [inspect.Parameter(key, inspect.Parameter.KEYWORD_ONLY, default=inspect.Parameter.empty if key in
                                     form.get("required", []) and key not in leave else None)
                   for key in form["properties"] if key not in leave + first and key.isidentifier() and key != "from"]
    call.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    call.__doc__ = "Add a %s.\n\n%s\n" % (kind, describe(kind))


def _add_object(kind: str) -> None:
    def add(self: Builder, name: str, **keys: Any) -> Handle:
        return self._object(kind, name, keys)
    _sign(add, ["name"], kind, ["kind"])
    setattr(Builder, kind, add)


def _add_contact(kind: str, name: str) -> None:
    def add(self: Builder, **keys: Any) -> None:
        self._list("contacts").append(dict({"law": kind}, **keys))
    _sign(add, [], kind, ["law"])
    setattr(Builder, name, add)


def _add_event(name: str, kind: str) -> None:
    key = "set" if name == "change" else name

    def add(self: Builder, target: str, **keys: Any) -> None:
        self._list("score").append(dict({key: target}, **keys))
    _sign(add, ["target"], kind, [key])
    setattr(Builder, name, add)


def _add_pickup() -> None:
    def add(self: Builder, at: "Optional[str]" = None, **keys: Any) -> None:
        self._list("pickups").append(dict({} if at is None else {"at": at}, **keys))
    _sign(add, ["at"], "pickup", [])
    setattr(Builder, "pickup", add)


def _add_initial() -> None:
    def add(self: Builder, on: str, **keys: Any) -> None:
        self._list("initial").append(dict({"on": on}, **keys))
    _sign(add, ["on"], "initial", [])
    setattr(Builder, "initial", add)


for _kind in _OBJECTS:
    _add_object(_kind)
for _kind in _CONTACTS:
    _add_contact(_kind, _kind)
_add_contact("bow", "steady_bow")
for _name, _kind in _EVENTS.items():
    _add_event(_name, _kind)
_add_pickup()
_add_initial()
