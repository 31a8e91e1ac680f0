#!/bin/sh
# symbols.sh INCLUDE COMPILER NM SHARED STATIC - the shared library exports what the headers declare and
# nothing else; the static library has no symbol of another prefix than dae_
set -eu
include=$1
compiler=$2
nm=$3
shared=$4
static=$5
. "$(dirname "$0")/scratch.sh"

# Functions and variables that a preprocessed header declares: statements outside braces, but for typedefs,
# types, and functions that are defined there.
declared() {
    awk '/^#/ {next}
    {text = text " " $0}
    END {
        while (match(text, /[{};]/)) {
            c = substr(text, RSTART, 1)
            if (!depth)
                statement = statement substr(text, 1, RSTART - 1)
            text = substr(text, RSTART + 1)
            depth += (c == "{") - (c == "}")
            type = statement ~ /^ *(__extension__ +)?(typedef|struct|union|enum)/
            if (!depth && (c == ";" || (c == "}" && !type))) {
                if (c == ";" && !type && statement !~ /^ *static/ &&
                    match(statement, /dae_[a-z0-9_]+ *(\(|\[|=|$)/)) {
                    name = substr(statement, RSTART)
                    sub(/[^a-z0-9_].*/, "", name)
                    print name
                }
                statement = ""
            }
        }
    }'
}

for header in "$include"/daelab/*.h; do
    name=$(basename "$header")
    printf '#ifndef DAE_PASS\n#include <daelab/%s>\n#endif\n' "$name" >"$work/$name.c"
    "$compiler" -std=gnu11 -E -P -I"$include" "$work/$name.c" | declared
done | sort -u >"$work/declared"

# Lines of nm with an address are symbols that are defined; the linker's own begin with _.
"$nm" -D --defined-only "$shared" | awk 'NF == 3 && $3 !~ /^_/ {sub(/@.*/, "", $3); print $3}' |
    sort -u >"$work/exported"

echo "$(wc -l <"$work/declared") declared, $(wc -l <"$work/exported") exported"
status=0
[ "$(wc -l <"$work/declared")" -gt 50 ] || { echo "the headers declare next to nothing" >&2; status=1; }
comm -23 "$work/declared" "$work/exported" | sed 's/^/declared, but not exported: /' >"$work/wrong"
comm -13 "$work/declared" "$work/exported" | sed 's/^/exported, but declared nowhere: /' >>"$work/wrong"
"$nm" -g --defined-only "$static" | awk 'NF == 3 && $3 !~ /^dae_/ {print "in the static library: " $3}' \
    >>"$work/wrong"
[ ! -s "$work/wrong" ] || { cat "$work/wrong" >&2; status=1; }
exit $status
