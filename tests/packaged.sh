#!/bin/sh
# packaged.sh SOURCE BUILD CMAKE C_COMPILER CXX_COMPILER - what docs/packaging.md says, of an installed daelab
#
# Moved elsewhere first. Programs outside the tree by find_package and by pkg-config, in C and in C++, shared and
# static; nothing holds a path of the source or the build; other versions are refused; a package of Debian, to which
# lintian, where it is, has nothing to say; uninstall.
set -eu
unset PYTHONDONTWRITEBYTECODE     # as users have it
source=$1
build=$2
cmake=$3
cc=$4
cxx=$5
. "$(dirname "$0")/scratch.sh"
unset DESTDIR

fail() {
    echo "packaged: $*" >&2
    exit 1
}

quietly() {
    "$@" >"$work/log" 2>&1 || { cat "$work/log"; fail "$*"; }
}

setting() {
    sed -n "s/^$1:[^=]*=//p" "$build/CMakeCache.txt"
}

# Run the lines of the block $1: of this build, this CMake and this prefix, with more words behind each.
run_block() {
    block "$1" | sed "s# build# $build#; s#PREFIX#$work/prefix#; s#^cmake#$cmake#; s#\$# ${2-}#" >lines.sh
    [ -s lines.sh ] || fail "docs/packaging.md has no $1"
    quietly sh -eu lines.sh
}

cd "$work"
run_block packaging-install
mv "$work/prefix" "$work/moved"
prefix=$work/moved

# ---- no path of this machine; a SUNDIALS that was built in the tree is one, which is kept on purpose
case "$(setting SUNDIALS_DIR)/" in
"$source"/* | "$build"/*) ;;
*)
    for path in "$source" "$build" "$work/prefix"; do
        grep -rlF "$path" "$prefix" >"$work/hold" || continue
        cat "$work/hold"
        fail "these files hold the path $path"
    done
    ;;
esac
for object in "$prefix"/bin/* "$prefix"/lib*/*.so "$prefix"/lib*/daelab/*.so; do
    ! readelf -d "$object" 2>/dev/null | grep -E 'R(UN)?PATH' || [ -n "$(setting SUNDIALS_ROOT)" ] ||
        fail "$object has a path for the loader"
done
! grep -rlE 'libklu|libsundials|lapack[.]so|blas[.]so' "$prefix"/lib*/cmake "$prefix"/lib*/*/cmake 2>/dev/null ||
    fail "the targets hold a path of a library"
# the library calls KLU itself, not by SUNDIALS
! grep -rlE 'sunlinsolklu|sunmatrixsparse' "$prefix"/lib* ||
    fail "what is installed asks for modules of SUNDIALS that it does not use"
for file in LICENSE CHANGELOG.md CITATION.cff; do
    cmp "$source/$file" "$prefix/share/doc/daelab/$file" || fail "share/doc/daelab lacks $file"
done

for python in python3 /usr/bin/python3; do
    if "$python" -c 'import yaml' 2>/dev/null; then
        "$python" "$source/tests/citation.py" "$source/CITATION.cff" || fail "CITATION.cff is none"
        sed 's/^message/messages/; s/^version:.*/version: [1]/' "$source/CITATION.cff" >wrong.cff
        ! "$python" "$source/tests/citation.py" wrong.cff 2>said || fail "a wrong CITATION.cff is taken"
        [ "$(wc -l <said)" -eq 3 ] || { cat said; fail "of three mistakes"; }
        break
    fi
done

# ---- one version everywhere
version=$("$prefix/bin/daelab" --version | sed -n '1s/^daelab //p')
minor=${version%.*}
echo "$version" | grep -Eq '^[0-9]+[.][0-9]+[.][0-9]+$' || fail "the first line of --version is no version"
grep -q "^version: $version\$" "$source/CITATION.cff" || fail "CITATION.cff is of another version than $version"
grep -q "^## $version - [0-9-]*\$" "$source/CHANGELOG.md" || fail "CHANGELOG.md says nothing of $version"
for word in SUNDIALS KLU BLAS compiler; do
    "$prefix/bin/daelab" --version | grep -q "^$word  *[^ ]" || fail "--version says nothing of $word"
