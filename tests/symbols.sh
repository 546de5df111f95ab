#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What the libraries show and use. $1 is the shared library, $2 the static one, $3 the include folder.
set -u
failed=0

fail() {
    echo "FAILED: $1:"
    echo "$2" | head -20
    failed=1
}

# The shared library exports the public functions and nothing else: no inner ones, no C++.
exported=$(nm -D --defined-only "$1" | awk '{ print $3 }' | sort)
foreign=$(echo "$exported" | grep -v '^assay_')
[ -z "$foreign" ] || fail "exported, but not assay_*" "$foreign"
declared=$(cat "$3"/assay/*.h | grep -oE '\bassay_[a-z0-9_]+\(' | tr -d '(' | sort -u)
inner=$(echo "$exported" | while read -r name; do
    echo "$declared" | grep -qx "$name" || echo "$name"
done)
[ -z "$inner" ] || fail "exported, but in no public header" "$inner"
[ "$(echo "$exported" | wc -l)" -gt 20 ] || fail "too few exported" "$exported"

# In the static one every C symbol begins with assay_ (C++ names begin with _Z).
foreign=$(nm -g --defined-only "$2" | awk 'NF == 3 { print $3 }' |
    grep -v -e '^assay_' -e '^_Z' -e '^DW\.ref\.' -e '^__odr_asan')
[ -z "$foreign" ] || fail "defined in the static library, but not assay_*" "$foreign"

# A library never prints, exits, aborts, or draws from a hidden generator.
banned=$(nm -u "$2" | awk '{ print $2 }' |
    grep -xE '(__)?(printf|vprintf|puts|putchar|perror|stderr|stdout|exit|_exit|abort|rand|srand|random|sprintf|vsprintf|strcpy|gets)(_chk)?')
[ -z "$banned" ] || fail "used by the library" "$banned"
[ "$failed" = 0 ] && echo "$(echo "$exported" | wc -l) exported functions"
exit $failed
