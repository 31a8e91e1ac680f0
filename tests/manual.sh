#!/bin/sh
# manual.sh PROGRAM FOLDER - the manual pages: one for each command, with all that its help says, and well formed
set -eu
program=$1
folder=$2
. "$(dirname "$0")/scratch.sh"
export COLUMNS=100000

fail() {
    echo "manual: $*" >&2
    exit 1
}

# The words of a page, one space between them, without its escapes.
plain() {
    sed 's/^[.]BI* //; s/"//g; s/\\-/-/g; s/\\(aq/'"'"'/g; s/\\(ha/^/g; s/\\(ti/~/g; s/\\&//g; s/\\(dq/"/g' "$1" |
        tr -s ' \n' '  '
}

"$program" help | sed -n '/^usage/,/^daelab COMMAND/{s/^  \([a-z]*\)  .*/\1/p;}' >"$work/commands"
[ "$(wc -l <"$work/commands")" -ge 15 ] || fail "help names no commands"
while read -r command; do
    page=$folder/daelab-$command.1
    [ -s "$page" ] || fail "there is no page of $command"
    plain "$page" >"$work/plain"
    "$program" help "$command" all | sed -n 's/^  \(--[a-z].*\)/\1/p' | tr -s ' ' >"$work/options"
    [ -s "$work/options" ] || fail "help of $command has no options"
    while IFS= read -r option; do
        grep -qF -e "$option" "$work/plain" || fail "$page lacks: $option"
    done <"$work/options"
    grep -q "daelab..$command (1)" "$folder/daelab.1" || fail "daelab.1 does not name $command"
done <"$work/commands"
[ "$(find "$folder" -name '*.1' | wc -l)" -eq $(($(wc -l <"$work/commands") + 1)) ] || fail "there are other pages"
plain "$folder/daelab.1" >"$work/plain"
for list in problems formulations methods; do
    "$program" list "$list" --format csv | sed '1d; s/,.*//' >"$work/names"
    while read -r name; do
        grep -q " $name " "$work/plain" || fail "daelab.1 lacks $name of the $list"
    done <"$work/names"
done

for page in "$folder"/*.1; do
    if command -v man >/dev/null && [ "$(man --version 2>/dev/null | head -c 4)" = "man " ]; then
        LC_ALL=C.UTF-8 MANWIDTH=80 MANROFFSEQ='' man --warnings -E UTF-8 -l "$page" >"$work/shown" 2>"$work/said"
        [ ! -s "$work/said" ] || { cat "$work/said"; fail "$page is not well formed"; }
        grep -q 'EXIT STATUS' "$work/shown" || fail "$page is shown without its end"
    fi
    if command -v mandoc >/dev/null; then
        mandoc -Tlint -Wwarning "$page" >"$work/said" || { cat "$work/said"; fail "$page is not well formed"; }
    fi
done
