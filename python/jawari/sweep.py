# SPDX-License-Identifier: MIT
"""One scene at many points: the sweeps of ``jawari sweep``, and data sets made of them."""
from __future__ import annotations

import hashlib
import json
import os
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from ._library import Error, fail, ffi, lib, text
from .scene import Scene, Source

Vary = Mapping[str, Any]
_OPEN: "OrderedDict[Tuple[Any, ...], Any]" = OrderedDict()  # Sweeps of this process, by their texts
_MOST_OPEN = 8


class Plan:
    """A sweep that is read and checked: how many points, what varies, what is kept.

    ``source`` is the path of a sweep file, its text, or a dict with the same keys; ``scene`` takes the place of the one
    that it names, as anything that ``jawari.Scene`` takes. A plan can be sent to other processes and machines.
    """

    def __init__(self, source: Union[str, "os.PathLike[str]", Mapping[str, Any]], scene: "Optional[Source]" = None):
        folder, file = "", "<sweep>"
        if isinstance(source, Mapping):
            words = json.dumps({"sweep": 1, **source}, indent=2, allow_nan=False)
        else:
            file, folder, words = _read_text(source, file)
        made = ""
        if scene is not None:
            words, folder, made = _with_scene(words, folder, Scene(scene))
        self._texts: Tuple[str, str, str, str] = (words, file, folder, made)
        handle = _handle(self._texts)
        self.hash: str = text(lib.jw_sweep_hash(handle))
        self.points: int = lib.jw_sweep_points(handle)
        self.parameters: List[str] = [text(lib.jw_sweep_axis_name(handle, i)) for i in range(lib.jw_sweep_axes(handle))]
        self.units: Dict[str, str] = {name: text(lib.jw_sweep_axis_unit(handle, i)) for i, name in enumerate(self.parameters)}
        self.rate: float = lib.jw_sweep_rate(handle)

    def __len__(self) -> int:
        return self.points

    def values(self, point: int) -> Dict[str, float]:
        """What varies, at one point."""
        numbers = ffi.new("double[]", max(1, len(self.parameters)))
        lib.jw_sweep_values(_handle(self._texts), point, numbers)
        return dict(zip(self.parameters, numbers))

    def compute(self, point: int) -> Dict[str, Any]:
        """One point alone: its parameters and results by name, with ``status`` and ``reason``."""
        if not 0 <= point < self.points:
            raise IndexError("point %d of %d" % (point, self.points))
        return {name: value[0] for name, value in _tables(self, [_rows(self._texts, point, point + 1)]).items()}


def _read_text(source: Union[str, "os.PathLike[str]"], file: str) -> "Tuple[str, str, str]":
    """A name for messages, a folder and a text, of a text itself or of the path of one."""
    if isinstance(source, str) and "{" in source:
        return file, "", source
    path = os.fspath(source)
    with open(path, encoding="utf-8") as stream:
        return path, os.path.dirname(path) or ".", stream.read()


def _with_scene(words: str, folder: str, scene: Scene) -> "Tuple[str, str, str]":
    """A sweep's text with this scene and the values that were set: by name, or as a text that needs no file."""
    content = json.loads(words)
    content["set"] = {**scene.sets, **content.get("set", {})}
    made = ""
    if scene._builtin is not None:
        content["scene"] = scene._builtin
    elif scene._path is not None and lib.jw_scene_files(scene._handle) > 1:  # It includes others, of its own folder
        folder, content["scene"] = os.path.split(os.path.abspath(scene._path))
    else:
        made = text(lib.jw_scene_file(scene._handle, 0).text)
    return json.dumps(content, indent=2, allow_nan=False), folder, made


def _once(texts: "Tuple[Any, ...]", make: "Callable[[], Any]") -> Any:
    """What these texts were made into in this process; the last few are kept."""
    if texts not in _OPEN:
        _OPEN[texts] = make()
        while len(_OPEN) > _MOST_OPEN:
            _OPEN.popitem(last=False)
    return _OPEN[texts]


