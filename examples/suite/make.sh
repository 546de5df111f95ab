#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Make suite.csv and dates.csv: examples/suite/make.sh ASSAY [FOLDER]
# 60 simulated models answer 960 prompts in 8 clusters of one meaning. A task of the suite is a cluster, its
# score the share of its prompts that a model solves. Later models are better, but not each of them: models are
# released in the order of their mean score plus a shift, half a month from one to the next.
set -eu
export LC_ALL=C
assay=$1
folder=${2:-$(dirname "$0")}
lab=$(mktemp -d)
trap 'rm -rf "$lab"' EXIT
"$assay" simulate benchmark -o "$lab" -q --seed 4 --models 60 --items 960 --clusters 8 --balanced --missing 0 \
    --difficulty-mean -0.6 --difficulty-sd 1.2 --cluster-share 0.4

# The share of each cluster's prompts that each model solves.
sed 's/.*"id":"\([^"]*\)".*"cluster":"\([^"]*\)".*/\1,\2/' "$lab/prompts.jsonl" >"$lab/clusters.csv"
awk -F, '
    NR == FNR { cluster[$1] = $2; next }
    FNR == 1 { next }
    !($1 in seen) { seen[$1] = 1; model[++n] = $1 }
    { solved[$1, cluster[$2]] += $3; asked[$1, cluster[$2]]++ }
    END {
        split("algebra reading geometry dialogue coding summary proofs advice", name, " ")
        printf "model"
        for (t = 1; t <= 8; t++) printf ",%s", name[t]
        print ""
        for (m = 1; m <= n; m++) {
            printf "%s", model[m]
            for (t = 1; t <= 8; t++) {
                c = sprintf("t%02d", t)
                printf ",%.4f", solved[model[m], c] / asked[model[m], c]
            }
            print ""
        }
    }' "$lab/clusters.csv" "$lab/results.csv" >"$folder/suite.csv"

# Models by their mean and a shift of up to .3 that a linear congruence draws; the first in January 2023.
awk -F, '
    BEGIN { drawn = 7 }
    NR > 1 {
        sum = 0
        for (t = 2; t <= NF; t++) sum += $t
        drawn = (drawn * 5167 + 1013) % 10007
        printf "%.4f,%s\n", sum / (NF - 1) + 0.3 * drawn / 10007, $1
    }' "$folder/suite.csv" | sort -t, -k1,1n | awk -F, '
    BEGIN { print "model,organisation,release_date" }
    {
        half = NR - 1
        month = int(half / 2)
        printf "%s,lab-%s,%d-%02d-%02d\n", $2, substr("abcdef", 1 + NR % 6, 1), 2023 + int(month / 12),
            1 + month % 12, half % 2 ? 20 : 5
    }' | (read -r header; echo "$header"; sort) >"$folder/dates.csv"
