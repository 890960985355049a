#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the energy ledger costs, scene by scene.

usage: scripts/ledger_cost.py PROGRAM [SECONDS] [SCENE...]

Renders every built-in scene with and without the ledger and prints how many times faster than real
time each is, by processor time on one core, and the quotient of the two.  The least of three runs
counts: what else the machine does makes a run slower and never faster.
"""
import os
import resource
import subprocess
import sys

RUNS = 3


def processor_time(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return max(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, 1e-3)


def least(program, scene, seconds, options):
    command = [program, "render", scene, "-q", "-d", str(seconds), "--format", "wav", "-o", "-"]
    return min(processor_time(command + options) for _ in range(RUNS))


def main():
    program = sys.argv[1]
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 1.0
    listed = subprocess.run([program, "scenes"], check=True, capture_output=True, text=True).stdout
    scenes = sys.argv[3:] or [line.split()[0] for line in listed.splitlines() if line.strip()]
    print(f"{'scene':28} {'with':>8} {'without':>8} {'ratio':>6}")
    for scene in scenes:
        without = least(program, scene, seconds, ["--no-ledger"])
        with_it = least(program, scene, seconds, [])
        print(f"{scene:28} {seconds / with_it:8.2f} {seconds / without:8.2f} {with_it / without:6.2f}")
    return os.EX_OK


if __name__ == "__main__":
    sys.exit(main())
