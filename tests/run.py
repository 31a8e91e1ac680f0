"""run.py TEST.py [ARGUMENTS] - one test in Python, of derive or of the module daelab, with its folder and its subject
in the path; where a module that it needs is missing, it is skipped with a sentence, status 77.
"""

import runpy
import sys
from importlib import import_module
from pathlib import Path

SKIPPED = 77
ROOT = Path(__file__).resolve().parents[1]
NEEDS = {"derive": (("sympy", "yaml"), ROOT), "python": (("numpy",), ROOT / "python")}    # by the folder of the test


def is_missing(module):
    try:
        import_module(module)
    except ImportError:
        return True
    return False


def main(test, *arguments):
    folder = Path(test).resolve().parent
    modules, subject = NEEDS[folder.name]
    absent = [module for module in modules if is_missing(module)]
    if absent:
        print(f"skipped: {sys.executable} has no {' and no '.join(absent)}")
        return SKIPPED
    sys.path[:0] = [str(folder), str(subject)]
    sys.argv = [test, *arguments]
    runpy.run_path(test, run_name="__main__")
    return 0


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.exit(main(*sys.argv[1:]))
