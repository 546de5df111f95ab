#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The report in a real browser: make reports with the binary given as $1, of the examples in $2 and of what
# lies in $3 where that is there, in the folder $4; then test them there (report.test.mjs).
# Exit status 77, "skipped", where Node.js or Chromium are missing; ./run test brings both.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
assay=$1 examples=$2 shared=$3 work=$4

skip() {
    echo "skipped: $1"
    exit 77
}

command -v node >/dev/null && command -v npm >/dev/null || skip "no Node.js, in which the browser is driven"
CHROMIUM=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || skip "no Chromium"
export CHROMIUM

mkdir -p "$work/reports"
cp "$here/package.json" "$here/package-lock.json" "$work"
if ! cmp -s "$work/package-lock.json" "$work/node_modules/.brought"; then
    (cd "$work" && npm ci --silent --no-audit --no-fund >npm.log 2>&1) || skip "playwright-core and axe-core cannot be had ($work/npm.log)"
    cp "$work/package-lock.json" "$work/node_modules/.brought"
fi

rm -f "$work"/reports/*
awk 'BEGIN { printf "model"; for (i = 0; i < 12; i++) printf ",q%d", i; print ""
    for (m = 0; m < 20; m++) { printf "an_organisation/a_family_of_models_with_a_long_name_that_breaks_nowhere_%d_final", m
        for (i = 0; i < 12; i++) printf ",%d", ((m * 7 + i * 5 + m * i) % 3 > 0); print "" } }' >"$work/long-names.csv"
"$assay" audit -q "$work/long-names.csv" -o "$work/reports/long-names.html" >/dev/null
node "$here/hostile.mjs" "$work/hostile.csv" "$work/hostile.jsonl"
"$assay" audit -q "$examples/leaderboard/results.csv" --prompts "$examples/leaderboard/prompts.jsonl" --embed tfidf \
    -o "$work/reports/example.html" >/dev/null
"$assay" audit -q "$examples/templates/cells.csv" -o "$work/reports/templates.html" >/dev/null
"$assay" audit -q "$work/hostile.csv" --prompts "$work/hostile.jsonl" --embed tfidf -o "$work/reports/hostile.html" >/dev/null
if [ -d "$shared/samples" ]; then
    "$assay" audit -q "$shared/samples/matrix/swebench_verified_wide.csv" -o "$work/reports/swebench.html" >/dev/null
    "$assay" audit -q "$shared/samples/lm-eval" --embed tfidf -o "$work/reports/lm-eval.html" >/dev/null
else
    echo "no samples beside this checkout: the reports of SWE-bench Verified and of lm-eval are not tested"
fi

cp "$here"/*.mjs "$work"
cd "$work" && exec node --test --test-reporter=spec report.test.mjs
