#!/bin/sh
# headers.sh INCLUDE COMPILER - each header compiles alone, and says who needs it
#
# In C11 by the compiler of the build, gcc and clang, where they are there. Those that say so in C++17, too,
# by g++ and clang++; they show no quad and no complex number.
set -eu
include=$1
compiler=$2
. "$(dirname "$0")/scratch.sh"
status=0
wrong() {
    echo "$*" >&2
    status=1
}

strict="-pedantic -Wall -Wextra -Werror -I$include"
count=0
for header in "$include"/daelab/*.h; do
    name=$(basename "$header")
    printf '#ifndef DAE_PASS\n#include <daelab/%s>\ntypedef int something;\n#endif\n' "$name" \
        >"$work/alone.c"
    cp "$work/alone.c" "$work/alone.cpp"
    sed '/\*\//q' "$header" >"$work/said"
    grep -q '^ \* For ' "$work/said" || wrong "$name does not say whom it is for"
    for c in "$compiler" gcc clang; do
        command -v "$c" >/dev/null || continue
        # shellcheck disable=SC2086
        "$c" -std=c11 $strict -fsyntax-only "$work/alone.c" || wrong "$name: not C11 to $c"
    done
    grep -q 'C and C++' "$work/said" || continue
    count=$((count + 1))
    "$compiler" -std=c11 -E -P -I"$include" "$work/alone.c" | grep -n -E '[Ff]loat128|_Complex' &&
        wrong "$name shows a quad or a complex number"
    for c in g++ clang++; do
        command -v "$c" >/dev/null || continue
        # shellcheck disable=SC2086
        "$c" -std=c++17 $strict -fsyntax-only "$work/alone.cpp" || wrong "$name: not C++17 to $c"
    done
done
echo "$count headers are for C and C++"
[ "$count" -ge 6 ] || wrong "fewer than there were"
exit $status
