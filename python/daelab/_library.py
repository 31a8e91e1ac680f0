"""Finding libdaelab, its problems and its program; checking that they belong together."""
from __future__ import annotations

import ctypes
import ctypes.util
import os
import shutil
import subprocess
from pathlib import Path
from typing import Iterator, List, Mapping, Optional, Sequence, Tuple

from . import _abi
from .errors import DaelabError

_HERE = Path(__file__).resolve().parent
_NAMES = ("libdaelab.so.0.1", "libdaelab.so", "libdaelab.dylib")


def _build_trees() -> Iterator[Path]:
    """Folders of builds, where this package lies in the source: $DAELAB_BUILD, then build/."""
    if os.environ.get("DAELAB_BUILD"):
        yield Path(os.environ["DAELAB_BUILD"])
    root = _HERE.parent.parent
    if (root / "include" / "daelab" / "daelab.h").exists():
        yield root / "build"


def _libraries(prefix: Path) -> Iterator[Path]:
    yield from (prefix / "lib", prefix / "lib64", *sorted((prefix / "lib").glob("*-linux-*")))


def _installed() -> Iterator[Path]:
    """Folders of libraries: of an installation that has this package in share/daelab/python, then those beside the
    program in PATH."""
    share = _HERE.parents[2]
    if _HERE.parents[1].name == "daelab" and share.name == "share":
        yield from _libraries(share.parent)
    program = shutil.which("daelab")
    if program:
        folder = Path(program).resolve().parent
        yield folder                    # of a build
        yield from _libraries(folder.parent)


def _candidates() -> Iterator[str]:
    """Paths of the library, the first that exists is taken."""
    given = os.environ.get("DAELAB_LIBRARY")
    if given:                           # what was asked for, or nothing
        path = Path(given)
        yield str(next((path / name for name in _NAMES if (path / name).exists()), path))
        return
    for folder in [_HERE / "lib", *_build_trees(), *_installed()]:
        for name in _NAMES:
            if (folder / name).exists():
                yield str(folder / name)
    yield from filter(None, [ctypes.util.find_library("daelab"), *_NAMES])


def _open() -> ctypes.CDLL:
    tried: List[str] = []
    for path in _candidates():
        try:
            return ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)   # models that are loaded later find its functions
        except OSError as error:
            tried.append(f"{path}: {error}")
    raise ImportError("libdaelab is not found; install daelab, so that its program is in PATH, or set DAELAB_LIBRARY "
                      "to the file or its folder (" + "; ".join(tried) + ")")


def _check(library: ctypes.CDLL) -> None:
    """ImportError where the library is of another version than this package, or has other types."""
    name = library._name
    try:
        _abi.declare(library)
    except AttributeError as error:
        raise ImportError(f"{name} is not the libdaelab {_abi.VERSION} of this package: {error}") from None
    version = _abi.text(library.dae_version())
    if version != _abi.VERSION:
        raise ImportError(f"{name} is of version {version}, this package of {_abi.VERSION}")
    for structure in _abi.STRUCTURES:
        there = library.dae_size_of(structure.__name__.encode())
        if there != ctypes.sizeof(structure):
            raise ImportError(f"{name}: {structure.__name__} has {there} bytes, here "
                              f"{ctypes.sizeof(structure)}: they do not belong together")


def library_path() -> Path:
    """The file that the library was loaded from (by the loader's list of mappings where it was found by name)."""
    name = Path(lib._name)
    if name.is_absolute() or name.exists():
        return name.resolve()
    try:
        with open("/proc/self/maps", encoding="utf-8") as maps:
            for line in maps:
                path = line.split(maxsplit=5)[-1].strip()
                if Path(path).name.startswith("libdaelab.so"):
                    return Path(path)
    except OSError:
        pass
    return name


def problems_path() -> Optional[Path]:
    """The shared object of the problems that come with daelab: beside the library, or in its folder daelab/."""
    folder = library_path().parent
    places = (folder / "daelab_problems.so", folder / "daelab" / "daelab_problems.so")
    return next((path for path in places if path.exists()), None)


def program_path() -> str:
    """The program daelab: $DAELAB_PROGRAM, or of the library's own build or installation, or of PATH."""
    given = os.environ.get("DAELAB_PROGRAM")
    if given:
        return given
    folder = library_path().parent
    for place in (folder / "daelab", *(up / "bin" / "daelab" for up in list(folder.parents)[:2])):
        if place.is_file() and os.access(place, os.X_OK):
            return str(place)
    found = shutil.which("daelab")
    if found is None:
        raise DaelabError("the program daelab is not found; set DAELAB_PROGRAM to it", "DAE_FILE")
    return found


def run_program(arguments: Sequence[str], environment: Optional[Mapping[str, str]] = None) -> Tuple[int, str, str]:
    """Its exit status, what it answers, and what it says besides, without its name in front."""
    program = program_path()
    try:
        done = subprocess.run([program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              check=False, env=environment)
    except OSError as error:
        raise DaelabError(f"{program}: {error.strerror}", "DAE_FILE") from None
    return done.returncode, done.stdout, done.stderr.strip().removeprefix("daelab: ")


lib = _open()
_check(lib)
