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

# Values for the word $1 by the specification $_daelab_spec: those of daelab list are asked for, as files may add some.
_daelab_take() {
    local current=$1 head='' item name words='' files=''
    if [[ $_daelab_spec == @list* ]]; then
        head=${current%"${current##*,}"}
        current=${current##*,}
    fi
    for item in $_daelab_spec; do
        case $item in
        @list) ;;
        @files) files=1 ;;
        @*) words+=" $("${COMP_WORDS[0]/#\~/$HOME}" list "${item#@}" --format csv 2>/dev/null | sed '1d; s/,.*//')" ;;
        all) [[ -n $head ]] || words+=' all' ;;
        *) words+=" $item" ;;
        esac
    done
    for name in $(compgen -W "$words" -- "$current"); do
        [[ ,$head == *,$name,* ]] || COMPREPLY+=("$head$name")
    done
    if [[ $files && ($_daelab_spec == @files || $current == */*) ]]; then     # ./bead.c is a file, bead a name
        compopt -o filenames 2>/dev/null
        while IFS= read -r name; do
            [[ -z $name ]] || COMPREPLY+=("$head$name")
        done <<<"$(compgen -f -- "$current")"
    fi
}

_daelab() {
    local _daelab_words _daelab_spec
    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
#: bash commands
        [[ $current != -* ]] || _daelab_words='--help --version'
        COMPREPLY=($(compgen -W "$_daelab_words" -- "$current"))
        return
    fi
    if [[ $current == = ]]; then                # --method=cros is three words here
        current=
    elif [[ $before == = ]]; then
        before=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    if _daelab_value "$command" "$before"; then
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
