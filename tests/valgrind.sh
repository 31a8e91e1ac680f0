#!/bin/sh
# valgrind.sh VALGRIND DAELAB - the studies of the command line leak nothing and read nothing unset
set -eu
valgrind=$1
daelab=$2
. "$(dirname "$0")/scratch.sh"
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

check solve pendulum --form index3 --method cros --step 0.005 --start as-given --plot solve.svg
check solve pendulum --form index2 --method ida --linear klu --format csv --output solve.csv
check converge pendulum --form all --method cros,ida,rk4 --levels 3 --plot converge.svg
check converge linear_dae --linear klu --format json --output converge.json
check drift pendulum --form all --method all --step 0.01 --format md --plot drift.svg
check list --json
check info pendulum
check solve pendulum --param x0=0 --param y0=0
check solve string_pendulum --form ode --method radau5 --stop theta=4 --plot modes.svg
check solve box --method ida --rtol 1e-6 --max-events 30 --format json
check info box
