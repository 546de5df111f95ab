#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How far the Beta-matched intervals of `assay score` (these topics, topics like these) are from those of
direct draws from the exact posterior, on two cases that can be done by hand and one of 36 prompts.

usage: matching_score.py ASSAY SHARED [DRAWS]      DRAWS: default 1000000

SHARED holds golden/minilm and data/prompts, which are not part of this project. Prints, for each case and
each of its 95 % intervals, the matched bounds, the bounds of the draws, their differences, and the largest
Monte Carlo standard error of the latter. Results: docs/score-numbers.md"""
import json
import math
import os
import subprocess
import sys
import tempfile

import numpy as np

GRID = [(mu * nu, (1 - mu) * nu) for mu in (np.arange(19) + .5) / 19 for nu in 2. ** np.arange(-1, 8)]


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    program, shared = sys.argv[1:3]
    n_draws = int(sys.argv[3]) if len(sys.argv) == 4 else 1000000
    print(f"{'':26}{'matched':>16}{f'{n_draws} draws':>18}{'difference':>18}{'MC SE':>8}")
    for name, case in cases(shared).items():
        matched = run(program, case)
        for title, field, betas in (("", "corrected", [(1., 1.)]), ("hyper ", "hyper", GRID)):
            these, like = draw(case, betas, n_draws)
            report(f"{name} {title}these topics", matched[field]["interval_mean"], these)
            report(f"{name} {title}topics like", matched[field]["interval_new_topics"], like)


# ---- the cases: merges, successes and runs, the prior, and what the program reads

def cases(shared):
    with open(os.path.join(shared, "golden/minilm/bhm_esc.json"), encoding="utf-8") as file:
        repeat = json.load(file)["repeat-word:tf"]
    with open(os.path.join(shared, "data/prompts/garak_repeat.jsonl"), encoding="utf-8") as file:
        texts = [json.loads(line)["prompt"] for line in file]
    return {
        "V1": {"merges": [(0, 1)], "x": [2, 0], "m": 2, "prior": "uniform", "vectors": [[1, 0], [0, 1]]},
        "V3": {"merges": [(0, 1), (2, 3)], "x": [3, 2, 0], "m": 3, "prior": "paper",
               "vectors": [[1, 0], [.8, .6], [0, 1]]},
        "V6": {"merges": repeat["children"], "x": repeat["x"], "m": repeat["m"], "prior": "paper",
               "texts": texts},
    }


def run(program, case):
    n = len(case["x"])
    with tempfile.TemporaryDirectory() as folder:
        results, prompts, vectors = (os.path.join(folder, name)
                                     for name in ("results.csv", "prompts.jsonl", "vectors.npy"))
        with open(results, "w", encoding="utf-8") as file:
            file.write("item,successes,trials\n")
            file.writelines(f"p{i},{x},{case['m']}\n" for i, x in enumerate(case["x"]))
        with open(prompts, "w", encoding="utf-8") as file:
            for i, text in enumerate(case.get("texts", [f"prompt {i}" for i in range(n)])):
                file.write(json.dumps({"id": f"p{i}", "prompt": text}) + "\n")
        if "vectors" in case:
            np.save(vectors, np.array(case["vectors"], float))
        command = [program, "score", results, "--prompts", prompts, "--prior", case["prior"], "--hyper", "on",
                   "--tie-orders", "0", "--embed", vectors if "vectors" in case else "tfidf", "--json",
                   "--quiet"]
        answer = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        return json.loads(answer)["models"][0]


# ---- direct draws

def draw(case, betas, n_draws):
    """the mean over these topics, and over topics like these, from n_draws of S, Beta and rates"""
    rng = np.random.default_rng(1)
    cuts = cuts_of(case)
    log_prior = log_prior_of(case["prior"], len(cuts))
    pairs = [(s, k) for s in range(len(cuts)) for k in range(len(betas))]
    weight = np.array([log_prior[s] + sum(log_ratio(*betas[k], *c) for c in cuts[s]) for s, k in pairs])
    weight = np.exp(weight - weight.max())
    these, like = [], []
    for (s, k), count in zip(pairs, rng.multinomial(n_draws, weight / weight.sum())):
        if count == 0:
            continue
        a = [betas[k][0] + x for x, m in cuts[s]]
        b = [betas[k][1] + m - x for x, m in cuts[s]]
        rates = rng.beta(a, b, (count, s + 1))
        these.append(rates.mean(1))
        like.append((rates * rng.dirichlet(np.ones(s + 1), count)).sum(1))
    return np.concatenate(these), np.concatenate(like)


def cuts_of(case):
    """[S - 1]: successes and runs of the S clusters"""
    n, clusters = len(case["x"]), {i: (x, case["m"]) for i, x in enumerate(case["x"])}
    cuts = [list(clusters.values())]
    for t, (left, right) in enumerate(case["merges"]):
        pair = clusters.pop(left), clusters.pop(right)
        clusters[n + t] = (pair[0][0] + pair[1][0], pair[0][1] + pair[1][1])
        cuts.append(list(clusters.values()))
    return cuts[::-1]


def log_ratio(a, b, x, m):
    def log_beta(p, q):
        return math.lgamma(p) + math.lgamma(q) - math.lgamma(p + q)
    return log_beta(a + x, b + m - x) - log_beta(a, b)


def log_prior_of(name, n):
    if name == "uniform":
        return [-math.log(n)] * n
    pmf = [math.comb(50 * n, k) * .01 ** k * .99 ** (50 * n - k) for k in range(n - 1)]
    return [math.log(p) for p in pmf] + [math.log1p(-math.fsum(pmf))]


# ---- printing

def report(name, matched, draws):
    batches = np.quantile(draws[np.random.default_rng(2).permutation(len(draws))][:len(draws) // 100 * 100]
                          .reshape(100, -1), (.025, .975), axis=1)
    error = (batches.std(1, ddof=1) / 10).max()
    drawn = np.quantile(draws, (.025, .975))
    print(f"{name:26}{matched[0]:8.5f}{matched[1]:8.5f}{drawn[0]:10.5f}{drawn[1]:8.5f}"
          f"{matched[0] - drawn[0]:+10.5f}{matched[1] - drawn[1]:+9.5f}{error:8.5f}")


if __name__ == "__main__":
    main()
