#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Sweeps, run as people run them: points, rows, interruptions, shards, errors.

usage: test_sweep.py JAWARI SOURCE-FOLDER      prints TAP
"""
import json
import os
import random
import signal
import subprocess
import sys
import time

from kit import JAWARI, PATIENCE, SCENE, Skip, get, jawari, put, run_claims, samples

GRID = {"sweep": 1, "scene": "small.json", "seconds": 0.1, "channels": "mono",
        "vary": {"rattle.stiffness": {"from": 1e5, "to": 1e8, "count": 3, "log": True}, "string.radius": [2e-4, 3e-4]},
        "keep": ["sound", "statistics", "contacts", "features"], "fields": {"string": {"places": 5, "every": 0.02}}}


def setup(folder, sweep=GRID):
    put(folder, "small.json", SCENE)
    put(folder, "s.json", sweep)


def read(folder, name="out.h5"):
    """Every dataset, and the attributes."""
    with h5py.File(os.path.join(folder, name), "r") as file:
        return {key: file[key][...] for key in file}, dict(file.attrs)


def sweep(folder, *args):
    status, out, error = jawari(folder, "sweep", "s.json", "-o", "out.h5", *args)
    assert status == 0, (status, error)
    return out


def values(folder, by, points, axes, seed=1):
    """Only the points: of masses that barely run."""
    put(folder, "mass.json", '{"jawari": 1, "duration": 0.001, "objects": {"m": {"kind": "mass", "mass": 1, "frequency": 100}}}')
    keys = ["m.mass", "m.frequency", "m.loss"][:axes]
    put(folder, "s.json", {"sweep": 1, "scene": "mass.json", "by": by, "points": points, "seed": seed, "keep": [],
                           "vary": {key: {"from": 1, "to": 2} for key in keys}})
    sweep(folder)
    data, _ = read(folder)
    assert not data["status"].any(), data["reason"]
    return np.array([data[key] for key in keys]).T - 1.0


# ---------------------------------------------------------------- claims

def test_each_point_of_a_grid_has_the_samples_and_figures_of_its_own_render(folder):
    setup(folder)
    assert sweep(folder) == "out.h5: 6 points, 0 failed\n"
    data, notes = read(folder)
    assert os.listdir(folder).count("out.h5.rows") == 0
    assert data["sound"].shape == (6, 4410, 1) and data["sound"].dtype == np.float32
    expected = [(k, r) for k in (1e5, 10 ** 6.5, 1e8) for r in (2e-4, 3e-4)]
    for i, (stiffness, radius) in enumerate(expected):
        assert abs(data["rattle.stiffness"][i] / stiffness - 1) < 1e-14 and data["string.radius"][i] == radius
        given = ["--set", "rattle.stiffness=%.17g" % data["rattle.stiffness"][i], "--set", "string.radius=%.17g" % radius]
        status, _, error = jawari(folder, "render", "small.json", "-o", "one.wav", "--duration", "0.1", "--channels", "mono",
                                  "--bits", "float", "--stats", "one.json", *given)
        assert status == 0, error
        assert samples(get(folder, "one.wav")) == data["sound"][i].tobytes(), i
        stats = json.loads(get(folder, "one.json"))
        assert abs(stats["energy_residual"] - data["energy_residual"][i]) < 1e-15, (stats, data["energy_residual"][i])
        assert stats["closures"] == data["closures"][i].sum(), (stats, data["closures"][i])
    assert len(set(row.tobytes() for row in data["sound"])) == 6, "points differ"
    assert notes["scene_text"] == SCENE and json.loads(notes["sweep"]) == GRID


def test_names_units_and_scales_are_in_the_file(folder):
    setup(folder)
    sweep(folder)
    with h5py.File(os.path.join(folder, "out.h5"), "r") as file:
        units = {key: file[key].attrs["units"] for key in ("rattle.stiffness", "string.radius", "push", "t60", "sound")}
        assert units == {"rattle.stiffness": "N/m^a", "string.radius": "m", "push": "N", "t60": "s", "sound": "1"}, units
        assert list(file["contact"].attrs["names"]) == ["rattle"]
        assert file["sound"].dims[1][0].name == "/time" and file["time"][441] == 0.01
        assert file["t60"].shape == (6, 7) and list(file["band"][:2]) == [125, 250]
        assert [key for key in file if file[key].attrs.get("role") == "parameter"] == ["rattle.stiffness", "string.radius"]


def test_fields_are_the_shape_at_the_times(folder):
    setup(folder)
    sweep(folder)
    data, _ = read(folder)
    shape = data["string_displacement"]
    assert shape.shape == (6, 5, 5)
    # At the start a triangle of 2 mm at 0.2: by hand at 0, 0.25, 0.5, 0.75, 1.
    assert np.allclose(shape[:, 0], 2e-3 * np.array([0, 0.75, 0.5, 0.25, 0]) / 0.8, atol=2e-5), shape[0, 0]
    assert np.all(shape[:, :, 0] == 0) and np.all(shape[:, :, 4] == 0) and np.abs(shape[:, 1:]).max() > 1e-4


PLATE = """{
  "jawari": 1, "duration": 0.02,
  "objects": {
    "plate": { "kind": "plate", "size": [0.4, 0.3], "thickness": 2e-3, "material": "steel", "edges": "supported" },
    "bar": { "kind": "modal", "modes": [[200, 5, 0.1], [550, 9, 0.1]], "shapes": [[1, 1]] },
    "ball": { "kind": "mass", "mass": 0.01, "position": 1e-3, "velocity": -1 }
  },
  "contacts": [ { "law": "collision", "below": "plate@0.3,0.6", "above": "ball", "stiffness": 1e6, "name": "tap" } ],
  "pickups": [ { "at": "plate@0.7,0.4" } ]
}
"""


def test_fields_of_plates_and_modes_are_those_of_render(folder):
    put(folder, "plate.json", PLATE)
    put(folder, "s.json", {"sweep": 1, "scene": "plate.json", "vary": {"tap.stiffness": [1e5, 1e6]}, "keep": ["contacts"],
                           "fields": {"plate": {"places": [9, 5], "every": 0.005}, "bar": {"every": 0.01}, "ball": {"every": 0.01}}})
    sweep(folder)
    data, _ = read(folder)
    shape = data["plate_displacement"]
    assert shape.shape == (2, 4, 5, 9) and data["bar_displacement"].shape == (2, 2, 2) and data["ball_displacement"].shape == (2, 2, 1)
    assert np.allclose(data["plate_x"], np.arange(9) / 8) and np.allclose(data["plate_y"], np.arange(5) / 4) and list(data["bar_mode"]) == [1, 2]
    with h5py.File(os.path.join(folder, "out.h5"), "r") as file:
        assert [file["plate_displacement"].dims[i][0].name for i in range(4)] == ["/point", "/plate_time", "/plate_y", "/plate_x"]
    edges = np.ones((5, 9), bool)
    edges[1:-1, 1:-1] = False
    assert np.all(shape[:, :, edges] == 0) and np.abs(shape[:, 3]).max() > 1e-7 and not np.array_equal(shape[0], shape[1])
    status, _, error = jawari(folder, "render", "plate.json", "-o", "x.wav", "--field", "plate=f.h5", "--every", "441", "--set", "tap.stiffness=1e6")
    assert status == 0, error
    with h5py.File(os.path.join(folder, "f.h5"), "r") as file:
        group = file["fields/plate"]
        whole, times, x, y = group["displacement"][...], group["time"][...], group["x"][...], group["y"][...]
    at = int(np.argmin(np.abs(times - 0.01)))
    assert abs(times[at] - 0.01) < 1e-9
    from bisect import bisect  # Linear between grid points, whose spacing is small against the shapes here
    for i in range(1, 4):
        for k in range(1, 8):
            a, b = 0.4 * k / 8, 0.3 * i / 4
            c, r = min(bisect(list(x), a), len(x) - 1), min(bisect(list(y), b), len(y) - 1)
            u, v = (a - x[c - 1]) / (x[c] - x[c - 1]), (b - y[r - 1]) / (y[r] - y[r - 1])
            linear = (1 - v) * ((1 - u) * whole[at, r - 1, c - 1] + u * whole[at, r - 1, c]) + v * ((1 - u) * whole[at, r, c - 1] + u * whole[at, r, c])
            assert abs(shape[1, 2, i, k] - linear) < 0.02 * np.abs(whole[at]).max(), (i, k, shape[1, 2, i, k], linear)


def test_contact_times_and_forces_are_within_their_uncertainty_of_the_exact_ones(folder):
    # A free mass m against a linear spring K: a half-sine of duration pi sqrt(m/K) and height v sqrt(K m).
    put(folder, "hit.json", """{ "jawari": 1, "duration": 0.05,
      "objects": { "ball": { "kind": "mass", "mass": 0.01, "position": 1e-3, "velocity": -1 }, "wall": { "kind": "barrier", "position": 0 } },
      "contacts": [ { "law": "collision", "below": "wall", "above": "ball", "stiffness": 1e6, "exponent": 1, "name": "hit" } ] }""")
    put(folder, "s.json", {"sweep": 1, "scene": "hit.json", "vary": {"hit.stiffness": {"from": 1e4, "to": 3e7, "count": 200, "log": True}}, "keep": ["contacts"]})
    sweep(folder)
    data, _ = read(folder)
    stiffness, steps = data["hit.stiffness"], np.pi * np.sqrt(0.01 / data["hit.stiffness"]) * 44100
    assert np.all(data["closures"] == 1) and steps.min() < 4 and steps.max() > 100
    for name in ("contact_time", "longest_contact"):
        off = data[name][:, 0] - steps / 44100
        sigma = data[name + "_uncertainty"][:, 0]
        # Uniform ends: never beyond sqrt(6) standard deviations, and as a whole neither more nor less than stated.
        assert np.abs(off).max() < 2.45 * sigma.max() and 0.5 < np.std(off) / sigma.mean() < 1.5, (name, np.abs(off).max() / sigma[0], np.std(off) / sigma[0])
    off, bound = np.abs(data["push"][:, 0] - np.sqrt(stiffness * 0.01)), data["push_uncertainty"][:, 0]
    assert np.all(off <= bound), (off / bound).max()
    assert np.all(bound[steps > 50] < 0.003 * data["push"][steps > 50, 0]), "a bound that says something"


def test_workers_and_order_do_not_show_in_the_bytes(folder):
    setup(folder)
    files = []
    for workers in ("1", "2", "5"):
        sweep(folder, "--workers", workers)
        files.append(get(folder, "out.h5"))
    assert files[0] == files[1] == files[2]


def test_killed_at_random_ten_times_and_resumed_gives_the_same_bytes(folder):
    many = dict(GRID, vary={"rattle.stiffness": {"from": 1e5, "to": 1e8, "count": 120, "log": True}}, seconds=0.25)
    setup(folder, many)
    sweep(folder)
    whole, rows = get(folder, "out.h5"), os.path.join(folder, "out.h5.rows")
    os.remove(os.path.join(folder, "out.h5"))
    dice, sizes = random.Random(7), []
    for _ in range(10):
        run = subprocess.Popen([JAWARI, "sweep", "s.json", "-o", "out.h5", "--resume", "--quiet"], cwd=folder)
        before = os.path.getsize(rows) if os.path.exists(rows) else 0
        more, end = dice.choice([0, 1, 40000, 100000]), time.monotonic() + PATIENCE  # Bytes; a row has some 50,000
        while (os.path.getsize(rows) if os.path.exists(rows) else 0) < before + more and time.monotonic() < end:
            pass
        time.sleep(dice.uniform(0.0, 0.003))
        run.send_signal(signal.SIGKILL)
        assert run.wait() == -signal.SIGKILL, "it was done before it was killed"
        sizes.append(os.path.getsize(rows) if os.path.exists(rows) else 0)
    assert not os.path.exists(os.path.join(folder, "out.h5")) and len(set(sizes)) >= 4, sizes
    sweep(folder, "--resume")
    assert get(folder, "out.h5") == whole
    assert not os.path.exists(rows)


def test_a_torn_row_is_computed_again(folder):
    setup(folder)
    sweep(folder)
    whole = get(folder, "out.h5")
    os.remove(os.path.join(folder, "out.h5"))
    run = subprocess.Popen([JAWARI, "sweep", "s.json", "-o", "out.h5", "-j", "1", "--quiet"], cwd=folder)
    rows = os.path.join(folder, "out.h5.rows")
    for _ in range(100000):
        if os.path.exists(rows) and os.path.getsize(rows) > 2000:
            break
        if run.poll() is not None:
            raise Skip("it was done before it could be ended")
    run.kill()
    run.wait()
    if not os.path.exists(rows):
        raise Skip("it was done before it could be ended")
    with open(rows, "r+b") as file:  # One bit of the first row, and half a row more
        file.seek(400)
        byte = file.read(1)[0]
        file.seek(400)
        file.write(bytes([byte ^ 1]))
        file.seek(0, 2)
        file.write(b"x" * 1000)
    sweep(folder, "--resume")
    assert get(folder, "out.h5") == whole


def test_ctrl_c_says_how_to_go_on(folder):
    setup(folder, dict(GRID, seconds=20, keep=["statistics"], fields={},
                       vary={"rattle.stiffness": {"from": 1e5, "to": 1e8, "count": 500, "log": True}}))
    run = subprocess.Popen([JAWARI, "sweep", "s.json", "-o", "out.h5"], cwd=folder, stderr=subprocess.PIPE)
    time.sleep(0.3)
    run.send_signal(signal.SIGINT)
    _, error = run.communicate(timeout=20)
    assert run.returncode == 130 and b"--resume goes on" in error, (run.returncode, error)
    assert not os.path.exists(os.path.join(folder, "out.h5"))


def test_what_an_earlier_run_left_is_neither_lost_nor_mixed_up(folder):
    setup(folder)
    put(folder, "out.h5.rows", "0" * 64)
    status, _, error = jawari(folder, "sweep", "s.json", "-o", "out.h5")
    assert status == 1 and "out.h5.rows has points of an earlier run: go on with --resume, or remove it" in error, error
    status, _, error = jawari(folder, "sweep", "s.json", "-o", "out.h5", "--resume")
    assert status == 1 and "is of another sweep" in error, error
    assert get(folder, "out.h5.rows") == b"0" * 64 and not os.path.exists(os.path.join(folder, "out.h5"))


def test_a_file_that_is_whole_is_left_alone(folder):
    setup(folder)
    sweep(folder)
    before = os.stat(os.path.join(folder, "out.h5")).st_ino
    assert sweep(folder, "--resume") == "out.h5 is whole\n"
    assert os.stat(os.path.join(folder, "out.h5")).st_ino == before
    put(folder, "s.json", dict(GRID, seconds=0.05))
    assert "6 points" in sweep(folder, "--resume"), "another sweep is computed"
    assert os.stat(os.path.join(folder, "out.h5")).st_ino != before


def test_a_bad_point_is_a_row_with_its_reason(folder):
    setup(folder, dict(GRID, vary={"string.radius": [2e-4, -1, 3e-4]}))
    status, out, error = jawari(folder, "sweep", "s.json", "-o", "out.h5")
    assert status == 0 and out == "out.h5: 3 points, 1 failed\n", (status, out)
    assert error == 'jawari: warning: 1 of 3 points failed; point 1: "radius" is -1, must be from 1e-07 to 10\n', error
    data, _ = read(folder)
    assert list(data["status"] != 0) == [False, True, False]
    assert data["reason"][1].decode() == '"radius" is -1, must be from 1e-07 to 10' and data["reason"][0] == b""
    assert np.isnan(data["sound"][1]).all() and np.isnan(data["push"][1]).all() and np.isfinite(data["sound"][[0, 2]]).all()


def test_a_sound_of_another_length_is_a_row_with_its_reason(folder):
    setup(folder, {"sweep": 1, "scene": "small.json", "vary": {"duration": [0.25, 0.1]}, "keep": ["sound"]})
    assert sweep(folder) == "out.h5: 2 points, 1 failed\n"
    data, _ = read(folder)
    assert b"4410 frames" in data["reason"][1] and b"11025" in data["reason"][1], data["reason"]


def test_shards_joined_are_the_whole(folder):
    setup(folder)
    sweep(folder)
    whole, _ = read(folder)
    os.remove(os.path.join(folder, "out.h5"))
    for i in (1, 2, 3, 4):
        sweep(folder, "--shard", "%d/4" % i)
    assert "6 points in 4 files, 0 missing" in sweep(folder, "--join", "4")
    joined, _ = read(folder)
    assert sorted(joined) == sorted(whole)
    for key in whole:
        assert joined[key].dtype == whole[key].dtype and joined[key].tobytes() == whole[key].tobytes(), key
    os.remove(os.path.join(folder, "out.2-of-4.h5"))
    status, out, error = jawari(folder, "sweep", "s.json", "-o", "out.h5", "--join", "4")
    assert status == 0 and "1 missing" in out and "out.2-of-4.h5 is missing" in error, (out, error)
    left, _ = read(folder)
    assert np.isnan(left["f0_uncertainty"]).any() and np.isnan(left["push"][1]).all() and not np.isnan(left["push"][0]).any()
    put(folder, "s.json", dict(GRID, seconds=0.05))
    status, _, error = jawari(folder, "sweep", "s.json", "-o", "out.h5", "--join", "4")
    assert status == 1 and "is of another sweep" in error, error


def test_lists_go_together(folder):
    setup(folder, {"sweep": 1, "scene": "small.json", "by": "list", "seconds": 0.01, "keep": ["statistics"],
                   "vary": {"rattle.stiffness": [1e5, 1e6, 1e7], "string.radius": {"from": 1e-4, "to": 3e-4, "count": 3}}})
    sweep(folder)
    data, _ = read(folder)
    assert list(data["rattle.stiffness"]) == [1e5, 1e6, 1e7]
    assert np.allclose(data["string.radius"], [1e-4, 2e-4, 3e-4], rtol=1e-14)


def test_a_latin_hypercube_takes_each_step_once(folder):
    points = values(folder, "latin", 50, 3)
    for column in points.T:
        assert sorted(np.floor(column * 50).astype(int)) == list(range(50))
    assert abs(np.corrcoef(points.T)[0, 1]) < 0.5
    assert not np.array_equal(points, values(folder, "latin", 50, 3, seed=2))


def test_a_sobol_sequence_fills_every_box(folder):
    points = values(folder, "sobol", 64, 3)
    for column in points.T:  # One point in every sixty-fourth of each axis
        assert sorted(np.floor(column * 64).astype(int)) == list(range(64))
    for k in range(7):  # The first two axes: one in every box of area 1/64
        boxes = set(zip(np.floor(points[:, 0] * 2 ** k).astype(int), np.floor(points[:, 1] * 2 ** (6 - k)).astype(int)))
        assert len(boxes) == 64, (k, len(boxes))
    # With the third, whose polynomial has degree 2, t is 1 (Sobol 1967): two in every box of area 1/32.
    for first in (0, 1):
        for k in range(6):
            places = list(zip(np.floor(points[:, first] * 2 ** k).astype(int), np.floor(points[:, 2] * 2 ** (5 - k)).astype(int)))
            assert len(set(places)) == 32 and all(places.count(box) == 2 for box in set(places)), (first, k)
    again = values(folder, "sobol", 32, 3)
    assert np.array_equal(points[:32], again), "more points go on where fewer ended"


def test_random_points_are_even_and_repeat_by_their_seed(folder):
    points = values(folder, "random", 400, 2)
    counts = np.histogram(points[:, 0], 4, (0, 1))[0]
    assert ((points >= 0) & (points < 1)).all() and counts.min() > 60, counts  # 100 each, standard deviation 8.7
    assert abs(np.corrcoef(points.T)[0, 1]) < 0.2
    assert np.array_equal(points[:10], values(folder, "random", 10, 2)) and not np.array_equal(points, values(folder, "random", 400, 2, seed=2))


def test_a_full_disk_is_an_error_and_leaves_nothing_half_written(folder):
    setup(folder)
    status, _, error = jawari(folder, "sweep", "s.json", "-o", "out.h5", limit=40000)
    assert status == 1 and "cannot write out.h5.rows: File too large" in error, (status, error)
    assert sorted(os.listdir(folder)) == ["out.h5.rows", "s.json", "small.json"], os.listdir(folder)
    size = os.path.getsize(os.path.join(folder, "out.h5.rows"))
    sweep(folder, "--resume")
    # What was left are whole rows: 272 bytes, their numbers (samples of 4 bytes) and a hash of 8.
    kept = [line.split() for line in jawari(folder, "sweep", "s.json", "--dry-run")[1].splitlines() if line.startswith("  kept")]
    row = 272 + sum(int(words[-3]) * (4 if words[1] == "sound" else 8) for words in kept) + 8
    assert size > 64 and (size - 64) % row == 0, (size, row)
    whole = get(folder, "out.h5")
    sweep(folder)
    assert get(folder, "out.h5") == whole
    os.remove(os.path.join(folder, "out.h5"))
    status, _, error = jawari(folder, "sweep", "s.json", "-o", "out.h5", limit=32)
    assert status == 1 and "File too large" in error, error
    assert sorted(os.listdir(folder)) == ["s.json", "small.json"], os.listdir(folder)


def test_a_disk_that_fills_while_the_file_is_written_keeps_the_rows(folder):
    setup(folder, dict(GRID, keep=["statistics"], fields={}))
    # Rows are small here, and the file with its scales is not.
    status, _, error = jawari(folder, "sweep", "s.json", "-o", "out.h5", limit=6000)
    assert status == 1 and "cannot write out.h5" in error, (status, error)
    assert sorted(os.listdir(folder)) == ["out.h5.rows", "s.json", "small.json"], os.listdir(folder)
    sweep(folder, "--resume")
    assert sorted(os.listdir(folder)) == ["out.h5", "s.json", "small.json"]


BAD = [
    ('{ "sweep": 1, "scene": "small.json", "vary": { "rattle.stiffness": [1, 2 }', 's.json:1:74: error: '),
    ('{ "sweep": 1,\n  "scene": "nothing", "vary": { "a": [1] } }', 's.json:2:12: error: '),
    ('{ "sweep": 1,\n  "scenes": "small.json", "vary": { "a": [1] } }', 's.json:2:3: error: there is no key "scenes" here'),
    ('{ "sweep": 1, "scene": "small.json" }', 's.json:1:1: error: a sweep needs "vary"'),
    ('{ "scene": "small.json", "vary": { "a": [1] } }', 'a sweep begins with "sweep": 1'),
    ('{ "sweep": 2, "scene": "small.json", "vary": { "a": [1] } }', '"sweep" is 2, must be whole, 1 to 1'),
    ('{ "sweep": 1, "scene": "small.json", "vary": { "a": ["x"] } }', 's.json:1:54: error: this is a text, must be a number'),
    ('{ "sweep": 1, "scene": "small.json", "vary": { "a": [] } }', 'the list is empty'),
    ('{ "sweep": 1, "scene": "small.json", "vary": { "a": { "from": 0, "to": 1, "count": 3, "log": true } } }', 'must be above 0'),
    ('{ "sweep": 1, "scene": "small.json", "vary": { "a": { "from": 0, "to": 1 } } }', 'a range needs a "count"'),
    ('{ "sweep": 1, "scene": "small.json", "by": "sobol", "vary": { "a": { "from": 0, "to": 1 } } }', 'needs "points"'),
    ('{ "sweep": 1, "scene": "small.json", "by": "dice", "vary": { "a": [1] } }', 'there is no "dice" here; there are grid, list'),
    ('{ "sweep": 1, "scene": "small.json", "by": "list", "vary": { "a": [1], "b": [1, 2] } }', 'this has 2 values, and "a" has 1'),
    ('{ "sweep": 1, "scene": "small.json", "keep": ["sounds"], "vary": { "a": [1] } }', 's.json:1:47: error: there is no "sounds" here'),
    ('{ "sweep": 1, "scene": "small.json", "fields": { "bell": {} }, "vary": { "a": [1] } }', 'there is nothing that moves called "bell"'),
    ('{ "sweep": 1, "scene": "small.json", "set": { "string.radius": -1 }, "vary": { "a": [1] } }', '"radius" is -1'),
    ('{ "sweep": 1, "scene": "small.json", "seconds": 0, "vary": { "a": [1] } }', '"seconds" is 0, must be'),
    ('{ "sweep": 1, "scene": "small.json", "vary": { "peak": [1] } }', '"peak" is the name of a result'),
]


def test_a_bad_sweep_is_told_with_its_place(folder):
    for text, message in BAD:
        setup(folder, text)
        status, _, error = jawari(folder, "sweep", "s.json", "-o", "out.h5")
        assert status == 3 and message in error, (text, status, error)
        assert sorted(os.listdir(folder)) == ["s.json", "small.json"], text


def test_a_bad_command_line_is_told(folder):
    setup(folder)
    for args, message in [(["s.json", "-o", "out.csv"], "must end in .h5"), (["s.json", "--shard", "3/2"], "--shard 3/2: must be I/N"),
                          (["s.json", "--shard", "1/2", "--join", "2"], "exclude each other"), ([], "sweep wants a file"),
                          (["s.json", "more"], "one more")]:
        status, _, error = jawari(folder, "sweep", *args)
        assert status == 2 and message in error, (args, status, error)
    status, _, error = jawari(folder, "sweep", "none.json")
    assert status == 1 and "cannot read none.json: No such file" in error, error
    assert sorted(os.listdir(folder)) == ["s.json", "small.json"]


if b"HDF5 files: yes" not in subprocess.run([JAWARI, "--version"], capture_output=True).stdout:
    print("1..0 # SKIP built without HDF5")
    sys.exit(0)
try:
    import h5py
    import numpy as np
except ImportError as missing:
    print("1..0 # SKIP %s" % missing)
    sys.exit(0)
sys.exit(run_claims(globals()))
