#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Walk the listing of commands: each must explain itself, and refuse what it does not know.
set -u
binary=$1
failed=0

fail() {
    echo "FAILED: $*"
    failed=1
}

commands=$("$binary" --help | awk '/^commands:/ { on = 1; next } /^$/ { on = 0 } on { print $1 }')
[ "$(echo "$commands" | wc -w)" -ge 3 ] || fail "assay --help lists: $commands"
for command in $commands; do
    help=$("$binary" "$command" --help 2>&1) || fail "$command --help: exit status $?"
    for part in "usage: assay $command" "examples:" "exit status:" "--help"; do
        case $help in *"$part"*) ;; *) fail "$command --help does not say '$part'" ;; esac
    done
    longest=$(echo "$help" | awk '{ if (length($0) > n) n = length($0) } END { print n }')
    [ "$longest" -le 110 ] || fail "$command --help has a line of $longest characters"
    "$binary" "$command" --no-such-option >/dev/null 2>&1
    [ $? = 2 ] || fail "$command --no-such-option is not a usage error"
    "$binary" "$command" >/dev/null 2>&1 </dev/null
    [ $? = 2 ] || fail "$command without arguments is not a usage error"
done
"$binary" no-such-command >/dev/null 2>&1
[ $? = 2 ] || fail "an unknown command is not a usage error"
"$binary" >/dev/null 2>&1
[ $? = 2 ] || fail "no command is not a usage error"
"$binary" --version | grep -q '^assay [0-9]' || fail "--version"
[ "$failed" = 0 ] && echo "walked: $commands" | tr '\n' ' '
exit $failed
