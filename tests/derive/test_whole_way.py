"""Every model of the tree in all that derive makes of it: C and LaTeX, of all coordinates and of the least."""

import os
import re
import unittest

import sympy
import yaml

from derive import command
from derive.writing import latex, problem_file
from derive.base.fault import Fault

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")

FOLDERS = [os.path.join(ROOT, "examples"), os.path.join(ROOT, "tests", "models")]


def models():
    return sorted(os.path.join(folder, name) for folder in FOLDERS for name in os.listdir(folder)
                  if name.endswith(".yaml"))


class WholeWay(unittest.TestCase):
    def test_there_are_models(self):
        self.assertGreater(len(models()), 10)

    def made(self, path, minimal):
        """The texts of C and LaTeX, or None and the sentence that --minimal has for a model."""
        try:
            model, modes = command.read(path, minimal)
        except Fault as fault:
            self.assertTrue(minimal, f"{path}: {fault.sentence}")
            self.assertRegex(fault.sentence, "minimal|no constraint is solved for a coordinate")
            self.assertGreater(fault.line, 0)
            return None
        return model, problem_file.write(model, modes), latex.write(model, modes)

    def test_c_and_latex(self):
        for path in models():
            for minimal in (False, True):
                made = self.made(path, minimal)
                if made is None:
                    continue
                model, c, tex = made
                self.assertIn(f'.name = "{model.name}"', c)
                self.assertNotRegex(c, r"\b(nan|zoo|oo|Derivative|Piecewise)\b")
                self.assertNotRegex(tex, r"nan|zoo|infty|Derivative|Piecewise")
                self.assertEqual(len(re.findall(r"\\begin\{align\*\}", tex)), len(re.findall(r"\\end\{align\*\}", tex)))
                for coordinate in model.coordinates:
                    self.assertIn(coordinate.name + "'", c)

    def test_what_minimal_takes(self):
        """The ladder's x and y."""
        model, _, _ = self.made(os.path.join(FOLDERS[0], "ladder.yaml"), True)
        self.assertEqual([c.name for c in model.coordinates], ["theta"])
        self.assertEqual(model.constraints, [])


if __name__ == "__main__":
    unittest.main()
