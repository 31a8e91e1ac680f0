"""Which Python runs this: one with SymPy and PyYAML, of the distribution where that of PATH has none."""

import os
import sys
from importlib import import_module

NEEDED = {"sympy": "python3-sympy", "yaml": "python3-yaml"}     # module: package of Debian and Ubuntu
SYSTEM = "/usr/bin/python3"
BEGUN_AGAIN = "DAELAB_PYTHON_BEGUN_AGAIN"


def loads(module):
    try:
        import_module(module)
    except ImportError:
        return False
    return True


def missing():
    return [module for module in NEEDED if not loads(module)]


def has_all():
    return not missing()


def begin_again(package, arguments):
    """Take the place of this process by the distribution's Python, once; False where that is no help.

    One that DAELAB_PYTHON names is taken as it is.
    """
    if os.environ.get("DAELAB_PYTHON") or os.environ.get(BEGUN_AGAIN) or sys.executable == SYSTEM:
        return False
    if not os.access(SYSTEM, os.X_OK):
        return False
    try:
        os.execve(SYSTEM, [SYSTEM, package, *arguments], {**os.environ, BEGUN_AGAIN: "1"})
    except OSError:
        return False


def say_what_is_missing():
    absent = missing()
    print(f"derive: {sys.executable} has no {' and no '.join(absent)}, which a model in words needs: "
          f"apt-get install {' '.join(NEEDED[module] for module in absent)}, or name a Python that has in "
          "DAELAB_PYTHON", file=sys.stderr)
    return 3
