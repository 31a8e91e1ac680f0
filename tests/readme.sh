#!/bin/sh
# readme.sh SOURCE BUILD COMPILER SUNDIALS_DIR - do what the README and the pages of docs say one can do, word for word
#
# The marked blocks, each as a whole; docs.py tries the commands of every page.
#
# In a copy of the tree: write its problem files and its method, add their table lines, build what is not the same as in
# BUILD, run converge on the one and the other, and solve on the problem that switches. Do with its model in words what
# it says, where there is SymPy.
# Then install the library and compile the README's own program against daelab::daelab. The SUNDIALS is
# found through a folder of the tree, as scripts/sundials makes one: what is installed keeps it.
set -eu
source=$1
build=$2
compiler=$3
sundials=$4
. "$(dirname "$0")/scratch.sh"
. "$(dirname "$0")/verdicts.sh"

# $root with links to the SUNDIALS of $sundials, the folder LIB/cmake/sundials of $prefix
mirror() {
    libraries=${sundials%/cmake/sundials}
    prefix=${libraries%/*}
    while [ ! -d "$prefix/include/sundials" ]; do
        prefix=${prefix%/*}
    done
    mkdir -p "$root/include" "$root${libraries#"$prefix"}/cmake"
    cp -r "$sundials" "$root${libraries#"$prefix"}/cmake"
    ln -s "$libraries"/libsundials_* "$root${libraries#"$prefix"}"
    ln -s "$prefix/include/ida" "$prefix/include/cvode" "$prefix/include/arkode" "$prefix/include/kinsol" \
        "$prefix/include/nvector" \
        "$prefix"/include/sun* "$root/include"
}

# Does a program or a library load SUNDIALS from $root? What a library of another folder than the
# system's loads, that library may say itself.
keeps_sundials() {
    ldd "$1" | awk '/libsundials/ {print $3}' >"$work/loaded"
    grep -q "^$root/" "$work/loaded" || { echo "$1 loads no SUNDIALS of $root"; return 1; }
    own=$prefix
    [ "$prefix" != /usr ] || own=$root
    ! grep -v -e "^$root/" -e "^$own/" "$work/loaded" || { echo "is what $1 loads"; return 1; }
}

mkdir "$work/tree"
(cd "$source" && tar cf - CMakeLists.txt CHANGELOG.md CITATION.cff LICENSE cmake include src problems bench tools \
    derive python scripts templates) |
    (cd "$work/tree" && tar xf -)
block problem >"$work/tree/problems/bead.c"
block table >>"$work/tree/problems/table.def"
root=$work/tree/build/sundials
mirror
block switching >"$work/tree/problems/drop.c"
echo 'DAE_PROBLEM(dae_drop)' >>"$work/tree/problems/table.def"
block method >"$work/tree/src/methods/ralston.c"
echo 'METHOD(dae_ralston)' >>"$work/tree/src/methods/table.def"
cmake -S "$work/tree" -B "$work/build" -DCMAKE_C_COMPILER="$compiler" -DDAELAB_TESTS=OFF \
    -DSUNDIALS_ROOT=build/sundials -DDAELAB_WERROR=ON -DCMAKE_INSTALL_PREFIX="$work/prefix" >"$work/log" 2>&1 ||
    { cat "$work/log"; exit 1; }
# An object that is newer than its source is up to date; those of sources that read a table are compiled.
(cd "$build" && find CMakeFiles -path '*/daelab_*.dir/*.c.o' | tar cf - -T -) | (cd "$work/build" && tar xmf -)
(cd "$work/tree" && grep -rlE 'table[.]def|problems[.]h' --include='*.c' .) | while read -r file; do
    find "$work/build/CMakeFiles" -path "*/${file#./}.o" -delete
done
cmake --build "$work/build" -j 2 >>"$work/log" 2>&1 || { cat "$work/log"; exit 1; }

"$work/build/daelab" list problems | grep -q '^bead '
"$work/build/daelab" info bead >/dev/null
"$work/build/daelab" converge bead --method cros --format json >"$work/bead.json"
if ! all_agree "$work/bead.json" 1; then
    echo "the README's problem does not show the declared orders" >&2
    exit 1
fi

"$work/build/daelab" converge pendulum --form index1 --method ralston --format json >"$work/ralston.json"
if ! all_agree "$work/ralston.json" 1; then
    echo "the README's method does not show the declared orders" >&2
    exit 1
fi

block study >"$work/projection.yaml"
"$work/build/daelab" study "$work/projection.yaml" --quiet --output "$work/results/" >/dev/null
for name in runs.csv orders.csv drift.csv study.json study.yaml report.html study.db; do
    [ -s "$work/results/$name" ] || { echo "the README's study leaves no $name" >&2; exit 1; }
done

block tableau >"$work/bs32.c"
"$work/build/daelab" converge pendulum --form index1,ode --method "$work/bs32.c,rk4" --format json >"$work/bs32.json"
if ! all_agree "$work/bs32.json" 1; then
    echo "the README's coefficients do not show the declared orders" >&2
    exit 1
fi

# it leaves the dome at phi = acos(2/3 + v0^2/(3 g R)) = 0.835355602550, and comes to the ground at 2.25305291
block words >"$work/dome.yaml"
block "words commands" >"$work/dome.sh"
without=0
"$work/tree/scripts/derive" "$work/dome.yaml" >/dev/null || without=$?
if [ "$without" -eq 3 ]; then
    echo "the model in words is skipped"
else
    (cd "$work" && PATH="$work/build:$PATH" sh -eux ./dome.sh) >"$work/said" 2>&1 || { cat "$work/said"; exit 1; }
    grep -q '^N &= m g .*cos.*varphi - m R .*varphi' "$work/said"
    grep -q 'nothing was found' "$work/said"
    grep -q '^ *1 .* falls .*slides -> falls .* 0.835356 ' "$work/said"
    grep -q 'ground at t = 1.5410288[0-9]* s: distance 2.25305[0-9]* m' "$work/said"
    [ -s "$work/dome.c" ] && [ -s "$work/dome.png" ]
fi

# impacts accumulate at sqrt(2/9.81) (1 + e)/(1 - e) = 1.354570922957 s
"$work/build/daelab" info drop >/dev/null
for method in radau ida; do
    "$work/build/daelab" solve drop --method "$method" --rtol 1e-9 | tee "$work/said"
    grep -q 'events accumulate at t = 1.354570.* s: .* in mode resting' "$work/said"
    grep -q '^ *3  resting .* 9.81 *9.81$' "$work/said"
done

cmake --install "$work/build" >/dev/null
keeps_sundials "$work/prefix/bin/daelab"
keeps_sundials "$(find "$work/prefix" -name libdaelab.so)"
mkdir "$work/user"
block cmake >"$work/user/CMakeLists.txt"
cp "$work/tree/problems/bead.c" "$work/user/"
for name in "program" "stepwise program" "sensitivities program"; do
    block "$name" >"$work/user/main.c"
    cmake -S "$work/user" -B "$work/user/build" -DCMAKE_C_COMPILER="$compiler" \
        -DCMAKE_PREFIX_PATH="$work/prefix" >"$work/log" 2>&1 &&
        cmake --build "$work/user/build" >>"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
    keeps_sundials "$work/user/build/bead"
    "$work/user/build/bead" | tee "$work/said"
    # x(2) = 0.490999641 in quad precision; CROS with h = 1e-3 leaves 1e-5
    awk -F'[ =,]+' '/^x\(2\)/ {d = $2 - 0.490999641; near = d < 2e-5 && d > -2e-5}
                    END {exit !near}' "$work/said"
done
