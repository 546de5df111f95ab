#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every public header compiles alone, as C17 and as C++17, without a warning. $1 CC, $2 CXX, $3 include.
set -u
failed=0
n=0

for header in "$3"/assay.h "$3"/assay/*.h; do
    n=$((n + 1))
    "$1" -std=c17 -Wall -Wextra -Wpedantic -Werror -I"$3" -fsyntax-only -x c "$header" || failed=1
    "$2" -std=c++17 -Wall -Wextra -Wpedantic -Werror -I"$3" -fsyntax-only -x c++ "$header" || failed=1
done
[ "$n" -gt 5 ] || failed=1
echo "$n headers"
exit $failed
