# bash completion of daelab: the program says what may stand in place of the last word
_daelab() {
    local word about reply head joined='' current=${COMP_WORDS[COMP_CWORD]}
    local -a words=()
    # --method=cros, L=5 and time:rhs are three words here
    for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
        if [[ ${#words[@]} -gt 0 && ($joined || $word == [=:]) ]]; then
            words[-1]+=$word
        else
            words+=("$word")
        fi
        [[ $word == [=:] ]] && joined=1 || joined=''
    done
    [[ $current != [=:] ]] || current=''
    head=${words[-1]%"$current"}
    COMPREPLY=()
    while IFS= read -r reply; do
        word=${reply%%$'\t'*}
        about=${reply#*$'\t'}
        if [[ $word == @files ]]; then
            compopt -o filenames 2>/dev/null
            while IFS= read -r word; do
                word=$about$word
                [[ $word == "$about" ]] || COMPREPLY+=("${word#"$head"}")
            done <<<"$(compgen -f -- "${words[-1]#"$about"}")"
        else
            [[ $word != *[=:] ]] || compopt -o nospace 2>/dev/null
            COMPREPLY+=("${word#"$head"}")
        fi
    done < <("${COMP_WORDS[0]/#\~/$HOME}" --complete "${words[@]/#\~/$HOME}" 2>/dev/null)
}

complete -F _daelab daelab
