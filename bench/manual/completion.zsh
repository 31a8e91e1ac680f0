#compdef daelab
# zsh completion of daelab, written of the program's tables

# What a line holds besides options: problems and study files are among it.
_daelab_others() {
  print -rl -- ${(s:,:)${(Q)${words[2,CURRENT-1]:#-*}}}
}

# The parameters of the problems on the line; the parts of its study files.
_daelab_parameters() {
  local name
  for name in ${(f)"$(_daelab_others)"}; do
    $program info $~name 2>/dev/null | sed -n '/^parameters:/,/^[^ p]/s/^    \([^ ]*\) *= .*/\1/p'
  done
}
_daelab_parts() {
  local name
  for name in ${(f)"$(_daelab_others)"}; do
    [[ -f $~name ]] && sed -n 's/^\([^#]*[ {]\)*name: *\([^ ,}#]*\).*/\2/p' $~name
  done
}

# Values by a specification: those of daelab list are asked for, as files may add some. time: and L= go on.
_daelab_take() {
  local item files=
  local -a names given tail
  case $1 in
    @list) compset -P '*,' && given=(${(s:,:)IPREFIX##*=}) ;;
    @pair) compset -P '*:' || tail=(-S :) ;;
    @parameters) compset -P '*=' && return; tail=(-S =) ;;
  esac
  for item; do
    case $item in
      @list|@pair) ;;
      @files) files=1 ;;
      @parameters) names+=(${(f)"$(_daelab_parameters)"}) ;;
      @parts) names+=(${(f)"$(_daelab_parts)"}) ;;
      @*) names+=(${${(f)"$($program list ${item#@} --format csv 2>/dev/null)"}[2,-1]%%,*}) ;;
      all) (( $#given )) || names+=(all) ;;
      *) names+=($item) ;;
    esac
  done
  names=(${names:|given})
  (( $#names )) && compadd $tail -a names
  if [[ -n $files && ( $1 == @files || $PREFIX == */* ) ]]; then     # ./bead.c is a file, bead a name
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
