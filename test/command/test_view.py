#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`jawari play` on a terminal, under a JACK server on the dummy driver that is started here: what its view and its closing lines say.

usage: test_view.py JAWARI      prints TAP
"""
import ctypes
import json
import os
import pty
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback

JAWARI = os.path.abspath(sys.argv[1])
PATIENCE = 60  # s: ends what hangs
# A mass that starts away from its rest, so that it sounds without a key, and dies away
SCENE = {"jawari": 1, "objects": {"s": {"kind": "string", "length": 0.6, "radius": 3e-4, "material": "steel", "frequency": "A3", "loss": [12, 1e-3], "points": 20},
                                  "m": {"kind": "mass", "mass": 0.01, "frequency": 200, "loss": 0.1, "displacement": 1e-3}, "stop": {"kind": "barrier", "position": -1e-4}},
         "contacts": [{"law": "collision", "below": "stop", "above": "m", "stiffness": 1e7, "name": "rattle"}],
         "score": [{"pluck": "s@0.2"}], "pickups": [{"at": "m", "gain": 1}, {"at": "s@0.9"}]}
VIEW = re.compile(r"\r\[(=*)( *)\] ( *-?\d+\.\d) dB  load +(\d+) % worst +(\d+) %  xruns (\d+)  (residual \S+  )?contacts ([*.]*) ")


def skip(reason):
    print("1..0 # SKIP " + reason)
    sys.exit(0)


def start_server(name):
    server = subprocess.Popen(["jackd", "-n", name, "-S", "-r", "-d", "dummy", "-r", "48000", "-p", "128"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              preexec_fn=lambda: ctypes.CDLL(None).prctl(1, signal.SIGKILL))  # Whatever becomes of the test, no server stays behind
    os.environ.update(JACK_DEFAULT_SERVER=name, JACK_NO_START_SERVER="1")
    for _ in range(100):
        if server.poll() is not None:
            skip("jackd ends at once here")
        done = subprocess.run([JAWARI, "play", "tromba-small", "-q", "--apart", "-d", "0.1"], capture_output=True)
        if b"no JACK server" not in done.stderr:
            return server
        time.sleep(0.1)
    server.kill()
    skip("jackd does not answer")


def play(folder, *words, interrupt=None):
    """(status, what a terminal shows of standard error, standard output)."""
    master, slave = pty.openpty()
    process = subprocess.Popen([JAWARI, "play", *words, "--apart"], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=slave)
    os.close(slave)
    shown = b""
    started = time.monotonic()
    while True:
        try:
            part = os.read(master, 65536)
        except OSError:
            break
        if not part:
            break
        shown += part
        if interrupt and time.monotonic() > started + interrupt:
            process.send_signal(signal.SIGINT)
            interrupt = None
    out = process.stdout.read().decode()
    os.close(master)
    return process.wait(PATIENCE), shown.decode(), out


def the_view_shows_level_load_and_contacts(folder):
    status, shown, out = play(folder, "scene.json", "-d", "2.5", "--ledger")
    assert status == 0, shown
    views = VIEW.findall(shown)
    assert len(views) > 2 and shown.endswith("\n") and shown.count("\r[") == len(views), shown  # 25 where nobody else works
    levels = []
    for bar, blank, level, load, worst, xruns, residual, lamps in views:
        assert len(bar) + len(blank) == 20 and len(lamps) == 1 and float(residual.split()[1]) < 1e-9, (bar, residual)
        level = float(level)
        levels.append(level)
        # One sign for three decibels from -60 to 0; where the level is a whole number of signs, rounding decides
        wanted = {max(0, min(20, int(20 + (level + nudge) / 3))) for nudge in (-0.05, 0.05)} if level >= -60.05 else {0}
        assert len(bar) in wanted, (bar, level)
        assert int(load) <= int(worst) + 1, (load, worst)
    assert max(levels) > -30 and levels[-1] < max(levels) - 20, levels
    assert views[0][7] == "*" and views[-1][7] == ".", "the contact closes, and is open at the end"
    first, second = out.splitlines()[:2]
    found = re.fullmatch(r"rate 48000 Hz, block 128, blocks (\d+), notes 0", first)
    assert found and 100 < int(found[1]) < 2.7 * 375, first  # A busy machine leaves blocks out
    assert re.fullmatch(r"worst load [\d.]+ %, late blocks \d+, xruns \d+, ledger residual \S+", second), second
    assert len(out.splitlines()) == 2, out


def without_the_ledger_there_is_no_residual(folder):
    status, shown, out = play(folder, "scene.json", "-d", "1")
    assert status == 0 and "residual" not in shown + out and VIEW.search(shown), (shown, out)


def quiet_is_quiet(folder):
    assert play(folder, "scene.json", "-d", "0.3", "-q") == (0, "", "")


def ctrl_c_ends_and_reports(folder):
    status, shown, out = play(folder, "scene.json", interrupt=1.5)
    assert status == 0 and VIEW.search(shown) and out.startswith("rate 48000 Hz"), (status, out)


def silence_is_an_empty_bar(folder):
    status, shown, _ = play(folder, "quiet.json", "-d", "1")
    assert status == 0 and {(view[0], view[2]) for view in VIEW.findall(shown)} == {("", "-99.9")}, shown


def a_server_is_waited_for(folder):
    away = dict(os.environ, JACK_DEFAULT_SERVER="jawari-nowhere")
    done = subprocess.run([JAWARI, "play", "scene.json", "--wait", "-d", "0.7"], cwd=folder, env=away, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 1 and done.stdout == "" and done.stderr == "jawari: waiting for a JACK server\n", done.stderr
    done = subprocess.run([JAWARI, "play", "scene.json"], cwd=folder, env=away, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 1 and "no JACK server is running. Start one" in done.stderr and "--wait waits for one" in done.stderr, done.stderr


def who_plays_is_told_when_the_server_goes(folder):
    """A server of its own, which is ended."""
    before = dict(os.environ)
    server = start_server("jawari-gone-%d" % os.getpid())
    try:
        playing = subprocess.Popen([JAWARI, "play", "scene.json", "--apart"], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(1.5)
        assert playing.poll() is None, playing.communicate()
        server.terminate()
        out, err = playing.communicate(timeout=PATIENCE)
        assert playing.returncode == 1 and out.startswith("rate 48000 Hz, block 128") and "jawari: the JACK server went away\n" in err, (playing.returncode, out, err)
    finally:
        server.kill()
        server.wait()
        os.environ.update(before)


CLAIMS = [the_view_shows_level_load_and_contacts, without_the_ledger_there_is_no_residual, quiet_is_quiet, ctrl_c_ends_and_reports, silence_is_an_empty_bar,
          a_server_is_waited_for, who_plays_is_told_when_the_server_goes]


def main():
    if not shutil.which("jackd"):
        skip("jackd is not installed")
    if b"built without JACK" in subprocess.run([JAWARI, "play", "tromba-small", "-d", "0.1"], capture_output=True, env=dict(os.environ, JACK_DEFAULT_SERVER="jawari-nowhere")).stderr:
        skip("built without JACK")
    server = start_server("jawari-view-%d" % os.getpid())
    failed = 0
    try:
        with tempfile.TemporaryDirectory() as folder:
            for name, scene in (("scene", SCENE), ("quiet", dict(SCENE, objects=dict(SCENE["objects"], m={"kind": "mass", "mass": 0.01})))):
                with open(os.path.join(folder, name + ".json"), "w") as file:
                    json.dump(scene, file)
            print("1..%d" % len(CLAIMS))
            for number, claim in enumerate(CLAIMS, 1):
                try:
                    claim(folder)
                    print("ok %d - %s" % (number, claim.__name__.replace("_", " ")), flush=True)
                except Exception:
                    failed = 1
                    print("".join("# %s\n" % line for line in traceback.format_exc().splitlines()), end="")
                    print("not ok %d - %s" % (number, claim.__name__.replace("_", " ")), flush=True)
    finally:
        server.terminate()
        server.wait()
    return failed


sys.exit(main())
