"""pip install --no-build-isolation --no-deps ./python in a virtual environment with the system's packages."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import daelab

ROOT = Path(__file__).resolve().parents[2]


# as docs/python.md has them
COMMANDS = re.search(r"```sh\n(python3 -m venv.*?)\n(.*?pip install.*?)\n```",
                     (ROOT / "docs" / "python.md").read_text(encoding="utf-8")).groups()


class Install(unittest.TestCase):
    def run_in(self, folder, command):
        """A command of the shell with python3 being this Python."""
        os.makedirs(f"{folder}/bin", exist_ok=True)
        python = Path(folder, "bin", "python3")
        if not python.exists():
            python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n', encoding="utf-8")
            python.chmod(0o755)
        environment = {**os.environ, "PATH": f"{folder}/bin" + os.pathsep + os.environ["PATH"]}
        return subprocess.run(command, shell=True, cwd=folder, env=environment, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False)

    def test_pip(self):
        with tempfile.TemporaryDirectory() as folder:
            make, install = COMMANDS
            made = self.run_in(folder, make)
            if made.returncode:
                self.skipTest("virtual environments cannot be made here: " + made.stdout.strip()[:200])
            python = f"{folder}/env/bin/python"
            lacks = subprocess.run([python, "-c", "import setuptools, wheel, pip"], stderr=subprocess.DEVNULL,
                                   check=False)
            if lacks.returncode:
                self.skipTest("there is no pip, setuptools or wheel")
            shutil.copytree(ROOT / "python", f"{folder}/python", ignore=shutil.ignore_patterns("__pycache__"))
            installed = self.run_in(folder, install)
            self.assertEqual(installed.returncode, 0, installed.stdout)
            program = ("import daelab; print(daelab.__file__); "
                       "print(daelab.solve('pendulum', 'ode', rtol=1e-8)['theta'][-1])")
            environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
            environment["DAELAB_LIBRARY"] = str(daelab.library_path())
            out = subprocess.run([python, "-c", program], env=environment, cwd=folder, stdout=subprocess.PIPE,
                                 text=True, check=True).stdout.split()
            self.assertTrue(Path(out[0]).is_relative_to(Path(folder, "env")), out[0])
            self.assertEqual(float(out[1]), daelab.solve("pendulum", "ode", rtol=1e-8)["theta"][-1])

    def test_beside_itself(self):
        """A library in the folder of the package is taken without being named."""
        library = daelab.library_path()
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(ROOT / "python" / "daelab", f"{folder}/daelab",
                            ignore=shutil.ignore_patterns("__pycache__"))
            shutil.copy(library, f"{folder}/daelab/libdaelab.so")
            shutil.copy(library.parent / "daelab_problems.so", f"{folder}/daelab/")
            environment = {k: v for k, v in os.environ.items() if not k.startswith("DAELAB")}
            environment["PYTHONPATH"] = folder
            program = "import daelab; print(daelab.library_path(), len(daelab.problems))"
            out = subprocess.run([sys.executable, "-c", program], env=environment, cwd=folder,
                                 stdout=subprocess.PIPE, text=True, check=True).stdout
            self.assertEqual(out.split()[0], str(Path(folder, "daelab", "libdaelab.so").resolve()))
            self.assertGreater(int(out.split()[1]), 20)


if __name__ == "__main__":
    unittest.main()
