# SPDX-License-Identifier: MIT
"""Worlds: a scene that runs, step by step, and can be looked at and touched."""
from __future__ import annotations

from functools import partial
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

import numpy as np

from ._library import Error, SceneError, fail, ffi, interruptible, lib, text
from .scene import Scene, Source, _diagnostics

Array = Any  # An array of numpy

# A key of a scene, and the control that moves it.
_CONTROLS = {
    "force": "FORCE", "amplitude": "FORCE", "speed": "SPEED", "x": "X", "y": "Y", "x2": "X2", "y2": "Y2", "gap": "GAP",
    "stiffness": "STIFFNESS", "linear": "STIFFNESS", "loss": "LOSS", "damping": "LOSS", "tension": "TENSION",
    "frequency": "FREQUENCY", "cents": "CENTS", "position": "POSITION", "gain": "GAIN", "pan": "PAN"}


class Energy(NamedTuple):
    """Where the energy is, in joules: stored + lost - supplied keeps its first value to rounding.

    ``residual`` is that difference over the largest energy seen: 1e-12 is healthy, 1e-6 is a bug.
    """

    kinetic: float
    potential: float
    stretch: float
    contact: float
    stored: float
    lost: float
    supplied: float
    peak: float
    residual: float
    worst_residual: float


class ContactFigures(NamedTuple):
    """What a contact did so far; of one along a string the worst of its points, closures added.

    Forces in N, eta and penetration in m, energies in J; closed_samples and longest_closure count frames of the world.
    """

    force: float
    eta: float
    misfit: float
    pull: float
    push: float
    parked: float
    peak_energy: float
    penetration: float
    closures: int
    closed_samples: int
    longest_closure: int
    closed: bool


class ObjectInfo(NamedTuple):
    """What an object came out as: its grid, how stable, how high it sounds (Hz), how heavy (kg), how it fades."""

    kind: str
    name: str
    points: int
    grid: Tuple[int, int]
    spacing: Tuple[float, float]
    margin: float
    tension: float
    fundamental: float
    mass: float
    loss: Tuple[float, float]


def _values(kind: Any, struct: Any) -> Any:
    return kind(*(getattr(struct, name) for name in kind._fields))


