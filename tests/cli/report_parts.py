# SPDX-License-Identifier: Apache-2.0
# The parts of `assay audit` are those of the single commands on the same data, number by number, and the
# commands that it prints run as printed. Arguments: the binary, the folder of the examples.
import json
import shlex
import subprocess
import sys

binary, examples = sys.argv[1:]
failed = []


def run(*words):
    done = subprocess.run([binary, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        failed.append(f"{shlex.join(words)}: exit status {done.returncode}: {done.stderr.decode()[-200:]}")
    return done.stdout


def answer(*words):
    return json.loads(run(*words, "--json", "-q") or "{}")


def compare(what, part, alone):
    for key, value in part.items():
        if alone.get(key) != value:
            failed.append(f"{what}: {key} differs from the command's own")


# The same numbers of the same doubles: no tolerance.
board, prompts = [f"{examples}/leaderboard/results.csv"], ["--prompts", f"{examples}/leaderboard/prompts.jsonl", "--embed", "tfidf"]
cells, repeats = [f"{examples}/templates/cells.csv"], [f"{examples}/repeats/results.csv"]
signals = ["--audit", "--saturation", "--split-half"]
audits = {"board": answer("audit", *board, *prompts), "cells": answer("audit", *cells), "repeats": answer("audit", *repeats)}
compare("score", audits["board"]["score"], answer("score", *board, *prompts))
compare("signals", audits["board"]["signals"], answer("signals", *board, *signals))
compare("signals of repeats", audits["repeats"]["signals"], answer("signals", *repeats, *signals))
compare("templates", audits["cells"]["templates"][0], answer("templates", *cells, "--level", "0.95"))

raw = {row["model"]: (row["n"], row["raw"]["mean"], row["raw"]["wilson"]) for row in audits["board"]["score"]["models"]}
for row in audits["board"]["means"]:
    n, mean, wilson = raw[row["model"]]
    # The two add up the same shares in another order: 200 roundings of 1e-16.
    if n != row["n"] or any(abs(a - b) > 1e-13 for a, b in zip([mean, *wilson], [row["mean"], *row["interval"]])):
        failed.append(f"means: {row['model']} differs from its raw score")

for audit in audits.values():
    for one in audit["answers"]:
        run(*shlex.split(one["command"])[1:], "-q")

for one in failed:
    print(f"FAILED: {one}")
sys.exit(bool(failed))
