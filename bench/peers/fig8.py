# SPDX-License-Identifier: MIT
"""A string over a bent barrier, 521 points at 220.5 kHz, in numpy: the same work as jawari's.

Ducceschi and Bilbao 2019, Fig. 8.  Prints seconds of computing (of the processor) for a second of sound.
    python3 fig8.py noniterative|newton SECONDS
"""
import sys
import time

import numpy as np


def main(method, seconds):
    fs, n = 220500, 521
    k, h, m, al = 1 / fs, 1 / (n + 1), 0.063, 1.4
    y = k * k / (m * h)
    tau, beta = y * 500 / h, y * 2e11 * np.pi * 5e-4**4 / 4 / h**3
    K = 5e6 * h
    x = np.arange(1, n + 1) * h
    b = -1e-4 - 1e-4 * x - 1e-3 * x * x
    u, p, psi = np.zeros(n), np.zeros(n), np.zeros(n)

    def second(v):
        w = np.concatenate(([0.0], v, [0.0]))
        return w[:-2] - 2 * w[1:-1] + w[2:]

    def phi(e):
        return K / (al + 1) * np.maximum(e, 0) ** (al + 1)

    def slope(e):
        return K * np.maximum(e, 0) ** al

    start = time.process_time()
    for i in range(int(seconds * fs)):
        d = second(u)
        new = 2 * u - p + tau * d - beta * second(d)
        t = i * k
        if t < 1e-3:
            new[int(0.8 * n)] += y * 5 * (1 - np.cos(2 * np.pi * t / 1e-3))
        r, eta = p - new, b - u
        if method == "noniterative":
            g = np.sqrt(0.5 * K * (al + 1)) * np.maximum(eta, 0) ** (0.5 * (al - 1))
            f = (0.25 * g * g * r + g * psi) / (1 + 0.25 * g * g * y)
            psi += 0.5 * g * (r - y * f)
        else:
            past, z = b - p, r.copy()
            for _ in range(20):
                z[np.abs(z) < 1e-14] = 1e-14
                q = (phi(past + z) - phi(past)) / z
                z -= (z - r + y * q) / (1 + y * (slope(past + z) - q) / z)
            f = (r - z) / y
        new += y * f
        p, u = u, new
    print("%g" % ((time.process_time() - start) / seconds))


main(sys.argv[1], float(sys.argv[2]))
