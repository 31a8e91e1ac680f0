"""Problem files compile without a warning, in all passes, whatever names their models have."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
sys.path.insert(1, str(ROOT / "tests" / "derive"))
sys.dont_write_bytecode = True

try:
    import sympy

    import models
except ImportError as problem:
    print(f"test_problem_file: skipped, {problem}")
    sys.exit(77)

from derive import problem_file
from derive.model import TIME

FLAGS = ["-std=gnu11", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror", "-fsyntax-only"]


def compiled(test, text):
    """Nothing is said of the text by any compiler there is."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "model.c"
        path.write_text(text)
        for compiler in ("gcc", "clang"):
            if shutil.which(compiler):
                run = subprocess.run([compiler, *FLAGS, f"-I{ROOT / 'include'}", str(path)], capture_output=True,
                                     text=True, check=False)
                test.assertEqual(run.returncode, 0, run.stderr + text)


def written(m):
    return problem_file.write(m, models.smooth(m))


ODD = ("I PI E M_PI NAN NULL EOF FN DAE_PASS INFINITY DOMAIN y0 y1 gamma double real param value t0 p q v a r f g h u s "
       "d x_ k lambda_ unix linux partials draw modes start force M m Mu MU mu T sin_ index EXACT").split()


def oddly_named():
    """Every odd name is a parameter that enters."""
    parameters = [models.parameter(name, "1", "N/m") for name in ODD]
    names = ["double", "u", "register", "DBL_MAX"]
    coordinates = [models.coordinate(name, "m") for name in names]
    total = sum(p.symbol for p in parameters)
    kinetic = sum(total * (1 + i) * c.v**2 / 2 for i, c in enumerate(coordinates))
    potential = sum(sympy.sin(p.symbol * c.q) * p.symbol for p in parameters for c in coordinates[:1])
    square = sum(c.q**2 for c in coordinates) - parameters[3].symbol
    return models.model("event", parameters, coordinates, kinetic, potential, [models.constraint("lambda", square)],
                        {coordinates[0].q: 1})


class ProblemFile(unittest.TestCase):
    def test_a_constraint_and_time(self):
        text = written(models.pendulum())
        compiled(self, text)
        self.assertIn("static void partials(", text)
        self.assertIn("f[0] = (real){0};", text)

    def test_a_mass_matrix_of_the_state(self):
        text = written(models.two_angles())
        compiled(self, text)
        self.assertIn(".mass = DAE_MASS_VARIES", text)
        self.assertNotIn("partials", text)

    def test_names_of_c(self):
        compiled(self, written(oddly_named()))

    def test_texts_that_c_would_read(self):
        m = models.pendulum()
        m.title = 'a "rope" \\ */ ??/ /* of\nlines % '
        compiled(self, written(m))

    def test_the_same_bytes_in_every_run(self):
        program = ("import sys; sys.path[:0] = sys.argv[1:3]; sys.dont_write_bytecode = True\n"
                   "import models; from derive import problem_file\n"
                   "for m in (models.pendulum(), models.two_angles()):\n"
                   "    print(problem_file.write(m, models.smooth(m)))\n")
        texts = set()
        for seed in ("0", "1", "2"):
            run = subprocess.run([sys.executable, "-c", program, str(ROOT), str(ROOT / "tests" / "derive")],
                                 capture_output=True, text=True, check=True, env={**os.environ, "PYTHONHASHSEED": seed})
            texts.add(run.stdout)
        self.assertEqual(len(texts), 1)

    def test_no_parameters_and_no_unknown_time(self):
        x = models.coordinate("x", "m")
        compiled(self, written(models.model("free", [], [x], x.v**2 / 2, x.q**2 * (2 + sympy.cos(TIME)) / 2)))


if __name__ == "__main__":
    unittest.main()
