#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The peers' side of the benchmarks: NumPy and Python doing the same work on the same data.

usage: peers.py dimension CELLS MODELS ITEMS    the SVD route: three centrings, three decompositions
       peers.py permutations CELLS MODELS ITEMS N
       peers.py csv FILE                        csv.reader, fields only
       peers.py posterior CASE REFERENCE        the slow reference of BHM-ESC, in that folder
       peers.py linkage VECTORS N D PEER        average cosine linkage; PEER is scipy, sklearn or blas
                                                (scipy's merging on distances that NumPy multiplies)
       peers.py templates CASE REFERENCE SOLVER  the clean NumPy reference of PromptEval, in that
                                                folder: newton or liblinear. A plan of its own, then the
                                                fit and the scores on the cells of CASE; prints also the
                                                seconds of the plan, and of the fit with the scores
       peers.py tetrachoric CELLS MODELS ITEMS R PAIRS   SciPy's bivariate normal within its brentq, on so
                                                many pairs, against the correlations R; prints seconds,
                                                and the largest difference
       peers.py stream CELLS MODELS ITEMS       X @ X.T in single precision, 512 items of the file CELLS (items x
                                                models) at a time, and the three centrings of that sum
       peers.py lmeval FILE METRIC WORK         json.loads of each line, and its metric; WORK is loads, or same:
                                                also its prompt kept, and the file's SHA-256. Processor
                                                seconds, lines and mean
       peers.py short_form CELLS MODELS ITEMS   ED-Greedy with the whole items x items Gram matrix
       peers.py inspect LOG                     header.json and summaries.json of an Inspect log, by zipfile and
                                                json; prints also the peak of resident MB, and the samples
Each prints seconds, and what it found."""
import csv
import hashlib
import json
import resource
import sys
import time
import zipfile

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


def stream(path, n_models, n_items):
    """counts are exact in single precision below 2^24"""
    cells = np.memmap(path, np.uint8, mode="r").reshape(-1, n_models)[:n_items]
    began = time.perf_counter()
    g = np.zeros((n_models, n_models), np.float32)
    for t in range(0, n_items, 512):
        x = cells[t : t + 512].T.astype(np.float32)
        g += x @ x.T
    g = g.astype(float)
    solved = g.diagonal() / n_items
    model = g - n_items * np.outer(solved, solved)
    task = g - g.mean(0) - g.mean(1)[:, None] + g.mean()
    mean = solved - solved.mean()
    both = task - n_items * np.outer(mean, mean)
    found = [h.trace() ** 2 / (h * h).sum() for h in (task, model, both)]
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


def linkage(path, n, d, peer):
    x = np.fromfile(path).reshape(int(n), int(d))
    if peer == "sklearn":
        from sklearn.cluster import AgglomerativeClustering
        model = AgglomerativeClustering(None, metric="cosine", linkage="average", distance_threshold=0)
        began = time.perf_counter()
        heights = model.fit(x).distances_
        return time.perf_counter() - began, [heights[-1], heights.sum()]
    from scipy.cluster.hierarchy import linkage as scipy_linkage
    began = time.perf_counter()
    if peer == "blas":
        heights = scipy_linkage((1 - x @ x.T)[np.triu_indices(len(x), 1)], "average")[:, 2]
    else:
        heights = scipy_linkage(x, "average", "cosine")[:, 2]
    return time.perf_counter() - began, [heights[-1], heights.sum()]


def posterior(path, reference):
    """prior, posterior and the intervals A and B (the reference has no C) of one model"""
    sys.path.insert(0, reference)
    import bhm_esc

    rows = np.loadtxt(path, dtype=int)
    n = (len(rows) + 1) // 2
    children, x, m = rows[: n - 1], rows[n - 1 :, 0], rows[n - 1 :, 1]
    began = time.perf_counter()
    fit = bhm_esc.fit(children, x, m, bhm_esc.log_prior_S(n, "paper"))
    for reading in "AB":
        bhm_esc.interval(fit, reading=reading)
    return time.perf_counter() - began, [fit.ES, fit.mean]


def templates(path, reference, solver):
    """plan, fit of PE-Rasch and scores of one model, on the cells that assay's plan had"""
    sys.path.insert(0, reference)
    import pe_ref

    rows = np.array([list(line.strip()) for line in open(path)])
    mask, y = rows != ".", (rows == "1").astype(float)
    began = time.perf_counter()
    pe_ref.balanced_sample(*mask.shape, int(mask.sum()), np.random.default_rng(1))
    planned = time.perf_counter()
    if solver == "newton":
        logits, _ = pe_ref.fit_newton(y, mask, drop_last=False)
    else:
        logits = pe_ref.fit_liblinear(y, mask)
    scores = pe_ref.combine(y, mask, pe_ref.sig(logits))
    ended = time.perf_counter()
    return ended - began, [planned - began, ended - planned, scores.mean()]


def tetrachoric(path, n_models, n_items, correlations, n_pairs):
    """evenly spread pairs; the thresholds of all items once, as assay has its counts"""
    from scipy.optimize import brentq
    from scipy.stats import multivariate_normal, norm

    x = np.fromfile(path, np.uint8).reshape(n_models, n_items).astype(float)
    r = np.fromfile(correlations).reshape(n_items, n_items)
    pairs = np.column_stack(np.triu_indices(n_items, 1))
    pairs = pairs[np.linspace(0, len(pairs) - 1, n_pairs).astype(int)]
    both, ones = x.T @ x, x.sum(0)
    worst = 0.0
    began = time.perf_counter()
    for a, b in pairs:
        t = np.array([both[a, b], ones[a] - both[a, b], ones[b] - both[a, b], n_models - ones[a] - ones[b] + both[a, b]])
        t[t == 0] = 0.5
        t /= t.sum()
        hk = norm.ppf([t[0] + t[1], t[0] + t[2]])

        def off(rho):
            return multivariate_normal.cdf(hk, cov=[[1, rho], [rho, 1]]) - t[0]

        worst = max(worst, abs(brentq(off, -1 + 1e-9, 1 - 1e-9, xtol=1e-12) - r[a, b]))
    return time.perf_counter() - began, [worst]


def short_form(path, n_models, n_items):
    x = cells(path, n_models, n_items)
    began = time.perf_counter()
    z = x - x.mean(1, keepdims=True)
    products = (z @ z.T) ** 2
    d = np.einsum("ij,ij->i", z, z)
    left, q, trace, squares, history = d > 1e-12, np.zeros(n_items), 0.0, 0.0, []
    for _ in range(left.sum()):
        ed = np.where(left, (trace + d) ** 2 / np.where(left, squares + 2 * q + d * d, 1), -1)
        t = int(np.argmax(ed if history else np.where(left, d, -1)))
        squares += 2 * q[t] + d[t] ** 2
        trace += d[t]
        q += products[t]
        left[t] = False
        history.append(trace * trace / squares)
    return time.perf_counter() - began, [max(history), np.argmax(history) + 1]


def inspect(path):
    began = time.perf_counter()
    with zipfile.ZipFile(path) as log:
        json.loads(log.read("header.json"))
        scores = [s["scores"] for s in json.loads(log.read("summaries.json"))]
    return time.perf_counter() - began, [resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, len(scores)]


def lmeval(path, metric, work):
    began, processor = time.perf_counter(), time.process_time()
    n, total, prompts, digest = 0, 0.0, [], hashlib.sha256()
    with open(path, "rb") as lines:
        for line in lines:
            sample = json.loads(line)
            total += sample[metric]
            n += 1
            if work == "same":
                digest.update(line)
                prompts.append(sample["arguments"]["gen_args_0"]["arg_0"])
    seconds = time.perf_counter() - began
    return seconds, (n, total / n, time.process_time() - processor)


def main():
    what, rest = sys.argv[1], sys.argv[2:]
    run = {"dimension": dimension, "permutations": permutations, "csv": read_csv, "posterior": posterior, "linkage": linkage, "templates": templates,
           "tetrachoric": tetrachoric, "short_form": short_form, "stream": stream, "inspect": inspect, "lmeval": lmeval}[what]
    # The decompositions of the large matrix take a minute, and run once; the rest is the best of 3.
    seconds, found = min(run(rest[0], *(int(x) if x.isdigit() else x for x in rest[1:])) for _ in range(1 if what == "dimension" else 3))
    print("%.4f" % seconds, *("%.12f" % x for x in found))


main()
