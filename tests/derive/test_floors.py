"""Imports of derive point one way: a package takes from those before it in this list, nothing else of derive."""

import ast
import unittest
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "derive"
FLOORS = ["base", "algebra", "words", "mechanics", "switching", "writing"]


def imported(path):
    """(line, package) of each import of derive."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "derive":
            words = node.module.split(".")[1:]
            yield from ((node.lineno, words[0] if words else name.name) for name in node.names)


class Floors(unittest.TestCase):
    def test_every_package_has_a_floor_and_says_what_it_is(self):
        packages = sorted(path.parent.name for path in FOLDER.glob("*/__init__.py"))
        self.assertEqual(packages, sorted(FLOORS))
        for name in FLOORS:
            self.assertTrue(ast.get_docstring(ast.parse((FOLDER / name / "__init__.py").read_text())), name)

    def test_imports_point_down(self):
        files = sorted(FOLDER.glob("*/*.py"))
        self.assertGreater(len(files), len(FLOORS))
        for path in files:
            floor = FLOORS.index(path.parent.name)
            for line, package in imported(path):
                with self.subTest(file=path.name, line=line):
                    self.assertIn(package, FLOORS[:floor + 1])


if __name__ == "__main__":
    unittest.main()
