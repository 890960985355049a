#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A sweep on Dask: two processes of a LocalCluster, one of which is ended on the way.

usage: test_dask.py      prints TAP
"""
import os
import signal
import threading
import time
import unittest

import tap

tap.need("cffi", "numpy", "distributed")
from distributed import Client, LocalCluster

import jawari

VARY = {"string.radius": {"from": 2e-4, "to": 4e-4, "count": 200}}
SCENE = {"jawari": 1, "duration": 1.0,
         "objects": {"string": {"kind": "string", "length": 0.65, "radius": 3e-4, "material": "steel", "frequency": "A2"}},
         "initial": [{"on": "string@0.2", "amplitude": 2e-3}], "pickups": [{"at": "string@0.95"}]}


class Dask(unittest.TestCase):
    def test_two_hundred_points_come_out_the_same_though_a_worker_dies(self):
        expected = jawari.sweep(SCENE, VARY)
        with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster, Client(cluster) as client:
            def kill():
                while not any(client.processing().values()):
                    time.sleep(0.01)
                os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL)

            killer = threading.Thread(target=kill)
            killer.start()
            result = jawari.sweep(SCENE, VARY, executor=client, chunk=2)
            killer.join()
        self.assertFalse(result["status"].any())
        for name in expected:
            self.assertEqual(expected[name].tolist() if expected[name].dtype == object else expected[name].tobytes(),
                             result[name].tolist() if result[name].dtype == object else result[name].tobytes(), name)


if __name__ == "__main__":
    tap.main(Dask)
