#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# An atlas does not depend on the order of its files, and has the published figures. Arguments: the
# binary, and a folder of public matrices, which may be absent.
set -u
binary=$1
matrices=$2
failed=0
in=$(cd "$(dirname "$0")" && pwd)/in/atlas
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "FAILED: $*"
    failed=1
}

# ---- the order of the files ----

# atlas NAME FILE...: what is printed, said and drawn.
atlas() {
    name=$1
    shift
    "$binary" signals --atlas --json --csv "$work/$name.csv" --plot "$work/$name.svg" "$@" \
        >"$work/$name.json" 2>"$work/$name.err"
    [ $? = 1 ] || fail "one of them is broken: expected exit status 1"
}
atlas one "$in/first" "$in/second/copy.csv" "$in/broken.csv" "$in/boards" "$in/runs.csv"
atlas other "$in/runs.csv" "$in/boards" "$in/broken.csv" "$in/second/copy.csv" "$in/boards" "$in/first"
for kind in json csv svg err; do
    [ -s "$work/one.$kind" ] && cmp "$work/one.$kind" "$work/other.$kind" || fail "the order changes the $kind"
done

# ---- a file may be called anything ----

esc=$(printf '\033')
cp "$in/runs.csv" "$work/$esc[31m \"red\", a.csv"
"$binary" signals -q --atlas --csv "$work/names.csv" "$work/$esc[31m \"red\", a.csv" >"$work/names" ||
    fail "exit status $? for a strange name"
grep -q "$esc" "$work/names" "$work/names.csv" && fail "an escape sequence is printed raw"
grep -qF '"\x1b[31m ""red"", a",' "$work/names.csv" || fail "the name is not quoted as CSV has it"

# ---- the published figures ----

# Of each matrix as printed: ED under the three centrings, the first component's share in percent, ED / null,
# Kaiser. They come from a NumPy reference; a figure is right within half a unit of its last digit.
figures() {
    cat <<'END'
swebench_verified 7.896 3.811 30.76 34.4 .0747 27
livecodebench_gen400 3.171 3.886 15.97 55.3 .0491 7
livecodebench_gen880 4.228 3.194 10.35 47.2 .151 3
bfcl_20240811 13.09 8.929 23.97 23.9 .192 16
bfcl_20240811_categories 2.365 3.111 3.523 62.0 .230 2
bfcl_v4_categories 3.556 1.528 4.177 44.8 .194 4
alpacaeval2 3.485 6.239 16.12 52.6 .0644 8
alpacaeval1 8.588 11.48 27.91 31.8 .173 13
open_llm_leaderboard_v2_raw 1.661 1.793 2.231 75.7 .277 1
open_llm_leaderboard_v2 1.668 1.339 2.521 75.6 .278 1
END
}

if [ ! -d "$matrices" ]; then
    echo "skipped the published figures, not there: $matrices"
    exit $failed
fi
figures >"$work/figures"
"$binary" signals -q --atlas "$matrices" --drop average,params_b,exact --csv "$work/rows.csv" >"$work/table" ||
    fail "exit status $?"
awk -F, '
    function near(name, what, x, printed) {
        decimals = index(printed, ".") ? length(printed) - index(printed, ".") : 0
        off = x - printed
        if (off < 0) off = -off
        if (off <= 0.5 * 10 ^ -decimals + 1e-9) return
        print "FAILED: " name ": " what " is " x ", expected " printed
        bad = 1
    }
    NR == FNR { split($0, f, " "); want[f[1]] = $0; next }
    FNR == 1 { for (c = 1; c <= NF; c++) at[$c] = c; next }
    {
        name = $at["name"]
        gsub(/"/, "", name)
        if (!(name in want)) next
        split(want[name], f, " ")
        n++
        near(name, "ED", $at["ed_task"], f[2])
        near(name, "ED, models out,", $at["ed_model"], f[3])
        near(name, "ED, both out,", $at["ed_double"], f[4])
        near(name, "PC1 %", 100 * $at["pc1_share"], f[5])
        near(name, "ED / null", $at["ed_over_null"], f[6])
        near(name, "Kaiser", $at["kaiser"], f[7])
    }
    END { print n " of 10 matrices have the published figures"; exit bad || n != 10 }
' "$work/figures" "$work/rows.csv" || failed=1
longest=$(awk '{ if (length($0) > n) n = length($0) } END { print n }' "$work/table")
[ "$longest" -le 110 ] || fail "a line of the table has $longest characters"
exit $failed
