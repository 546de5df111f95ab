#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which way of choosing items keeps the models' ranking: items chosen by one half of the models, Spearman
of the order by their mean with that by all items on the other half. NumPy and SciPy, apart from assay.

usage: short_forms.py MATRIX[:DROP,DROP...]... [-k K,K...] [-r SPLITS]     wide CSV (.gz), a row a model

    ed       ED-Greedy: the largest effective dimensionality
    total    the largest correlation of the chosen items' sum with the sum of all
    cover    greedy tr(P_T Sigma): what explains most of the variance of all items
    pivot    pivoted Cholesky: the item that the chosen ones explain least
    noise L  as assay's ranking method: the smallest variance of the sum of all given the chosen items, each
             seen with noise of L times its variance (assay takes .3)
    random   5 random sets a half
"""
import csv
import gzip
import sys

import numpy as np
from scipy.stats import spearmanr


def load(name):
    path, _, drop = name.partition(":")
    opened = gzip.open if path.endswith(".gz") else open
    with opened(path, "rt", newline="") as stream:
        rows = list(csv.reader(stream))
    keep = [c for c, head in enumerate(rows[0]) if c > 0 and head not in drop.split(",")]
    x = np.array([[float(row[c]) if row[c] else np.nan for c in keep] for row in rows[1:]]).T
    return np.where(np.isnan(x), np.nanmean(x, axis=1, keepdims=True), x)  # items x models


def centred(x):
    return x - x.mean(1, keepdims=True)


def greedy(z, k, gain, take):
    g = z @ z.T
    state = {"g": g, "d": np.diag(g).copy(), "q": np.zeros(len(g)), "a": 0.0, "b": 0.0}
    left, chosen = np.diag(g) > 1e-12, []
    for _ in range(k):
        with np.errstate(all="ignore"):
            score = np.where(left, gain(state), -np.inf)
        t = int(np.argmax(score))
        chosen.append(t)
        left[t] = False
        take(state, t)
    return chosen


def ed(z, k):
    def gain(s):
        return s["d"] if s["a"] == 0 else (s["a"] + s["d"]) ** 2 / (s["b"] + 2 * s["q"] + s["d"] ** 2)

    def take(s, t):
        s["b"] += 2 * s["q"][t] + s["d"][t] ** 2
        s["a"] += s["d"][t]
        s["q"] += s["g"][t] ** 2
    return greedy(z, k, gain, take)


def total(z, k):
    def gain(s):
        return (s["a"] + s["g"].sum(1)) / np.sqrt(s["b"] + 2 * s["q"] + s["d"])

    def take(s, t):
        s["b"] += 2 * s["q"][t] + s["d"][t]
        s["a"] += s["g"][t].sum()
        s["q"] += s["g"][t]
    return greedy(z, k, gain, take)


def explaining(goal, noise):
    def choose(z, k):
        def gain(s):
            g, tiny = s["g"], 1e-9 * s["d"].max()
            seen = np.diag(g) + noise * s["d"]
            value = {"all": (g * g).sum(1) / np.maximum(seen, tiny), "itself": np.diag(g),
                     "sum": g.sum(1) ** 2 / np.maximum(seen, tiny)}[goal]
            return np.where(seen > tiny, value, -1.0)

        def take(s, t):
            seen = s["g"][t, t] + noise * s["d"][t]
            if seen > 1e-9 * s["d"].max():
                s["g"] = s["g"] - np.outer(s["g"][:, t], s["g"][t]) / seen
        return greedy(z, k, gain, take)
    return choose


METHODS = {"ed": ed, "total": total, "cover": explaining("all", 0.0), "pivot": explaining("itself", 0.0),
           "noise .3": explaining("sum", 0.3), "noise 1": explaining("sum", 1.0), "noise 3": explaining("sum", 3.0)}


def agreement(x, items):
    rho = spearmanr(x[items].mean(0), x.mean(0))[0]
    return 0.0 if np.isnan(rho) else rho


def study(x, ks, splits):
    n_items, n = x.shape
    rng = np.random.default_rng(1)
    found = {(name, k): [] for name in [*METHODS, "random"] for k in ks}
    for _ in range(splits):
        order = rng.permutation(n)
        halves = order[: n // 2], order[n // 2:]
        for by, on in (halves, halves[::-1]):
            z, rest = centred(x[:, by]), x[:, on]
            for name, method in METHODS.items():
                chosen = method(z, max(ks))
                for k in ks:
                    found[name, k].append(agreement(rest, chosen[:k]))
            for k in ks:
                found["random", k] += [agreement(rest, rng.choice(n_items, k, False)) for _ in range(5)]
    return found


def main():
    arguments, ks, splits = sys.argv[1:], [10, 50], 5
    while arguments and arguments[-2:][0] in ("-k", "-r"):
        option, value = arguments[-2:]
        if option == "-k":
            ks = [int(k) for k in value.split(",")]
        else:
            splits = int(value)
        arguments = arguments[:-2]
    if not arguments:
        sys.exit(__doc__)
    print(f"{'':32}" + "".join(f"{name:>10}" for name in [*METHODS, "random"]))
    for name in arguments:
        x = load(name)
        found = study(x, ks, splits)
        for k in ks:
            label = f"{name.partition(':')[0].rpartition('/')[2][:24]} k={k}"
            print(f"{label:32}" + "".join(f"{np.mean(found[m, k]):10.3f}" for m in [*METHODS, "random"]), flush=True)


if __name__ == "__main__":
    main()
