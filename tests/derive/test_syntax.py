"""Python 3.9 reads every file of derive, its tests included: what it has not is looked for."""

import ast
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OLDEST = (3, 9)
LATER = {"zip": {"strict"}, "dataclass": {"slots", "kw_only"}, "field": {"kw_only"}}    # arguments since 3.10
LATER_NAMES = {("itertools", "pairwise"), ("itertools", "batched"), ("enum", "StrEnum"), ("typing", "Self"),
               ("typing", "TypeAlias"), ("typing", "override"), ("types", "NoneType")}


def sources():
    return sorted([*ROOT.glob("derive/**/*.py"), *ROOT.glob("tests/derive/*.py")])


def has_later_annotations(tree):
    """Are annotations only looked at, and not computed?"""
    return any(isinstance(node, ast.ImportFrom) and node.module == "__future__"
               and any(name.name == "annotations" for name in node.names) for node in tree.body)


def annotations(tree):
    for node in ast.walk(tree):
        for name in ("annotation", "returns"):
            if isinstance(getattr(node, name, None), ast.AST):
                yield getattr(node, name)


def unions(tree):
    """Lines of annotations X | Y."""
    return [node.lineno for annotation in annotations(tree) for node in ast.walk(annotation)
            if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr)]


def called(node):
    return getattr(node.func, "id", getattr(node.func, "attr", ""))


def later_arguments(tree):
    return [node.lineno for node in ast.walk(tree) if isinstance(node, ast.Call)
            and any(k.arg in LATER.get(called(node), ()) for k in node.keywords)]


def later_names(tree):
    imported = [node.lineno for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)
                for name in node.names if (node.module, name.name) in LATER_NAMES]
    reached = [node.lineno for node in ast.walk(tree) if isinstance(node, ast.Attribute)
               and (getattr(node.value, "id", ""), node.attr) in LATER_NAMES]
    return imported + reached


def too_new(text):
    """Lines that Python 3.9 cannot do; SyntaxError where it cannot read them."""
    tree = ast.parse(text, feature_version=OLDEST)
    lines = later_arguments(tree) + later_names(tree)
    return sorted(lines if has_later_annotations(tree) else lines + unions(tree))


class Syntax(unittest.TestCase):
    def test_there_are_sources(self):
        self.assertGreater(len(sources()), 5)

    def test_oldest_python_reads_all(self):
        for path in sources():
            with self.subTest(path=path.name):
                self.assertEqual(too_new(path.read_text()), [])

    def test_what_is_too_new_is_seen(self):
        for text in ("def f(a: int | None): pass", "b: str | int = 1", "def f() -> int | str: pass",
                     "zip(a, b, strict=True)", "@dataclass(slots=True)\nclass A: pass",
                     "from itertools import pairwise", "itertools.pairwise(a)"):
            with self.subTest(text=text):
                self.assertNotEqual(too_new(text), [])
        with self.assertRaises(SyntaxError):
            too_new("match a:\n    case 1: pass")
        self.assertEqual(too_new("from __future__ import annotations\ndef f(a: int | None): pass"), [])


if __name__ == "__main__":
    unittest.main()
