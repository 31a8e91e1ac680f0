#!/bin/sh
# valgrind.sh VALGRIND DAELAB - the studies of the command line leak nothing and read nothing unset
#
# Short runs: longer ones come to the same lines again. Folders of results have all files but what Python makes, which
# is asked for all the same.
set -eu
valgrind=$1
daelab=$2
. "$(dirname "$0")/scratch.sh"
export DAELAB_PYTHON=/nowhere
cd "$work"

check() {
    status=0
    $valgrind -q --leak-check=full --show-leak-kinds=definite,indirect,possible \
        --errors-for-leak-kinds=definite,indirect,possible --error-exitcode=99 \
        "$daelab" "$@" >/dev/null 2>"$work/err" || status=$?
    if [ "$status" -gt 1 ]; then
        echo "valgrind: daelab $*: exit status $status" >&2
        cat "$work/err" >&2
        exit 1
    fi
    echo "clean: daelab $*"
}

check solve pendulum --t-end 0.1 --form index3 --method cros --step 0.005 --start as-given --output solve/
check solve pendulum --t-end 0.1 --form index2 --method ida --linear klu --format csv --output solve.csv
check converge pendulum --t-end 0.02 --step 0.01 --form index1,ode --method cros,ida,rk4 --levels 2 --output converge/
check converge linear_dae --t-end 0.1 --linear klu --levels 2 --format json --output converge.json
check drift pendulum --t-end 0.02 --form all --method cros --step 0.01 --output drift/
check drift pendulum --t-end 0.02 --form ode --method excros,rk4,dopri5,rodas4,radau,auto,cvode,erk --step 0.01 \
    --format md --output drift.md
check list --json
check info pendulum
check solve pendulum --param x0=0 --param y0=0
check solve string_pendulum --form ode --method radau5 --stop theta=4 --output modes/
check solve box --method ida --rtol 1e-4 --max-events 5 --format json
check info box
