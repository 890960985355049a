# SPDX-License-Identifier: MIT
"""What a sound is like, in numbers."""
from __future__ import annotations

from typing import Any, Dict, NamedTuple

import numpy as np

from ._library import fail, ffi, lib


class Measured(NamedTuple):
    """Numbers and how far each may be off; NaN where the sound has none."""

    value: Any
    uncertainty: Any


BANDS = tuple(125.0 * 2 ** i for i in range(7))
"""The middles of the octaves of ``t60``, in Hz."""


def _read(field: Any) -> Measured:
    if ffi.typeof(field).kind != "array":
        return Measured(field.value, field.uncertainty)
    return Measured(np.array([item.value for item in field]), np.array([item.uncertainty for item in field]))


def features(samples: Any, rate: float) -> Dict[str, Measured]:
    """Measure a sound of shape (frames,) or (frames, channels), each number with its uncertainty.

    f0 (Hz); inharmonicity B; partials (Hz) and their levels (dB) 1 to 16; t60 (s) in the octaves ``BANDS``; centroid
    (Hz) in twenty stretches of equal length; loudness (LUFS). docs/sweeps.md says how each is measured.
    """
    data = np.ascontiguousarray(samples, dtype=np.float32)
    if data.ndim == 1:
        data = data[:, None]
    if data.ndim != 2 or not 1 <= data.shape[1] <= 64:
        raise ValueError("a sound has the shape (frames,) or (frames, channels), not %r" % (data.shape,))
    found = ffi.new("JwFeatures*")
    pointer = ffi.cast("float*", ffi.from_buffer(data)) if data.size else ffi.new("float*")
    status = lib.jw_features_measure(pointer, data.shape[0], data.shape[1], rate, found)
    if status:
        fail(status, "the rate is not 1000 to 1e8 Hz, or a sample is not finite" if status == lib.JW_STATUS_BAD_VALUE else "")
    return {name: _read(getattr(found, name)) for name, _ in ffi.typeof("JwFeatures").fields}
