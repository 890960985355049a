# SPDX-License-Identifier: MIT
"""What notebooks show: a player with its waveform, a scene's parts, a world's figures."""
from __future__ import annotations

import base64
import io
import struct
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from .scene import Scene
    from .world import World

WIDTH, HEIGHT = 640, 120


def wav(samples: Any, rate: float) -> bytes:
    """A WAV file of 32-bit float samples, as bytes."""
    data = np.ascontiguousarray(samples, dtype="<f4").tobytes()
    channels = samples.shape[1]
    head = struct.pack("<4sI4s4sIHHIIHH4sII4sI", b"RIFF", 48 + len(data), b"WAVE", b"fmt ", 16, 3, channels, int(rate),
                       int(rate) * channels * 4, channels * 4, 32, b"fact", 4, samples.shape[0], b"data", len(data))
    return head + data


def _waveform(samples: Any, rate: float) -> str:
    """The outline of the loudest channel, as SVG: for each column its least and largest sample."""
    if samples.size == 0:
        return ""
    channel = samples[:, int(np.argmax(np.max(np.abs(samples), axis=0)))]
    edges = np.linspace(0, len(channel), min(WIDTH, len(channel)) + 1).astype(int)[:-1]
    top, low = np.maximum.reduceat(channel, edges), np.minimum.reduceat(channel, edges)
    scale = HEIGHT / 2 / max(float(np.max(np.abs(channel))), 1e-30)
    step = WIDTH / len(edges)
    points = ["%.1f,%.1f" % (i * step, HEIGHT / 2 - scale * value) for i, value in enumerate(top)]
    points += ["%.1f,%.1f" % (i * step, HEIGHT / 2 - scale * low[i]) for i in range(len(edges) - 1, -1, -1)]
    return ('<svg width="%d" height="%d" role="img" aria-label="waveform, %.3g s"><polygon points="%s" fill="currentColor" '
            'stroke="currentColor" stroke-width="0.5"/></svg>' % (WIDTH, HEIGHT, len(channel) / rate, " ".join(points)))


def _playable(samples: Any) -> Any:
    """At most two channels, and no louder than full scale."""
    heard = samples if samples.shape[1] <= 2 else samples.mean(axis=1, keepdims=True)
    peak = float(np.max(np.abs(heard))) if heard.size else 0.0
    return heard / peak if peak > 1.0 else heard


def sound_html(samples: Any, rate: float) -> str:
    """A player and the waveform."""
    if samples.size == 0:
        return "<p>an empty sound</p>"
    data = base64.b64encode(wav(_playable(samples), rate)).decode()
    return ('<div>%s<br><audio controls src="data:audio/wav;base64,%s"></audio><br><small>%.3f s, %d channels, %g Hz, peak %.3g'
            '</small></div>' % (_waveform(samples, rate), data, len(samples) / rate, samples.shape[1], rate,
                                float(np.max(np.abs(samples)))))


def _table(head: Any, rows: Any) -> str:
    out = io.StringIO()
    out.write("<table><tr>%s</tr>" % "".join("<th>%s</th>" % escape(str(cell)) for cell in head))
    for row in rows:
        out.write("<tr>%s</tr>" % "".join("<td>%s</td>" % escape(str(cell)) for cell in row))
    out.write("</table>")
    return out.getvalue()


def scene_html(scene: "Scene") -> str:
    """The title, a player of the first seconds, and the parts."""
    from .render import render
    sound = render(scene, seconds=min(scene.duration, 3.0))
    parts = [(part.kind, part.name, part.line) for part in scene.parts]
    return "<h4>%s</h4>%s%s" % (escape(scene.title or scene.name), sound_html(sound.samples, sound.rate),
                                _table(("kind", "name", "line"), parts))


def world_html(world: "World") -> str:
    """Where it is, its energy, and what its contacts did."""
    energy = ["%.4g" % value for value in world.energy]
    contacts = [(name, figures.closures, "%.4g" % figures.push, "%.4g" % figures.penetration) for name, figures in world.contacts.items()]
    return "<p>%s</p>%s%s" % (escape(repr(world)), _table(world.energy._fields, [energy]),
                              _table(("contact", "closures", "push (N)", "penetration (m)"), contacts))