def _handle(texts: "Tuple[str, str, str, str]") -> Any:
    """The library's sweep of these texts, opened once a process."""
    def make() -> Any:
        words, file, folder, scene = texts
        data = words.encode()
        held = [ffi.new("char[]", item.encode()) for item in (file, folder, scene)]
        body = ffi.new("char[]", data)
        definition = ffi.new("JwSweepDef*", {"text": body, "size": len(data), "file": held[0], "folder": held[1] if folder else ffi.NULL,
                                             "scene": held[2] if scene else ffi.NULL})
        made = ffi.new("JwSweep**")
        status = lib.jw_sweep_open(definition, made)
        if made[0] == ffi.NULL:
            fail(status)
        handle = ffi.gc(made[0], lib.jw_sweep_close)
        if status:
            fail(status, text(lib.jw_sweep_error(handle)).rstrip("\n"))
        return handle
    return _once(texts, make)


def _rows(texts: "Tuple[str, str, str, str]", first: int, end: int) -> bytes:
    """The rows of some points, as bytes: what other processes are asked for."""
    handle = _handle(texts)
    size = lib.jw_sweep_row_size(handle)
    rows = np.empty((end - first) * size, dtype=np.uint8)
    for i in range(first, end):
        at = (i - first) * size
        status = lib.jw_sweep_compute(handle, i, ffi.NULL, ffi.cast("void*", ffi.from_buffer(rows)) + at)
        if status:
            fail(status)
    return rows.tobytes()


class Scale(NamedTuple):
    """What a table is counted by, beside its points: times, names of contacts, numbers of partials."""

    name: str
    unit: str
    values: Any


def _scale(item: Any) -> Scale:
    values: Any = [text(item.names[i]) for i in range(item.count)] if item.values == ffi.NULL else np.array(
        [item.values[i] for i in range(item.count)])
    return Scale(text(item.name), text(item.unit), values)


def _tables(plan: Plan, parts: "Sequence[bytes]") -> Dict[str, Any]:
    """Rows, in the order of their points, as arrays by name."""
    handle = _handle(plan._texts)
    size = lib.jw_sweep_row_size(handle)
    rows = np.frombuffer(b"".join(parts), dtype=np.uint8).reshape(-1, size)
    head = np.ascontiguousarray(rows[:, :272]).view([("point", "<u8"), ("status", "<u8"), ("reason", "S256")])[:, 0]
    tables: Dict[str, Any] = {"point": head["point"].astype(np.int64), "status": head["status"].astype(np.int64),
                              "reason": np.array([item.decode("utf-8", "replace") for item in head["reason"]], dtype=object)}
    values = [plan.values(int(point)) for point in tables["point"]]
    for name in plan.parameters:
        tables[name] = np.array([item[name] for item in values])
    for i in range(lib.jw_sweep_results(handle)):
        result = lib.jw_sweep_result(handle, i)
        kind = np.dtype("<f4" if result.single else "<f8")
        cut = np.ascontiguousarray(rows[:, result.offset:result.offset + result.width * kind.itemsize]).view(kind)
        tables[text(result.name)] = cut.reshape([len(rows)] + [item.count for item in result.scales if item != ffi.NULL])
    return tables


class Result(Mapping[str, Any]):
    """What came of a sweep: arrays by name, the first dimension of each counts the points.

    The names are those of the file that ``jawari sweep`` writes, and so are the numbers, to the bit.
    """

    def __init__(self, plan: Plan, tables: Dict[str, Any]):
        self.plan = plan
        self._tables = tables
        handle = _handle(plan._texts)
        results = [lib.jw_sweep_result(handle, i) for i in range(lib.jw_sweep_results(handle))]
        self.units: Dict[str, str] = {**plan.units, **{text(item.name): text(item.unit) for item in results}}
        self.scales: Dict[str, List[Scale]] = {text(item.name): [_scale(one) for one in item.scales if one != ffi.NULL] for item in results}

    def __getitem__(self, name: str) -> Any:
        return self._tables[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._tables)

    def __len__(self) -> int:
        return len(self._tables)

    def __repr__(self) -> str:
        failed = int((self["status"] != 0).sum())
        return "<sweep of %d points, %d failed: %s>" % (len(self["point"]), failed, ", ".join(self))

    def pandas(self) -> Any:
        """A table with one line a point: what varied, and every result that is one number."""
        import pandas  # type: ignore[import]
        flat = {name: value for name, value in self.items() if value.ndim == 1 and name != "point"}
        return pandas.DataFrame(flat, index=pandas.Index(self["point"], name="point"))

    def xarray(self) -> Any:
        """A data set with its coordinates and units."""
        import xarray  # type: ignore[import]
        made, coordinates = {}, {"point": self["point"]}
        for name, value in self.items():
            scales = self.scales.get(name, [])
            coordinates.update({scale.name: scale.values for scale in scales})
            if name != "point":
                made[name] = (["point"] + [scale.name for scale in scales], value, {"units": self.units.get(name, "1")})
        return xarray.Dataset(made, coords=coordinates, attrs={"sweep_hash": self.plan.hash})


