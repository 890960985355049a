#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What sweeps cost: against single renderings, over workers, over points; and threads of Python.

usage: sweep_speed.py JAWARI PICTURE.svg      prints the rows of docs/sweeps.md, and draws the scaling over cores

Every time is the least of several rounds that take turns, so that a busy machine shows as little as it can.
"""
import json
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time

import jawari

JAWARI = os.path.abspath(sys.argv[1])
ROUNDS = 5
SCENE = {"jawari": 1, "duration": 0.25,
         "objects": {"string": {"kind": "string", "length": 0.65, "radius": 3e-4, "material": "steel", "frequency": "A3", "loss": [0.5, 1e-3]},
                     "stop": {"kind": "barrier", "position": -2e-4}},
         "contacts": [{"law": "collision", "below": "stop", "above": "string@0.4", "stiffness": 1e7, "name": "rattle"}],
         "initial": [{"on": "string@0.2", "amplitude": 2e-3}],
         "pickups": [{"at": "string@0.9", "gain": "auto", "name": "near"}]}
MASS = {"jawari": 1, "duration": 0.001, "objects": {"m": {"kind": "mass", "mass": 1, "frequency": 100}}}


def run(folder, sweep, workers):
    """Seconds by the clock, seconds of all cores, and the largest memory (MB)."""
    with open(os.path.join(folder, "s.json"), "w") as file:
        json.dump(sweep, file)
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(["/usr/bin/time", "-f", "%M", JAWARI, "sweep", "s.json", "-o", "out.h5", "-q", "-j", str(workers)], cwd=folder,
                          capture_output=True, text=True, check=True)
    took, after = time.monotonic() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    os.remove(os.path.join(folder, "out.h5"))
    return took, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, int(done.stderr.split()[-1]) / 1024


def render_all(values):
    """The same points by single renderings in one process: seconds by the clock and of this core."""
    begun, core = time.monotonic(), time.process_time()
    for value in values:
        jawari.render(jawari.Scene(SCENE, {"rattle.stiffness": value}), ledger=True)
    return time.monotonic() - begun, time.process_time() - core


def against_renders(folder, cores):
    sweep = {"sweep": 1, "scene": "scene.json", "vary": {"rattle.stiffness": {"from": 1e5, "to": 1e8, "count": 1000, "log": True}},
             "keep": ["statistics", "contacts"]}
    with open(os.path.join(folder, "scene.json"), "w") as file:
        json.dump(SCENE, file)
    values = [1e5 * 1e3 ** (i / 999) for i in range(1000)]
    whole, single = [], []
    for _ in range(ROUNDS):
        single.append(render_all(values))
        whole.append(run(folder, sweep, cores))
    clock, core = min(item[0] for item in whole), min(item[1] for item in whole)
    sums = min(item[0] for item in single), min(item[1] for item in single)
    print("| 1,000 points of 0.25 s, %d workers | %.2f s (%.2f s of core time); their single renderings by `jawari.render` %.2f s of core time, over %d cores %.2f s: %.2f times that |"
          % (cores, clock, core, sums[1], cores, sums[1] / cores, clock / (sums[1] / cores)))


def over_workers(folder, cores):
    sweep = {"sweep": 1, "scene": "scene.json", "seconds": 2, "vary": {"rattle.stiffness": {"from": 1e5, "to": 1e8, "count": 64, "log": True}},
             "keep": ["statistics", "contacts", "features"]}
    counts = sorted({1, *(2 ** i for i in range(12) if 2 ** i <= cores), cores, 2 * cores})
    times = {count: [] for count in counts}
    for _ in range(ROUNDS):
        for count in counts:
            times[count].append(run(folder, sweep, count)[0])
    best = {count: min(times[count]) for count in counts}
    print("| 64 points of 2 s with features | %s |" % ", ".join("%d workers %.2f s (%.2fx)" % (count, best[count], best[1] / best[count]) for count in counts))
    return {count: best[1] / best[count] for count in counts}


def over_points(folder):
    with open(os.path.join(folder, "mass.json"), "w") as file:
        json.dump(MASS, file)
    rows = []
    for points in (1000, 10000, 100000, 200000):
        took, _, memory = run(folder, {"sweep": 1, "scene": "mass.json", "by": "random", "points": points, "keep": ["statistics"],
                                       "vary": {"m.mass": {"from": 1, "to": 2}}}, 2)
        rows.append("%d: %.1f s, %.1f MB" % (points, took, memory))
    print("| points of one mass for 1 ms: time and largest memory | %s |" % "; ".join(rows))


def threads_of_python():
    def work():
        jawari.render("string-barrier", seconds=10)
    one, two = [], []
    for _ in range(ROUNDS):
        begun = time.monotonic()
        for _ in range(4):
            work()
        one.append(time.monotonic() - begun)
        begun = time.monotonic()
        crew = [threading.Thread(target=lambda: [work(), work()]) for _ in range(2)]
        for thread in crew:
            thread.start()
        for thread in crew:
            thread.join()
        two.append(time.monotonic() - begun)
    print("| four renderings in Python, one and two threads | %.3f s, %.3f s: %.2f times as fast |" % (min(one), min(two), min(one) / min(two)))
    calls = []
    for _ in range(200):
        begun = time.perf_counter()
        jawari.render(SCENE, seconds=1 / 44100)
        calls.append(time.perf_counter() - begun)
    with jawari.World(SCENE) as world:
        steps = []
        for _ in range(2000):
            begun = time.perf_counter()
            world.step()
            steps.append(time.perf_counter() - begun)
    print("| a call of `jawari.render` of one frame; of `World.step` | %.2f ms; %.1f microseconds |" % (1e3 * min(calls), 1e6 * min(steps)))


def draw(speedups, cores, path):
    """Speed against one worker; the line is what could be at best."""
    width, height, left, bottom = 480, 300, 60, 50  # Room at the right for half a label
    most = max(speedups)
    top = cores + 0.5

    def x(count):
        return left + (width - left - 40) * (count - 1) / max(1, most - 1)

    def y(speed):
        return height - bottom - (height - bottom - 20) * speed / top
    parts = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" font-family="sans-serif" font-size="12">' % (
        width, height, width, height), "<title>Speed of a sweep over workers, on %d cores</title>" % cores,
        '<rect width="%d" height="%d" fill="white"/>' % (width, height)]
    for speed in range(cores + 1):
        parts.append('<line x1="%g" y1="%g" x2="%g" y2="%g" stroke="#ddd"/><text x="%g" y="%g" text-anchor="end">%d</text>' % (
            left, y(speed), width - 20, y(speed), left - 8, y(speed) + 4, speed))
    for count in speedups:
        parts.append('<text x="%g" y="%g" text-anchor="middle">%d</text>' % (x(count), height - bottom + 18, count))
    ideal = " ".join("%g,%g" % (x(count), y(min(count, cores))) for count in sorted({*speedups, cores}))
    parts.append('<polyline points="%s" fill="none" stroke="#888" stroke-dasharray="4 4"/>' % ideal)
    parts.append('<polyline points="%s" fill="none" stroke="#0b61a4" stroke-width="2"/>' % " ".join("%g,%g" % (x(c), y(s)) for c, s in speedups.items()))
    for count, speed in speedups.items():
        parts.append('<circle cx="%g" cy="%g" r="4" fill="#0b61a4"/><text x="%g" y="%g" text-anchor="middle">%.2f</text>' % (
            x(count), y(speed), x(count), y(speed) + 20, speed))
    parts.append('<text x="%g" y="%g" text-anchor="middle">workers (%d cores; dashed: at best)</text>' % ((left + width - 20) / 2, height - 10, cores))
    parts.append('<text x="16" y="%g" text-anchor="middle" transform="rotate(-90 16 %g)">times as fast as one</text></svg>' % (height / 2, height / 2))
    with open(path, "w") as file:
        file.write("\n".join(parts) + "\n")


def main():
    cores = len(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory() as folder:
        print("| what | measured, %d cores, load %.1f at the start |\n| --- | --- |" % (cores, os.getloadavg()[0]))
        against_renders(folder, cores)
        speedups = over_workers(folder, cores)
        over_points(folder)
        threads_of_python()
        draw(speedups, cores, sys.argv[2])


main()
