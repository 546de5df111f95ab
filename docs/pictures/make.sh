#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Make the pictures of README.md anew: the report of the bundled example as a browser shows it.
# usage: docs/pictures/make.sh ASSAY     needs Chromium
set -eu
here=$(cd "$(dirname "$0")" && pwd)
assay=$(realpath "$1")
chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$here/../.."

"$assay" audit -q examples/leaderboard/results.csv --prompts examples/leaderboard/prompts.jsonl -o "$work/report.html" >/dev/null
"$chromium" --headless=new --no-sandbox --disable-gpu --hide-scrollbars --force-device-scale-factor=1 \
    --window-size=1180,1560 --virtual-time-budget=4000 --screenshot="$here/report.png" "file://$work/report.html" >/dev/null 2>&1
ls -l "$here/report.png"
