#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`assay templates --study` on full grids of templates: our estimator beside the published ones.

usage: published_templates.py ASSAY SHARED [SEEDS]   (two seeds or more, 20 unless said)

ASSAY is the program; SHARED/data/templates holds the grids (MMLU, ten of Qwen, ten behind published scores
of MMLU, BBH and LMentry) and what describes their templates, which are not part of this project. Prints, as
Markdown, W1 by kind of grid and budget; the cells (grid by budget) where ours is more than 1.05 times the
better published estimator and more than two standard errors above that, as if the two were independent (they see the
same cells: the error is too large where they go together, so that a cell may be missed); and how often
90 % intervals held. Results: docs/templates.md"""
import csv
import gzip
import json
import os
import subprocess
import sys
import tempfile

BUDGETS = [200, 400, 800, 1600]
QUANTILES = ["0.05", "0.25", "0.5", "0.75", "0.95"]


def study(assay, path, seeds, features):
    """The rows of the study, by file, model and task. features are arguments about the templates."""
    command = [assay, "templates", "-q", path, "--study", "--seeds", str(seeds), "--json"]
    answer = json.loads(subprocess.run(command + features, check=True, capture_output=True, text=True).stdout)
    rows = {}
    for row in answer["study"]:
        model = row["model"] if row["task"] else ""  # else the file's name, where no column has it
        grid = os.path.basename(path).split(".")[0], model, row["task"] or ""
        rows.setdefault(grid, {})[row["budget"], row["method"]] = row
    return rows


def surface_counts(shared, benchmark, task, folder):
    """The published counts of one task's templates, as features by id."""
    path = os.path.join(folder, f"{benchmark}_{task}.csv")
    with gzip.open(os.path.join(shared, "slab_templates.csv.gz"), "rt", newline="") as source:
        rows = list(csv.reader(source))
    kept = [row for row in rows[1:] if row[0] == benchmark and row[1] == task]
    with open(path, "w", newline="") as out:
        csv.writer(out).writerows([row[2:3] + row[6:] for row in [rows[0]] + kept])
    return path


def kind_of(grid):
    name, model, _ = grid
    if name.startswith("qwen"):
        return "Qwen-0.5B" if "0.5B" in model else "Qwen-1.5B"
    if name.startswith("mmlu"):
        return "MMLU"
    return name.split("_")[0] + ", simulated"


def features_of(shared, name, folder):
    """The arguments that describe the templates of a grid."""
    if name.startswith("qwen"):
        return ["--template-features", os.path.join(shared, "qwen25_templates_X_disc.csv")]
    if name.lower().startswith("mmlu"):
        return ["--template-features", os.path.join(shared, "mmlu_templates_X_disc.csv")]
    benchmark = name.split("_")[0]
    with gzip.open(os.path.join(shared, "slab_templates.csv.gz"), "rt", newline="") as source:
        tasks = {row[1] for row in csv.reader(source) if row[0] == benchmark}
    task = next(t for t in sorted(tasks, key=len, reverse=True) if name[len(benchmark) + 1:].startswith(t))
    return ["--template-features", surface_counts(shared, benchmark, task, folder), "--features", "rotated"]


def mean(values):
    values = [v for v in values if v is not None]
    return sum(values) / len(values) if values else None


def table_of_w1(kinds, plain, covariates):
    print("| grids | budget | avg | pe-rasch | pe-covariates | **assay** | **assay**, covariates | assay / pe-rasch |")
    print("|---|---|---|---|---|---|---|---|")
    for kind, grids in kinds.items():
        for b in BUDGETS:
            def of(source, method):
                return mean([source[g][b, method]["w1"] for g in grids])
            ours, rasch = of(plain, "assay"), of(plain, "pe-rasch")
            print(f"| {kind} ({len(grids)}) | {b} | {of(plain, 'avg'):.4f} | {rasch:.4f} | "
                  f"{of(covariates, 'pe-covariates'):.4f} | {ours:.4f} | {of(covariates, 'assay'):.4f} | "
                  f"{ours / rasch:.2f} |")


def failing(grids, source, published, seeds):
    """Cells that lose to the better published estimator."""
    for g in grids:
        for b in BUDGETS:
            ours = source[g][b, "assay"]
            best = min((source[g][b, m] for m in published), key=lambda row: row["w1"])
            error = ((ours["w1_sd"] ** 2 + (1.05 * best["w1_sd"]) ** 2) / seeds) ** 0.5
            if ours["w1"] > 1.05 * best["w1"] + 2 * error:
                yield f"{'/'.join(x for x in g if x)} at {b}: {ours['w1']:.4f}, {best['method']} {best['w1']:.4f}"


def table_of_coverage(title, grids_of, source):
    print(f"\n| {title} | budget | scores | mean | band | " + " | ".join(QUANTILES) + " |")
    print("|---|---|---|---|---|" + "---|" * len(QUANTILES))
    for name, grids in grids_of.items():
        for b in BUDGETS:
            rows = [source[g][b, "assay"]["coverage"] for g in grids]
            values = [mean([r[k] for r in rows]) for k in ("scores", "mean", "band")]
            values += [mean([r["quantiles"][q] for r in rows]) for q in QUANTILES]
            print(f"| {name} | {b} | " + " | ".join("-" if v is None else f"{v:.3f}" for v in values) + " |")


def main():
    assay, shared = sys.argv[1], os.path.join(sys.argv[2], "data", "templates")
    seeds = int(sys.argv[3]) if len(sys.argv) > 3 else 20
    paths = ["mmlu_hs_psychology_llama3_8b_100x545.csv", "qwen25_mmlu_40x100_x10.csv"]
    paths += [os.path.join("semisynth", f) for f in sorted(os.listdir(os.path.join(shared, "semisynth")))]
    plain, covariates = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        for path in paths:
            full = os.path.join(shared, path)
            plain.update(study(assay, full, seeds, []))
            covariates.update(study(assay, full, seeds, features_of(shared, os.path.basename(path), folder)))
            print(path, file=sys.stderr)
    kinds = {}
    for g in plain:
        kinds.setdefault(kind_of(g), []).append(g)
    table_of_w1(kinds, plain, covariates)
    n = len(plain) * len(BUDGETS)
    for title, source, published in (("without covariates", plain, ["avg", "pe-rasch"]),
                                     ("with covariates", covariates, ["avg", "pe-rasch", "pe-covariates"])):
        lost = list(failing(plain, source, published, seeds))
        print(f"\n{len(lost)} of {n} cells {title} lose" + (":" if lost else "."))
        for line in lost:
            print("-", line)
    for title, source in (("without covariates", plain), ("with covariates", covariates)):
        table_of_coverage(title, {"all": list(plain), **kinds}, source)


if __name__ == "__main__":
    main()
