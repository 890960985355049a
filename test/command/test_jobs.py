#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`jawari sweep --slurm` before a stand-in for Slurm: what it submits, shows, submits again and joins.

usage: test_jobs.py JAWARI      prints TAP

The stand-in keeps the words of sbatch, runs the array's tasks where it is told to, and says of jobs what a file says.  A real
cluster is in test_slurm.py, make test-cluster.
"""
import json
import os
import pty
import re
import subprocess
import sys
import tempfile
import traceback

JAWARI = os.path.realpath(sys.argv[1])
SCENE = {"jawari": 1, "duration": 0.02, "objects": {"m": {"kind": "mass", "mass": 0.01, "frequency": 200, "displacement": 1e-3}}, "pickups": [{"at": "m"}]}
SWEEP = {"sweep": 1, "scene": "scene.json", "vary": {"m.mass": {"from": 0.01, "to": 0.02, "count": 10}}, "keep": ["statistics"]}

# Each call is a line of words; job 41 is the first.  FAIL makes it refuse, TASKS says which tasks of an array get done.
SBATCH = r"""#!/usr/bin/python3
import os, re, subprocess, sys
words = sys.argv[1:]
with open("calls", "a") as file:
    file.write(repr(words) + "\n")
if os.environ.get("FAIL") in words or os.environ.get("FAIL") == "all":
    sys.exit("sbatch: error: no such partition")
job = 40 + len(open("calls").readlines())
array = [word[8:] for word in words if word.startswith("--array=")]
done = os.environ.get("TASKS", "")
for part in array[0].split(",") if array else []:
    first, last = (part + "-" + part).split("-")[:2]
    for task in range(int(first), int(last) + 1):
        if done == "all" or str(task) in done.split():
            subprocess.run(["sh", words[-1]], env=dict(os.environ, SLURM_ARRAY_TASK_ID=str(task)), check=True)
if not array and done == "all":
    subprocess.run(["sh", "-c", words[words.index("--wrap") + 1]], check=True)
