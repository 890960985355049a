#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Data sets, made as people make them: sounds, lists, hashes, interruptions, parts, errors.

usage: test_dataset.py JAWARI SOURCE-FOLDER      prints TAP
"""
import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import time

from kit import JAWARI, PATIENCE, SCENE, get, jawari, put, run_claims, samples

DATA = {"dataset": 1, "size": 9, "seed": 3, "seconds": 0.05, "channels": "mono",
        "instruments": {"small": {"scene": "small.json", "vary": {"rattle.stiffness": {"from": 1e5, "to": 1e8, "log": True},
                                                                    "string.radius": {"from": 2e-4, "to": 4e-4}}},
                        "piano-c4": {"vary": {"felt.stiffness": [1e9, 3e9, 1e10]}}}}


def setup(folder, data=DATA):
    put(folder, "small.json", SCENE)
    put(folder, "d.json", data)


def dataset(folder, *args):
    status, out, error = jawari(folder, "dataset", "d.json", *args)
    assert status == 0, (status, error)
    return out


def everything(folder):
    """Every file of the data set, by name."""
    return {name: get(folder, "d/" + name) for name in sorted(os.listdir(os.path.join(folder, "d")))}


def lines(folder, name="d/sounds.jsonl"):
    return [json.loads(line) for line in get(folder, name).decode().splitlines()]


# ---------------------------------------------------------------- claims

def test_each_sound_has_the_samples_of_its_own_render(folder):
    setup(folder)
    assert dataset(folder).startswith("d: 9 sounds, 0 failed, data set ")
    listed = lines(folder)
    assert [line["index"] for line in listed] == list(range(9))
    assert [line["instrument"] for line in listed] == ["small", "piano-c4"] * 4 + ["small"]
    for line in listed:
        given = [word for key, value in line["parameters"].items() for word in ("--set", "%s=%.17g" % (key, value))]
        scene = {"small": "small.json"}.get(line["instrument"], line["instrument"])
        status, _, error = jawari(folder, "render", scene, "-o", "one.wav", "--duration", "0.05", "--channels", "mono", "--bits", "float", *given)
        assert status == 0, error
        data = samples(get(folder, "d/%06d.wav" % line["index"]))
        assert data == samples(get(folder, "one.wav")) and len(data) == 4 * 2205, line
        assert line["sha256"] == hashlib.sha256(data).hexdigest(), line
    assert len({line["sha256"] for line in listed if line["instrument"] == "small"}) == 5, "sounds differ"
    radius = [line["parameters"]["string.radius"] for line in listed if line["instrument"] == "small"]
    assert all(2e-4 <= value <= 4e-4 for value in radius) and len(set(radius)) == 5


def test_about_json_is_enough_to_make_it_again(folder):
    setup(folder)
    dataset(folder)
    about = json.loads(get(folder, "d/about.json"))
    os.mkdir(os.path.join(folder, "again"))
    put(folder, "again/d.json", about["dataset"])
    put(folder, "again/small.json", about["scenes"]["small"][0])
    again = os.path.join(folder, "again")
    assert about["hash"] in dataset(again) and about["hash"] in dataset(folder, "--dry-run")
    assert everything(again) == everything(folder)


def test_workers_do_not_show(folder):
    setup(folder)
    made = []
    for workers in ("1", "2", "5"):
        dataset(folder, "-j", workers)
        made.append(everything(folder))
        subprocess.run(["rm", "-r", os.path.join(folder, "d")], check=True)
    assert made[0] == made[1] == made[2] and len(made[0]) == 11


def test_one_sound_alone_and_the_list_alone_are_the_same(folder):
    setup(folder)
    dataset(folder)
    line = dataset(folder, "--item", "6", "-o", "six.wav")
    assert json.loads(line) == lines(folder)[6] and get(folder, "six.wav") == get(folder, "d/000006.wav")
    assert dataset(folder, "--list").encode() == get(folder, "d/sounds.jsonl")
    setup(folder, dict(DATA, size=4))
    assert dataset(folder, "--list").encode() == b"".join(get(folder, "d/sounds.jsonl").splitlines(True)[:4]), "a larger one goes on"


def test_the_hash_is_of_what_it_means(folder):
    def of(data):
        setup(folder, data)
        return dataset(folder, "--dry-run").split()[-1]
    first = of(DATA)
    assert len(first) == 64
    turned = dict(reversed(list(DATA.items())), title="For people", by="random")
    assert of(turned) == first, "order, title and what is given though it is the default"
    assert of(json.dumps(DATA).replace("1e-04", "100e-6").replace("0.0002", "2e-4")) == first, "how numbers are written"
    others = [dict(DATA, seed=4), dict(DATA, size=10), dict(DATA, seconds=0.06), dict(DATA, by="sobol"), dict(DATA, channels="stereo"),
              dict(DATA, set={"duration": 1}), json.dumps(DATA).replace("0.0004", "0.0005"), dict(DATA, gain=2), dict(DATA, rate=48000)]
    found = [of(data) for data in others]
    setup(folder)
    put(folder, "small.json", SCENE.replace("1e7", "2e7"))
    found.append(dataset(folder, "--dry-run").split()[-1])
    assert len(set(found + [first])) == len(others) + 2, found


def test_killed_at_random_ten_times_and_resumed_gives_the_same_files(folder):
    setup(folder, dict(DATA, size=120, seconds=0.25))
    dataset(folder)
    whole = everything(folder)
    subprocess.run(["rm", "-r", os.path.join(folder, "d")], check=True)

    def count():
        return len(os.listdir(os.path.join(folder, "d"))) if os.path.exists(os.path.join(folder, "d")) else 0
    dice, counts = random.Random(7), []
    for _ in range(10):
        run = subprocess.Popen([JAWARI, "dataset", "d.json", "--resume", "--quiet"], cwd=folder)
        before, more, end = count(), dice.choice([0, 0, 1, 2, 3]), time.monotonic() + PATIENCE
        while count() < before + more and time.monotonic() < end:
            pass
        time.sleep(dice.uniform(0.0, 0.003))
        run.send_signal(signal.SIGKILL)
        assert run.wait() == -signal.SIGKILL, "it was done before it was killed"
        counts.append(count())
    assert not os.path.exists(os.path.join(folder, "d/sounds.jsonl")) and len(set(counts)) >= 4, counts
    dataset(folder, "--resume")
    assert everything(folder) == whole


def test_killed_at_its_very_start_it_begins_anew(folder):
    setup(folder)
    os.mkdir(os.path.join(folder, "d"))
    put(folder, "d/about.json.part", '{ "ha')
    dataset(folder, "--resume")
    assert len(everything(folder)) == 11


def test_a_file_that_is_torn_is_made_again(folder):
    setup(folder)
    dataset(folder)
    whole = everything(folder)
    with open(os.path.join(folder, "d/000003.wav"), "r+b") as file:
        file.truncate(1000)
    os.remove(os.path.join(folder, "d/000005.wav"))
    status, _, error = jawari(folder, "dataset", "d.json")
    assert status == 1 and "d has sounds of this data set: go on with --resume, or remove it" in error, error
    dataset(folder, "--resume")
    assert everything(folder) == whole


def test_parts_are_the_whole(folder):
    setup(folder)
    dataset(folder)
    whole = everything(folder)
    subprocess.run(["rm", "-r", os.path.join(folder, "d")], check=True)
    for i in (2, 1, 3, 4):
        dataset(folder, "--shard", "%d/4" % i)
    parts = everything(folder)
    assert b"".join(parts.pop("sounds.%d-of-4.jsonl" % i) for i in (1, 2, 3, 4)) == whole.pop("sounds.jsonl")
    assert parts == whole


def test_check_finds_what_differs(folder):
    setup(folder)
    dataset(folder)
    assert dataset(folder, "--check", "d/sounds.jsonl") == "d/sounds.jsonl: 9 of 9 sounds are the same\n"
    some = [lines(folder)[i] for i in (7, 2)]
    put(folder, "some.jsonl", "".join(json.dumps(line) + "\n" for line in some))
    assert dataset(folder, "--check", "some.jsonl") == "some.jsonl: 2 of 2 sounds are the same\n"
    digit = some[1]["sha256"][0]
    some[1]["sha256"] = ("0" if digit != "0" else "1") + some[1]["sha256"][1:]
    put(folder, "some.jsonl", "".join(json.dumps(line) + "\n" for line in some))
    status, out, error = jawari(folder, "dataset", "d.json", "--check", "some.jsonl")
    assert status == 1 and "1 of 2" in out and "sound 2 differs: " + some[1]["sha256"] in error, (status, out, error)
    for text, message in [("{}\n", "some.jsonl:1: no line of a data set's list"), ('{"index": 99, "reason": ""}\n', "sound 99, and the data set has 9"),
                          ('\n{"index": 1, "sha256": "abc"}\n', "some.jsonl:2: no line"), ("", "0 of 0")]:
        put(folder, "some.jsonl", text)
        status, out, error = jawari(folder, "dataset", "d.json", "--check", "some.jsonl")
        assert status == 1 and message in out + error, (text, status, out, error)


def test_a_sound_that_cannot_be_made_is_a_line_with_its_reason(folder):
    bad = json.loads(json.dumps(DATA))
    bad["instruments"]["small"]["vary"]["string.radius"] = [3e-4, -1]
    setup(folder, bad)
    status, out, error = jawari(folder, "dataset", "d.json")
    listed = lines(folder)
    failed = [line for line in listed if "reason" in line]
    assert status == 0 and 0 < len(failed) < 5 and "%d failed" % len(failed) in out, (status, out)
    assert all(line["parameters"]["string.radius"] == -1 and "must be from" in line["reason"] and "sha256" not in line for line in failed)
    assert "%d of 9 sounds failed; sound %d: " % (len(failed), failed[0]["index"]) in error, error
    assert not os.path.exists(os.path.join(folder, "d/%06d.wav" % failed[0]["index"]))
    assert dataset(folder, "--check", "d/sounds.jsonl").endswith("9 of 9 sounds are the same\n")
    status, _, error = jawari(folder, "dataset", "d.json", "--item", str(failed[0]["index"]), "-o", "one.wav")
    assert status == 1 and "must be from" in error and not os.path.exists(os.path.join(folder, "one.wav")), error


def test_a_full_disk_is_an_error_and_leaves_whole_sounds(folder):
    setup(folder)
    status, _, error = jawari(folder, "dataset", "d.json", limit=8000)  # A sound has 8876 bytes, about.json less
    assert status == 1 and "cannot write sound" in error and "File too large" in error, (status, error)
    assert os.listdir(os.path.join(folder, "d")) == ["about.json"], os.listdir(os.path.join(folder, "d"))
    dataset(folder, "--resume")
    assert len(everything(folder)) == 11
    subprocess.run(["rm", "-r", os.path.join(folder, "d")], check=True)
    status, _, error = jawari(folder, "dataset", "d.json", limit=500)
    assert status == 1 and "cannot write d/about.json: File too large" in error and not os.path.exists(os.path.join(folder, "d")), error


def test_other_things_are_never_written_over(folder):
    setup(folder)
    os.mkdir(os.path.join(folder, "d"))
    put(folder, "d/precious.txt", "mine")
    for more in ([], ["--resume"], ["--shard", "1/2"]):
        status, _, error = jawari(folder, "dataset", "d.json", *more)
        assert status == 1 and "d is there already, and no data set" in error, error
    assert os.listdir(os.path.join(folder, "d")) == ["precious.txt"]
    dataset(folder, "-o", "e")
    put(folder, "d.json", dict(DATA, seed=4))
    status, _, error = jawari(folder, "dataset", "d.json", "-o", "e", "--resume")
    assert status == 1 and "e has another data set" in error, error


def bad(**keys):
    return json.dumps({**DATA, **keys})


BAD = [
    ('{ "dataset": 1, "size": 3, "instruments": { "small": { "scene": "small.json", "vary": { "a": [1 } } } }', "d.json:1:"),
    ('{ "size": 3, "instruments": { "guitar": { "vary": { "a": [1] } } } }', 'a data set begins with "dataset": 1'),
    ('{ "dataset": 1, "size": 3 }', 'a data set needs "instruments"'),
    ('{ "dataset": 1, "size": 3, "instruments": {} }', 'a data set needs "instruments"'),
    ('{ "dataset": 1, "instruments": { "piano-c4": { "vary": { "felt.stiffness": [1] } } } }', 'a data set needs a "size"'),
    ('{ "dataset": 1, "size": 3, "instruments": {\n "piano-c4": { } } }', 'd.json:2:14: error: an instrument needs "vary"'),
    ('{ "dataset": 1, "size": 3, "instruments": {\n "piano-c4": [1] } }', 'd.json:2:14: error: this is a list, must be an object'),
    ('{ "dataset": 1, "size": 3, "instruments": {\n "pianoc4": { "vary": { "a": [1] } } } }', 'd.json:2:2: error: '),
    ('{ "dataset": 1, "size": 3, "instruments": { "piano-c4": { "vary": { "felt.stiffness": [1] } },\n "b": { "scene": "none", "vary": { "a": [1] } } } }',
     'd.json:2:18: error: '),
    ('{ "dataset": 1, "size": 3, "instruments": {\n "piano-c4": { "vari": 1 } } }', 'd.json:2:16: error: there is no key "vari" here; there are scene, set, vary'),
    (bad(by="grid"), "the points of a data set are drawn: random, latin or sobol"),
    (bad(size=0), '"size" is 0, must be whole, 1 to'),
    (bad(keep=["sound"]), 'there is no key "keep" here'),
    (bad(set={"string.radius": "x"}), "error: "),
    (bad(instruments={"small": {"scene": "small.json", "set": {"string.radius": -1}, "vary": {"string.length": [1]}}}), '"radius" is -1'),
]


def test_a_bad_data_set_is_told_with_its_place(folder):
    for text, message in BAD:
        setup(folder, text)
        status, _, error = jawari(folder, "dataset", "d.json")
        assert status == 3 and message in error, (text, status, error)
        assert sorted(os.listdir(folder)) == ["d.json", "small.json"], text


def test_a_bad_command_line_is_told(folder):
    setup(folder)
    for args, message in [([], "dataset wants a file"), (["d.json", "more"], "one more"), (["d.json", "--item", "9"], "--item 9: must be a number from 0 to 8"),
                          (["d.json", "--item", "-1"], "--item -1: must be"), (["d.json", "--item", "1", "--list"], "exclude each other"),
                          (["d.json", "--shard", "3/2"], "--shard 3/2: must be I/N"), (["d.json", "--item", "1", "-o", "x.flac"], "must end in .wav")]:
        status, _, error = jawari(folder, "dataset", *args)
        assert status == 2 and message in error, (args, status, error)
    status, _, error = jawari(folder, "dataset", "none.json")
    assert status == 1 and "cannot read none.json: No such file" in error, error
    setup(folder, dict(DATA, rate=44100.5))
    status, _, error = jawari(folder, "dataset", "d.json")
    assert status == 1 and "needs a whole sample rate, not 44100.5 Hz" in error, error
    assert sorted(os.listdir(folder)) == ["d.json", "small.json"]


sys.exit(run_claims(globals()))
