#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`assay score` beside the reference numbers of its method: simulated successes on real prompt sets.

usage: published_score.py ASSAY SHARED [TABLE...]

ASSAY is the program; SHARED holds golden/minilm (outcomes, folds, truth, vectors) and data/prompts, which
are not part of this project. The reference numbers are those of a slow implementation in Python. Prints
them beside what the program says, and `=` where it agrees to the digits shown, `/` where not. TABLE is one
of golden, tfidf, hyper, ties, minilm, hopkins, long; without, all are printed. The last three are made from
text, by a sentence encoder whose weights "assay embed --model minilm --download" brings; where they are not
at hand these tables are left out.
Results: docs/score-numbers.md"""
import csv
import json
import os
import subprocess
import sys
import tempfile
import time

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
MINILM = ["n E[S] n/E[S] E[pbar] BHM-ESC-Mini BHM-ESC-TF ORACLE evidence-Mini evidence-TF", {
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
# prompt set; n, distinct vectors, H, null P (columns permuted), null G (Gaussian of the same shape)
HOPKINS = {
    "ansiraw": ("garak_ansiraw", "58 55 .762 .535 .626"),
    "repeat": ("garak_repeat", "36 36 .815 .510 .670"),
    "enfr": ("garak_enfr", "270 93 1.000 .524 .750"),
    "js-91": ("garak_js_v0.13.1", "91 91 .764 .541 .641"),
    "js-240": ("garak_js_v0.16.0", "240 240 .811 .560 .648"),
    "HB copyright": ("harmbench_copyright", "100 100 .610 .558 .602"),
    "MMLU US foreign policy": ("mmlu_us_foreign_policy", "100 98 .618 .561 .599"),
    "MMLU world history": ("mmlu_high_school_world_history", "237 161 .898 .564 .626"),
    "GSM8K": ("gsm8k_test", "1319 1319 .666 .615 .637"),
}
HOPKINS_WITHIN = .01
HOPKINS_OPTIONS = ("--hopkins", "--hyper", "off")
MINILM_WITHIN = .02  # relative: E[S], MAE, ELPD
LONG_SET = "mmlu_high_school_world_history"
LONG_WAYS = ["minilm", "minilm:windows", "minilm:head-tail", "tfidf"]
LONG_SEEDS = range(71, 91)
PASSAGE = 150  # characters that tell passages apart, the words they all begin with included
TABLES = ["golden", "tfidf", "hyper", "ties", "minilm", "hopkins", "long"]


def main():
    if len(sys.argv) < 3 or not set(sys.argv[3:]) <= set(TABLES):
        sys.exit(__doc__)
    program, shared = sys.argv[1:3]
    wanted = set(sys.argv[3:] or TABLES)
    with open(os.path.join(shared, "golden/minilm/bhm_esc.json"), encoding="utf-8") as file:
        golden = json.load(file)
    worlds = {name: make_world(shared, name) for name in WORLDS}
    check_worlds(worlds, golden)
    with tempfile.TemporaryDirectory() as folder:
        if wanted - {"hopkins", "long"}:
            print_method(program, folder, shared, wanted, worlds, golden)
        if not wanted & {"minilm", "hopkins", "long"}:
            return
        if not has_minilm(program, folder):
            print("\nno weights of MiniLM are at hand (assay embed --model minilm --download brings them): "
                  "its tables are left out")
            return
        if "hopkins" in wanted:
            print_hopkins(program, folder, shared)
        if "long" in wanted:
            print_long(program, folder, shared)


def print_method(program, folder, shared, wanted, worlds, golden):
    tfidf = {name: score(program, folder, world) for name, world in worlds.items()}
    encoder = wanted & {"golden", "minilm"} and has_minilm(program, folder)
    texts = {name: score(program, folder, worlds[name], "minilm") for name in MINILM[1]} if encoder else {}
    if "golden" in wanted:
        given = {name: score(program, folder, worlds[name], vectors(shared, name)) for name in MINILM[1]}
        print_golden(golden, {"tf": tfidf, "mini": given, "mini, text": texts})
        if encoder:
            print_vectors(program, folder, shared)
    if "tfidf" in wanted:
        print_table("TF-IDF: mean error in successes / log density, 5-fold", TFIDF,
                    {name: row_of_tfidf(answer) for name, answer in tfidf.items()})
    if "hyper" in wanted:
        print_table("hyperprior, TF-IDF", HYPER,
                    {name: [cv(tfidf[name], method) for method in ("BHM-ESC hyper", "BHM-ESC")]
                     for name in HYPER[1]})
    if "ties" in wanted:
        print_ties(program, folder, worlds, tfidf)
    if "minilm" in wanted and texts:
        print_minilm(golden, texts, tfidf)
        print_minilm_ties(program, folder, worlds)


# ---- the simulated worlds

def make_world(shared, name):
    prompt_set, columns, seed = WORLDS[name]
    base = os.path.join(shared, "data/prompts", prompt_set)
    ids, texts = read_set(shared, prompt_set)
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
    return {"ids": ids, "texts": texts, "x": x, "truth": truth, "fold": stratified_folds(truth)}


def read_set(shared, prompt_set):
    with open(os.path.join(shared, "data/prompts", prompt_set + ".jsonl"), encoding="utf-8") as file:
        prompts = [json.loads(line) for line in file]
    return [p["id"] for p in prompts], [p["prompt"] for p in prompts]


def plain_world(ids, texts, truth, seed):
    """Successes with one rate for each label."""
    rng = np.random.default_rng(seed)
    x = rng.binomial(RUNS, rng.beta(.5, .5, truth.max() + 1)[truth])
    return {"ids": ids, "texts": texts, "x": x, "truth": truth, "fold": stratified_folds(truth)}


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

def score(program, folder, world, embed="tfidf", order=None, tie_orders=0, cross_validate=True,
          options=()):
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
               "--tie-orders", str(tie_orders), "--json", "--quiet", *options]
    if cross_validate:
        command += ["--cv", "--folds", at["folds.csv"]]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        sys.exit(f"{' '.join(command)}: {run.stderr}")
    return json.loads(run.stdout)


def has_minilm(program, folder):
    at = os.path.join(folder, "one.jsonl")
    with open(at, "w", encoding="utf-8") as file:
        file.write('{"id": "one", "prompt": "Say nothing."}\n')
    run = subprocess.run([program, "embed", at, "-o", os.path.join(folder, "one.npy"), "--model", "minilm",
                          "--no-store", "--quiet"], capture_output=True, text=True, check=False)
    if run.returncode != 0 and "--download" not in run.stderr:
        sys.exit(f"{program} embed: {run.stderr}")
    return run.returncode == 0


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


def print_golden(golden, answers):
    print("largest differences from the reference's full digits, golden/minilm/bhm_esc.json\n"
          f"{'':32}{'E[S]':>10}{'mean':>10}{'spread':>10}{'evidence':>10}{'CV':>10}")
    for name, key in GOLDEN.items():
        for kind, found in answers.items():
            if name not in found:
                continue
            want, got = golden[f"{key}:{kind.partition(',')[0]}"], found[name]
            spread = np.abs(np.subtract(model(got)["corrected"]["interval_topics"], want["A"])).max()
            validated = max(np.abs(np.subtract(cv(got, m), v)).max() for m, v in want["cv"].items())
            differences = (topics(got) - want["ES"], corrected(got) - want["mean"], spread,
                           model(got)["log_evidence"] - want["logev"], validated)
            print(f"{name:20}{kind:12}" + "".join(f"{abs(d):10.1e}" for d in differences))


def print_vectors(program, folder, shared):
    print("\nlargest difference of a component of MiniLM's vectors from golden/minilm, distinct ones of both")
    for name, (prompt_set, _) in HOPKINS.items():
        at = os.path.join(folder, "vectors.npy")
        subprocess.run([program, "embed", os.path.join(shared, "data/prompts", prompt_set + ".jsonl"), "-o", at,
                        "--model", "minilm", "--quiet"], check=True)
        ours, want = np.load(at), np.load(os.path.join(shared, "golden/minilm", prompt_set + ".npy"))
        print(f"{name:24}{np.abs(ours - want).max():10.1e}{len(np.unique(ours, axis=0)):7}"
              f"{len(np.unique(want, axis=0)):7}")


def print_minilm(golden, texts, tfidf):
    print_table("MiniLM from text, same outcomes and folds", MINILM,
                {name: row_of_minilm(texts[name], tfidf[name]) for name in texts})
    print("\nMiniLM from text: relative differences from the reference's full digits, at most "
          f"{MINILM_WITHIN:.0%}\n"
          f"{'':20}{'E[S]':>12}{'MAE':>12}{'ELPD':>12}")
    for name, answer in texts.items():
        want = golden[GOLDEN[name] + ":mini"]
        pairs = zip((topics(answer), *cv(answer, "BHM-ESC")), (want["ES"], *want["cv"]["BHM-ESC"]))
        relative = [got / wanted - 1 for got, wanted in pairs]
        print(f"{name:20}" + "".join(f"{r:+12.1e}" for r in relative)
              + ("" if max(map(abs, relative)) <= MINILM_WITHIN else "  beyond"))
    print("\nBHM-ESC-Mini against BHM-ESC-TF: error in successes, log density, ln evidence; which of them the "
          f"evidence prefers\n{'':20}{'MAE':>15}{'less by':>9}{'ELPD':>17}{'gain':>8}{'evidence':>9}")
    for name, answer in texts.items():
        (error, density), (error_tf, density_tf) = cv(answer, "BHM-ESC"), cv(tfidf[name], "BHM-ESC")
        gain = density - density_tf
        evidence = model(answer)["log_evidence"] - model(tfidf[name])["log_evidence"]
        verdict = "as the log density" if (evidence > 0) == (gain > 0) else "not as the log density"
        print(f"{name:20}{f'{error:.2f} / {error_tf:.2f}':>15}{1 - error / error_tf:9.0%}"
              f"{f'{density:.1f} / {density_tf:.1f}':>17}{gain:+8.1f}{evidence:+9.2f}  {verdict}")


def print_hopkins(program, folder, shared):
    """The statistic depends on the vectors alone: successes are of one rate, and do not matter."""
    print("\nHopkins statistic of MiniLM vectors from text: box, Euclidean, d = 1, m = n / 10; mean over 1,000 "
          "repeats, 100\nwhere n > 300; nulls of 99 data sets each: P columns permuted, G Gaussian of the same "
          f"shape\n{'':24}{'n':>6}{'distinct':>9}{'H':>16}{'P':>16}{'sd':>7}{'z':>8}{'p':>6}"
          f"{'G':>16}{'sd':>7}{'z':>8}{'p':>6}{'seconds':>9}", flush=True)
    found = {}
    for name, (prompt_set, page) in HOPKINS.items():
        ids, texts = read_set(shared, prompt_set)
        started = time.monotonic()
        answer = score(program, folder, plain_world(ids, texts, np.zeros(len(ids), int), 1), "minilm",
                       cross_validate=False, options=HOPKINS_OPTIONS)["prompts"]
        took = time.monotonic() - started
        n, distinct, h, *nulls = page.split()
        found[name] = answer["hopkins"]["value"]
        row = f"{answer['n']:>6}" + f"{answer['distinct_vectors']:>5}" \
            + (" =  " if str(answer["distinct_vectors"]) == distinct else f"/{distinct:3}")
        row += beside(found[name], h, HOPKINS_WITHIN)
        for null, shown in zip(answer["hopkins"]["nulls"], nulls):
            row += beside(null["mean"], shown, HOPKINS_WITHIN)
            row += f"{null['sd']:7.4f}{null['z']:8.2f}{null['p']:6.2f}"
        print(f"{name:24}{row}{took:9.0f}", flush=True)
    print("page's value behind each; = within", HOPKINS_WITHIN)
    print("from least to most:", ", ".join(f"{n} {found[n]:.3f}" for n in sorted(found, key=found.get)))


def beside(value, shown, within):
    return f"{value:9.3f} {'=' if abs(value - float(shown)) <= within else '/'}{shown:>5}"


def print_long(program, folder, shared):
    """Prompts that share a passage longer than the encoder takes: what is seen of them, and what follows.
    Truth of the simulated successes is the passage; means over several worlds."""
    ids, texts = read_set(shared, LONG_SET)
    numbers = {}
    truth = np.array([numbers.setdefault(text[:PASSAGE], len(numbers)) for text in texts])
    print(f"\nlong prompts: {LONG_SET}, {len(ids)} prompts on {len(numbers)} passages; means over "
          f"{len(LONG_SEEDS)} worlds\n{'':20}{'longer':>8}{'distinct':>9}{'H':>7}{'null G':>8}{'z':>8}{'p':>6}"
          f"{'E[S]':>8}{'least':>7}{'most':>7}{'MAE':>7}{'ELPD':>9}{'ORACLE':>14}{'evidence':>10}", flush=True)
    for embed in LONG_WAYS:
        answers = [score(program, folder, plain_world(ids, texts, truth, seed), embed) for seed in LONG_SEEDS]
        about, sizes = answers[0]["prompts"], [topics(a) for a in answers]
        longer = "-" if about["truncated"] is None else about["truncated"]
        row = f"{longer:>8}{about['distinct_vectors']:>9}" \
            + hopkins_of_long(program, folder, plain_world(ids, texts, truth, LONG_SEEDS[0]), embed)
        row += f"{np.mean(sizes):8.2f}{min(sizes):7.2f}{max(sizes):7.2f}"
        error, density = np.mean([cv(a, "BHM-ESC") for a in answers], axis=0)
        oracle = "/".join(f"{v:.2f}" for v in np.mean([cv(a, "ORACLE") for a in answers], axis=0))
        evidence = np.mean([model(a)["log_evidence"] for a in answers])
        print(f"{embed:20}{row}{error:7.2f}{density:9.1f}{oracle:>14}{evidence:10.1f}", flush=True)


def hopkins_of_long(program, folder, world, embed):
    """Not of TF-IDF, whose thousands of columns take many minutes."""
    if embed == "tfidf":
        return f"{'-':>7}{'-':>8}{'-':>8}{'-':>6}"
    answer = score(program, folder, world, embed, cross_validate=False, options=HOPKINS_OPTIONS)
    hopkins = answer["prompts"]["hopkins"]
    null = hopkins["nulls"][1]
    return f"{hopkins['value']:7.3f}{null['mean']:8.3f}{null['z']:8.2f}{null['p']:6.2f}"


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


def print_minilm_ties(program, folder, worlds):
    print(f"\nties, MiniLM, --tie-orders {N_ORDERS} (page: only ansi (24 payloads) moves, 56.10..56.50)")
    for name in MINILM[1]:
        ties = by_tie_orders(program, folder, worlds[name], "minilm")
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
