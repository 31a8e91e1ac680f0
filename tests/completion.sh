#!/usr/bin/env bash
# completion.sh BUILD - completion in bash, as the shell calls it
#
# The files for zsh and fish are read by those, where they are. The words of a line are taken apart as bash does it:
# an = is a word of its own.
set -eu
build=$1
. "$(dirname "$0")/scratch.sh"
cd "$work"
export PATH="$build:$PATH"
unset DAELAB_PLUGINS
bash -n "$build/manual/completion.bash"
. "$build/manual/completion.bash"
[[ $(complete -p daelab) == *_daelab* ]]

fail() {
    echo "completion: $*" >&2
    exit 1
}

# answers to the words of a line, the last of which is to be completed, sorted, on one line
answers() {
    COMP_WORDS=("$@")
    COMP_CWORD=$(($# - 1))
    COMPREPLY=()
    _daelab
    printf '%s\n' "${COMPREPLY[@]}" | sort | paste -sd ' ' -
}

# ANSWERS WORD...
is() {
    local expected=$1 got
    shift
    got=$(answers "$@")
    [[ $got == "$expected" ]] || fail "$*: $got, not $expected"
}

has() {
    local expected=$1 got
    shift
    got=$(answers "$@")
    [[ " $got " == *" $expected "* ]] || fail "$*: $got, without $expected"
}

lacks() {
    local other=$1 got
    shift
    got=$(answers "$@")
    [[ " $got " != *" $other "* ]] || fail "$*: $got, with $other"
}

# NAMES BEGIN HEAD: the names of a list that begin so, behind a head, but for those in it
list() {
    daelab list "$1" --format csv | sed '1d; s/,.*//' | grep "^${2-}" | while read -r name; do
        [[ ,${3-} == *,$name,* ]] || echo "${3-}$name"
    done | sort | paste -sd ' ' -
}

# ---- commands, and the topics of help
is "converge" daelab conv
is "check compare converge" daelab c
is "--help --version" daelab --
[[ $(answers daelab "" | wc -w) -eq $(find "$build/manual" -name 'daelab-*.1' | wc -l) ]] || fail "not all commands"
is "orders" daelab help ord
has "converge" daelab help ""

# ---- options: those of the command
is "--max-events --max-step --method" daelab converge pendulum --m
has "--frames" daelab animate pendulum --
lacks "--frames" daelab converge pendulum --
has "-h" daelab list -

# ---- methods, also behind a comma, where those given are left out; both ways to write the option
all=$(list methods)
[[ $(wc -w <<<"$all") -ge 10 ]]
is "$all" daelab solve pendulum --method ""
is "$(list methods cros)" daelab solve pendulum --method cros
is "$(list methods rada)" daelab converge --method rada
has "ida,radau5" daelab converge pendulum --method ida,rada
is "$(list methods rada ida,)" daelab converge pendulum --method ida,rada
is "$(list methods rada radau,)" daelab converge pendulum --method radau,rada
lacks "cros,cros" daelab converge pendulum --method cros,cro
is "$(list methods cros)" daelab converge pendulum --method = cros
is "all $all" daelab converge pendulum --method =
is "$(list methods dop)" daelab bench pendulum --baseline dop
is "" daelab new trapeze --method x

# ---- other words
is "index1 index2 index3" daelab converge pendulum --form inde
is "ggl,index1 ggl,index2 ggl,index3" daelab converge pendulum --form ggl,inde
is "csv" daelab solve pendulum --format c
is "klu" daelab solve pendulum --linear k
is "position,invariant position,none position,velocity" daelab solve pendulum --project position,
is "" daelab solve pendulum --step ""
is "pendulum" daelab converge pendul
is "kepler,pendulum" daelab converge kepler,pendul
has "cros" daelab info cro
has "methods" daelab list me

# ---- parameters of the problems on the line, the parts of its study file, two quantities: = and : are words
parameters() {
    daelab info "$1" | awk '/^parameters:/ {seen = 1; next} /^[^ ]/ {seen = 0} seen {print $1 "="}' |
        sort | paste -sd ' ' -
}
[[ $(parameters pendulum) == *"L= "* ]]
is "$(parameters pendulum)" daelab solve pendulum --param ""
is "g0= g1=" daelab converge --method radau pendulum --step 0.1 --param g
is "g0= g1=" daelab converge pendulum --vary = g
is "$(parameters kepler)" daelab drift --vary "" kepler --vary ""
has "e=" daelab converge kepler,pendulum --vary ""
has "L=" daelab converge kepler,pendulum --vary ""
is "" daelab solve pendulum --param L =
is "" daelab solve pendulum --param L = 5
is "" daelab solve pendulum --param = L = 5
is "" daelab solve pendulum --param L=
is "" daelab solve --param ""
is "drift-acceleration: drift-position: drift-velocity:" daelab bench pendulum --axes drift
is "drift-acceleration drift-position drift-velocity" daelab bench pendulum --axes time : drift
is "drift-acceleration drift-position drift-velocity" daelab bench pendulum --axes = time : drift
is "time:mescd" daelab bench pendulum --axes time:mes
is "$(answers daelab bench pendulum --axes "" | tr -d :)" daelab bench pendulum --axes time :
cat >"two words.yaml" <<'END'
study: both            # name: none
parts:
  - name: orders
    kind: converge
  - {kind: drift, name: far, problem: pendulum}
END
is "far orders" daelab study "two words.yaml" --part ""
is "orders,far" daelab study "two words.yaml" --part orders,
is "" daelab study missing.yaml --part ""
mv "two words.yaml" study.yaml

# ---- files: everywhere behind --output, as problems and methods with a / only
mkdir folder
touch result.json bead.c "two words.csv" folder/more.c
is "result.json" daelab converge pendulum --output res
is "two words.csv" daelab converge pendulum --output two
is "folder/more.c" daelab solve folder/m
is "./bead.c" daelab solve ./b
is "" daelab solve bead
is "ida,./bead.c" daelab converge pendulum --method ida,./b
is "result.json" daelab report resu
is "" daelab new swi

# ---- what files add is asked for
daelab new trapeze --method >said
mkdir plugins
mv trapeze.c plugins
export DAELAB_PLUGINS=$work/plugins
is "trapeze" daelab solve pendulum --method trap
unset DAELAB_PLUGINS

# ---- each value is one that the program knows
for format in $(answers daelab solve pendulum --format ""); do
    daelab solve pendulum --samples 1 --format "$format" >said 2>&1 || fail "--format $format: $(cat said)"
done
for option in linear jacobian start error-test project; do
    for value in $(answers daelab solve pendulum "--$option" ""); do
        daelab solve pendulum --method radau --rtol 1e-4 --samples 1 "--$option" "$value" >said 2>&1 ||
            ! grep "there is no" said || fail "--$option $value is offered"
    done
done
for quantity in $(answers daelab bench pendulum --axes time :); do
    daelab bench pendulum --form index1 --method radau --rtol 1e-4 --runs 1 --axes "time:$quantity" >said 2>&1 ||
        ! grep "there is no --axes" said || fail "--axes time:$quantity: $(cat said)"
done
for format in $(answers daelab info pendulum --format ""); do
    daelab info pendulum --format "$format" >said 2>&1 || fail "info --format $format: $(cat said)"
done
for format in $(answers daelab report x --format ""); do
    ! daelab report nothing.json --format "$format" 2>said
    ! grep -q 'a report is' said || fail "report --format $format: $(cat said)"
done

# ---- other shells
for shell in zsh fish; do
    if command -v "$shell" >/dev/null; then
        "$shell" -n "$build/manual/completion.$shell" || fail "completion.$shell"
    fi
done
# LINE SHOULD: fish answers the whole last word
fish_is() {
    local got
    got=$(fish --no-config -c "source '$build/manual/completion.fish'; complete -C '$1'" | sed 's/\t.*//' |
        sort | paste -sd ' ' -)
    [[ $got == "$2" ]] || fail "fish, $1: $got, not $2"
}
if command -v fish >/dev/null; then
    export HOME=$work
    fish_is "daelab solve pendulum --method cros" "$(list methods cros)"
    fish_is "daelab converge --method radau pendulum --param " "$(parameters pendulum)"
    fish_is "daelab converge kepler --vary=k" "--vary=k="
    fish_is "daelab solve pendulum --param L=" ""
    fish_is "daelab bench pendulum --axes time:mes" "time:mescd"
    fish_is "daelab bench pendulum --axes mes" "mescd:"
    fish_is "daelab study study.yaml --part orders,f" "orders,far"
fi
