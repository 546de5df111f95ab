#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The same bytes for any number of threads, of ours and of OpenBLAS's. Arguments: the binary, the
# folder of the example, and matrices.
set -u
binary=$1
example=$2
shift 2
failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# same NAME COMMAND...: what the command prints, and all it writes to $work/beside, is one for all.
same() {
    name=$1
    shift
    want=
    for ours in 1 2 7; do
        for theirs in 1 2; do
            rm -rf "$work/beside"
            mkdir "$work/beside"
            OPENBLAS_NUM_THREADS=$theirs "$binary" "$@" --threads $ours >"$work/out"
            status=$?
            [ $status = 0 ] && [ -s "$work/out" ] || { echo "FAILED: exit $status"; failed=1; }
            got=$(cat "$work/out" $(find "$work/beside" -type f | sort) | cksum)
            [ -n "$want" ] || want=$got
            [ "$got" = "$want" ] && continue
            echo "FAILED: $name with --threads $ours, OPENBLAS_NUM_THREADS=$theirs"
            failed=1
        done
    done
    echo "$name: $want"
}

for input in "$example/matrix.csv" "$@"; do
    [ -e "$input" ] || { echo "skipped, not there: $input"; continue; }
    same "$input" signals -q --json --permutations 100 "$input"
    same "parts and skill of $input" signals -q --json --permutations 2 --saturation --split-half --matched 20x20 \
        --interval subsample --by score --window 20 --step 5 --draws 20 "$input"
    same "audit of $input" signals -q --json --permutations 20 --draws 20 --resamples 100 --audit "$input"
    same "$input" signals -q --json --permutations 100 --resamples 100 "$input"
done
same "suite and short form of $example" signals -q --json --permutations 0 --pairs --resamples 20 --select 20 "$example/matrix.csv"
here=$(dirname "$0")/in
same "atlas of $here" signals -q --json --atlas "$example/matrix.csv" "$here/atlas/first" "$here/atlas/runs.csv" \
    --plot "$work/beside"
same "report of $example" audit -q --json "$example/results.csv" --prompts "$example/prompts.jsonl" --embed tfidf
same "score of $example" score -q --json --hyper off --tie-orders 2 --sensitivity \
    "$example/results.csv" --prompts "$example/prompts.jsonl" --topics "$work/beside/topics.csv" \
    --plot "$work/beside"
same "Hopkins of $here" score -q --json --hyper on --hopkins "$here/score_runs.csv" --families --average tfidf:char \
    --prompts "$here/prompts_small.jsonl" --embed "$here/vectors_small.csv"
same "study of $here" templates -q --json --study --budgets 10,20,30 --logreg "$here/templates_wide.csv" \
    --template-features "$here/templates_features.csv" --plot "$work/beside"
same "the best of $here" templates -q --json --best "$here/templates_cells.csv" --templates 5 --items 8
same "study of the best of $here" templates -q --json --best --study --budgets 10,20,30 "$here/templates_wide.csv" \
    --template-features "$here/templates_features.csv" --plot "$work/beside"
exit $failed
