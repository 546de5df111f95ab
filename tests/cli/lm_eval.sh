#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Plan, run, read: what `assay plan templates --as lm-eval` writes, run by a stand-in of the harness, reads
# back as templates of one task, and gives the same answer as the cells as a plain table. Takes the binary.
set -eu
binary=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() {
    echo "lm_eval.sh: $*" >&2
    exit 1
}

plan="templates --templates 5 --items 12 --budget 36 -q"
"$binary" plan $plan --as lm-eval --task mmlu_anatomy -o samples.json
"$binary" plan $plan -o cells.csv

# The stand-in: a document is right where (3 template + 2 document) mod 5 is below 3.
mkdir -p logs/org__m
awk -F'[":,\\[\\] ]+' '
    /:/ { task = $2; template = task; sub(/.*_/, "", template)
          file = "logs/org__m/samples_" task "_2026-01-02T03-04-05.600000.jsonl"
          for (k = 3; k <= NF; k++) if ($k != "")
              printf "{\"doc_id\": %d, \"doc\": {\"question\": \"Q%d\"}, \"target\": \"4\", \"arguments\": {\"gen_args_0\": {\"arg_0\": \"P%d Q%d\", \"arg_1\": {}}}, \"resps\": [[\"4\"]], \"filtered_resps\": [\"4\"], \"filter\": \"none\", \"metrics\": [\"acc\"], \"doc_hash\": \"h%d\", \"prompt_hash\": \"p\", \"target_hash\": \"t\", \"acc\": %d.0}\n",
                  $k, $k, template, $k, $k, (3 * template + 2 * $k) % 5 < 3 > file }' samples.json
printf '{"model_name": "org/m", "results": {}, "versions": {}}\n' \
    >logs/org__m/results_2026-01-02T03-04-05.600000.json
awk -F, 'NR == 1 { print "model,task,template,item,score"; next }
    { print "org/m,mmlu_anatomy," $1 "," $2 "," ((3 * $1 + 2 * $2) % 5 < 3) }' cells.csv >plain.csv

# By the pattern that the plan used, and by one in which the task's name is written out.
"$binary" templates -q plain.csv --task task --templates 5 --items 12 >wanted
for pattern in '{task}_{template}' 'mmlu_anatomy_{template}'; do
    "$binary" templates -q logs --task-name "$pattern" --templates 5 --items 12 >got
    cmp wanted got || fail "templates read by $pattern give another answer than their cells"
done
"$binary" templates logs --task-name '{task}_{template}' --templates 5 --items 12 2>&1 >/dev/null |
    grep -q '5 files read' || fail "not every task was read"

# Without a pattern each task is a table of one template.
"$binary" templates -q logs | grep -c '1 template x' | grep -qx 5 || fail "expected five tasks"

# Other commands see items with their templates.
"$binary" convert -q logs --task-name '{task}_{template}' -o table.csv
[ "$(wc -l <table.csv)" = 37 ] || fail "expected 36 cells"
[ "$(head -n 1 table.csv)" = "model,template,item,score,cluster,text" ] || fail "a column is missing"
grep -q '^org/m,0,mmlu_anatomy/0,1,' table.csv || fail "a cell is missing"
echo "lm_eval.sh: passed"