done
library=$(find "$prefix" -name libdaelab.so)
case $version in
0.*) soname=libdaelab.so.$minor ;;
*) soname=libdaelab.so.${version%%.*} ;;
esac
[ "$(readlink "$library")" = "$soname" ] || fail "$library is not $soname"

# ---- programs outside
mkdir "$work/user"
cd "$work/user"
PATH="$prefix/bin:$PATH"
block packaging-new >new.sh
grep -q '^daelab new' new.sh
quietly sh -eu new.sh
block packaging-program >main.c
cp main.c main.cpp
daelab solve ./swing.c --t-end 1 --samples 1 --form index2 --method radau --rtol 1e-9 --format csv >said
expected=$(awk -F, '/^1,/ {printf "x(1) = %.5f", $2}' said)
[ -n "$expected" ] || { cat said; fail "no solution at 1"; }
libs=$(dirname "$library")

# PROGRAM says what daelab solve says by another method; $2: is the shared library loaded?
answers() {
    "$1" >said 2>&1 || { cat said; fail "$1 failed"; }
    [ "$(cat said)" = "$expected" ] || { cat said; fail "$1 does not say $expected, as daelab solve does"; }
    ldd "$1" >loads
    if [ "$2" = shared ]; then
        grep -q "libdaelab.*$prefix" loads || fail "$1 does not load the library that was moved"
    else
        ! grep -q libdaelab loads || fail "$1 loads the shared library"
    fi
    echo "$1: $(cat said)"
}

# A CMake project of the text $1 and the main program $2 in the folder $3
project() {
    mkdir "$3"
    cp "$2" swing.c "$3"
    block "$1" | sed "s/main[.]c/$2/" >"$3/CMakeLists.txt"
    grep -q "$2" "$3/CMakeLists.txt"
    folder=$3
    shift 3
    quietly "$cmake" -S "$folder" -B "$folder/build" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$cc" \
        -DCMAKE_CXX_COMPILER="$cxx" "$@"
    quietly "$cmake" --build "$folder/build"
}

for main in main.c main.cpp; do
    # without a way to find what the library itself links
    project packaging-shared "$main" "shared-$main" -DCMAKE_DISABLE_FIND_PACKAGE_SUNDIALS=ON \
        -DCMAKE_DISABLE_FIND_PACKAGE_LAPACK=ON -DCMAKE_DISABLE_FIND_PACKAGE_OpenMP=ON
    answers "shared-$main/build/swing" shared
    project packaging-static "$main" "static-$main"
    answers "static-$main/build/swing" static
done

# without them the static library is refused, and says why
mkdir refused
block packaging-static >refused/CMakeLists.txt
if "$cmake" -S refused -B refused/build -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$cc" \
    -DCMAKE_CXX_COMPILER="$cxx" -DCMAKE_DISABLE_FIND_PACKAGE_SUNDIALS=ON >said 2>&1; then
    fail "a static library without SUNDIALS is found"
fi
grep -q SUNDIALS said || { cat said; fail "SUNDIALS is not named"; }

# other versions
for asked in 0.0 "${version%%.*}.$((${minor#*.} + 1))" 9; do
    mkdir "version-$asked"
    block packaging-shared | sed "s/daelab 0[.]1/daelab $asked/" >"version-$asked/CMakeLists.txt"
    if "$cmake" -S "version-$asked" -B "version-$asked/build" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$cc" \
        -DCMAKE_CXX_COMPILER="$cxx" >said 2>&1; then
        fail "find_package(daelab $asked) finds $version"
    fi
    tr -d '\n' <said | tr -s ' ' | grep -q "requested version \"$asked\"" ||
        { cat said; fail "refused for another reason"; }
done

