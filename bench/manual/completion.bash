# bash completion of daelab, written of the program's tables

# the options of a command
_daelab_options() {
    _daelab_words=
    case $1 in
#: bash options
    esac
}

# what stands behind an option of a command; false where the option takes nothing, or there is none
_daelab_value() {
    case "$1 $2" in
#: bash values
    *) return 1 ;;
    esac
}

# what a command takes besides options
_daelab_names() {
    _daelab_spec=
    case $1 in
#: bash names
    esac
}

# what a line holds besides options, one a line: problems and study files are among it
_daelab_others() {
    local word
    for word in "${COMP_WORDS[@]:2:COMP_CWORD - 2}"; do
        [[ $word == -* ]] || tr , '\n' <<<"${word/#\~/$HOME}"
    done
}

# the parameters of the problems on the line; the parts of its study files
_daelab_parameters() {
    _daelab_others | while IFS= read -r name; do
        "$program" info "$name" 2>/dev/null | sed -n '/^parameters:/,/^[^ p]/s/^    \([^ ]*\) *= .*/\1/p'
    done
}
_daelab_parts() {
    _daelab_others | while IFS= read -r name; do
        [[ ! -f $name ]] || sed -n 's/^\([^#]*[ {]\)*name: *\([^ ,}#]*\).*/\2/p' "$name"
    done
}

# Values for the word $1 by the specification $_daelab_spec: those of daelab list are asked for, as files may add some.
# $_daelab_second: the word stands behind L= or time:
_daelab_take() {
    local current=$1 head='' tail='' item name words='' files='' program=${COMP_WORDS[0]/#\~/$HOME}
    case $_daelab_spec in
    @list*)
        head=${current%"${current##*,}"}
        current=${current##*,}
        ;;
    @pair* | @parameters*)
        if [[ $current == *[=:]* ]]; then
            head=${current%"${current##*[=:]}"}
            current=${current##*[=:]}
        fi
        if [[ ! $head && ! $_daelab_second ]]; then
            [[ $_daelab_spec == @pair* ]] && tail=: || tail==
            compopt -o nospace 2>/dev/null
        fi
        ;;
    esac
    for item in $_daelab_spec; do
        case $item in
        @list | @pair) ;;
        @files) files=1 ;;
        @parameters) [[ ! $tail ]] || words+=" $(_daelab_parameters)" ;;
        @parts) words+=" $(_daelab_parts)" ;;
        @*) words+=" $("$program" list "${item#@}" --format csv 2>/dev/null | sed '1d; s/,.*//')" ;;
        all) [[ -n $head ]] || words+=' all' ;;
        *) words+=" $item" ;;
        esac
    done
    for name in $(compgen -W "$words" -- "$current"); do
        [[ ,$head == *,$name,* ]] || COMPREPLY+=("$head$name$tail")
    done
    if [[ $files && ($_daelab_spec == @files || $current == */*) ]]; then     # ./bead.c is a file, bead a name
        compopt -o filenames 2>/dev/null
        while IFS= read -r name; do
            [[ -z $name ]] || COMPREPLY+=("$head$name")
        done <<<"$(compgen -f -- "$current")"
    fi
}

# The option that the last word belongs to, and $current: --method=cros, L=5 and time:rhs are three words here.
_daelab_option() {
    local at=$COMP_CWORD
    current=${COMP_WORDS[at]}
    if [[ $current == [=:] ]]; then
        current=
    elif [[ ${COMP_WORDS[at - 1]} == [=:] ]]; then
        ((at--))
    else
        option=${COMP_WORDS[at - 1]}
        return
    fi
    option=${COMP_WORDS[at - 1]}
    [[ $option != -* ]] || return
    _daelab_second=1
    option=${COMP_WORDS[at - 2]}
    [[ $option != = ]] || option=${COMP_WORDS[at - 3]}
}

_daelab() {
    local _daelab_words _daelab_spec _daelab_second='' current option command=${COMP_WORDS[1]}
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
#: bash commands
        current=${COMP_WORDS[1]}
        [[ $current != -* ]] || _daelab_words='--help --version'
        COMPREPLY=($(compgen -W "$_daelab_words" -- "$current"))
        return
    fi
    _daelab_option
    if _daelab_value "$command" "$option"; then
        _daelab_take "$current"
    elif [[ $current == -* ]]; then
        _daelab_options "$command"
        COMPREPLY=($(compgen -W "$_daelab_words" -- "$current"))
    else
        _daelab_names "$command"
        _daelab_take "$current"
    fi
}

complete -F _daelab daelab
