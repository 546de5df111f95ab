#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A slow reference of `assay templates`' own estimator (src/templates/marginal.c), for tests.

usage: marginal_reference.py GRID.csv [COVARIATES.csv]

GRID has a row for each template, 0, 1 or nan (not run) for each item; COVARIATES a row of numbers for each
template. Neither has a header. Prints the item spread chosen, the expected score of each template, and the
expected distribution, in NumPy and dense matrices throughout: nothing is shared with the C code but the
formulas in docs/templates.md. tests/test_templates_marginal.c holds what it prints."""
import sys

import numpy as np
from scipy.special import expit, ndtr

NODES = 20
Z = np.linspace(-3.3, 3.3, NODES)
NODE_WEIGHTS = np.exp(-0.5 * Z**2) / np.exp(-0.5 * Z**2).sum()
SPREADS = [0.1, 0.2, 0.35, 0.6, 1.0, 1.7, 2.8, 4.5]
ITEM_SPREADS = [0.5, 1.0, 1.7, 2.7, 4.2]
SHARES = [0.0, 0.4, 0.8]
POINTS = PARTS = 40
CENTRES = np.linspace(-4, 4, PARTS)
WIDTH = 8 / (PARTS - 1)
START = np.exp(-0.5 * CENTRES**2 / (1 - WIDTH**2))
START /= START.sum()


class Cells:
    def __init__(self, y):
        ran = ~np.isnan(y)
        self.n_templates, self.n_items = y.shape
        self.seen = ran.any(0)
        self.right = np.where(ran, y >= 0.5, 0.0)[:, self.seen]
        self.wrong = np.where(ran, y < 0.5, 0.0)[:, self.seen]
        self.observed = np.where(ran, y, 0.0).sum(1)


def evaluate(cells, r, theta):
    """log likelihood, posteriors of the items (M x NODES), and p (I x NODES)."""
    x = theta[:, None] + r * Z
    log_p, log_q = -np.logaddexp(0, -x), -np.logaddexp(0, x)
    a = cells.right.T @ log_p + cells.wrong.T @ log_q + np.log(NODE_WEIGHTS)
    top = a.max(1, keepdims=True)
    e = np.exp(a - top)
    return (top[:, 0] + np.log(e.sum(1))).sum(), e / e.sum(1, keepdims=True), expit(x)


def slope(cells, post, p):
    ran = cells.right + cells.wrong
    mean = p @ post.T  # E_j p_i, I x M
    gradient = (cells.right - ran * mean).sum(1)
    both = np.einsum("jk,ik,lk,ij,lj->il", post, p, p, ran, ran, optimize=True)
    information = -both + (ran * mean) @ (ran * mean).T
    information[np.diag_indices(len(p))] += (ran * ((p * (1 - p)) @ post.T)).sum(1)
    return gradient, information


def mode(cells, r, precision, log_det, theta):
    like, post, p = evaluate(cells, r, theta)
    objective = like - 0.5 * theta @ precision @ theta
    for step_number in range(31):
        gradient, information = slope(cells, post, p)
        more = 0.0
        while True:
            try:
                factor = np.linalg.cholesky(information + (1 + more) * precision)
                break
            except np.linalg.LinAlgError:
                more = max(4 * more, 0.1)
        step = np.linalg.solve(factor.T, np.linalg.solve(factor, gradient - precision @ theta))
        if np.abs(step).max() < 3e-3 or step_number == 30:
            break
        scale = 1.0
        while True:
            tried = theta + scale * step
            like, post, p = evaluate(cells, r, tried)
            found = like - 0.5 * tried @ precision @ tried
            if found >= objective or scale < 1e-3:
                break
            scale /= 2
        theta, objective = tried, found
    evidence = objective - 0.5 * log_det - np.log(np.diag(factor)).sum()
    return theta, evidence, factor, gradient, information


def prior(n, kernel, s, f):
    k = 9.0 + s**2 * (1 - f) * np.eye(n) + s**2 * f * kernel
    return np.linalg.inv(k), np.linalg.slogdet(k)[1]


def tilt(cells, r, kernel, s, f, found):
    theta, evidence, factor, gradient, information = found
    n, own = cells.n_templates, s * np.sqrt(1 - f)
    sd = np.sqrt(np.diag(np.linalg.inv(factor @ factor.T)))
    h = np.maximum(np.diag(information), 0.02)
    y = theta + gradient / h
    a = np.linalg.inv(9.0 + s**2 * f * kernel + np.diag(1 / h + own**2))
    mean = y - a @ y / np.diag(a)
    variance = np.maximum(1 / np.diag(a) - 1 / h - own**2, 1e-6)
    wide = 4.5 * np.maximum(sd, own)
    of_cells = 8 / np.sqrt(np.maximum(np.diag(information), 1e-6))
    low = np.maximum(np.minimum(theta, mean) - wide, theta - of_cells)
    high = np.minimum(np.maximum(theta, mean) + wide, theta + of_cells)
    t = low[:, None] + (high - low)[:, None] * np.linspace(0, 1, POINTS)
    ran = cells.right + cells.wrong

    def density(v):
        away = t[:, :, None] - mean[:, None, None] - own * CENTRES
        return np.exp(-0.5 * away**2 / (v[:, None, None] + (own * WIDTH)**2))

    parts, at = density(variance), theta
    for number in range(2):
        _, post, p = evaluate(cells, r, at)
        likelihood, log_at = np.zeros((n, POINTS)), np.zeros(n)
        for i in range(n):
            chances = expit(t[i][:, None] + r * Z)
            for j in np.nonzero(ran[i])[0]:
                own_chance = p[i] if cells.right[i, j] else 1 - p[i]
                others = post[j] / np.maximum(own_chance, 1e-9)
                log_at[i] -= np.log(others.sum())
                others /= others.sum()
                c = chances @ others
                likelihood[i] += np.log(np.maximum(c if cells.right[i, j] else 1 - c, 1e-30))
        if number == 0:
            log_prior = -0.5 * (t - mean[:, None])**2 / (variance + own**2)[:, None]
            away = t - theta[:, None]
            laplace = log_at[:, None] + gradient[:, None] * away - 0.5 * np.diag(information)[:, None] * away**2
            evidence += np.log(np.exp(likelihood + log_prior).sum(1) / np.exp(laplace + log_prior).sum(1)).sum()
        like = np.exp(likelihood - likelihood.max(1, keepdims=True))
        joint = np.einsum("it,itm->im", like, parts)
        w = START
        for _ in range(40):
            w = w * (joint / (joint @ w)[:, None]).sum(0)
            w = (w + START) / (n + 1)
        law = like * (parts @ w)
        law /= law.sum(1, keepdims=True)
        at = (law * t).sum(1)
    evidence += max(0.0, np.log(joint @ w / (joint @ START)).sum() - 1)
    level_free = like * (density(np.maximum(variance - 1 / max(a.sum(), 1e-9), 1e-6)) @ w)
    return evidence, t, law, level_free / level_free.sum(1, keepdims=True), at


def log_prior_of(s, r):
    return np.log(s) - np.log1p(s**2) - 0.5 * (np.log(r / 2.5) / 0.8)**2


def estimate(y, x=None):
    cells = Cells(y)
    n = cells.n_templates
    kernel = np.zeros((n, n))
    if x is not None:
        centred = x - x.mean(0)
        kernel = centred @ centred.T
        kernel *= n / np.trace(kernel)
    modes = {}

    def find(r, s, f, theta):
        if (r, s, f) not in modes:
            found = list(mode(cells, r, *prior(n, kernel, s, f), theta))
            found[1] += log_prior_of(s, r)
            modes[r, s, f] = found
        return modes[r, s, f]

    def best_spread(r, theta, window):
        best = -np.inf, 0.0
        for s in SPREADS:
            theta, evidence = find(r, s, 0.0, theta)[:2]
            best = max(best, (evidence, -s))  # of equal ones the first
            if evidence < best[0] - window:
                break
        return -best[1]

    def best_item_spread(r, s):
        start = ITEM_SPREADS.index(r)
        for way in (1, -1):
            at = start
            while 0 <= at + way < len(ITEM_SPREADS):
                next_one = find(ITEM_SPREADS[at + way], s, 0.0, modes[ITEM_SPREADS[at], s, 0.0][0])
                if not next_one[1] > modes[ITEM_SPREADS[at], s, 0.0][1]:
                    break
                at += way
            if at != start:
                break
        return ITEM_SPREADS[at]

    share = ((cells.right).sum() + 0.5) / ((cells.right + cells.wrong).sum() + 1)
    theta, r = np.full(n, np.log(share / (1 - share))), ITEM_SPREADS[3]
    for _ in range(2):
        s = best_spread(r, theta, 1.0)
        best = best_item_spread(r, s)
        theta = modes[best, s, 0.0][0]
        if best == r:
            break
        r = best
    best_spread(r, theta, np.inf)
    if x is not None:
        for f in SHARES[1:]:
            for s in SPREADS:
                find(r, s, f, modes[r, s, 0.0][0])
    here = {k: v for k, v in modes.items() if k[0] == r}
    without = max(v[1] for k, v in here.items() if k[2] == 0)
    highest = max(v[1] for v in here.values())
    tilts = {}
    for (_, s, f), found in here.items():
        if found[1] >= (without - 10 if f == 0 else highest - 6):
            tilts[s, f] = tilt(cells, r, kernel, s, f, found)
    weights = dict.fromkeys(tilts, 0.0)
    for kept, portion in ([(lambda f: f == 0, 1.0)] if x is None else
                          [(lambda f: f == 0, 0.5), (lambda f: True, 0.5)]):
        top = max(v[0] for k, v in tilts.items() if kept(k[1]))
        w = {k: np.exp(v[0] - top) for k, v in tilts.items() if kept(k[1])}
        w = {k: v for k, v in w.items() if v > 0.01}
        for k, v in w.items():
            weights[k] += portion * v / sum(w.values())
    grid = np.linspace(0, 1, 20001)
    scores, below = np.zeros(n), np.zeros(len(grid))
    for k, weight in weights.items():
        if weight == 0:
            continue
        _, t, law, level_free, at = tilts[k]
        _, post, _ = evaluate(cells, r, at)
        left = post.sum(0) + (cells.n_items - len(post)) * NODE_WEIGHTS - (cells.right + cells.wrong) @ post
        p = expit(t[:, :, None] + r * Z)
        mean = (cells.observed[:, None] + np.einsum("itk,ik->it", p, left)) / cells.n_items
        sd = np.sqrt(np.maximum(np.einsum("itk,ik->it", p * (1 - p), left), 1e-12)) / cells.n_items
        scores += weight * (law * mean).sum(1)
        for i in range(n):
            below += weight / n * ndtr((grid[:, None] - mean[i]) / sd[i]) @ level_free[i]
    return r, scores, np.interp((np.arange(n) + 0.5) / n, below, grid)


def main():
    y = np.genfromtxt(sys.argv[1], delimiter=",")
    x = np.genfromtxt(sys.argv[2], delimiter=",", ndmin=2) if len(sys.argv) > 2 else None
    r, scores, distribution = estimate(y, x)
    print("item spread", r)
    print("scores", " ".join(f"{s:.10f}" for s in scores))
    print("distribution", " ".join(f"{s:.4f}" for s in distribution))


if __name__ == "__main__":
    main()