class World:
    """A scene that runs.

    >>> with World("bouncing-ball") as world:
    ...     sound = world.run(seconds=0.5)
    ...     world.energy.worst_residual

    Output is one channel a pickup in SI units, unless ``channels`` says "mono", "stereo" or "pickups" (with their
    gains). A world belongs to one thread at a time; different worlds run side by side, since Python's lock is released.
    """

    def __init__(self, source: Source, rate: "Optional[float]" = None, channels: str = "numbers", ledger: bool = True,
                 threads: int = 1):
        """``rate`` is that of the world, in Hz: without it the scene's own, times its oversampling."""
        counts = {"numbers": 0, "pickups": 0, "mono": 1, "stereo": 2}
        if channels not in counts:
            raise ValueError("channels is %r, must be one of numbers, pickups, mono, stereo" % (channels,))
        self.scene = Scene(source)
        definition = ffi.new("JwWorldDef*", lib.jw_scene_world(self.scene._handle))
        definition.ledger, definition.threads = ledger, threads
        definition.channels, definition.unscaled = counts[channels], channels == "numbers"
        if rate is not None:
            definition.sample_rate = rate
        made = ffi.new("JwWorld**")
        status = lib.jw_scene_build(self.scene._handle, definition, made)
        if status and lib.jw_scene_diagnostics(self.scene._handle):
            raise SceneError(_diagnostics(self.scene._handle))
        if status:
            fail(status, text(lib.jw_world_error(made[0])))
        self._world: Any = ffi.gc(made[0], lib.jw_world_destroy)
        self._check(lib.jw_world_prepare(self._world))
        self._parts = self._find_parts()

    def _find_parts(self) -> Dict[str, Any]:
        handle = self.scene._handle
        parts = [lib.jw_scene_part(handle, i) for i in range(lib.jw_scene_parts(handle))]
        return {text(part.name): part for part in parts if part.name != ffi.NULL}

    def _check(self, status: int) -> None:
        if status:
            said = text(lib.jw_world_error(self._open))
            fail(status, said or text(lib.jw_status_text(status)))

    @property
    def _open(self) -> Any:
        if self._world is None:
            raise Error("this world is closed", "bad order")
        return self._world

    def close(self) -> None:
        """Give its memory back; a ``with`` statement does so at its end."""
        if self._world is not None:
            ffi.release(self._world)
            self._world = None

    def __enter__(self) -> "World":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    # ------------------------------------------------------------ run

    @property
    def rate(self) -> float:
        """Frames a second (Hz)."""
        return float(lib.jw_world_info(self._open).sample_rate)

    @property
    def channels(self) -> int:
        """Columns of what ``run`` returns."""
        return int(lib.jw_world_channels(self._open))

    @property
    def frame(self) -> int:
        """Frames run since the start."""
        return int(lib.jw_world_frame(self._open))

    @property
    def time(self) -> float:
        """Seconds since the start."""
        return self.frame / self.rate

    def run(self, frames: "Optional[int]" = None, seconds: "Optional[float]" = None,
            dtype: Any = np.float64) -> Array:
        """Advance, and return what the pickups heard: (frames, channels), in float64 or float32.

        A state that stops being finite raises ``Error``; nothing is clamped.
        """
        if (frames is None) == (seconds is None):
            raise TypeError("run() takes either frames or seconds")
        count = int(frames) if frames is not None else int(round(float(seconds or 0.0) * self.rate))
        if count < 0:
            raise ValueError("cannot run %d frames" % count)
        kind = np.dtype(dtype)
        if kind not in (np.dtype(np.float32), np.dtype(np.float64)):
            raise TypeError("dtype is %s, must be float32 or float64" % kind)
        out = np.zeros((self.channels, count), dtype=kind)
        self._run_into(out, count)
        return out.T

    def _run_into(self, out: Array, count: int) -> None:
        world, name = self._open, "float" if out.dtype == np.float32 else "double"
        call = lib.jw_world_run if name == "float" else lib.jw_world_run_double
        rows = ffi.new("%s*[]" % name, [ffi.cast("%s*" % name, ffi.from_buffer(row)) for row in out] if count else [])
        pointer = rows if out.shape[0] and count else ffi.NULL
        work = count * max(1, lib.jw_world_info(world).points)
        self._check(interruptible(work, lambda: int(call(world, pointer, count)), partial(lib.jw_world_cancel, world)))

    def step(self) -> Array:
        """Advance by one frame; returns one number a channel."""
        out = np.zeros((self.channels, 1))
        self._run_into(out, 1)
        return out[:, 0]

    def reset(self) -> None:
        """Back to the start."""
        lib.jw_world_reset(self._open)

    # ------------------------------------------------------------ touch

    def _part(self, name: str) -> Any:
        part = self._parts.get(name)
        if part is None:
            raise KeyError("there is no part called %r; there are %s" % (name, ", ".join(sorted(self._parts)) or "none with names"))
        return part

    def _target(self, path: str) -> Any:
        name, _, key = path.rpartition(".")
        if key not in _CONTROLS:
            raise KeyError("%r names nothing that moves; it ends in one of %s" % (path, ", ".join("." + key for key in _CONTROLS)))
        part = self._part(name)
        target = ffi.new("JwTarget*")
        target.control = getattr(lib, "JW_CONTROL_" + _CONTROLS[key])
        target.object, target.contact, target.exciter, target.pickup = part.object, part.contact, part.exciter, part.pickup
        return target[0]

    def set(self, path: str, value: float, over: float = 0.0) -> None:
        """Move a number, such as "rattle.stiffness" or "bow.force", to a value in a straight line over some seconds."""
        status = lib.jw_world_set(self._open, self._target(path), value, over)
        if status == lib.JW_STATUS_BAD_VALUE:
            low, high = self.range(path)
            raise Error("%s is %g, must be %g to %g" % (path, value, low, high), "bad value")
        if status:
            fail(status, "%s: %s" % (path, text(lib.jw_status_text(status))))

    def get(self, path: str) -> float:
        """Where a number that moves is now."""
        value = ffi.new("double*")
        status = lib.jw_world_get(self._open, self._target(path), value)
        if status:
            fail(status, "%s: %s" % (path, text(lib.jw_status_text(status))))
        return float(value[0])

    def range(self, path: str) -> Tuple[float, float]:
        """The least and the largest value that a number which moves takes."""
        limits = ffi.new("double[2]")
        self._check(lib.jw_world_control_range(self._open, self._target(path), limits))
        return limits[0], limits[1]

    def throw(self, mass: str, velocity: float, position: "Optional[float]" = None) -> None:
        """Throw a mass: from the next frame on it has this velocity, from where it is or from a position (m)."""
        part = self._part(mass)
        start = self.probe(mass)[0] if position is None else position
        status = lib.jw_world_throw(self._open, part.object, start, velocity)
        if status:
            fail(status, "%s: %s" % (mass, text(lib.jw_status_text(status))))

    def trigger(self, force: str, amplitude: float) -> None:
        """Start a pluck, strike or push of the score anew, with a force in N."""
        status = lib.jw_world_trigger(self._open, self._part(force).exciter, amplitude)
        if status:
            fail(status, "%s: %s" % (force, text(lib.jw_status_text(status))))

    def snapshot(self) -> bytes:
        """The whole state; running on from it gives the same samples to the bit."""
        size = lib.jw_world_snapshot_size(self._open)
        memory = bytearray(size)
        self._check(lib.jw_world_snapshot(self._open, ffi.from_buffer(memory), size))
        return bytes(memory)

    def restore(self, snapshot: bytes) -> None:
        """Take a state back; one of another world, or a damaged one, is refused and changes nothing."""
        status = lib.jw_world_restore(self._open, ffi.from_buffer(snapshot), len(snapshot))
        if status:
            fail(status)

    # ------------------------------------------------------------ look

    @property
    def energy(self) -> Energy:
        """Where the energy is; zeros without a ledger."""
        made: Energy = _values(Energy, lib.jw_world_energy(self._open))
        return made

    def energy_of(self, name: str) -> float:
        """What one object or contact holds, in J."""
        part = self._part(name)
        if part.contact.index:
            return float(lib.jw_world_contact_energy(self._open, part.contact))
        return float(lib.jw_world_object_energy(self._open, part.object))

    @property
    def contacts(self) -> Dict[str, ContactFigures]:
        """What every contact did so far, by its name, or "contact1" and so on."""
        figures = {}
        for i in range(1, lib.jw_world_info(self._open).contacts + 1):
            contact = ffi.new("JwContactId*", [i])[0]
            name = text(lib.jw_world_contact_info(self._open, contact).name) or "contact%d" % i
            figures[name] = _values(ContactFigures, lib.jw_world_contact_figures(self._open, contact))
        return figures

    @property
    def objects(self) -> List[str]:
        """The names of the objects."""
        return [text(lib.jw_world_object_info(self._open, ffi.new("JwObjectId*", [i])[0]).name)
                for i in range(1, lib.jw_world_info(self._open).objects + 1)]

    def object(self, name: str) -> ObjectInfo:
        """What an object came out as."""
        info = lib.jw_world_object_info(self._open, self._part(name).object)
        return ObjectInfo(text(lib.jw_kind_name(info.kind)), text(info.name), info.points, (info.grid[0], info.grid[1]),
                          (info.spacing[0], info.spacing[1]),
                          info.margin, info.tension, info.fundamental, info.mass, (info.loss[0], info.loss[1]))

    def field(self, name: str, out: "Optional[Array]" = None) -> Array:
        """The displacement (m) of every point of an object; of a plate, one row a line across.

        The library writes into the array's own memory. With ``out``, an array that an earlier call returned is
        filled again and nothing is allocated.
        """
        part = self._part(name)
        info = lib.jw_world_object_info(self._open, part.object)
        if out is None:
            out = np.empty(info.points)
            if info.kind == lib.JW_KIND_PLATE:
                columns = len(np.unique(self.places(name)[:, 0]))
                out = out.reshape(-1, columns)
        if not (out.dtype == np.float64 and out.flags.c_contiguous and out.flags.writeable):
            raise TypeError("a field is written into a contiguous, writable array of float64")
        if out.size != info.points:
            raise ValueError("%s has %d points, and the array %d" % (name, info.points, out.size))
        if out.size:
            lib.jw_world_field(self._open, part.object, ffi.cast("double*", ffi.from_buffer(out)), out.size)
        return out

    def places(self, name: str) -> Array:
        """Where the points of an object are: x and y in m, one row a point."""
        part = self._part(name)
        count = lib.jw_world_object_info(self._open, part.object).points
        places = np.zeros((count, 2))
        got = lib.jw_world_places(self._open, part.object, ffi.cast("double*", ffi.from_buffer(places)), count) if count else 0
        return places[:got]

    def probe(self, port: str, y: float = 0.0) -> Tuple[float, float]:
        """Displacement (m) and velocity (m/s) at a place: "bridge", "string@0.3", "body@0.8,0.75"."""
        name, _, where = port.partition("@")
        numbers = [float(word) for word in where.split(",")] if where else [0.0]
        place = ffi.new("JwPort*")
        place.object, place.x, place.reading = self._part(name).object, numbers[0], lib.JW_READ_LINEAR
        place.y = numbers[1] if len(numbers) > 1 else y
        values = ffi.new("double[2]")
        self._check(lib.jw_world_probe(self._open, place[0], values, values + 1))
        return values[0], values[1]

    def __repr__(self) -> str:
        if self._world is None:
            return "<jawari.World, closed>"
        return "<jawari.World of %s at %.6f s, %g Hz>" % (self.scene.name, self.time, self.rate)

    def _repr_html_(self) -> str:
        from .show import world_html
        return world_html(self)
