# SPDX-License-Identifier: MIT
"""From a scene to an array of samples."""
from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from ._library import SceneError, fail, ffi, interruptible, lib, optional, text
from .scene import Scene, Source, _diagnostics

CHANNELS = {None: 0, "scene": 0, "mono": 1, "stereo": 2, "pickups": 3, "numbers": 4}


Midi = Sequence[Tuple[float, bytes]]


class Sound(NamedTuple):
    """Samples, one row a frame and one column a channel, and how many frames a second has.

    A pair, so that ``y, fs = jawari.render("guitar")`` works; notebooks show it as a player with its picture.
    """

    samples: Any
    rate: float

    def _repr_html_(self) -> str:
        from .show import sound_html
        return sound_html(self.samples, self.rate)


def render(source: Source, seconds: "Optional[float]" = None, rate: "Optional[float]" = None,
           oversample: "Optional[int]" = None, channels: "Optional[str]" = None, gain: "Optional[float]" = None,
           midi: "Optional[Midi]" = None, threads: int = 1, ledger: bool = False) -> Sound:
    """Compute a scene: float32 samples of shape (frames, channels), and the rate.

    The samples are those of ``jawari render``, to the bit. ``channels`` is "mono", "stereo", "pickups" (one each) or
    "numbers" (one a pickup, in SI units, never scaled); without it, as the scene says. ``midi`` is a list of
    (seconds, bytes) that is played instead of the scene's own score, as ``jawari render --midi`` does; without
    ``seconds``, until three seconds after its last message. Other threads of Python run meanwhile, and Ctrl-C ends it.
    """
    if channels not in CHANNELS:
        raise ValueError("channels is %r, must be one of mono, stereo, pickups, numbers" % (channels,))
    scene = Scene(source)  # One of its own, which a song may mute
    handle, song, _held = scene._handle, ffi.NULL, None
    if midi is not None:
        song, _held = _song(midi)
    definition = ffi.new("JwTakeDef*", lib.jw_take_default())
    definition.rate, definition.seconds, definition.gain = optional(rate), optional(seconds), optional(gain)
    definition.oversample, definition.channels = oversample or 0, CHANNELS[channels]
    definition.threads, definition.ledger, definition.song = threads, ledger, song
    made = ffi.new("JwTake**")
    status = lib.jw_take_open(handle, definition, made)
    if made[0] == ffi.NULL:
        fail(status)
    take = ffi.gc(made[0], lib.jw_take_close)
    if status and lib.jw_scene_diagnostics(handle):
        raise SceneError(_diagnostics(handle))
    if status:
        fail(status, text(lib.jw_take_error(take)))
    info = lib.jw_take_info(take)
    samples = np.empty((info.frames, info.channels), dtype=np.float32)
    pointer = ffi.cast("float*", ffi.from_buffer(samples, require_writable=True)) if samples.size else ffi.new("float*")
    work = info.frames * info.oversample * max(1, lib.jw_world_info(lib.jw_take_world(take)).points)
    status = interruptible(work, lambda: int(lib.jw_take_run(take, pointer)), partial(lib.jw_take_cancel, take))
    if status:
        fail(status, "%s: %s" % (scene.name, text(lib.jw_take_error(take))))
    return Sound(samples, info.rate)


def _song(midi: Midi) -> Any:
    """A song of the library, and what must live as long as it."""
    events = ffi.new("JwSongEvent[]", max(1, len(midi)))
    last = 0.0
    for i, (time, data) in enumerate(midi):
        if not (time >= last) or time == float("inf"):
            raise ValueError("midi[%d] comes at %r s, after one at %g s; messages are in the order of time" % (i, time, last))
        if not 1 <= len(data) <= 3 or not 0x80 <= data[0] < 0xf0 or any(byte > 127 for byte in data[1:]):
            raise ValueError("midi[%d] is %r, which is no channel message of one to three bytes" % (i, bytes(data)))
        events[i].time, events[i].size, last = time, len(data), time
        events[i].data = list(data) + [0] * (3 - len(data))
    song = ffi.new("JwSong*")
    song.events, song.count, song.duration = events, len(midi), last
    return song, events

