#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The same bytes for any number of threads, of ours and of OpenBLAS's.
set -u
binary=$1
shift
failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for input in "$@"; do
    [ -e "$input" ] || { echo "skipped, not there: $input"; continue; }
    want=
    for ours in 1 2 7; do
        for theirs in 1 2; do
            OPENBLAS_NUM_THREADS=$theirs "$binary" signals -q --json --permutations 100 \
                --threads $ours "$input" >"$work/out"
            status=$?
            got=$(cksum <"$work/out")
            [ $status = 0 ] && [ -s "$work/out" ] || { echo "FAILED: exit $status"; failed=1; }
            [ -n "$want" ] || want=$got
            [ "$got" = "$want" ] && continue
            echo "FAILED: $input with --threads $ours, OPENBLAS_NUM_THREADS=$theirs"
            failed=1
        done
    done
    echo "$input: $want"
done
exit $failed
