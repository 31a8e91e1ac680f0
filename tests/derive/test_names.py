"""Names in C meet nothing that a problem file sees, and not each other."""

import pathlib
import re
import shutil
import subprocess
import unittest

import models

from derive.writing import names as naming
from derive.writing.names import Locals, Names, identifier

ROOT = pathlib.Path(__file__).resolve().parents[2]

HEADERS = "#include <daelab/drawing.h>\n#include <daelab/model.h>\n#include <stdio.h>\n#include <complex.h>\n"


def preprocessed(*flags):
    compiler = shutil.which("gcc") or shutil.which("clang") or shutil.which("cc")
    if not compiler:
        raise unittest.SkipTest("there is no compiler")
    return subprocess.run([compiler, "-std=gnu11", f"-I{ROOT / 'include'}", "-E", "-x", "c",
                           '-DDAE_SOURCE="/dev/null"', *flags, "-"], input=HEADERS,
                          capture_output=True, text=True, check=True).stdout


def named(parameters, coordinates=()):
    return Names(models.model("m", [models.parameter(p, "1", "-") for p in parameters],
                              [models.coordinate(c, "m") for c in coordinates], 0, 0))


class Enumerators(unittest.TestCase):
    def test_no_macro_is_one(self):
        macros = re.findall(r"^#define ([A-Z][A-Z0-9_]*)\b", preprocessed("-dM"), re.M)
        self.assertIn("PI", macros)
        found = named(macros).parameters.values()
        self.assertEqual(set(macros) & set(found), set())

    def test_no_two_are_the_same(self):
        odd = "M m Mu MU mu SMALL_M small_m I THE_I the_i PI pi_ X DX x dx REACTIONS".split()
        found = named(odd, ["x", "X", "m", "dx"])
        listed = [*found.parameters.values(), *found.states.values(), found.reactions]
        self.assertEqual(len(set(listed)), len(odd) + 8 + 1)
        self.assertTrue(all(re.fullmatch("[A-Z][A-Z0-9_]*", name) for name in listed))

    def test_capitals_come_to_their_own(self):
        parameters = [str(e) for e in named(["m", "M", "theta0"]).parameters.values()]
        self.assertEqual(parameters, ["SMALL_M", "M", "THETA0"])

    def test_what_is_no_letter(self):
        self.assertEqual(identifier("φ_1"), "phi_1")
        self.assertEqual(identifier("2x'"), "n2x_dot")


class Records(unittest.TestCase):
    def test_none_is_of_the_library(self):
        of_library = set(re.findall(r"\bdae_([a-z0-9_]+)\b", preprocessed()))
        self.assertIn("problem", of_library)
        met = [name for name in sorted(of_library) if naming.record(name) == f"dae_{name}"]
        self.assertEqual(met, [])
        self.assertEqual(naming.record("pendulum"), "dae_pendulum")


class LocalNames(unittest.TestCase):
    def test_none_is_taken_twice(self):
        local = Locals(named(["L"], ["x"]))
        taken = [local.new(name) for name in ("sum", "sum", "sum", "t", "q", "x", "ABC", "y1", "for")]
        self.assertEqual(len(set(taken)), len(taken))
        self.assertEqual(taken[:3], ["sum", "sum_2", "sum_3"])
        self.assertEqual(taken[6], "abc")
        for name, odd in zip(taken[3:], "t q x ABC y1 for".split()):
            self.assertNotEqual(name, odd)


if __name__ == "__main__":
    unittest.main()