print(os.environ.get("SAYS", "%d;cluster" % job))
"""
SQUEUE = r"""#!/bin/sh
echo "$@" >> asked
cat queue 2>/dev/null || exit 1
"""


def fresh():
    folder = tempfile.TemporaryDirectory()
    os.mkdir(os.path.join(folder.name, "bin"))
    for name, text in (("scene.json", json.dumps(SCENE)), ("it's s.json", json.dumps(SWEEP)), ("bin/sbatch", SBATCH), ("bin/squeue", SQUEUE)):
        with open(os.path.join(folder.name, name), "w") as file:
            file.write(text)
        os.chmod(os.path.join(folder.name, name), 0o755)
    return folder


def slurm(folder, *more, shards=7, **env):
    words = [JAWARI, "sweep", "it's s.json", "-o", "o'ut.h5", "--slurm", str(shards), *more]
    path = os.path.join(folder, "bin") + ":/usr/bin:/bin"
    done = subprocess.run(words, capture_output=True, text=True, cwd=folder, env=dict(os.environ, PATH=path, **env), timeout=300)
    return done.returncode, done.stdout, done.stderr


def on_terminal(folder, *words):
    """What a terminal shows of the command."""
    master, slave = pty.openpty()
    child = subprocess.Popen([JAWARI, *words], stdin=subprocess.DEVNULL, stdout=slave, stderr=slave, cwd=folder)
    os.close(slave)
    shown = b""
    try:
        while True:
            shown += os.read(master, 65536)
    except OSError:  # Its end
        pass
    os.close(master)
    assert child.wait() == 0, shown
    return shown


def calls(folder):
    with open(os.path.join(folder, "calls")) as file:
        return [eval(line) for line in file]


def put(folder, name, text):
    with open(os.path.join(folder, name), "w") as file:
        file.write(text)


def get(folder, name):
    with open(os.path.join(folder, name)) as file:
        return file.read()


def an_array_and_its_join_are_submitted():
    with fresh() as folder:
        assert slurm(folder) == (0, "submitted 7 of 7 shards as job 41, and job 42 that joins them\n", "")
        array, join = calls(folder)
        assert array == ["--parsable", "--array=1-7", "o'ut.sbatch"], array
        assert join[:4] == ["--parsable", "--job-name=jawari-join", "--dependency=afterany:41", "--output=o'ut.slurm.join.log"], join
        assert join[4:] == ["--wrap", "'%s' sweep 'it'\\''s s.json' -o 'o'\\''ut.h5' --join 7 --quiet" % JAWARI], join
        assert get(folder, "o'ut.slurm") == "41 42\n"
        assert get(folder, "o'ut.sbatch") == (
            "#!/bin/sh\n#SBATCH --job-name=jawari-sweep\n#SBATCH --output=o'ut.slurm.%%a.log\n#SBATCH --open-mode=append\n#SBATCH --requeue\n"
            "exec '%s' sweep 'it'\\''s s.json' -o 'o'\\''ut.h5' --shard \"$SLURM_ARRAY_TASK_ID/7\" --resume --quiet"
            " --workers \"${SLURM_CPUS_PER_TASK:-1}\"\n" % JAWARI)


def options_for_sbatch_are_handed_on():
    with fresh() as folder:
        assert slurm(folder, "--sbatch", "--partition=long --time=2:00:00")[0] == 0
        for words in calls(folder):
            assert words[:3] == ["--parsable", "--partition=long", "--time=2:00:00"], words


def a_dry_run_shows_both_and_submits_nothing():
    with fresh() as folder:
        before = sorted(os.listdir(folder))
        status, out, err = slurm(folder, "--dry-run")
        assert status == 0 and err == "" and out.startswith("#!/bin/sh\n"), err
        last = out.splitlines()[-2:]
        assert last[0] == "# sbatch --parsable  --array=1-7 'o'\\''ut.sbatch'", last
        assert last[1].startswith("# sbatch --parsable  --job-name=jawari-join --dependency=afterany: --output='o'\\''ut.slurm'.join.log"), last
        assert sorted(os.listdir(folder)) == before


def while_jobs_run_their_state_is_shown():
    with fresh() as folder:
        slurm(folder, TASKS="2 3 6")
        put(folder, "queue", "RUNNING\nCOMPLETING\nPENDING\n")
        assert slurm(folder) == (0, "3 of 7 shards done; of jobs 41 and 42, 2 run and 1 wait\n", "")
        assert len(calls(folder)) == 2
        assert get(folder, "asked") == "--noheader --array --format=%T --jobs=41,42\n"
        put(folder, "queue", "RUNNING\n")
        assert "1 run and 0 wait" in slurm(folder)[1]
        put(folder, "queue", "PENDING\n")
        assert "0 run and 1 wait" in slurm(folder)[1]


def what_is_missing_is_submitted_again():
    with fresh() as folder:
        slurm(folder, TASKS="2 3 6")
        assert slurm(folder) == (0, "submitted 4 of 7 shards as job 43, and job 44 that joins them\n", "")
        assert calls(folder)[2] == ["--parsable", "--array=1,4-5,7", "o'ut.sbatch"]
        put(folder, "queue", "")  # Slurm has forgotten them
        slurm(folder, TASKS="1 4 7")
        assert calls(folder)[4][1] == "--array=1,4-5,7"
        slurm(folder)
        assert calls(folder)[6][1] == "--array=5"


def when_all_is_done_it_is_joined_and_says_so():
    with fresh() as folder:
        assert slurm(folder, TASKS="1 2 3 4 5 6 7")[0] == 0
        assert not os.path.exists(os.path.join(folder, "o'ut.h5"))
        status, out, err = slurm(folder)  # The job that joins was lost
        assert status == 0 and "10 points in 7 files, 0 missing" in out and err == "", (out, err)
        assert slurm(folder) == (0, "o'ut.h5 is whole: 7 of 7 shards done\n", "")
        assert len(calls(folder)) == 2


def the_script_and_the_join_do_what_they_say():
    with fresh() as folder:
        assert slurm(folder, TASKS="all")[0] == 0
        assert slurm(folder) == (0, "o'ut.h5 is whole: 7 of 7 shards done\n", "")


def what_sbatch_refuses_is_said():
    for fail in ("--array=1-7", "--wrap"):
        with fresh() as folder:
            status, out, err = slurm(folder, FAIL=fail)
            assert status == 1 and out == "" and "sbatch took no job: sbatch --parsable " in err, (status, err)
            assert not os.path.exists(os.path.join(folder, "o'ut.slurm"))
    with fresh() as folder:
        status, out, err = slurm(folder, SAYS="Submitted")
        assert status == 1 and out == "" and "sbatch took no job" in err, (status, err)
    with fresh() as folder:
        os.mkdir(os.path.join(folder, "o'ut.sbatch"))
        status, out, err = slurm(folder)
        assert status == 1 and "cannot write o'ut.sbatch: it is a folder" in err, err
        assert not os.path.exists(os.path.join(folder, "calls"))


def a_terminal_is_told_how_far_it_is():
    with fresh() as folder:
        put(folder, "many.json", json.dumps(dict(SWEEP, seconds=0.5, vary={"m.mass": {"from": 0.01, "to": 0.02, "count": 400}})))
        said = on_terminal(folder, "sweep", "many.json", "-o", "many.h5", "-j", "1")
        told = re.findall(rb"\r *(\d+) %  (\d+) of 400 points, 0 failed, (\d+):(\d\d):(\d\d) left", said)
        assert told, said
        for percent, done, hours, minutes, seconds in told:
            assert abs(int(percent) - int(done) / 4) <= 0.5 and hours == b"0" and int(minutes) < 10, told
        assert [int(done) for _, done, *_ in told] == sorted(int(done) for _, done, *_ in told)
        assert b"points," not in on_terminal(folder, "sweep", "many.json", "-o", "again.h5", "-q")


CLAIMS = [a_terminal_is_told_how_far_it_is, an_array_and_its_join_are_submitted, options_for_sbatch_are_handed_on, a_dry_run_shows_both_and_submits_nothing,
          while_jobs_run_their_state_is_shown, what_is_missing_is_submitted_again, when_all_is_done_it_is_joined_and_says_so,
          the_script_and_the_join_do_what_they_say, what_sbatch_refuses_is_said]


def main():
    if b"HDF5 files: yes" not in subprocess.run([JAWARI, "--version"], capture_output=True).stdout:
        print("1..0 # SKIP built without HDF5")
        return 0
    print("1..%d" % len(CLAIMS))
    failed = 0
    for number, claim in enumerate(CLAIMS, 1):
        try:
            claim()
            print("ok %d - %s" % (number, claim.__name__.replace("_", " ")), flush=True)
        except Exception:
            failed = 1
            print("".join("# %s\n" % line for line in traceback.format_exc().splitlines()), end="")
            print("not ok %d - %s" % (number, claim.__name__.replace("_", " ")), flush=True)
    return failed


sys.exit(main())
