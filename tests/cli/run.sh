#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Run each case of cases.txt with the binary given as $1, from the folder of this script, and compare
# its output (standard output, then standard error) and exit status with golden/NAME.
# With --accept as $2 the outputs become the golden ones: read the difference before committing it.
set -u
binary=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
[ -x "$binary" ] || { echo "run.sh: $1 is not a program" >&2; exit 2; }
accept=${2:-}
cd "$(dirname "$0")" || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME="$work/cache" # what models and vectors there are on this machine stays out
export SOURCE_DATE_EPOCH=1750000000 # files that tell the time tell this one
export ASSAY_DUCKDB=/nowhere/libduckdb.so # the same words with it and without
n=0
failed=0

# Golden digits stop where processors and compilers begin to differ.
rounded() {
    awk '{ out = ""; rest = $0
           while (match(rest, /-?[0-9]+\.[0-9][0-9][0-9][0-9][0-9][0-9][0-9]+(e-?[0-9]+)?/)) {
               out = out substr(rest, 1, RSTART - 1) sprintf("%.6g", substr(rest, RSTART, RLENGTH))
               rest = substr(rest, RSTART + RLENGTH)
           }
           print out rest }'
}

while IFS='|' read -r name arguments; do
    case $name in '' | \#*) continue ;; esac
    name=$(echo "$name" | tr -d ' ')
    n=$((n + 1))
    eval "\"\$binary\" $arguments" >"$work/out" 2>"$work/err" </dev/null
    status=$?
    {
        rounded <"$work/out"
        sed 's/^/stderr: /' "$work/err"
        echo "exit $status"
    } >"$work/got"
    if [ "$accept" = --accept ]; then
        cp "$work/got" "golden/$name"
    elif ! diff -u "golden/$name" "$work/got"; then
        echo "FAILED $name: assay $arguments"
        failed=$((failed + 1))
    fi
done <cases.txt
echo "$((n - failed)) of $n cases passed"
[ "$failed" = 0 ] && [ "$n" -gt 0 ]
