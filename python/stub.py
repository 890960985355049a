#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Write the types of the builder's methods, from the schema of the scene format, for editors and type checkers.

usage: stub.py SCHEMA OUTPUT
"""
import json
import sys

HEAD = '''"""Types of builder.py; written from the schema of the scene format."""
from typing import Any, Dict, List, Optional, Union
from .scene import Scene

Port = Union[str, Dict[str, Any]]
Number = Union[float, str, List[Any]]
Values = Union[List[Any], str, float]
Repeat = Union[str, Dict[str, Any], List[Any]]

class Handle(str):
    def at(self, x: float, y: Optional[float] = ...) -> str: ...

def describe(kind: str) -> str: ...

class Builder:
    def __init__(self, **keys: Any) -> None: ...
    def dict(self) -> Dict[str, Any]: ...
    def scene(self) -> Scene: ...
'''
METHODS = [(kind, kind, "name", "kind", "Handle") for kind in ("mass", "string", "plate", "modal", "barrier")]
METHODS += [(kind, kind, None, "law", "None") for kind in ("collision", "connection", "spring")] + [("steady_bow", "bow", None, "law", "None")]
METHODS += [(kind, kind, "target", kind, "None") for kind in ("pluck", "strike", "push", "throw")]
METHODS += [("bow", "bow-event", "target", "bow", "None"), ("change", "set", "target", "set", "None")]
METHODS += [("pickup", "pickup", "at", "at", "None"), ("initial", "initial", "on", "on", "None")]


def type_of(key, shape):
    parts = shape.get("anyOf", [shape])
    if any(part.get("$ref", "").endswith("/port") for part in parts):
        return "Port"
    if any(part.get("type") == "boolean" for part in parts):
        return "Union[bool, str]"
    if key == "repeat":
        return "Repeat"
    if any("enum" in part for part in parts) or shape.get("type") == "string":
        return "Union[str, List[str]]"
    if any(part.get("type") in ("number", "integer") for part in parts):
        return "Number"
    return "Values"


def main():
    with open(sys.argv[1]) as file:
        forms = json.load(file)["definitions"]
    lines = [HEAD]
    for method, kind, first, leave, result in METHODS:
        form = forms[kind]
        words = ["self"] + ([] if first is None else ["%s: %s" % (first, "Optional[Port] = ..." if first == "at" else "str")]) + ["*"]
        for key, shape in form["properties"].items():
            if key not in (leave, first, "from"):
                needed = key in form.get("required", [])
                words.append("%s: %s" % (key, type_of(key, shape)) + ("" if needed else " = ..."))
        lines.append("    def %s(%s) -> %s: ...\n" % (method, ", ".join(words), result))
    with open(sys.argv[2], "w") as file:
        file.write("".join(lines))


main()
