#!/bin/sh
# examples.sh SOURCE BUILD CMAKE COMPILER - the examples, built as a user would against an installed daelab, and run
#
# Expected values are those that each head names, or closed forms.
set -eu
source=$1
build=$2
cmake=$3
compiler=$4
. "$(dirname "$0")/scratch.sh"

"$cmake" --install "$build" --prefix "$work/prefix" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
cp -r "$source/examples" "$work/examples"
"$cmake" -S "$work/examples" -B "$work/build" -DCMAKE_C_COMPILER="$compiler" -DCMAKE_PREFIX_PATH="$work/prefix" \
    -DCMAKE_C_FLAGS="-Wall -Wextra -Wconversion -Wshadow -Werror" >"$work/log" 2>&1 &&
    "$cmake" --build "$work/build" >>"$work/log" 2>&1 || { cat "$work/log"; exit 1; }

# Run an example; what it says has to match, line by line, the patterns that follow.
says() {
    name=$1
    shift
    "$work/build/$name" >"$work/said" || { echo "$name ends with $?"; cat "$work/said"; exit 1; }
    for pattern; do
        grep -q -e "$pattern" "$work/said" || { echo "$name does not say $pattern:"; cat "$work/said"; exit 1; }
    done
}

says pendulum '^index2, radau, .* T(2) = 8.75119[67]' 'h = 0.001: .* T(2) = 7.54' 'h = 0.0001: .* T(2) = 7.54'
says events '^  1  t = 0.45152364[01] s  floor$' '  t = 1.35457092[23] s  floor: here they accumulate$' 'mode resting$'
says sparse_chain '^10000 unknowns, .* factorisations by KLU$' ' energy -\{0,1\}0[.]000[0-9] J$'
says own_method '^h = 0.0125 .* order \(2[.]9[5-9]\|3[.]0[0-5]\)$'
if [ ! -x "$work/build/mpi_study" ]; then
    echo "mpi_study is skipped: there is no MPI"
    exit 0
fi
says mpi_study '^angle 3.00 rad: .* 49.79[0-9] N, by energy  49.800 N$'
if command -v mpirun >/dev/null; then
    mpirun --allow-run-as-root --oversubscribe -n 2 "$work/build/mpi_study" >"$work/two"
    cmp "$work/said" "$work/two"
fi
