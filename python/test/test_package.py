#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The package: scenes, worlds, renderings, errors.

usage: test_package.py JAWARI      prints TAP
"""
import gc
import hashlib
import inspect
import os
import pickle
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import tap

tap.need("cffi", "numpy")
import numpy as np

import jawari

JAWARI = os.path.abspath(sys.argv[1])
TEN = ["appendix-d", "bouncing-ball", "guitar", "marbles", "piano-c4", "shamisen", "sitar", "snare", "tanpura", "two-strings"]

RATTLE = {
    "jawari": 1,
    "objects": {
        "string": {"kind": "string", "length": 0.65, "radius": 3e-4, "material": "steel", "frequency": "A2", "decay": [100, 6, 2000, 1.5]},
        "bridge": {"kind": "mass", "mass": 1e-3, "frequency": 500, "loss": 0.05, "position": -1e-3}},
    "contacts": [{"law": "collision", "name": "rattle", "below": "bridge", "above": "string@0.9", "stiffness": 1e7, "exponent": 1.3}],
    "score": [{"at": 0.01, "name": "finger", "pluck": "string@0.2", "amplitude": 3, "duration": 0.003}],
    "pickups": [{"at": "string@0.95", "gain": "auto"}]}


def program(scene, *options):
    return tap.program(JAWARI, scene, *options)


class Rendering(unittest.TestCase):
    def test_ten_scenes_have_the_hash_of_the_program(self):
        for name in TEN:
            samples, rate = jawari.render(name, seconds=0.3)
            self.assertEqual((samples.dtype, rate), (np.float32, 44100.0))
            self.assertGreater(np.max(np.abs(samples)), 0.0)
            self.assertEqual(hashlib.sha256(samples.tobytes()).hexdigest(),
                             hashlib.sha256(program(name, "-d", "0.3")).hexdigest(), name)

    def test_oversampling_rate_and_channels_are_those_of_the_program(self):
        samples, rate = jawari.render("guitar", seconds=0.1, rate=48000, oversample=3, channels="mono", gain=2.0)
        self.assertEqual((samples.shape, rate), ((4800, 1), 48000.0))
        self.assertEqual(samples.tobytes(), program("guitar", "-d", "0.1", "-r", "48000", "--oversample", "3", "--channels", "mono",
                                                    "--gain", "2"))

    def test_values_set_from_outside_are_heard(self):
        plain, _ = jawari.render(RATTLE, seconds=0.2)
        scene = jawari.Scene(RATTLE).set("rattle.stiffness", 1e5)
        other, _ = jawari.render(scene, seconds=0.2)
        self.assertFalse(np.array_equal(plain, other))
        self.assertEqual(scene.sets, {"rattle.stiffness": 1e5})

    def test_a_list_of_midi_is_played_as_the_program_plays_its_file(self):
        notes = [(0.0, b"\x90\x34\x64"), (0.25, b"\x80\x34\x00"), (0.25, b"\x90\x3b\x50"), (0.5, b"\x80\x3b\x00")]
        track, before = b"", 0
        for time, data in notes:  # 480 ticks a quarter, 120 quarters a minute
            ticks = round(time * 960)
            track, before = track + bytes([(ticks - before) >> 7 | 128, (ticks - before) & 127]) + data, ticks
        track += b"\x00\xff\x2f\x00"
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "song.mid")
            with open(path, "wb") as file:
                file.write(b"MThd" + struct.pack(">IHHH", 6, 0, 1, 480) + b"MTrk" + struct.pack(">I", len(track)) + track)
            wanted = program("guitar", "--midi", path, "-d", "0.6")
        samples, _ = jawari.render("guitar", seconds=0.6, midi=notes)
        self.assertGreater(np.max(np.abs(samples)), 0.1)
        self.assertEqual(samples.tobytes(), wanted)

    def test_midi_that_is_none_is_refused(self):
        for midi in ([(0.0, b"\x12\x34")], [(1.0, b"\x90\x40\x40"), (0.5, b"\x80\x40\x00")], [(0.0, b"\x90\xff\x40")]):
            self.assertRaises(ValueError, jawari.render, "guitar", midi=midi)

    def test_two_threads_give_what_one_gives(self):
        names, results = TEN[:4], {}
        threads = [threading.Thread(target=lambda n=name: results.__setitem__(n, jawari.render(n, 0.2)[0])) for name in names]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for name in names:
            self.assertTrue(np.array_equal(results[name], jawari.render(name, 0.2)[0]))

    def test_other_threads_run_while_the_library_computes(self):
        counted, stop = [0], threading.Event()

        def count():
            while not stop.is_set():
                counted[0] += 1
                time.sleep(0.001)
        counter = threading.Thread(target=count)
        counter.start()
        before = counted[0]
        jawari.render("tromba-marina", seconds=0.5)
        during = counted[0] - before
        stop.set()
        counter.join()
        # Were the lock held, the counter would stand still; half a second of tromba takes hundreds of milliseconds.
        self.assertGreater(during, 10)

    def test_control_c_ends_a_long_rendering(self):
        code = "import jawari; jawari.render('tromba-marina', seconds=600)"
        started = time.time()
        child = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE)
        time.sleep(1.5)
        child.send_signal(2)
        self.assertIn(b"KeyboardInterrupt", child.communicate(timeout=60)[1])
        self.assertLess(time.time() - started, 50)

    def test_memory_stays_flat(self):
        def resident():
            with open("/proc/self/statm") as file:
                return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")
        for _ in range(30):
            jawari.render(RATTLE, seconds=0.02)
        gc.collect()
        before = resident()
        for _ in range(400):
            jawari.render(RATTLE, seconds=0.02)
        gc.collect()
        # A world of this scene takes 50 kB: 400 that stayed would be 20 MB.
        self.assertLess(resident() - before, 4e6)


class Features(unittest.TestCase):
    def test_a_string_has_the_pitch_and_the_stretch_of_its_stiffness(self):
        # B = pi^2 E I/(T L^2), with I = pi r^4/4 and the tension that tunes it
        length, radius, young = 0.65, 2e-4, 2e11
        scene = {"jawari": 1, "objects": {"s": {"kind": "string", "length": length, "radius": radius, "frequency": 110, "young": young,
                                                "method": "modes", "decay": [110, 4, 3000, 2]}},
                 "initial": [{"on": "s@0.13", "amplitude": 1e-3}], "pickups": [{"at": "s@0.07", "gain": "auto"}]}
        with jawari.World(scene) as world:
            tension = world.object("s").tension
        stretch = np.pi ** 2 * young * np.pi * radius ** 4 / 4 / (tension * length ** 2)
        found = jawari.features(*jawari.render(scene, seconds=1.5))
        # Stretched partials raise the pitch: 16 of them by less than sqrt(1 + 16^2 B), 3 %, and in the mean by much less.
        self.assertAlmostEqual(found["f0"].value, 110.0, delta=1.1)
        self.assertAlmostEqual(found["partials"].value[0], 110.0, delta=3 * found["partials"].uncertainty[0])
        self.assertAlmostEqual(found["inharmonicity"].value, stretch, delta=max(3 * found["inharmonicity"].uncertainty, 0.02 * stretch))
        # The octave of 125 Hz holds the fundamental alone, which fades in 4 s at 110 Hz.
        self.assertAlmostEqual(found["t60"].value[0], 4.0, delta=0.1)

    def test_nonsense_is_refused_by_name(self):
        self.assertRaises(jawari.Error, jawari.features, [float("nan")] * 10, 44100)
        self.assertRaises(jawari.Error, jawari.features, [0.0] * 10, 0)
        self.assertRaises(ValueError, jawari.features, np.zeros((2, 2, 2)), 44100)


class Errors(unittest.TestCase):
    def test_an_error_has_file_line_column_and_caret(self):
        with self.assertRaises(jawari.SceneError) as caught:
            jawari.Scene('{\n  "jawari": 1,\n  "objcts": {}\n}')
        error = caught.exception
        self.assertEqual((error.line, error.column, error.status), (3, 3, "bad scene"))
        self.assertIn('did you mean "objects"', str(error))
        self.assertIn("^~~~", str(error))

    def test_a_scene_that_is_not_there_names_the_nearest(self):
        with self.assertRaisesRegex(jawari.SceneError, 'did you mean "guitar"'):
            jawari.render("gitar")

    def test_a_value_out_of_range_changes_nothing(self):
        scene = jawari.Scene(RATTLE)
        with self.assertRaisesRegex(jawari.SceneError, "stiffness"):
            scene.set("rattle.stiffness", -1)
        self.assertEqual(scene.sets, {})
        with self.assertRaises(ValueError):
            scene.set("rattle.stiffness", float("nan"))

    def test_check_returns_all_errors_at_once(self):
        bad = dict(RATTLE, pickups=[{"at": "strng@0.95"}, {"at": "string@0.95", "gian": 1}])
        found = jawari.check(bad)
        self.assertEqual(len(found), 2)
        self.assertTrue(all(item.line > 1 and not item.warning for item in found))
        self.assertEqual(jawari.check(RATTLE), [])

    def test_check_warns_of_what_cannot_be_heard(self):
        found = jawari.check(dict(RATTLE, pickups=[{"at": "string@0"}]))
        self.assertTrue(found and all(item.warning for item in found))

    def test_what_the_engine_refuses_is_an_error_with_its_place(self):
        with self.assertRaisesRegex(jawari.SceneError, "<scene>:"):
            jawari.render(dict(RATTLE, objects=dict(RATTLE["objects"], string=dict(RATTLE["objects"]["string"], points=5000))))

    def test_nonsense_is_refused(self):
        for options in [{"seconds": -1}, {"seconds": 0}, {"rate": 3}, {"rate": float("inf")}, {"seconds": 1e9}, {"channels": "quad"}]:
            with self.assertRaises((jawari.Error, ValueError)):
                jawari.render(RATTLE, **options)

    def test_errors_go_through_pickle(self):
        try:
            jawari.Scene('{"jawari": 2}')
        except jawari.SceneError as error:
            self.assertEqual(str(pickle.loads(pickle.dumps(error))), str(error))


class Scenes(unittest.TestCase):
    def test_text_dict_path_and_name_are_one_scene(self):
        name = "bouncing-ball"
        text = jawari.Scene(name).text
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "ball.json")
            with open(path, "w") as file:
                file.write(text)
            ways = [jawari.render(way, 0.1)[0] for way in (name, text, path, jawari.Scene(name))]
        for samples in ways[1:]:
            self.assertTrue(np.array_equal(samples, ways[0]))

    def test_a_scene_goes_through_pickle(self):
        scene = jawari.Scene(RATTLE).set("rattle.stiffness", 3e6)
        again = pickle.loads(pickle.dumps(scene))
        self.assertEqual(again.sets, scene.sets)
        self.assertTrue(np.array_equal(jawari.render(again, 0.1)[0], jawari.render(scene, 0.1)[0]))

    def test_notebooks_show_a_player_and_a_picture(self):
        shown = jawari.render(RATTLE, 0.1)._repr_html_()
        self.assertIn("<audio", shown)
        self.assertIn("<svg", shown)
        self.assertIn("rattle", jawari.Scene(RATTLE)._repr_html_())

    def test_notes_and_materials(self):
        self.assertEqual(jawari.note("A4"), 440.0)
        self.assertRaises(ValueError, jawari.note, "H9x")
        self.assertEqual(jawari.materials()["steel"]["density"], 7850.0)
        self.assertIn("guitar", jawari.scenes())

    def test_the_builder_makes_the_same_scene(self):
        made = jawari.Builder()
        string = made.string("string", length=0.65, radius=3e-4, material="steel", frequency="A2", decay=[100, 6, 2000, 1.5])
        bridge = made.mass("bridge", mass=1e-3, frequency=500, loss=0.05, position=-1e-3)
        made.collision(name="rattle", below=bridge, above=string.at(0.9), stiffness=1e7, exponent=1.3)
        made.pluck(string.at(0.2), at=0.01, name="finger", amplitude=3, duration=0.003)
        made.pickup(string.at(0.95), gain="auto")
        self.assertTrue(np.array_equal(jawari.render(made.scene(), 0.2)[0], jawari.render(RATTLE, 0.2)[0]))

    def test_the_builder_is_documented_by_the_tables(self):
        self.assertIn("Stiffness K", jawari.Builder.collision.__doc__)
        self.assertIn("N/m^a, 0 to 1e+20", jawari.Builder.collision.__doc__)
        self.assertIn("stiffness", inspect.signature(jawari.Builder.collision).parameters)

    def test_every_public_name_is_documented(self):
        for name in jawari.__all__:
            thing = getattr(jawari, name)
            self.assertTrue(inspect.getdoc(thing) or isinstance(thing, tuple), name)
            if inspect.isclass(thing) and thing.__module__.startswith("jawari"):
                for key, value in vars(thing).items():
                    if not key.startswith("_") and (callable(value) or isinstance(value, property)):
                        self.assertTrue(inspect.getdoc(value), name + "." + key)


class Worlds(unittest.TestCase):
    def test_a_world_is_run_in_pieces_as_in_one(self):
        with jawari.World(RATTLE) as one, jawari.World(RATTLE) as other:
            whole = one.run(seconds=0.1)
            pieces = np.concatenate([other.run(n) for n in (1, 0, 999, 3410)])
            self.assertEqual(whole.shape, (4410, 1))
            self.assertTrue(np.array_equal(whole, pieces))
            self.assertEqual(one.frame, other.frame)

    def test_a_snapshot_taken_back_gives_the_same_samples(self):
        with jawari.World(RATTLE) as world:
            world.run(2000)
            state = world.snapshot()
            first = world.run(3000)
            world.restore(state)
            self.assertTrue(np.array_equal(world.run(3000), first))
            with self.assertRaises(jawari.Error):
                world.restore(state[:-1] + b"x")

    def test_the_ledger_closes(self):
        with jawari.World(RATTLE) as world:
            world.run(seconds=0.5)
            self.assertGreater(world.contacts["rattle"].closures, 0)
            self.assertGreater(world.energy.supplied, 0.0)
            # Rounding of 22,050 frames: each adds an error of 2e-16 of the peak, at random.
            self.assertLess(world.energy.worst_residual, 1e-11)
            parts = [world.energy_of(name) for name in ("string", "bridge", "rattle")]
            self.assertAlmostEqual(sum(parts), world.energy.stored, delta=1e-12 * world.energy.peak)

    def test_a_field_is_written_in_place(self):
        with jawari.World(RATTLE) as world:
            world.run(seconds=0.02)
            field = world.field("string")
            self.assertEqual(len(field), world.object("string").points)
            address, before = field.ctypes.data, field.copy()
            world.run(100)
            self.assertEqual(world.field("string", out=field).ctypes.data, address)
            self.assertFalse(np.array_equal(field, before))
            middle = len(field) // 2
            place = world.places("string")[middle, 0] / 0.65
            self.assertAlmostEqual(world.probe("string@%.17g" % place)[0], field[middle], delta=1e-9 * np.max(np.abs(field)))
            self.assertRaises(ValueError, world.field, "string", np.zeros(3))

    def test_a_number_moves_and_a_mass_is_thrown(self):
        with jawari.World(RATTLE) as world:
            world.set("rattle.stiffness", 1e6, over=0.01)
            world.run(2000)
            self.assertEqual(world.get("rattle.stiffness"), 1e6)
            world.throw("bridge", velocity=-1.0, position=-0.001)
            world.step()
            # From where its spring of 500 Hz holds it, one frame later: 1 - cos(2 pi 500/44100) is 0.0025; loss takes as much.
            self.assertAlmostEqual(world.probe("bridge")[1], -1.0, delta=0.01)
            with self.assertRaisesRegex(jawari.Error, "must be 0 to 1e\\+20"):
                world.set("rattle.stiffness", -1)
            with self.assertRaisesRegex(KeyError, "bridge"):
                world.set("brigde.position", 0)
            self.assertRaises(KeyError, world.set, "rattle.exponent", 2)

    def test_a_blow_is_struck_again(self):
        with jawari.World(RATTLE) as world:
            world.run(seconds=0.1)
            before = world.energy.supplied
            world.trigger("finger", 3.0)
            world.run(seconds=0.01)
            self.assertNotEqual(world.energy.supplied, before)

    def test_a_closed_world_says_so(self):
        world = jawari.World(RATTLE)
        world.close()
        with self.assertRaisesRegex(jawari.Error, "closed"):
            world.run(1)


tap.main(Rendering, Features, Errors, Scenes, Worlds)
