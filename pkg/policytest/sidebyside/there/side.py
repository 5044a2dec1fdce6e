"""Runs methods of published Python codes, which are not a part of this project, and says how many measurements they took
and how many seconds of the processor: docs/side-by-side.md.

    side.py FOLDER METHOD FEATURES-OR-MEANS RUNS DELTA

FOLDER is a checkout of fiezt/Transductive-Linear-Bandit-Code (RAGE, XY-static, XY-adaptive) or the folder simulations of blakemas/all_epsilon ((ST)^2).
"""

import contextlib
import importlib
import io
import logging
import sys
import time
import types

import numpy as np

folder, method, table, runs, delta = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]), float(sys.argv[5])
sys.path.insert(0, folder)
for unused in ("mosek", "cvxpy"):  # imported there, and not called
    sys.modules.setdefault(unused, types.ModuleType(unused))
logging.disable(logging.CRITICAL)
X = np.loadtxt(table, delimiter=",", ndmin=2)
theta = np.zeros((X.shape[1], 1))
theta[0, 0] = 2.0


def run(seed):
    if method == "(ST)^2":
        np.random.seed(seed)
        p = importlib.import_module("st2").st2(0.1, X[:, 0], 1.0, delta, maxpulls=1e7, verbose=False)
        p.run()
        return int(np.sum(p.pulls))
    name, settings = {
        "RAGE": ("RAGE", (10, delta)),
        "XY-static": ("XY_STATIC", (delta,)),
        "XY-adaptive": ("XY_ADAPTIVE", (0.1, delta)),
    }[method]
    p = getattr(importlib.import_module(name), name)(X, theta, *settings)
    p.algorithm(seed)
    return int(p.N)


run(0)  # what is imported and compiled once
begun, pulls = time.process_time(), 0
with contextlib.redirect_stdout(io.StringIO()):
    for seed in range(1, runs + 1):
        pulls += run(seed)
print(pulls, f"{time.process_time() - begun:.6f}")
