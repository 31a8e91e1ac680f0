#!/bin/sh
# readme.sh SOURCE COMPILER - do what the README says one can do, word for word
#
# In a copy of the tree: write its problem file, add its table line, build, and run converge on it.
# Then install the library and compile the README's own program against daelab::daelab.
set -eu
source=$1
compiler=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export DAELAB_CACHE="$work/cache"

# The fenced block of the README that begins behind the line <!-- NAME -->.
block() {
    awk -v mark="<!-- $1 -->" '$0 == mark {seen = 1; next}
        seen && /^```/ {if (inside) exit; inside = 1; next}
        inside {print}' "$source/README.md"
}

mkdir "$work/tree"
(cd "$source" && tar cf - CMakeLists.txt include src problems bench scripts) |
    (cd "$work/tree" && tar xf -)
block problem >"$work/tree/problems/bead.c"
block table >>"$work/tree/problems/table.def"
cmake -S "$work/tree" -B "$work/build" -DCMAKE_C_COMPILER="$compiler" -DDAELAB_TESTS=OFF \
    -DDAELAB_WERROR=ON -DCMAKE_INSTALL_PREFIX="$work/prefix" >"$work/log" 2>&1 &&
    cmake --build "$work/build" -j 2 >>"$work/log" 2>&1 || { cat "$work/log"; exit 1; }

"$work/build/daelab" list problems | grep -q '^bead '
"$work/build/daelab" info bead >/dev/null
"$work/build/daelab" converge bead --method cros --format json >"$work/bead.json"
verdicts=$(grep -o '"verdict": "[^"]*"' "$work/bead.json" | sort | uniq -c)
echo "$verdicts"
echo "$verdicts" | grep -q 'as declared'
if echo "$verdicts" | grep -v -q 'as declared'; then
    echo "the README's problem does not show the declared orders" >&2
    exit 1
fi

cmake --install "$work/build" >/dev/null
mkdir "$work/user"
block program >"$work/user/main.c"
block cmake >"$work/user/CMakeLists.txt"
cp "$work/tree/problems/bead.c" "$work/user/"
cmake -S "$work/user" -B "$work/user/build" -DCMAKE_C_COMPILER="$compiler" \
    -DCMAKE_PREFIX_PATH="$work/prefix" >"$work/log" 2>&1 &&
    cmake --build "$work/user/build" >>"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
"$work/user/build/bead" | tee "$work/said"
# x(2) = 0.490999641 in quad precision; CROS with h = 1e-3 leaves 1e-5
awk -F'[ =,]+' '/^x\(2\)/ {d = $2 - 0.490999641; near = d < 2e-5 && d > -2e-5}
                END {exit !near}' "$work/said"
