"""pip install ./python and pip wheel, in virtual environments with the system's packages."""

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

    def environment(self, folder):
        """An environment, in a folder with a copy of the module's source; its Python."""
        make, _ = COMMANDS
        made = self.run_in(folder, make)
        if made.returncode:
            self.skipTest("virtual environments cannot be made here: " + made.stdout.strip()[:200])
        python = f"{folder}/env/bin/python"
        if subprocess.run([python, "-c", "import pip"], stderr=subprocess.DEVNULL, check=False).returncode:
            self.skipTest("there is no pip")
        shutil.copytree(ROOT / "python", f"{folder}/python", ignore=shutil.ignore_patterns("__pycache__"))
        return python

    def outcome(self, python, folder, path):
        """What the module answers that is installed, where PATH alone is known."""
        program = ("import daelab; print(daelab.__file__, daelab.library_path(), daelab.program_path(), "
                   "daelab.solve('pendulum', 'ode', rtol=1e-8)['theta'][-1], len(daelab.problems))")
        done = subprocess.run([python, "-c", program], env={"PATH": path, "HOME": folder}, cwd=folder,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout)
        module, library, command, theta, problems = done.stdout.split()
        self.assertTrue(Path(module).is_relative_to(Path(folder, "env")), module)
        self.assertEqual(float(theta), daelab.solve("pendulum", "ode", rtol=1e-8)["theta"][-1])
        self.assertEqual(int(problems), len(daelab.problems))
        return Path(library), Path(command)

    def test_pip(self):
        """Without a build the wheel has Python alone, and takes the library beside the program that is in PATH. One
        that is made beside a build runs where there is nothing else of daelab, and what it loads is its."""
        library = daelab.library_path()
        program = Path(daelab.program_path())
        with tempfile.TemporaryDirectory() as folder:
            python = self.environment(folder)
            installed = self.run_in(folder, "env -u DAELAB_BUILD " + COMMANDS[1])
            self.assertEqual(installed.returncode, 0, installed.stdout)
            found, _ = self.outcome(python, folder, f"{program.parent}:/usr/bin:/bin")
            self.assertTrue(found.samefile(library))
            self.try_wheel(python, folder, program.parent)

    def try_wheel(self, python, folder, build):
        if not all((build / part).exists() for part in ("libdaelab.so.0.1", "daelab_problems.so")):
            self.skipTest("the program is not one of a build")
        made = self.run_in(folder, f"DAELAB_BUILD='{build}' env/bin/python -m pip wheel --no-deps -w wheels ./python "
                                   "&& env/bin/python -m pip install --no-deps --force-reinstall wheels/*.whl")
        self.assertEqual(made.returncode, 0, made.stdout)
        library, program = self.outcome(python, folder, "/usr/bin:/bin")
        self.assertTrue(library.is_relative_to(Path(folder, "env")), library)
        self.assertEqual(program.parent, library.parent)
        for one in (library, program):
            loaded = subprocess.run(["ldd", str(one)], env={"PATH": "/usr/bin:/bin"}, stdout=subprocess.PIPE,
                                    text=True, check=True).stdout
            elsewhere = [line for line in loaded.splitlines() if " => /" in line and folder not in line]
            self.assertFalse([line for line in elsewhere if re.search("sundials|klu|blas|gfortran|daelab", line)],
                             loaded)

    def test_beside_itself(self):
        """A library in the folder of the package is taken without being named."""
        library = daelab.library_path()
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(ROOT / "python" / "daelab", f"{folder}/daelab",
                            ignore=shutil.ignore_patterns("__pycache__"))
            os.mkdir(f"{folder}/daelab/lib")
            shutil.copy(library, f"{folder}/daelab/lib/libdaelab.so")
            shutil.copy(library.parent / "daelab_problems.so", f"{folder}/daelab/lib/")
            environment = {k: v for k, v in os.environ.items() if not k.startswith("DAELAB")}
            environment["PYTHONPATH"] = folder
            program = "import daelab; print(daelab.library_path(), len(daelab.problems))"
            out = subprocess.run([sys.executable, "-c", program], env=environment, cwd=folder,
                                 stdout=subprocess.PIPE, text=True, check=True).stdout
            self.assertEqual(out.split()[0], str(Path(folder, "daelab", "lib", "libdaelab.so").resolve()))
            self.assertGreater(int(out.split()[1]), 20)


if __name__ == "__main__":
    unittest.main()
