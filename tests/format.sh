#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The sources are formatted as .clang-format says. $1 is the project's folder.
cd "$1" || exit 1
find include src cli tests bench fuzz examples \( -name '*.[ch]' -o -name '*.[ch]pp' \) |
    xargs clang-format-14 --dry-run -Werror
