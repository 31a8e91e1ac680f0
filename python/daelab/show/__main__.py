"""python3 -B .../daelab/show NAME ARGUMENTS: the package as a program, found beside this file wherever it lies."""
import os
import signal
import sys
import types
from importlib import import_module

NAMES = ("report", "plots", "film", "compare")
PACKAGES = {"pandas": "python3-pandas", "numpy": "python3-numpy", "matplotlib": "python3-matplotlib",
            "jinja2": "python3-jinja2"}                 # module: package of Debian and Ubuntu
SYSTEM = "/usr/bin/python3"
BEGUN_AGAIN = "DAELAB_SHOW_BEGUN_AGAIN"
MISTAKE, FAULT = 2, 3                                   # exit statuses of the command


def enter_package() -> None:
    """daelab.show without daelab/__init__.py, which loads the library: results are shown without it."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    daelab = types.ModuleType("daelab")
    daelab.__path__ = [package]
    sys.modules["daelab"] = daelab
    del sys.path[0]                                     # the folder of this file: its modules have plain names


def begin_again() -> None:
    """Take the place of this process by the distribution's Python, once; one that DAELAB_PYTHON names is kept."""
    if os.environ.get("DAELAB_PYTHON") or os.environ.get(BEGUN_AGAIN) or sys.executable == SYSTEM:
        return
    if os.access(SYSTEM, os.X_OK):
        os.environ[BEGUN_AGAIN] = "1"
        os.execv(SYSTEM, [SYSTEM, "-B", os.path.dirname(os.path.abspath(__file__)), *sys.argv[1:]])


def main(arguments) -> int:
    enter_package()
    if not arguments or arguments[0] not in NAMES:
        sys.stderr.write("show: what? One of %s\n" % ", ".join(NAMES))
        return MISTAKE
    try:
        module = import_module("daelab.show." + arguments[0])
    except ModuleNotFoundError as error:
        if error.name not in PACKAGES:
            raise
        begin_again()
        sys.stderr.write("%s has no %s, which %s needs: apt-get install %s, or name a Python that has it in "
                         "DAELAB_PYTHON\n" % (sys.executable, error.name, arguments[0], PACKAGES[error.name]))
        return FAULT
    return module.main(arguments[1:])


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)        # an interrupt ends the program, without a traceback
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)       # and so does an end of those who read
    sys.dont_write_bytecode = True
    sys.exit(main(sys.argv[1:]))
