#compdef daelab
# zsh completion of daelab, written of the program's tables

# Values by a specification: those of daelab list are asked for, as files may add some.
_daelab_take() {
  local item files=
  local -a names given
  if [[ $1 == @list ]]; then
    compset -P '*,' && given=(${(s:,:)IPREFIX##*=})
    shift
  fi
  for item; do
    case $item in
      @files) files=1 ;;
      @*) names+=(${${(f)"$($program list ${item#@} --format csv 2>/dev/null)"}[2,-1]%%,*}) ;;
      all) (( $#given )) || names+=(all) ;;
      *) names+=($item) ;;
    esac
  done
  names=(${names:|given})
  (( $#names )) && compadd -a names
  if [[ -n $files && ( $# -eq 1 || $PREFIX == */* ) ]]; then     # ./bead.c is a file, bead a name
    _files
  fi
}

_daelab() {
  local program=${(Q)words[1]}
  local -a commands
  commands=(
#: zsh commands
  )
  if (( CURRENT == 2 )); then
    if [[ $PREFIX == -* ]]; then
      compadd -- --help --version
    else
      _describe command commands
    fi
    return
  fi
  shift words
  (( CURRENT-- ))
  case $words[1] in
#: zsh arguments
  esac
}

_daelab "$@"
