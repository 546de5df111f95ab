#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The peers' side of the benchmarks: NumPy and Python doing the same work on the same data.

usage: peers.py dimension CELLS MODELS ITEMS    the SVD route: three centrings, three decompositions
       peers.py permutations CELLS MODELS ITEMS N
       peers.py csv FILE                        csv.reader, fields only
Each prints seconds, and what it found."""
import csv
import sys
import time

import numpy as np


def cells(path, n_models, n_items):
    """items x models, as BenchScope writes its matrix"""
    return np.fromfile(path, np.uint8).reshape(n_models, n_items).T.astype(float)


def participation_ratio(x):
    eigenvalues = np.linalg.svd(x, compute_uv=False) ** 2
    return eigenvalues.sum() ** 2 / (eigenvalues ** 2).sum()


def dimension(path, n_models, n_items):
    x = cells(path, n_models, n_items)
    began = time.perf_counter()
    task = x - x.mean(1, keepdims=True)
    model = x - x.mean(0, keepdims=True)
    both = task - task.mean(0, keepdims=True)
    found = [participation_ratio(y) for y in (task, model, both)]
    return time.perf_counter() - began, found


def permutations(path, n_models, n_items, n):
    x = cells(path, n_models, n_items)
    rng = np.random.default_rng(1)
    began = time.perf_counter()
    spectra = []
    for _ in range(n):
        y = rng.permuted(x, axis=1)
        y = y - y.mean(1, keepdims=True)
        spectra.append(np.linalg.svd(y, compute_uv=False) ** 2)
    spectra = np.array(spectra)
    np.percentile(spectra, 95, axis=0)
    ed = spectra.sum(1) ** 2 / (spectra ** 2).sum(1)
    return time.perf_counter() - began, [ed.mean()]


def read_csv(path):
    began = time.perf_counter()
    n = 0
    with open(path, newline="") as f:
        for row in csv.reader(f):
            n += len(row)
    return time.perf_counter() - began, [n]


def main():
    what, rest = sys.argv[1], sys.argv[2:]
    run = {"dimension": dimension, "permutations": permutations, "csv": read_csv}[what]
    # The decompositions of the large matrix take a minute, and run once; the rest is the best of 3.
    seconds, found = min(run(rest[0], *map(int, rest[1:])) for _ in range(1 if what == "dimension" else 3))
    print("%.4f" % seconds, *("%.12f" % x for x in found))


main()
