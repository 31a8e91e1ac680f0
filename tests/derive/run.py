"""run.py TEST.py - one test of derive, with the project and this folder in the path; where SymPy or PyYAML is missing it is
skipped with a sentence, status 77.
"""

import runpy
import sys
from importlib import import_module
from pathlib import Path

SKIPPED = 77


def missing():
    absent = []
    for module in ("sympy", "yaml"):
        try:
            import_module(module)
        except ImportError:
            absent.append(module)
    return absent


def main(test, *arguments):
    absent = missing()
    if absent:
        print(f"skipped: {sys.executable} has no {' and no '.join(absent)}")
        return SKIPPED
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    sys.argv = [test, *arguments]
    runpy.run_path(test, run_name="__main__")
    return 0


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.exit(main(*sys.argv[1:]))
