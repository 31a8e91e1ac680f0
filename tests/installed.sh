#!/bin/sh
# installed.sh SOURCE BUILD CMAKE - an installed daelab, moved elsewhere, takes the README's bead as a lone file
#
# In an empty folder, by the README's own commands; the README's method beside methods of the tables; and a model
# in words, where there is what derives it.
set -eu
unset PYTHONDONTWRITEBYTECODE     # as users have it
source=$1
build=$2
cmake=$3
. "$(dirname "$0")/scratch.sh"
. "$(dirname "$0")/verdicts.sh"

# Are the verdicts in said all "agrees", and so many at least?
only_agrees() {
    all_agree said "$1" || { echo "other verdicts, or too few" >&2; exit 1; }
}

"$cmake" --install "$build" --prefix "$work/prefix" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
mv "$work/prefix" "$work/moved"
mkdir "$work/empty"
cd "$work/empty"
PATH="$work/moved/bin:$PATH"
block problem >bead.c
block commands >commands
[ "$(grep -c '^daelab .*bead[.]c' commands)" -ge 3 ]
[ "$(command -v daelab)" = "$work/moved/bin/daelab" ]

daelab info ./bead.c >said
grep -q '^problem: bead$' said
printf '#!/bin/sh\necho "$@" >>"%s/calls"\nexec cc "$@"\n' "$work" >"$work/mycc"
chmod +x "$work/mycc"
CC=$work/mycc daelab info ./bead.c >said
grep -q -e "-I$work/moved/.*include" "$work/calls" || { echo "not compiled with the installed headers" >&2; exit 1; }

while read -r line; do
    echo "$line"
    sh -eu -c "$line" >said || { cat said; exit 1; }
    grep -q bead said || { echo "nothing is said of the bead" >&2; exit 1; }
done <commands
if /usr/bin/python3 -c "import matplotlib, pandas" 2>/dev/null; then
    grep -q '<svg' bead.svg
fi
daelab converge ./bead.c --method cros --format json >said
only_agrees 20

block method >ralston.c
daelab converge pendulum --form index1 --method ./ralston.c,heun --format json >said
only_agrees 6
daelab drift ./bead.c --form index1 --method ./ralston.c,dopri5 --rtol 1e-5 | grep -q ralston
daelab bench ./bead.c --form index1 --method ./ralston.c,dopri5 --levels 1 | grep -q ralston

# a model in words, by what was installed: that is changed, and derives it again
package=$work/moved/share/daelab/derive
daelab new hang --words >said
if daelab derive hang.yaml --output hang.c 2>said; then
    # changed, it needs Python; unchanged it does not
    is_kept() { DAELAB_PYTHON=/nowhere daelab info ./hang.yaml >said 2>&1; }
    daelab check ./hang.yaml >said
    is_kept
    [ ! -e "$package/__pycache__" ]
    echo >>"$package/base/fault.py"
    ! is_kept
    daelab info ./hang.yaml | grep -q '^file: ./hang.yaml$'
    is_kept
    mkdir "$package/more" "$package/__pycache__"
    echo >"$package/more/more.py"
    echo >"$package/__pycache__/more.py"
    ! is_kept
    daelab info ./hang.yaml >said
    echo >>"$package/__pycache__/more.py"
    echo >>"$package/more/more.txt"
    is_kept
    rm "$package/base/fault.py"
    ! daelab info ./hang.yaml 2>said
    grep -q 'derive' said
else
    grep -e ' has no ' -e 'is not installed' said || { cat said; exit 1; }
fi

# the Python module beside them, by its folder alone: library, problems and program are those of the same place
for python in python3 /usr/bin/python3; do
    if command -v "$python" >/dev/null && "$python" -c 'import numpy' 2>said; then
        PYTHONPATH=$work/moved/share/daelab/python PATH=/usr/bin:/bin PYTHONDONTWRITEBYTECODE=1 \
            "$(command -v "$python")" -c '
import daelab
print(daelab.library_path(), daelab.program_path(), len(daelab.problems), daelab.solve("pendulum").code)' >said
        grep -q "^$work/moved/.*libdaelab[^ ]* $work/moved/bin/daelab [1-9][0-9] DAE_OK$" said || { cat said; exit 1; }
        break
    fi
done
