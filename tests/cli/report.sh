#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The page of `assay audit`: hostile names and prompts, one file whole or none, and its size. Arguments: the
# binary, the folder of the example, and a real matrix that may be absent.
set -u
binary=$1
example=$2
real=$3
failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME="$work/cache"

check() { # WHAT COMMAND...
    what=$1
    shift
    "$@" || { echo "FAILED: $what"; failed=1; }
}
lacks() { ! grep -qF -e "$2" "$1"; }
has() { grep -qF -e "$2" "$1"; }
smaller() { [ "$(wc -c <"$1")" -lt "$2" ]; }

# ---- hostile: markup, control characters, marks of direction, quotes, and texts of a megabyte ----
evil='</script><script>window.pwned=1</script><!--<img src=x onerror=window.pwned=1>'
awk -v evil="$evil" 'BEGIN { esc = sprintf("%c", 27); print "model,item,score"
    for (m = 0; m < 6; m++) for (i = 0; i < 8; i++)
        printf "\"%s%s[31m %d \"\"q\"\" `x`\",%s %d,%d\n", evil, esc, m, evil, i, ((m * 7 + i * 5 + m * i) % 3 > 0) }' >"$work/results.csv"
awk -v evil="$evil" 'BEGIN { long = "word " evil " "; while (length(long) < 1000000) long = long long
    for (i = 0; i < 8; i++)
        printf "{\"id\":\"%s %d\",\"prompt\":\"%s\\u0007\\u202e\\u0000 %d %s\",\"cluster\":\"%s\"}\n", evil, i, evil, i, i < 2 ? long : "", evil }' |
    sed 's/\\u0000//' >"$work/prompts.jsonl"
check "hostile: exit status" "$binary" audit -q "$work/results.csv" -p "$work/prompts.jsonl" --embed tfidf \
    -o "$work/hostile.html" >"$work/summary"
check "hostile: no escape on a terminal's screen" lacks "$work/summary" "$(printf '\033')"
check "hostile: no script of theirs" lacks "$work/hostile.html" '<script>window.pwned'
check "hostile: no end of the data" lacks "$work/hostile.html" '</script><script>window'
check "hostile: no comment" lacks "$work/hostile.html" '<!--<img'
check "hostile: no control characters" lacks "$work/hostile.html" "$(printf '\033')"
check "hostile: as data" has "$work/hostile.html" '\u003c/script>\u003cscript>window.pwned=1'
check "hostile: texts are cut" smaller "$work/hostile.html" 1000000
"$binary" audit -q "$work/results.csv" -p "$work/prompts.jsonl" --embed tfidf --json >"$work/hostile.json"
check "hostile: texts are whole in the JSON" sh -c "[ \$(wc -c <'$work/hostile.json') -gt 2000000 ]"
if command -v python3 >/dev/null 2>&1; then
    check "hostile: JSON that others read" python3 -c 'import json, sys
audit = json.load(open(sys.argv[1], encoding="utf-8"))
assert audit["schema"] == "assay.audit/1" and len(audit["items"]["item"]) == 8
assert any("\x1b" in row["model"] for row in audit["coverage_by_model"])' "$work/hostile.json"
else
    echo "skipped: no python3 to read the JSON"
fi

# ---- whole or not at all ----
printf 'as it was' >"$work/kept.html"
check "a failure leaves the file" sh -c "! '$binary' audit -q '$work/results.csv' -p '$work/none.jsonl' -o '$work/kept.html' 2>/dev/null"
check "a failure leaves the file as it was" [ "$(cat "$work/kept.html")" = "as it was" ]
awk 'BEGIN { srand(1); printf "model"; for (i = 0; i < 4000; i++) printf ",q%d", i; print ""
    for (m = 0; m < 90; m++) { printf "m%d", m; for (i = 0; i < 4000; i++) printf ",%d", rand() < .3 + m / 200; print "" } }' >"$work/large.csv"
"$binary" audit -q "$work/large.csv" -o "$work/kept.html" >/dev/null 2>&1 &
pid=$!
sleep 0.3
kill -TERM $pid 2>/dev/null
wait $pid
status=$?
if [ $status = 0 ]; then
    echo "skipped: it was done before it could be interrupted"
else
    check "interrupted: exit status is $status" [ $status = 130 ]
    check "interrupted: the file as it was" [ "$(cat "$work/kept.html")" = "as it was" ]
fi
check "nothing is left behind" [ "$(find "$work" -name '*.tmp*' -o -name '.kept*' | wc -l)" = 0 ]

# ---- the numbers of the single commands ----
if command -v python3 >/dev/null 2>&1; then
    check "the parts are the commands' own" python3 "$(dirname "$0")/report_parts.py" "$binary" "$(dirname "$example")"
else
    echo "skipped: no python3 to compare the parts with the commands"
fi

# ---- the example and a real table ----
check "the example" "$binary" audit -q "$example/results.csv" -p "$example/prompts.jsonl" -o "$work/example.html" >/dev/null
check "the example: 3 MB" smaller "$work/example.html" 3000000
"$binary" audit -q "$example/results.csv" -p "$example/prompts.jsonl" -o - >"$work/printed.html"
check "to standard output: a page" has "$work/printed.html" '<!DOCTYPE html>'
if [ -e "$real" ]; then
    check "a real table" "$binary" audit -q "$real" -o "$work/real.html" >/dev/null
    check "a real table: 3 MB" smaller "$work/real.html" 3000000
else
    echo "skipped, not there: $real"
fi
[ $failed = 0 ] && echo "the report: all as it should be"
exit $failed
