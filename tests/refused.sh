#!/bin/sh
# refused.sh INCLUDE COMPILER - what a model may not say is an error, whatever warnings are on
#
# By the compiler of the build, gcc and clang, where they are there: each function of refused.h, refused_complex.h and
# plain_numbers.h, by name; what makes a number of a model less than it is; every function of <math.h> works or is
# refused.
set -eu
include=$1
compiler=$2
. "$(dirname "$0")/scratch.sh"
cd "$work"
status=0
tried=
wrong() {
    echo "$*" >&2
    status=1
}

# model EQUATIONS AFTER: writes model.c with these equations, and AFTER behind its model.h
model() {
    cat >model.c <<MODEL
#ifndef DAE_PASS
static inline double half(double x) { return x / 2; }
static inline double first(const double *x) { return x[0]; }
#include <daelab/model.h>
$2
#else
$1
#endif
MODEL
}

# The names with their arguments, as the headers define them: those refused for every number, and those for
# plain numbers.
for header in refused.h refused_complex.h; do
    sed -n 's/^#define \([a-z0-9_]*\)(\.\.\.) DAE_REFUSE(.*/\1/p' "$include/daelab/$header"
done >never
header=$include/daelab/plain_numbers.h
sed -n 's/^#define \([a-z0-9]*([a-z, ]*)\) *(DAE_FOR_[A-Z]*(.*/\1/p; s/^#define \(fpclassify(x)\).*/\1/p' "$header" |
    sort >plain
[ "$(wc -l <never)" -ge 190 ] && [ "$(wc -l <plain)" -ge 20 ] ||
    wrong "headers: $(wc -l <never) and $(wc -l <plain) names found"
{ cat never; sed 's/(.*//' plain; } | sort -u >names
sed 's/.*/static real FN(use_&)(real x) { return (real)&(x); }/' never >calls
number=0
while read -r call; do
    number=$((number + 1))
    echo "static int FN(number_$number)(real x, real y, real n, int *exponent, int *quotient, double *whole)"
    echo "{ return (int)$call + (x == y) + (n == 0) + (exponent == quotient) + !whole; }"
done <plain >>calls
sed -n 's/^#define \([a-z0-9]*\)(.*) DAE_PICK[A-Z_]*(.*/\1/p' "$include/daelab/functions.h" >accepted

# Functions of <math.h>, with -std=c11; nan is a number.
functions() {
    echo '#include <math.h>' | "$1" -std=c11 -E -P - | tr '\n' ' ' | tr ';' '\n' |
        sed -n 's/^ *extern [a-z ]*[ *]\([a-z][a-z0-9]*\) *(.*/\1/p' | sort -u | grep -v -E '^nan[fl]?$'
}

how=-I                                  # or -isystem: headers of the system, as where daelab is installed
for c in "$compiler" gcc clang; do
    path=$(command -v "$c") && path=$(readlink -f "$path") || continue
    case "$tried" in *" $path "*) continue ;; esac
    tried="$tried $path "
    limit=$("$c" --version | grep -q clang && echo -ferror-limit=0 || echo -fmax-errors=0)
    fails() { ! "$c" -std=gnu11 -I. "$how" "$include" -fsyntax-only "$limit" "$@" model.c >said 2>&1; }

    model "$(cat calls)" ""
    for flags in -Wall '-w -O0' '-w -std=c11'; do
        # shellcheck disable=SC2086
        fails $flags || wrong "$c $flags: nothing of refused.h is refused"
        sed -n 's/.*[" ]\([a-z0-9_]*\) follows neither derivatives nor quad numbers: [a-z].*/\1/p
                s/.*[" ]\([a-z0-9_]*\) is for \(plain numbers\|integers\)[:,] .*/\1/p' said | sort -u >named
        comm -23 names named >missed
        [ ! -s missed ] || wrong "$c $flags: not refused: $(tr '\n' ' ' <missed)"
    done

    # of plain numbers, and outside the passes, they are what they were
    model 'static real FN(plain)(real x)
    { int e; double w; return frexp(value(x), &e) + modf(value(x), &w) + (double)lround(value(x)) + abs(-3)
      + isless(value(x), 2) + fpclassify(value(x)) + nextafter(value(x), 2.0) + ilogb(value(x)); }' \
          'double plain(double x); double plain(double x)
    { (void)plain_double, (void)plain_dual, (void)plain_quad, (void)plain_tangent;
      return lgamma(x) + (double)sinf((float)x) + (double)labs(3) + half(first(&x)); }
    #include <complex.h>
    double part(double _Complex z); double part(double _Complex z) { return creal(z) + cabs(z); }'
    fails -Wall -Wextra -Wconversion -Werror && wrong "$c: plain functions: $(cat said)"

    # what loses a derivative, or digits, one body at a time
    while read -r word body; do
        model "static real FN(f)(real x) { $body }" ""
        for how in -isystem -I; do
            for flags in -std=gnu11 '-std=c11 -pedantic -Wno-conversion -Wno-float-conversion'; do
                # shellcheck disable=SC2086
                if [ "$word" = compiles ]; then
                    fails $flags -Wno-unused-function && wrong "$c $flags: $body does not compile: $(cat said)"
                elif ! fails $flags || ! grep -q "error: .*$word" said; then
                    wrong "$c $how $flags: $body compiles, or is refused without the word $word: $(cat said)"
                fi
            done
        done
    done <<'BODIES'
compiles double y = value(x); return y * x;
compiles const real y = x; return sqrt(y) + 0.5 * half(3) + pow(x, 2) + 1 / x;
conversion double y = x; return y;
conversion int n = x; return n;
conversion float y = x; return y;
conversion double s = 0; s += x; return s;
conversion return half(x);
conversion return (lgamma)(x);
pointer const real y[] = {x}; return first(y);
declar return anything(x);
integers return pow(x, 1 / 3);
compiles const int n = 0; return pow(x, n) + pow(x, 1.0 / 3) + pow(x, 2) + pow(2, x) + pow(x, x - x) + pow(x, 0.0);
promotion return 0.1f * x;
invalid return x > 0 ? x : 0;
BODIES

    # types that take dual numbers for complex ones, before model.h and within it
    model '#include <tgmath.h>' ''
    fails && grep -q 'must not include <tgmath.h>' said || wrong "$c: <tgmath.h> in the equations: $(cat said)"
    model '' ''
    sed '1a #include <tgmath.h>' model.c >with && mv with model.c
    fails && grep -q 'must not include <tgmath.h>' said || wrong "$c: <tgmath.h> before model.h"

    # macros of the user
    model 'static real FN(f)(real x) { const real y0 = gamma * x, j1 = exp10(x); return y0 + j1; }' ''
    sed '1a #include <math.h>\n#define gamma 1.4\n#define exp10(x) pow(10.0, x)' model.c >with && mv with model.c
    fails -Wall -Werror -Wno-unused-function && wrong "$c: macros gamma and exp10: $(cat said)"

    functions "$c" >all
    [ "$(wc -l <all)" -ge 150 ] || wrong "$c: $(wc -l <all) functions in <math.h>"
    sort -u accepted names >settled
    comm -23 all settled >open
    [ ! -s open ] || wrong "$c: neither in functions.h nor in refused.h: $(tr '\n' ' ' <open)"
done
exit $status
