#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Install, and build a user's program against what was installed: by pkg-config (shared and static) and
# by CMake. $1 is the build folder, $2 the tests' folder.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$1" --prefix "$work/usr" >/dev/null
library=$(dirname "$(find "$work/usr" -name 'libassay.so')")
export PKG_CONFIG_PATH="$library/pkgconfig" LD_LIBRARY_PATH="$library"
cc=${CC:-gcc}

$cc "$2/installed/user.c" -o "$work/shared" $(pkg-config --cflags --libs assay)
"$work/shared"
mkdir "$work/only-static" && cp "$library/libassay.a" "$work/only-static"
$cc "$2/installed/user.c" -o "$work/static" $(pkg-config --cflags assay) -L"$work/only-static" \
    $(pkg-config --static --libs assay)
env -u LD_LIBRARY_PATH "$work/static"
cmake -S "$2/installed" -B "$work/cmake" -DCMAKE_PREFIX_PATH="$work/usr" >"$work/log" 2>&1 ||
    { cat "$work/log"; exit 1; }
cmake --build "$work/cmake" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
"$work/cmake/user_shared"
"$work/cmake/user_static"
"$work/usr/bin/assay" --version
