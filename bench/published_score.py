#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`assay score` beside the reference numbers of its method: simulated successes on real prompt sets.

usage: published_score.py ASSAY SHARED

ASSAY is the program; SHARED holds golden/minilm (outcomes, folds, truth, vectors) and data/prompts, which
are not part of this project. The reference numbers are those of a slow implementation in Python. Prints
them beside what the program says, and `=` where it agrees to the digits shown, `/` where not.
Results: docs/score-numbers.md"""
import csv
import json
import os
import subprocess
import sys
import tempfile

import numpy as np

RUNS = 25
METHODS = ["BHM-ESC", "BAYES-S=1", "BAYES-S=n", "BAYES-S=n(pbar)", "ORACLE", "FREQ-naive"]

# name: prompt set, column of its factors that is the truth, seed of the rates and successes
WORLDS = {
    "ansi (3 families)": ("garak_ansiraw", ["family"], 11),
    "ansi (8 stubs)": ("garak_ansiraw", ["stub"], 12),
    "ansi (24 payloads)": ("garak_ansiraw", ["payload"], 13),
    "repeat (4 words)": ("garak_repeat", ["word"], 21),
    "js-91 (13 tasks)": ("garak_js_v0.13.1", ["task"], 31),
    "js-240 (24 tasks)": ("garak_js_v0.16.0", ["task"], 51),
    "enfr (15)": ("garak_enfr", ["top", "inj"], 41),
    "ansi, p per prompt": ("garak_ansiraw", ["family"], 61),
    "ansi, p = .3": ("garak_ansiraw", ["family"], 62),
}
GOLDEN = {
    "ansi (3 families)": "ansi-family", "ansi (24 payloads)": "ansi-payload",
    "repeat (4 words)": "repeat-word", "js-91 (13 tasks)": "js13-task", "enfr (15)": "enfr-top*inj",
}

TFIDF = ["n E[S] n/E[S] BHM-ESC S=1 S=n S=n(pbar) ORACLE FREQ-naive", {
    "ansi (3 families)": "58 32.40 1.79 3.94/-88.7 11.26/-879 12.07/-189.0 11.32/-100.5 .54/-45.8 11.26/-893",
    "ansi (8 stubs)": "58 43.98 1.32 4.38/-166.5 6.20/-403 6.12/-189.0 6.19/-184.0 1.73/-111.7 6.20/-408",
    "ansi (24 payloads)": "58 57.39 1.01 8.73/-189.3 8.88/-617 8.81/-189.0 8.87/-169.4 1.55/-91.6 8.88/-626",
    "repeat (4 words)": "36 12.37 2.91 2.55/-64.9 8.29/-360 9.33/-117.3 8.34/-101.5 1.32/-55.8 8.28/-369",
    "js-91 (13 tasks)": "91 72.54 1.26 6.59/-289.9 7.69/-830 8.27/-296.5 7.71/-261.8 1.23/-141.9 7.69/-838",
    "js-240 (24 tasks)":
        "240 85.12 2.82 2.76/-494.9 8.57/-2448 8.57/-781.9 8.57/-729.0 1.14/-376.6 8.57/-2457",
    "enfr (15)": "270 48.68 5.55 1.97/-495.3 8.50/-2597 8.66/-879.7 8.51/-821.5 1.18/-444.3 8.50/-2605",
    "ansi, p per prompt":
        "58 55.19 1.05 7.66/-186.9 7.64/-512 8.07/-189.0 7.66/-180.5 7.21/-475.7 7.64/-519",
    "ansi, p = .3": "58 5.96 9.74 1.86/-131.3 1.81/-127.5 4.88/-189.0 1.78/-140.4 1.77/-127.5 1.81/-127.4",
}]
MINILM = ["n E[S] n/E[S] E[pbar] BHM-ESC TF-IDF ORACLE ln-evidence TF-IDF", {
    "ansi (3 families)": "58 27.21 2.13 .3606 3.55/-84.9 3.94/-88.7 .54/-45.8 -119.76 -129.46",
    "ansi (24 payloads)": "58 56.19 1.03 .4800 8.58/-194.9 8.73/-189.3 1.55/-91.6 -200.73 -200.94",
    "repeat (4 words)": "36 4.89 7.36 .6275 1.45/-56.3 2.55/-64.9 1.32/-55.8 -75.20 -80.06",
    "js-91 (13 tasks)": "91 11.78 7.73 .6091 1.36/-143.3 6.59/-289.9 1.23/-141.9 -187.73 -290.52",
    "enfr (15)": "270 46.08 5.86 .5793 1.32/-470.5 1.97/-495.3 1.18/-444.3 -595.75 -593.26",
}]
HYPER = ["hyper base", {
    "ansi (3 families)": "3.33/-63.6 3.94/-88.7",
    "repeat (4 words)": "2.02/-62.4 2.55/-64.9",
}]
# canonical order: tied merges, E[S], mean; and over 20 orders: E[S] mean, least, most; mean least, most
TIES = {
    "enfr (15)": ("224 48.68 .5799", "45.8 43.3 56.1 .541 .566"),
    "ansi (24 payloads)": ("16 57.39 .4952", "57.70 56.04 58.00 .475 .491"),
    "repeat (4 words)": ("19 12.37 .6361", "12.51 11.96 12.80 .6247 .6364"),
    "js-91 (13 tasks)": ("27 72.54 .6481", "72.12 71.23 72.73 .6474 .6484"),
}
N_ORDERS = 20


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    program, shared = sys.argv[1:]
    with open(os.path.join(shared, "golden/minilm/bhm_esc.json"), encoding="utf-8") as file:
        golden = json.load(file)
    worlds = {name: make_world(shared, name) for name in WORLDS}
    check_worlds(worlds, golden)
    with tempfile.TemporaryDirectory() as folder:
        tfidf = {name: score(program, folder, world) for name, world in worlds.items()}
        minilm = {name: score(program, folder, worlds[name], vectors(shared, name)) for name in MINILM[1]}
        print_golden(golden, tfidf, minilm)
        print_table("TF-IDF: mean error in successes / log density, 5-fold", TFIDF,
                    {name: row_of_tfidf(answer) for name, answer in tfidf.items()})
        print_table("MiniLM vectors, same outcomes and folds", MINILM,
                    {name: row_of_minilm(minilm[name], tfidf[name]) for name in minilm})
        print_table("hyperprior, TF-IDF", HYPER,
                    {name: [cv(tfidf[name], method) for method in ("BHM-ESC hyper", "BHM-ESC")]
                     for name in HYPER[1]})
        print_ties(program, folder, worlds, tfidf)
        print_minilm_ties(program, folder, shared, worlds)


# ---- the simulated worlds

def make_world(shared, name):
    prompt_set, columns, seed = WORLDS[name]
    base = os.path.join(shared, "data/prompts", prompt_set)
    with open(base + ".jsonl", encoding="utf-8") as file:
        prompts = [json.loads(line) for line in file]
    with open(base + ".factors.tsv", encoding="utf-8", newline="") as file:
        keys = [tuple(row[c] for c in columns) for row in csv.DictReader(file, delimiter="\t")]
    numbers = {}
    truth = np.array([numbers.setdefault(key, len(numbers)) for key in keys])
    rng = np.random.default_rng(seed)
    if name == "ansi, p = .3":
        x = rng.binomial(RUNS, .3, len(truth))
    elif name == "ansi, p per prompt":
        x = rng.binomial(RUNS, rng.beta(.5, .5, len(truth)))
    else:
        x = rng.binomial(RUNS, rng.beta(.5, .5, len(numbers))[truth])
    return {"ids": [p["id"] for p in prompts], "texts": [p["prompt"] for p in prompts], "x": x,
            "truth": truth, "fold": stratified_folds(truth)}


def stratified_folds(truth):
    """shuffled within each label, dealt round 5 folds, each label going on where the last one stopped"""
    rng, fold, offset = np.random.default_rng(0), np.empty(len(truth), int), 0
    for label in range(truth.max() + 1):
        members = rng.permutation(np.flatnonzero(truth == label))
        fold[members] = (offset + np.arange(len(members))) % 5
        offset += len(members)
    return fold


def check_worlds(worlds, golden):
    """Successes, truth and folds as made here are those that came with the reference numbers."""
    for name, key in GOLDEN.items():
        for field in ("x", "truth", "fold"):
            if not np.array_equal(worlds[name][field], golden[key + ":tf"][field]):
                sys.exit(f"{name}: {field} is not that of golden/minilm/bhm_esc.json")


def vectors(shared, name):
    return os.path.join(shared, "golden/minilm", WORLDS[name][0] + ".npy")


# ---- running the program

def score(program, folder, world, embed="tfidf", order=None, tie_orders=0, cross_validate=True):
    """order: that of the prompts in the files"""
    order = range(len(world["ids"])) if order is None else order
    at = {name: os.path.join(folder, name) for name in ("results.csv", "prompts.jsonl", "folds.csv")}
    with open(at["results.csv"], "w", encoding="utf-8") as results, \
            open(at["prompts.jsonl"], "w", encoding="utf-8") as prompts, \
            open(at["folds.csv"], "w", encoding="utf-8") as folds:
        results.write("item,successes,trials\n")
        folds.write("item,fold\n")
        for i in order:
            item = world["ids"][i]
            results.write(f"{item},{world['x'][i]},{RUNS}\n")
            folds.write(f"{item},{world['fold'][i]}\n")
            prompts.write(json.dumps({"id": item, "prompt": world["texts"][i],
                                      "cluster": f"t{world['truth'][i]}"}) + "\n")
    command = [program, "score", at["results.csv"], "--prompts", at["prompts.jsonl"], "--embed", embed,
               "--tie-orders", str(tie_orders), "--json", "--quiet"]
    if cross_validate:
        command += ["--cv", "--folds", at["folds.csv"]]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        sys.exit(f"{' '.join(command)}: {run.stderr}")
    return json.loads(run.stdout)


def model(answer):
    return answer["models"][0]


def topics(answer):
    return model(answer)["clusters"]["mean"]


def corrected(answer):
    return model(answer)["corrected"]["mean"]


def cv(answer, method):
    row = next(r for r in model(answer)["cv"] if r["method"] == method)
    return row["mae"], row["elpd"]


# ---- beside the reference

def row_of_tfidf(answer):
    return [model(answer)["n"], topics(answer), model(answer)["clusters"]["ratio"]] + \
        [cv(answer, method) for method in METHODS]


def row_of_minilm(answer, tfidf):
    return [model(answer)["n"], topics(answer), model(answer)["clusters"]["ratio"], corrected(answer),
            cv(answer, "BHM-ESC"), cv(tfidf, "BHM-ESC"), cv(answer, "ORACLE"), model(answer)["log_evidence"],
            model(tfidf)["log_evidence"]]


def in_digits_of(shown, value):
    """value with as many digits as shown has; pairs are joined by a slash"""
    parts = shown.split("/")
    values = value if isinstance(value, tuple) else (value,)
    out = []
    for part, number in zip(parts, values):
        decimals = len(part.partition(".")[2])
        text = f"{number:.{decimals}f}"
        out.append(text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text)
    return "/".join(out)


def print_table(title, table, found):
    header, rows = table
    print(f"\n{title}\n{'':20}" + "".join(f"{h:>15}" for h in header.split()))
    agree = total = 0
    for name, row in rows.items():
        shown = row.split()
        ours = [in_digits_of(s, v) for s, v in zip(shown, found[name])]
        marks = ["=" if s == o else "/" for s, o in zip(shown, ours)]
        agree += marks.count("=")
        total += len(marks)
        print(f"{name:20}" + "".join(f"{s:>15}" for s in shown))
        print(f"{'':20}" + "".join(f"{o:>13} {m}" for o, m in zip(ours, marks)))
    print(f"{agree} of {total} agree to the digits shown")


def print_golden(golden, tfidf, minilm):
    print("largest differences from the reference's full digits, golden/minilm/bhm_esc.json\n"
          f"{'':32}{'E[S]':>10}{'mean':>10}{'spread':>10}{'evidence':>10}{'CV':>10}")
    for name, key in GOLDEN.items():
        for kind, answers in (("tf", tfidf), ("mini", minilm)):
            want, got = golden[f"{key}:{kind}"], answers[name]
            spread = np.abs(np.subtract(model(got)["corrected"]["interval_topics"], want["A"])).max()
            validated = max(np.abs(np.subtract(cv(got, m), v)).max() for m, v in want["cv"].items())
            differences = (topics(got) - want["ES"], corrected(got) - want["mean"], spread,
                           model(got)["log_evidence"] - want["logev"], validated)
            print(f"{name:20}{kind:12}" + "".join(f"{abs(d):10.1e}" for d in differences))


def print_ties(program, folder, worlds, tfidf):
    """Over orders: of the prompts in the files, as the reference has it (its own 20 are not known), and
    of --tie-orders, whose means are weighted by evidence."""
    print(f"\nties, TF-IDF; over {N_ORDERS} orders: mean of E[S], its range, range of E[pbar]")
    print(f"{'':34}{'tied':>6}{'E[S]':>9}{'E[pbar]':>10}    over orders")
    for name, (canonical, over) in TIES.items():
        answer, page = tfidf[name], canonical.split()
        ours = [str(answer["ties"]["tied_merges"]), in_digits_of(page[1], topics(answer)),
                in_digits_of(page[2], corrected(answer))]
        marks = ["=" if a == b else "/" for a, b in zip(page, ours)]
        rng = np.random.default_rng(1)
        shuffled = [score(program, folder, worlds[name], order=rng.permutation(len(worlds[name]["ids"])),
                          cross_validate=False) for _ in range(N_ORDERS)]
        sizes, means = [topics(a) for a in shuffled], [corrected(a) for a in shuffled]
        print(f"{name:20}{'page':14}{page[0]:>6}{page[1]:>9}{page[2]:>10}    " + over_orders(over.split()))
        print(f"{'':20}{'prompts':14}{ours[0]:>4} {marks[0]}{ours[1]:>7} {marks[1]}{ours[2]:>8} {marks[2]}    "
              + over_orders([f"{v:.2f}" for v in (np.mean(sizes), min(sizes), max(sizes))]
                            + [f"{v:.4f}" for v in (min(means), max(means))]))
        ties = by_tie_orders(program, folder, worlds[name], "tfidf")
        print(f"{'':20}{'--tie-orders':39}    " + over_tie_orders(ties))


def print_minilm_ties(program, folder, shared, worlds):
    print(f"\nties, MiniLM, --tie-orders {N_ORDERS} (page: only ansi (24 payloads) moves, 56.10..56.50)")
    for name in MINILM[1]:
        ties = by_tie_orders(program, folder, worlds[name], vectors(shared, name))
        print(f"{name:20}" + (over_tie_orders(ties) if ties else "no order changes anything: none tied"))


def by_tie_orders(program, folder, world, embed):
    return model(score(program, folder, world, embed, tie_orders=N_ORDERS, cross_validate=False))["ties"]


def over_orders(values):
    return f"{values[0]}, {values[1]}..{values[2]}; {values[3]}..{values[4]}"


def over_tie_orders(ties):
    values = [f"{v:.2f}" for v in (ties["clusters"], *ties["clusters_range"])]
    return over_orders(values + [f"{v:.4f}" for v in ties["mean_range"]]) + f", weighted {ties['mean']:.4f}"


if __name__ == "__main__":
    main()
