"""What tests of daelab.show share: results that the program makes, and its own Python, which has what it needs."""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from importlib import import_module
from pathlib import Path

PROGRAM = os.environ.get("DAELAB_PROGRAM", "")
SHOW = Path(__file__).resolve().parents[2] / "python" / "daelab" / "show"
SYSTEM = "/usr/bin/python3"
NEEDS = ("numpy", "pandas", "matplotlib")


def _lacks():
    try:
        for name in NEEDS:
            import_module(name)
    except ImportError:
        return True
    return False


def main():
    """Run the tests, by the distribution's Python where this one lacks modules; skip them where that does, too."""
    if _lacks():
        if sys.executable != SYSTEM and os.access(SYSTEM, os.X_OK):
            path = os.pathsep.join(sys.path[:2])
            os.execve(SYSTEM, [SYSTEM, "-B", *sys.argv], {**os.environ, "PYTHONPATH": path})
        print("skipped: no Python has " + " and ".join(NEEDS))
        sys.exit(77)
    unittest.main()


def document(folder, *arguments):
    """The study.json of a command line, without pictures."""
    done = subprocess.run([PROGRAM, *arguments, "-q", "--format", "json"], cwd=folder, capture_output=True, text=True,
                          check=False)
    if done.returncode not in (0, 1):
        raise AssertionError(done.stderr)
    return json.loads(done.stdout)


def run(folder, line):
    """Status, standard output and standard error of a command line of the program."""
    done = subprocess.run([PROGRAM, *line.split()], cwd=folder, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


class InFolder(unittest.TestCase):
    """Each test has a folder of its own."""

    def setUp(self):
        self.kept = tempfile.TemporaryDirectory()
        self.addCleanup(self.kept.cleanup)
        self.folder = Path(self.kept.name)
