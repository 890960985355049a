#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Sweeps and data sets from Python, against the program's file.

usage: test_sweep.py JAWARI      prints TAP
"""
import concurrent.futures
import hashlib
import json
import os
import pickle
import subprocess
import sys
import tempfile
import unittest

import tap

tap.need("cffi", "numpy")
import numpy as np

import jawari

JAWARI = os.path.abspath(sys.argv[1])
SCENE = {
    "jawari": 1, "duration": 0.1,
    "objects": {"string": {"kind": "string", "length": 0.65, "radius": 3e-4, "material": "steel", "frequency": "A2"},
                "stop": {"kind": "barrier", "position": -2e-4}},
    "contacts": [{"law": "collision", "name": "rattle", "below": "stop", "above": "string@0.4", "stiffness": 1e7}],
    "initial": [{"on": "string@0.2", "amplitude": 2e-3}],
    "pickups": [{"at": "string@0.95", "gain": "auto"}]}
VARY = {"rattle.stiffness": {"from": 1e5, "to": 1e8, "count": 4, "log": True}, "string.radius": [2e-4, -1.0, 3e-4]}
KEEP = ["sound", "statistics", "contacts", "features"]


def have(case, *modules):
    """Skip one claim where a module is missing."""
    for name in modules:
        try:
            __import__(name)
        except ImportError:
            case.skipTest("the Python module %s is not installed" % name)


def made(**keys):
    return jawari.sweep(SCENE, VARY, keep=KEEP, **keys)


def same(a, b):
    return list(a) == list(b) and all(a[name].tolist() == b[name].tolist() if a[name].dtype == object else
                                      a[name].tobytes() == b[name].tobytes() for name in a)


class Sweeps(unittest.TestCase):
    def test_a_sweep_has_the_numbers_of_the_program_to_the_bit(self):
        have(self, "h5py")
        import h5py
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "scene.json"), "w") as file:
                json.dump(SCENE, file)
            with open(os.path.join(folder, "s.json"), "w") as file:
                json.dump({"sweep": 1, "scene": "scene.json", "vary": VARY, "keep": KEEP}, file)
            subprocess.run([JAWARI, "sweep", "s.json", "-o", "out.h5", "--quiet"], cwd=folder, check=True)
            mine = jawari.sweep(os.path.join(folder, "s.json"))
            with h5py.File(os.path.join(folder, "out.h5")) as file:
                self.assertEqual(file.attrs["sweep_hash"], mine.plan.hash)
                for name in mine:
                    if name not in ("reason", "point", "status"):
                        self.assertEqual(file[name][...].tobytes(), mine[name].tobytes(), name)
                        self.assertEqual(file[name].attrs["units"], mine.units[name])
                self.assertEqual([item.decode() for item in file["reason"]], list(mine["reason"]))
                self.assertEqual(list(file["status"]), list(mine["status"]))
        self.assertTrue(same(mine, made()), "a scene from a file, and from a dict")

    def test_a_bad_point_is_a_row_with_its_reason(self):
        result = made()
        self.assertEqual(list(result["status"] != 0), [False, True, False] * 4)
        self.assertIn('"radius" is -1', result["reason"][1])
        self.assertTrue(np.isnan(result["sound"][1]).all())

    def test_no_executor_shows_in_the_result(self):
        expected = made()
        with concurrent.futures.ThreadPoolExecutor(3) as pool:
            self.assertTrue(same(expected, made(executor=pool, chunk=5)))
        with concurrent.futures.ProcessPoolExecutor(2) as pool:
            self.assertTrue(same(expected, made(executor=pool, chunk=1)))

    def test_a_point_alone_is_its_row(self):
        result = made()
        alone = result.plan.compute(6)
        self.assertEqual(alone["sound"].tobytes(), result["sound"][6].tobytes())
        self.assertEqual(alone["rattle.stiffness"], result["rattle.stiffness"][6])
        again = pickle.loads(pickle.dumps(result.plan)).compute(6)
        self.assertEqual(alone["sound"].tobytes(), again["sound"].tobytes())
        self.assertRaises(IndexError, result.plan.compute, 12)

    def test_a_scene_that_was_changed_is_swept_as_changed(self):
        scene = jawari.Scene(SCENE).set("string.length", 0.5)
        one = jawari.sweep(scene, {"string.radius": [3e-4]}, keep=["sound"])
        y, _ = jawari.render(scene)
        self.assertEqual(one["sound"][0].tobytes(), y.tobytes())

    def test_errors_have_their_place(self):
        with self.assertRaises(jawari.Error) as caught:
            jawari.sweep("guitar", {"a": ["x"]})
        self.assertRegex(str(caught.exception), r"<sweep>:\d+:\d+: error: this is a text, must be a number")
        with self.assertRaises(jawari.Error) as caught:
            jawari.Plan({"scene": "guitarr", "vary": {"a": [1]}})
        self.assertIn("guitar", str(caught.exception))

    def test_pandas_and_xarray_get_names_units_and_coordinates(self):
        have(self, "pandas", "xarray")
        result = made()
        self.assertEqual(result.pandas().loc[2, "string.radius"], 3e-4)
        data = result.xarray()
        self.assertEqual(data["push"].attrs["units"], "N")
        self.assertEqual(list(data["contact"].values), ["rattle"])
        self.assertEqual(data["sound"].dims, ("point", "time", "channel"))


class Datasets(unittest.TestCase):
    def data(self, **keys):
        return jawari.Dataset({"a": {"string.radius": {"from": 2e-4, "to": 4e-4}}, "b": {"rattle.stiffness": {"from": 1e5, "to": 1e8, "log": True}}},
                              scenes={"a": SCENE, "b": SCENE}, **{"size": 9, "seed": 3, "seconds": 0.05, **keys})

    def test_a_sound_is_a_render_with_its_parameters(self):
        data = self.data()
        self.assertEqual([data.parameters(i)[0] for i in range(9)], list("ababababa"))
        for i in (0, 5, -1):
            item = data[i]
            y, rate = jawari.render(jawari.Scene(SCENE, item.parameters), seconds=0.05)
            self.assertEqual((item.samples.tobytes(), item.rate), (y.tobytes(), rate))

    def test_order_process_and_size_do_not_matter(self):
        data = self.data()
        first = [item.samples.tobytes() for item in data]
        self.assertEqual(len(first), len(set(first)))
        self.assertEqual(first[4], pickle.loads(pickle.dumps(data))[4].samples.tobytes())
        self.assertEqual(first[4], self.data(size=100)[4].samples.tobytes())
        self.assertNotEqual(first[4], self.data(seed=4)[4].samples.tobytes())
        with concurrent.futures.ProcessPoolExecutor(2) as pool:
            self.assertEqual([hashlib.sha256(item).hexdigest() for item in first],
                             [line["sha256"] for line in pool.map(data.line, range(9))])

    def test_instruments_are_varied_apart_from_each_other(self):
        vary = {"string.radius": {"from": 2e-4, "to": 4e-4}}
        data = jawari.Dataset({"a": vary, "b": vary}, scenes={"a": SCENE, "b": SCENE}, size=400, seed=3)
        values = np.array([data.parameters(i)[1]["string.radius"] for i in range(400)])
        self.assertLess(abs(np.corrcoef(values[::2], values[1::2])[0, 1]), 0.3)  # 0.07 is one standard deviation

    def test_the_hash_knows_what_the_data_set_is(self):
        self.assertEqual(self.data().hash, self.data().hash)
        self.assertEqual(len({self.data(**keys).hash for keys in ({}, {"seed": 4}, {"size": 10}, {"seconds": 0.1})}), 4)

    def test_beyond_the_end_is_an_index_error(self):
        self.assertRaises(IndexError, self.data().__getitem__, 9)
        self.assertRaises(IndexError, self.data().__getitem__, -10)
        self.assertRaisesRegex(jawari.Error, "needs \"instruments\"", jawari.Dataset, {}, 3)
        self.assertRaisesRegex(jawari.Error, "needs a \"size\"", jawari.Dataset, {"piano-c4": {"felt.stiffness": [1e9]}})

    def test_it_is_the_data_set_of_the_program(self):
        vary = {"string.radius": {"from": 2e-4, "to": 4e-4}}
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "mine.json"), "w") as file:
                json.dump(SCENE, file)
            path = os.path.join(folder, "train.json")
            with open(path, "w") as file:
                file.write('{"dataset": 1, "size": 7, "seconds": 0.05, "by": "sobol", "seed": 5,\n "instruments": {'
                           ' "mine": { "scene": "mine.json", "vary": {"string.radius": {"from": 2e-4, "to": 4e-4}} },'
                           ' "piano-c4": { "set": { "felt.exponent": 2.5 }, "vary": {"felt.stiffness": [1e9, 2e9]} } } }')
            out = subprocess.run([JAWARI, "dataset", path, "--list"], check=True, capture_output=True, text=True).stdout
            about = subprocess.run([JAWARI, "dataset", path, "--dry-run"], check=True, capture_output=True, text=True).stdout
            data = jawari.Dataset(path)
            self.assertEqual([json.loads(line) for line in out.splitlines()], [data.line(i) for i in range(7)])
            self.assertIn(data.hash, about)
            piano = jawari.Scene("piano-c4").set("felt.exponent", 2.5)
            with open(os.path.join(folder, "mine.json")) as file:
                made = jawari.Dataset({"mine": vary, "piano-c4": {"felt.stiffness": [1e9, 2e9]}}, 7, 5, by="sobol", seconds=0.05,
                                      scenes={"mine": file.read(), "piano-c4": piano})
            self.assertEqual((made.hash, made.line(3), made.line(-2)), (data.hash, data.line(3), data.line(5)))
            self.assertEqual(jawari.Dataset(path, size=9).line(3), data.line(3))


tap.main(Sweeps, Datasets)
