"""setup.py - what pyproject.toml does not say: a wheel that is made beside a build holds the library of it.

The library, its problems, the program, and all libraries that these load but those of the C library lie in daelab/lib
of the wheel, and are found there: the build gives them the path $ORIGIN. The build is $DAELAB_BUILD, or build/ of the
source; without one the wheel has Python alone, and takes the library that is installed.
"""
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:
    from wheel.bdist_wheel import bdist_wheel

SOURCE = Path(__file__).resolve().parents[1]
BUILD = Path(os.environ.get("DAELAB_BUILD") or SOURCE / "build")
PARTS = ("libdaelab.so.0.1", "daelab_problems.so", "daelab")
# of every system: the C library, what gcc needs at run time, and the loader
SYSTEM = re.compile(r"(ld-linux|linux-vdso|lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+)\.so)")
IS_THERE = all((BUILD / part).exists() for part in PARTS)


def loaded(path):
    """{name: file} of the libraries that a library or program loads, and these."""
    out = subprocess.run(["ldd", str(path)], check=True, stdout=subprocess.PIPE, text=True).stdout
    found = dict(re.findall(r"^\s*(\S+) => (/\S+)", out, re.M))
    return {name: file for name, file in found.items() if not SYSTEM.match(name)}


def take_in(path, to):
    """A copy that looks for what it loads beside itself only."""
    data = path.read_bytes()
    data = re.sub(rb"[^\0]*\$ORIGIN:*(?=\0)", lambda at: b"$ORIGIN".ljust(len(at.group()), b"\0"), data)
    to.write_bytes(data)
    shutil.copymode(path, to)


class BuildWithLibrary(build_py):
    def run(self):
        super().run()
        if not IS_THERE:
            return
        folder = Path(self.build_lib, "daelab", "lib")
        folder.mkdir(parents=True, exist_ok=True)
        others = {}
        for part in PARTS:
            take_in((BUILD / part).resolve(), folder / part)
            others.update(loaded(BUILD / part))
        for name, file in others.items():
            shutil.copy(file, folder / name)
        for beside in ("include", "derive"):            # by which models of files are compiled
            shutil.copytree(SOURCE / beside, folder / "tree" / beside, dirs_exist_ok=True,
                            ignore=shutil.ignore_patterns("__pycache__"))


class WheelOfPlatform(bdist_wheel):
    def get_tag(self):
        python, abi, platform = super().get_tag()
        return ("py3", "none", platform) if IS_THERE else (python, abi, platform)


class WithLibrary(Distribution):
    def has_ext_modules(self):
        return IS_THERE


place = tempfile.mkdtemp(prefix="daelab-wheel-")        # nothing is left in the source
try:
    setup(distclass=WithLibrary, cmdclass={"build_py": BuildWithLibrary, "bdist_wheel": WheelOfPlatform},
          options={"build": {"build_base": place}, "egg_info": {"egg_base": place}})
finally:
    shutil.rmtree(place, ignore_errors=True)
