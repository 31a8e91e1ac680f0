#compdef daelab
# zsh completion of daelab: the program says what may stand in place of the last word
_daelab() {
  local reply word about files=
  local -a names
  for reply in ${(f)"$(${~${(Q)words[1]}} --complete "${(@Q)words[2,CURRENT]}" 2>/dev/null)"}; do
    word=${reply%%$'\t'*}
    about=${${reply#$word}#$'\t'}
    case $word in
      @files) files=1; compset -P "${(b)about}" ;;
      *[=:]) compadd -S '' -- $word ;;
      *) names+=("${word//:/\\:}${about:+:$about}") ;;
    esac
  done
  (( $#names )) && _describe value names
  [[ -z $files ]] || _files
}

_daelab "$@"
