#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A sweep on a cluster of two nodes that is started here, one of which dies on the way.

usage: test_slurm.py JAWARI CLUSTER-SCRIPT      prints TAP
"""
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback

JAWARI, CLUSTER = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
SCENE = """{
  "jawari": 1, "duration": 20,
  "objects": {
    "string": { "kind": "string", "length": 0.65, "radius": 3e-4, "material": "steel", "frequency": "A2", "loss": [0.5, 1e-3] },
    "stop": { "kind": "barrier", "position": -2e-4 }
  },
  "contacts": [ { "law": "collision", "below": "stop", "above": "string@0.4", "stiffness": 1e7, "name": "rattle" } ],
  "initial": [ { "on": "string@0.2", "amplitude": 2e-3 } ],
  "pickups": [ { "at": "string@0.9", "gain": "auto" } ]
}
"""
SWEEP = {"sweep": 1, "scene": "scene.json", "vary": {"rattle.stiffness": {"from": 1e5, "to": 1e8, "count": 200, "log": True}},
         "keep": ["statistics", "contacts", "features"]}
SHARDS = 20


def skip(reason):
    print("1..0 # SKIP " + reason)
    sys.exit(0)


def jawari(folder, *args):
    done = subprocess.run([JAWARI, "sweep", "s.json", *args], cwd=folder, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    return done.stdout


def processes_of(folder, node):
    """What a node has started."""
    found = []
    for name in os.listdir("/proc"):
        try:
            with open("/proc/%s/environ" % name, "rb") as file:
                words = file.read().split(b"\0")
            if ("SLURM_CONF=%s/slurm.conf" % folder).encode() in words and ("SLURMD_NODENAME=%s" % node).encode() in words:
                found.append(int(name))
        except (OSError, ValueError):
            continue
    return found


def kill_node(folder, node):
    """The daemon, and what it has started, in the middle of a job."""
    wait(lambda: processes_of(folder, node), 120, "the node has no job")
    subprocess.run([CLUSTER, folder, "kill-node", node], check=True)
    running = processes_of(folder, node)
    for number in running:
        os.kill(number, signal.SIGKILL)
    return len(running)


def whole_shards(folder):
    return len([name for name in os.listdir(folder) if re.fullmatch(r"out\.\d+-of-%d\.h5" % SHARDS, name)])


def wait(claim, seconds, what):
    end = time.monotonic() + seconds
    while not claim():
        assert time.monotonic() < end, what
        time.sleep(0.05)


def lose_a_node(folder):
    with open(os.path.join(folder, "scene.json"), "w") as file:
        file.write(SCENE)
    with open(os.path.join(folder, "s.json"), "w") as file:
        json.dump(SWEEP, file)
    assert "submitted 20 of 20 shards" in jawari(folder, "-o", "out.h5", "--slurm", str(SHARDS))
    assert re.search(r"of 20 shards done; of jobs \d+ and \d+, \d+ run and \d+ wait", jawari(folder, "-o", "out.h5", "--slurm", str(SHARDS)))
    wait(lambda: whole_shards(folder) >= 4, 240, "no shards come")
    ended, done = kill_node(folder, "n2"), whole_shards(folder)
    assert done < SHARDS and ended, "it was done before the node could die"
    print("# %d of %d shards were done when n2 died with %d processes" % (done, SHARDS, ended))
    states = []

    def is_done():
        states.append(jawari(folder, "-o", "out.h5", "--slurm", str(SHARDS)).strip())
        return "is whole" in states[-1]

    wait(is_done, 420, "never done: %s" % states[-3:])
    print("# submitted again %d times" % sum("submitted" in state for state in states))


def same_data(folder):
    jawari(folder, "-o", "whole.h5")
    with h5py.File(os.path.join(folder, "out.h5")) as joined, h5py.File(os.path.join(folder, "whole.h5")) as whole:
        assert sorted(joined) == sorted(whole) and whole["point"].shape == (200,)
        for key in whole:
            assert joined[key][...].tobytes() == whole[key][...].tobytes(), key
        assert not whole["status"][...].any()


def main():
    folder = tempfile.mkdtemp(dir="/tmp")
    os.environ["SLURM_CONF"] = os.path.join(folder, "slurm.conf")
    print("1..2")
    failed = 0
    try:
        subprocess.run([CLUSTER, folder, "start"], check=True)
        for number, (claim, words) in enumerate([(lose_a_node, "an array of 200 points ends well though a node dies on the way"),
                                                 (same_data, "the joined file has the bytes of one run")], 1):
            try:
                claim(folder)
                print("ok %d - %s" % (number, words), flush=True)
            except Exception:
                failed += 1
                print("".join("# %s\n" % line for line in traceback.format_exc().splitlines()) + "not ok %d - %s" % (number, words), flush=True)
    finally:
        subprocess.run([CLUSTER, folder, "stop"])
        time.sleep(1)
        shutil.rmtree(folder, ignore_errors=True)
    return 1 if failed else 0


for program in ("slurmctld", "slurmd", "sbatch", "munged", "runuser"):
    if not shutil.which(program, path=os.environ["PATH"] + ":/usr/sbin:/sbin"):
        skip("%s is not installed; scripts/setup.sh cluster does it" % program)
if os.geteuid() != 0:
    skip("munge and Slurm are started as root here")
if b"HDF5 files: yes" not in subprocess.run([JAWARI, "--version"], capture_output=True).stdout:
    skip("built without HDF5")
try:
    import h5py
except ImportError as missing:
    skip(str(missing))
sys.exit(main())
