"""Which Python runs this: 3.9 or later, with SymPy and PyYAML; of the distribution where that of PATH is another.

Read by older ones, too, which then say so.
"""

import os
import sys
from importlib import import_module

OLDEST = (3, 9)
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
    return [module for module in sorted(NEEDED) if not loads(module)]


def suits():
    return sys.version_info >= OLDEST and not missing()


def begin_again(package, arguments):
    """Take the place of this process by the distribution's Python, once; False where that is no help.

    One that DAELAB_PYTHON names is taken as it is.
    """
    if os.environ.get("DAELAB_PYTHON") or os.environ.get(BEGUN_AGAIN) or sys.executable == SYSTEM:
        return False
    if not os.access(SYSTEM, os.X_OK):
        return False
    os.environ[BEGUN_AGAIN] = "1"
    try:
        os.execv(SYSTEM, [SYSTEM, "-B", package] + arguments)
    except OSError:
        return False


def why_not():
    """A sentence."""
    if sys.version_info < OLDEST:
        return ("derive: a model in words needs Python 3.9 or later, and %s is %s; name another in DAELAB_PYTHON"
                % (sys.executable, sys.version.split()[0]))
    absent = missing()
    return ("derive: %s has no %s, which a model in words needs: apt-get install %s, or name a Python that has in "
            "DAELAB_PYTHON" % (sys.executable, " and no ".join(absent), " ".join(NEEDED[m] for m in absent)))
