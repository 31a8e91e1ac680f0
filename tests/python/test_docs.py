"""docs/python.md: its blocks of Python run one after the other, and print what stands below them.

test_docs.py --print shows what each prints."""

import contextlib
import importlib.util
import io
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")


def blocks():
    """(code, expected) of each block of Python; expected is None where no text follows. Those that need scipy are left
    out where it is not there."""
    for match in re.finditer(r"```python\n(.*?)```\n(?:\n```text\n(.*?)```\n)?", PAGE, re.S):
        if "scipy" in match.group(1) and importlib.util.find_spec("scipy") is None:
            print("a block is skipped: there is no scipy", file=sys.stderr)
            continue
        yield match.group(1), match.group(2)


def run_all():
    """(code, expected, printed) of all blocks, in one namespace."""
    names, place = {}, os.getcwd()
    try:
        for code, expected in blocks():
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                exec(compile(code, "docs/python.md", "exec"), names)
            yield code, expected, out.getvalue()
    finally:
        os.chdir(place)


class Page(unittest.TestCase):
    def test_python(self):
        count = 0
        for code, expected, printed in run_all():
            count += 1
            self.assertEqual(printed, expected or "", code)
        self.assertGreater(count, 6)

    def test_shell(self):
        """The first command, as it stands, where this build is the one that it finds."""
        command = re.search(r"```sh\n(PYTHONPATH.*?)\n```", PAGE).group(1)
        with tempfile.TemporaryDirectory() as folder:
            python = Path(folder, "python3")
            python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n', encoding="utf-8")
            python.chmod(0o755)
            environment = {**os.environ, "PATH": folder + os.pathsep + os.environ["PATH"]}
            out = subprocess.run(command, shell=True, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True,
                                 check=True).stdout
        self.assertIn("problems: pendulum, ", out)


if __name__ == "__main__":
    if "--print" in sys.argv:
        for code, _, printed in run_all():
            print(code + "---\n" + printed)
    else:
        unittest.main()
