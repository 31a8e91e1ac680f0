#!/bin/sh
# uninstalled.sh SOURCE CMAKE - scripts/uninstall.cmake takes what its list has, and nothing where there is no list or
# it is empty; names may hold blanks
set -eu
source=$1
cmake=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "uninstalled: $*" >&2; exit 1; }
take() { "$cmake" -DMANIFEST="$work/installed.txt" -P "$source/scripts/uninstall.cmake" >"$work/said" 2>&1; }

mkdir -p "$work/a b/share/daelab/derive/__pycache__" "$work/a b/bin"
for file in bin/daelab bin/other share/daelab/derive/one.py share/daelab/derive/__pycache__/one.cpython-3.pyc; do
    echo . >"$work/a b/$file"
done

! take || fail "a list that there is not is no mistake"
grep -q "nothing was installed" "$work/said" || fail "it is not said that there is no list: $(cat "$work/said")"
: >"$work/installed.txt"
! take || fail "an empty list is no mistake"
grep -q "lists no file" "$work/said" || fail "it is not said that the list is empty: $(cat "$work/said")"
[ "$(find "$work/a b" -type f | wc -l)" -eq 4 ] || fail "an empty list removes files"

for file in bin/daelab share/daelab/derive/one.py share/gone; do echo "$work/a b/$file"; done >"$work/installed.txt"
take || fail "$(cat "$work/said")"
[ "$(find "$work/a b" -type f)" = "$work/a b/bin/other" ] ||
    { find "$work/a b"; fail "other files are left, or too few"; }
[ ! -e "$work/a b/share/daelab" ] || fail "a folder of daelab's is left"
[ -d "$work/a b/share" ] || fail "a folder of others is removed"
[ ! -e "$work/installed.txt" ] || fail "the list is left"

# Folders that the installation made go, where nobody has put anything into them.
mkdir -p "$work/p/bin" "$work/p/lib/cmake" "$work/p/share"
echo . >"$work/p/bin/daelab"
echo . >"$work/p/lib/one.py"                # which Python has not compiled
echo . >"$work/p/share/other"
printf '%s\n' "$work/p/bin/daelab" "$work/p/lib/one.py" >"$work/installed.txt"
printf '%s\n' "$work/p" "$work/p/lib" "$work/p/bin" "$work/p/lib/cmake" "$work/p/share" >"$work/folders.txt"
"$cmake" -DMANIFEST="$work/installed.txt" -DFOLDERS="$work/folders.txt" -P "$source/scripts/uninstall.cmake" \
    >"$work/said" 2>&1 || fail "$(cat "$work/said")"
[ "$(find "$work/p" | sort)" = "$(printf '%s\n' "$work/p" "$work/p/share" "$work/p/share/other")" ] ||
    { find "$work/p"; fail "other folders are left"; }
