"""Problems and methods of files: sources, models in words, shared objects; and what is no plug-in."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
from pathlib import Path

import daelab
import numpy as np
from daelab._library import problems_path

ROOT = Path(__file__).resolve().parents[2]


class Files(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def new(self, name, *options):
        subprocess.run([daelab.program_path(), "new", name, *options], cwd=self.path, check=True,
                       stdout=subprocess.DEVNULL)
        return self.path / f"{name}.c"

    def test_source(self):
        """A problem in C: loaded, solved, studied by its path, and found by its name."""
        source = self.new("hoop")
        problem = daelab.load(source)
        self.assertEqual((problem.name, problem.title), ("hoop", "a bead on a wavy wire"))
        self.assertIs(daelab.problems["hoop"], problem)
        result = daelab.solve(problem, "index2", rtol=1e-8)
        self.assertLess(abs(result["y"] - np.cos(result["x"] / 0.5)).max(), 1e-6)
        found = daelab.converge(problem, form="index3", method="cros", levels=3)
        self.assertGreater(len(found.orders), 0)

    def test_loaded_again(self):
        """A file that is unchanged stands for the same object, one that was edited for another."""
        source = self.new("wheel")
        first = daelab.load(source)
        with unittest.mock.patch.dict(os.environ, {"CC": "/nowhere/cc"}):
            with self.assertRaises(daelab.DaelabError):
                daelab.load(source)
        self.assertIs(daelab.load(source), first)
        text = source.read_text(encoding="utf-8")
        source.write_text(text.replace("a bead on a wavy wire", "another"), encoding="utf-8")
        self.assertEqual(daelab.load(source).title, "another")
        self.assertEqual(first.title, "a bead on a wavy wire")

    def test_path_object(self):
        source = self.new("ring")
        self.assertEqual(daelab.solve(source, "index2", rtol=1e-4).problem.name, "ring")

    def test_own_method(self):
        method = daelab.load(self.new("midway", "--method"))
        self.assertIsInstance(method, daelab.Method)
        self.assertEqual(daelab.solve("pendulum", "index1", method, step=0.01).statistics["steps"], 200)

    def test_words(self):
        """A model in words, which is derived by SymPy."""
        ready = subprocess.run([daelab.program_path(), "derive", str(ROOT / "examples" / "pendulum.yaml")],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        if ready.returncode:
            self.skipTest("models in words cannot be derived here")
        problem = daelab.load(ROOT / "examples" / "pendulum.yaml")
        self.assertEqual(daelab.solve(problem, rtol=1e-6).code, "DAE_OK")

    def test_object(self):
        """The shipped problems themselves are such a file."""
        copy = self.path / "all.so"
        shutil.copy(problems_path(), copy)
        self.assertEqual(daelab.load(copy).name, "pendulum")

    def test_refused(self):
        broken, nothing = self.new("broken"), self.path / "nothing.so"
        broken.write_text(broken.read_text(encoding="utf-8").replace("f[0] = 0;", "f[0] = 0"), encoding="utf-8")
        with self.assertRaisesRegex(daelab.DaelabError, "broken.c") as caught:
            daelab.load(broken)
        self.assertEqual(caught.exception.code, "DAE_FILE")
        nothing.write_bytes(b"no object")
        with self.assertRaisesRegex(daelab.DaelabError, "nothing.so"):
            daelab.load(nothing)
        with self.assertRaisesRegex(daelab.DaelabError, "there is no such file"):
            daelab.load(self.path / "missing.c")
        shutil.copy(daelab.library_path(), self.path / "other.so")
        with self.assertRaisesRegex(daelab.DaelabError, "no line DAE_PLUGIN"):
            daelab.load(self.path / "other.so")


class Library(unittest.TestCase):
    def run_with(self, library):
        program = f"import sys; sys.path[:0] = {sys.path!r}\nimport os; os.environ['DAELAB_LIBRARY'] = {library!r}\n"
        return subprocess.run([sys.executable, "-c", program + "import daelab; print(len(daelab.problems))"],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)

    def test_places(self):
        path = daelab.library_path()
        for place in (str(path), str(path.parent)):
            done = self.run_with(place)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertGreater(int(done.stdout), 20)

    def test_not_found(self):
        done = self.run_with("nowhere.so")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("ImportError: libdaelab is not found; install daelab", done.stderr)

    def test_another_version(self):
        package = str(ROOT / "python" / "daelab" / "_abi.py")
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder, "daelab")
            shutil.copytree(ROOT / "python" / "daelab", copy)
            text = Path(package).read_text(encoding="utf-8")
            for old, new, sentence in (
                    ('VERSION = "0.1.0"', 'VERSION = "0.2.0"', "is of version 0.1.0, this package of 0.2.0"),
                    ('("max_steps", c.c_long)', '("max_steps", c.c_int), ("more", c.c_double)',
                     "do not belong together"),
                    ('"dae_rows_free": ', '"dae_rows_lost": (_i, []), "dae_rows_free": ', "is not the libdaelab")):
                self.assertIn(old, text)
                (copy / "_abi.py").write_text(text.replace(old, new), encoding="utf-8")
                program = f"import sys; sys.path.insert(0, {folder!r}); import daelab"
                done = subprocess.run([sys.executable, "-c", program], stderr=subprocess.PIPE, text=True, check=False)
                self.assertIn("ImportError", done.stderr)
                self.assertIn(sentence, done.stderr)


if __name__ == "__main__":
    unittest.main()
