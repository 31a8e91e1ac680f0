"""make_wheel.py - how pip makes a wheel of the module (PEP 517), with nothing but Python.

Beside a build the wheel holds the library of it: in daelab/lib lie the library, its problems, the program, headers,
what derives models in words, and all libraries that these load but those of every system; the build tells the loader to
look there ($ORIGIN). The build is $DAELAB_BUILD, or build/ of the source. Without one the wheel has Python alone, and
takes the library that is installed.
"""
import base64
import hashlib
import os
import re
import subprocess
import sysconfig
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCE = HERE.parent
PARTS = ("libdaelab.so.0.1", "daelab_problems.so", "daelab")
# of every system: the C library, what gcc needs at run time, the loader
SYSTEM = re.compile(r"(ld-linux|linux-vdso|lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+)\.so)")
METADATA = """Metadata-Version: 2.1
Name: daelab
Version: {version}
Summary: Stiff differential-algebraic equations, and how wrong the answer is
Requires-Python: >=3.9
Requires-Dist: numpy
Provides-Extra: tables
Requires-Dist: pandas; extra == "tables"
Provides-Extra: pictures
Requires-Dist: matplotlib; extra == "pictures"
Requires-Dist: pandas; extra == "pictures"
Requires-Dist: jinja2; extra == "pictures"
Description-Content-Type: text/markdown

{readme}"""
WHEEL = "Wheel-Version: 1.0\nGenerator: daelab\nRoot-Is-Purelib: {pure}\nTag: {tag}\n"


def _build():
    """The folder of a build that is whole, or None."""
    folder = Path(os.environ.get("DAELAB_BUILD") or SOURCE / "build")
    return folder if all((folder / part).exists() for part in PARTS) else None


def _below(folder, place):
    """(name in the wheel, file) of all in a folder."""
    return [(f"{place}/{file.relative_to(folder).as_posix()}", file) for file in sorted(folder.rglob("*"))
            if file.is_file() and "__pycache__" not in file.parts]


def _loaded(path):
    """{name: file} of the libraries that a library or program loads, and these."""
    out = subprocess.run(["ldd", str(path)], check=True, stdout=subprocess.PIPE, universal_newlines=True).stdout
    return {name: file for name, file in re.findall(r"^\s*(\S+) => (/\S+)", out, re.M) if not SYSTEM.match(name)}


def _library(build):
    """(name, file) of what a wheel has of a build."""
    others = {}
    for part in PARTS:
        others.update(_loaded(build / part))
    found = [*((part, (build / part).resolve()) for part in PARTS), *others.items()]
    return [*((f"daelab/lib/{name}", Path(file)) for name, file in found),
            *_below(SOURCE / "include", "daelab/lib/tree/include"),
            *_below(SOURCE / "derive", "daelab/lib/tree/derive")]


def _bytes(file):
    """What is in a file; a library looks for what it loads beside itself only."""
    return re.sub(rb"[^\0]*\$ORIGIN:*(?=\0)", lambda at: b"$ORIGIN".ljust(len(at.group()), b"\0"), file.read_bytes())


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Write the wheel into a folder; its name."""
    build = _build()
    version = re.search(r'^VERSION = "(.*?)"', (HERE / "daelab" / "_abi.py").read_text(encoding="utf-8"), re.M).group(1)
    tag = "py3-none-" + (re.sub(r"[-.]", "_", sysconfig.get_platform()) if build else "any")
    name, about = f"daelab-{version}-{tag}.whl", f"daelab-{version}.dist-info"
    texts = {"METADATA": METADATA.format(version=version, readme=(HERE / "README.md").read_text(encoding="utf-8")),
             "WHEEL": WHEEL.format(pure=str(not build).lower(), tag=tag)}
    record = []
    with zipfile.ZipFile(Path(wheel_directory, name), "w", zipfile.ZIP_DEFLATED, compresslevel=2) as wheel:
        def put(place, data, mode=0o644):
            entry = zipfile.ZipInfo(place, (2020, 1, 1, 0, 0, 0))
            entry.external_attr, entry.compress_type = (0o100000 | mode) << 16, zipfile.ZIP_DEFLATED
            wheel.writestr(entry, data, compresslevel=2)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record.append(f"{place},sha256={digest},{len(data)}\n")
        for place, file in [*_below(HERE / "daelab", "daelab"), *(_library(build) if build else [])]:
            put(place, _bytes(file), 0o755 if os.access(file, os.X_OK) else 0o644)
        for place, text in texts.items():
            put(f"{about}/{place}", text.encode())
        wheel.writestr(f"{about}/RECORD", "".join(record) + f"{about}/RECORD,,\n")
    return name
