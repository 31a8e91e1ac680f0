"""run.py TEST.py - one test of the module daelab, with this folder and python/ in the path; where numpy is missing it
is skipped with a sentence, status 77."""

import importlib.util
import runpy
import sys
from pathlib import Path

SKIPPED = 77


def main(test, *arguments):
    if importlib.util.find_spec("numpy") is None:
        print(f"skipped: {sys.executable} has no numpy")
        return SKIPPED
    here = Path(__file__).resolve()
    sys.path[:0] = [str(here.parent), str(here.parents[2] / "python")]
    sys.argv = [test, *arguments]
    runpy.run_path(test, run_name="__main__")
    return 0


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.exit(main(*sys.argv[1:]))