def sweep(source: Union[Source, Plan], vary: "Optional[Vary]" = None, *, executor: Any = None, chunk: "Optional[int]" = None,
          **keys: Any) -> Result:
    """Compute a scene at many points, side by side.

    >>> jawari.sweep("guitar", {"string.radius": [2e-4, 3e-4]}, seconds=0.5)["f0"]

    With ``vary``, ``source`` is a scene, and the keys are those of a sweep file: ``by``, ``points``, ``seed``, ``keep``,
    ``fields``, ``set``, ``seconds``, ``rate``, ``channels``, ``gain``, ``oversample``. Without it, ``source`` is a sweep
    file or a ``Plan``. ``executor`` is anything with ``submit``: an executor of ``concurrent.futures``, or a client of
    ``dask.distributed``; without one, threads on all cores. ``chunk`` points go with one call. The result depends on
    none of them.
    """
    if isinstance(source, Plan):
        plan = source
    elif vary is None:
        plan = Plan(source)  # type: ignore[arg-type]
    else:
        plan = Plan({"vary": dict(vary), **keys}, scene=source)
    step = chunk or max(1, min(64, plan.points // 64))
    spans = [(first, min(first + step, plan.points)) for first in range(0, plan.points, step)]
    own = ThreadPoolExecutor(os.cpu_count()) if executor is None else None
    pool = own or executor
    try:
        futures = [pool.submit(_rows, plan._texts, *span) for span in spans]
        parts = [future.result() for future in futures]
    finally:
        if own:
            own.shutdown(cancel_futures=True)
    return Result(plan, _tables(plan, parts))


class Item(NamedTuple):
    """One sound of a data set: float32 samples (frames, channels), their rate, what was varied, and of what."""

    samples: Any
    rate: float
    instrument: str
    parameters: Dict[str, float]


class Dataset:
    """Sounds with their parameters, from one seed: the data set that ``jawari dataset`` makes, to the bit.

    >>> data = jawari.Dataset({"piano-c4": {"felt.stiffness": {"from": 1e9, "to": 1e10, "log": True}}}, size=10000, seed=1, seconds=1)
    >>> data[17].samples
    >>> jawari.Dataset("train.json")                  # the file of ``jawari dataset train.json``

    ``instruments`` has what varies of each scene; they take turns. ``data[i]`` depends on the scenes, the ranges, the seed, the
    version and ``i`` alone, and its samples are the same on every machine: what is cited is ``hash``, and what is stored are a few
    lines. It has a length and an index, which is all that a DataLoader asks for, and can be sent to other processes.
    """

    def __init__(self, instruments: Union[str, "os.PathLike[str]", Mapping[str, Vary]], size: "Optional[int]" = None,
                 seed: "Optional[int]" = None, *, by: "Optional[str]" = None, scenes: "Optional[Mapping[str, Source]]" = None,
                 **keys: Any):
        """``scenes`` has scenes that are not built in, by the names of ``instruments``; ``keys`` are those of a data set's file.

        With the path or the text of such a file, what else is given takes the place of what it says.
        """
        given = {key: value for key, value in dict(keys, size=size, seed=seed, by=by).items() if value is not None}
        folder, file = "", "<data set>"
        if isinstance(instruments, Mapping):
            parts: Dict[str, Any] = {name: {"vary": dict(vary)} for name, vary in instruments.items()}
            words = json.dumps({"dataset": 1, "instruments": parts})
        else:
            file, folder, words = _read_text(instruments, file)
        texts = self._put_scenes(words, given, scenes or {})
        self._texts: Tuple[Any, ...] = (texts[0], file, folder) + texts[1]
        handle = _dataset(self._texts)
        self.hash: str = text(lib.jw_dataset_hash(handle))
        self.size: int = lib.jw_dataset_size(handle)
        self.names: List[str] = [text(lib.jw_dataset_instrument(handle, i)) for i in range(lib.jw_dataset_instruments(handle))]

    @staticmethod
    def _put_scenes(words: str, given: Dict[str, Any], scenes: Mapping[str, Source]) -> "Tuple[str, Tuple[str, ...]]":
        """The text with what was given, and the texts of scenes that are no files, "" for the others."""
        if not given and not scenes:
            return words, ()
        content = {**json.loads(words), **given}
        made = []
        for name, part in content.get("instruments", {}).items():
            scene = Scene(scenes[name]) if name in scenes else None
            made.append("" if scene is None or scene._builtin is not None else _whole_text(scene))
            if scene is not None:
                part["set"] = {**scene.sets, **part.get("set", {})}
            if scene is not None and scene._builtin is not None:
                part["scene"] = scene._builtin
        return json.dumps(content, indent=2, allow_nan=False), tuple(made)

    def __len__(self) -> int:
        return self.size

    def _place(self, index: int) -> "Tuple[Any, Any]":
        """Where a sound is, and what must live as long as that is used."""
        index += self.size if index < 0 else 0
        if not 0 <= index < self.size:
            raise IndexError("sound %d of %d" % (index, self.size))
        handle = _dataset(self._texts)
        return lib.jw_dataset_place(handle, index), handle

    def parameters(self, index: int) -> Tuple[str, Dict[str, float]]:
        """The instrument of a sound and what is varied of it, without computing anything."""
        place, _held = self._place(index)
        count = lib.jw_sweep_axes(place.sweep)
        numbers = ffi.new("double[]", max(1, count))
        lib.jw_sweep_values(place.sweep, place.point, numbers)
        return self.names[place.instrument], {text(lib.jw_sweep_axis_name(place.sweep, i)): numbers[i] for i in range(count)}

    def __getitem__(self, index: int) -> Item:
        place, _held = self._place(index)
        name, values = self.parameters(index)
        row = np.empty(lib.jw_sweep_row_size(place.sweep), dtype=np.uint8)
        status = lib.jw_sweep_compute(place.sweep, place.point, ffi.NULL, ffi.cast("void*", ffi.from_buffer(row)))
        if status:
            fail(status)
        head = ffi.cast("JwSweepRow*", ffi.from_buffer(row))
        if head.status:
            raise Error("sound %d, %s with %s: %s" % (index, name, values, text(head.reason)))
        sound = lib.jw_sweep_result(place.sweep, 0)
        samples = row[sound.offset:sound.offset + 4 * sound.width].view("<f4")
        return Item(samples.reshape([scale.count for scale in sound.scales if scale != ffi.NULL]), lib.jw_sweep_rate(place.sweep),
                    name, values)

    def __iter__(self) -> Iterator[Item]:
        return (self[i] for i in range(self.size))

    def line(self, index: int) -> Dict[str, Any]:
        """What a list of the data set says of one sound: its place, instrument, parameters, and the hash of its samples."""
        item = self[index]
        return {"index": index + (self.size if index < 0 else 0), "instrument": item.instrument, "parameters": item.parameters,
                "sha256": hashlib.sha256(np.ascontiguousarray(item.samples, dtype="<f4").tobytes()).hexdigest()}


def _whole_text(scene: Scene) -> str:
    """The text of a scene that needs no other file."""
    if lib.jw_scene_files(scene._handle) > 1:
        raise ValueError("%s includes other files: name it in the data set's file, beside which they are found" % scene.name)
    return text(lib.jw_scene_file(scene._handle, 0).text)


def _dataset(texts: "Tuple[Any, ...]") -> Any:
    """The library's data set of these texts, opened once a process."""
    def make() -> Any:
        words, file, folder, *scenes = texts
        data = words.encode()
        held = [ffi.new("char[]", item.encode()) if item else ffi.NULL for item in [file, folder] + scenes]
        body, pointers = ffi.new("char[]", data), ffi.new("const char*[]", held[2:] or 1)
        definition = ffi.new("JwDatasetDef*", {"text": body, "size": len(data), "file": held[0], "folder": held[1],
                                               "scenes": pointers, "scene_count": len(scenes)})
        made = ffi.new("JwDataset**")
        status = lib.jw_dataset_open(definition, made)
        if made[0] == ffi.NULL:
            fail(status)
        handle = ffi.gc(made[0], lib.jw_dataset_close)
        if status:
            fail(status, text(lib.jw_dataset_error(handle)).rstrip("\n"))
        return handle
    return _once(texts, make)