if command -v pkg-config >/dev/null; then
    PKG_CONFIG_PATH=$libs/pkgconfig
    LD_LIBRARY_PATH=$libs
    export PKG_CONFIG_PATH LD_LIBRARY_PATH
    [ "$(pkg-config --modversion daelab)" = "$version" ] || fail "pkg-config says another version"
    # Requires.private, which pkg-config looks up for users of the shared library, too, stays empty
    [ -z "$(pkg-config --print-requires-private daelab)" ] || fail "daelab.pc requires files of others"
    block packaging-pkg-config | sed "s#^cc#$cc#" >link.sh
    [ "$(grep -c "^$cc" link.sh)" -eq 2 ]
    quietly sh -eu link.sh
    answers ./shared shared
    answers ./static static
    quietly "$cc" -I. -c swing.c $(pkg-config --cflags daelab)
    sed "s#^$cc#$cxx#; s/main[.]c swing[.]c/main.cpp swing.o/" link.sh >link++.sh
    [ "$(grep -c 'main[.]cpp swing[.]o' link++.sh)" -eq 2 ]
    quietly sh -eu link++.sh
    answers ./shared shared
    answers ./static static
    unset LD_LIBRARY_PATH
fi

# ---- a package of Debian: what it depends on was looked up
if command -v dpkg-shlibdeps >/dev/null && command -v cpack >/dev/null; then
    # no test is built for it; here nothing is, while other tests run
    grep -q 'CPACK_INSTALL_COMMANDS.*--target daelab_installed' "$build/CPackConfig.cmake" &&
        grep -q 'CPACK_CMAKE_GENERATOR "Ninja"' "$build/CPackConfig.cmake" || fail "cpack builds all"
    run_block packaging-cpack "-B $work/packs -D CPACK_INSTALL_COMMANDS=true"
    deb=$(ls "$work"/packs/daelab_"$version"_*.deb)
    dpkg-deb -f "$deb" Depends >said
    grep libjansson said | grep libcminpack | grep -q libsqlite3 ||
        { cat said; fail "it does not depend on what the program loads"; }
    # but by a SUNDIALS 7 that was built with it, as Debian's is
    ! grep -q mpi said || ldd $(ldd "$prefix/bin/daelab" | awk '/libsundials_core/ {print $3}') | grep -q libmpi ||
        { cat said; fail "the package depends on MPI"; }
    dpkg-deb -x "$deb" unpacked
    for file in bin/daelab share/man/man1/daelab-converge.1.gz share/bash-completion/completions/daelab \
        share/doc/daelab/copyright share/doc/daelab/changelog.gz lib/python3/dist-packages/daelab/solving.py; do
        [ -f "unpacked/usr/$file" ] || fail "the package lacks $file"
    done
    grep -q '^ THIS SOFTWARE IS PROVIDED' unpacked/usr/share/doc/daelab/copyright || fail "no licence in copyright"
    for python in python3 /usr/bin/python3; do
        if "$python" -c 'import numpy' 2>/dev/null; then
            PYTHONPATH=$work/user/unpacked/usr/lib/python3/dist-packages PYTHONDONTWRITEBYTECODE=1 "$python" -c \
                "import daelab; print(daelab.library_path(), daelab.solve('pendulum').code)" >said 2>&1 || cat said
            grep -q "$work/user/unpacked/usr/lib.*DAE_OK" said || { cat said; fail "Python finds no daelab in it"; }
            break
        fi
    done
    if command -v lintian >/dev/null; then
        for one in "$work"/packs/*.deb; do
            lintian --fail-on error,warning "$one" >said 2>&1 || { cat said; fail "lintian on $one"; }
        done
    else
        echo "packaged: no lintian: nobody has looked for faults in the packages"
    fi
    tar tzf "$work"/packs/daelab-"$version"-*.tar.gz >said
    grep -q '/bin/daelab$' said || { cat said; fail "the archive lacks the program"; }
fi

# ---- uninstall: nothing is left, nor what Python put beside its modules
mv "$prefix" "$work/prefix"
! command -v python3 >/dev/null || python3 -m compileall -q "$work/prefix"/share/daelab
run_block packaging-uninstall
[ -z "$(find "$work/prefix" -type f -o -type l)" ] || { find "$work/prefix" -type f; fail "uninstall leaves files"; }
[ ! -e "$work/prefix" ] || { find "$work/prefix"; fail "uninstall leaves folders that the installation made"; }
