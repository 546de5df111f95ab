#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every command that an audit prints runs as it is printed. Arguments: the binary, and the folder of the examples.
set -u
binary=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
examples=$(cd "$2" && pwd)
in=$(cd "$(dirname "$0")" && pwd)/in
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0
n=0

# The commands are taken from the table as a reader would: the lines that begin with the name.
assay() {
    "$binary" "$@"
}

# audit NAME COMMAND...: run it, and then all that it prints; $least of them at the least.
audit() {
    name=$1
    shift
    "$@" >audit.txt 2>audit.err || { echo "FAILED: $name exits with $?: $(cat audit.err)"; failed=1; return; }
    sed -n 's/^     \(assay .*\)/\1/p' audit.txt >commands.txt
    [ "$(wc -l <commands.txt)" -ge 2 ] || { echo "FAILED: $name prints no commands"; failed=1; }
    while IFS= read -r command; do
        n=$((n + 1))
        eval "$command" </dev/null >out.txt 2>err.txt
        status=$?
        [ $status = 0 ] && [ -s out.txt ] && continue
        echo "FAILED: $name: exit $status of: $command"
        cat err.txt
        failed=1
    done <commands.txt
}

# The models by name, without a header that says more.
cp "$examples/leaderboard/matrix.csv" "my board.csv"
cp "$examples/suite/suite.csv" "it's a suite.csv"
cp "$in/small.csv" ./-dash.csv
awk -F, '{ print $1 "," (NR == 1 ? "NewCopy" : $2) }' "it's a suite.csv" >new.csv
awk -F, '{ print $0 "," (NR == 1 ? "NewCopy" : $2) }' "it's a suite.csv" >wider.csv
awk -F, -v OFS=, '{ if (NR > 1) $3 *= 100; print }' "it's a suite.csv" >scales.csv
awk -F, '{ s = 0; for (i = 2; i <= NF; i++) s += $i; print $0 "," (NR == 1 ? "overall" : sprintf("%.4f", s / (NF - 1))) }' \
    "it's a suite.csv" >overall.csv
awk -F, 'NR == 1 { for (i = 2; i <= NF; i++) name[i] = $i; print "model,item,score"; next }
         { for (i = 2; i <= NF; i++) print $1 "," name[i] "," $i }' "it's a suite.csv" >long.csv
awk -F, '{ for (i = 1; i <= NF; i++) cell[NR, i] = $i }
         END { for (i = 1; i <= NF; i++) for (r = 1; r <= NR; r++) printf "%s%s", r == 1 && i == 1 ? "id" : cell[r, i], r < NR ? "," : "\n" }' \
    "it's a suite.csv" >turned.csv
mkdir parts
awk -F, 'NR == 1 || NR <= 31' "it's a suite.csv" >parts/a.csv
awk -F, 'NR == 1 || NR > 31' "it's a suite.csv" >parts/b.csv

audit items assay signals "my board.csv" --audit --permutations 100 --draws 99
audit suite assay signals "it's a suite.csv" --audit --dates "$examples/suite/dates.csv"
audit options assay signals "it's a suite.csv" --drop advice --rows models --columns algebra,reading,coding,proofs,advice \
    --level 0.9 --seed 7 --audit --redundant 0.8 --group-threshold 0.8 --by score --window 20 --step 5 --resamples 200
audit column assay signals wider.csv --audit --admit NewCopy
audit file assay signals "it's a suite.csv" --audit --admit new.csv
audit covariate assay signals "$in/suite.csv" --given 'log(params_b)' --audit
audit scales assay signals scales.csv --audit
audit overall assay signals overall.csv --audit
audit long assay signals long.csv --audit
audit turned assay signals turned.csv --rows items --audit
audit folder assay signals parts --audit
audit files assay signals parts/a.csv parts/b.csv --audit
audit runs assay signals "$examples/repeats/results.csv" --audit --permutations 100
audit clusters assay signals "$examples/repeats/results.csv" --audit --permutations 100 \
    --clusters "$examples/repeats/prompts.jsonl"
audit names assay signals "$in/odd names.csv" --drop size --audit
audit dates assay signals "$in/aged.csv" --drop released,kind --audit --dates released --draws 99
audit few assay signals --audit --draws 99 -- -dash.csv
audit noise assay signals "$in/noise_runs.csv" --audit --permutations 100
audit conflict assay signals "$in/conflict.csv" --repeats --audit --permutations 100
cp "it's a suite.csv" FILE
from_standard_input() {
    "$binary" signals - --audit <"it's a suite.csv"
}
awk -F, -v OFS=, '{ print $1, NR == 1 ? "cost" : $2, NR == 1 ? "price" : $3, NR == 1 ? "same" : 1 }' \
    "it's a suite.csv" >named.csv
audit named assay signals named.csv --audit
audit stdin from_standard_input

# What is made anew is what is bundled.
mkdir suite
"$examples/suite/make.sh" "$binary" suite || failed=1
for file in suite.csv dates.csv; do
    cmp "suite/$file" "$examples/suite/$file" || { echo "FAILED: $file is not what make.sh makes"; failed=1; }
done

echo "$n commands were run"
[ "$failed" = 0 ] && [ "$n" -gt 60 ]
