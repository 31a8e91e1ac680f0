#!/usr/bin/env bash
# completion.sh BUILD - completion in bash, as the shell calls it
#
# The files for zsh and fish are read by those, where they are. The words of a line are taken apart as bash does it:
# an = is a word of its own.
set -eu
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export PATH="$build:$PATH" DAELAB_CACHE="$work/cache"
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
