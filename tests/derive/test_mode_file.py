"""Records of modes: the places of x, what modes share, events and actions that act on the state before."""

import re
import types
import unittest

import sympy

import models

from derive.writing import problem_file
from derive.base.equations import Mode, ModeEvent
from derive.writing.functions import Functions
from derive.writing.mode_file import Layout
from derive.writing.names import Names

L = models.parameter("L", "1", "m")
HELD = models.parameter("held", "0", "m", "any")
X, Y = models.coordinate("x", "m"), models.coordinate("y", "m")
REACTIONS = [models.constraint(name, X.q) for name in "A B C D".split()]
MODEL = models.model("places", [L, HELD], [X, Y], X.v**2 / 2 + Y.v**2 / 2, X.q, REACTIONS)
SYMBOLS = {c.name: c.symbol for c in REACTIONS}


def mode(acting):
    return types.SimpleNamespace(equations=types.SimpleNamespace(multipliers=[SYMBOLS[c] for c in acting]))


def values(listed):
    """The values that C gives these enumerators."""
    found, last = {}, -1
    for text in listed:
        name, _, equal = text.partition(" = ")
        last = (found[equal] if equal in found else int(equal)) if equal else last + 1
        found[name] = last
    return found


class Places(unittest.TestCase):
    def test_every_reaction_is_where_its_mode_has_it(self):
        for modes in (["", "A"], ["A", "B"], ["A", "B", "AB"], ["A", "B", "AC", "BD"], ["AB", "CD", "C"],
                      ["AC", "BC", "C", "D"], ["ABC", "B", "D"], ["A", "B", "ABC", "C"], ["A", "D", "ADC"]):
            with self.subTest(modes=modes):
                acting = [mode(m) for m in modes]
                layout = Layout(MODEL, acting, Names(MODEL))
                known = values(layout.enumerators())
                for m, names in zip(acting, modes):
                    place = layout.of(m.equations)
                    for i, name in enumerate(names):
                        expression = re.fullmatch(r"x\[(.*)\]", place[SYMBOLS[name]]).group(1)
                        self.assertEqual(sum(known[w] if w in known else int(w) for w in expression.split(" + ")),
                                         4 + i)


class Actions(unittest.TestCase):
    def action(self, then):
        functions = Functions(MODEL, Names(MODEL))
        place = Layout(MODEL, [mode("")], Names(MODEL)).of(mode("").equations)
        functions.action("set", then, place)
        return functions.all_text()

    def test_all_are_of_the_state_before(self):
        text = self.action(((X.v, Y.v), (Y.v, X.v), (HELD.symbol, X.v)))
        self.assertIn("x[DX] = x[DY];", text)
        self.assertIn("const real new_dy = x[DX];", text)
        self.assertIn("p_new[HELD] = new_held;", text)
        self.assertLess(text.index("new_held = x[DX]"), text.index("x[DX] = "))

    def test_its_own_is_no_other(self):
        self.assertNotIn("new_", self.action(((X.v, -X.v), (Y.v, -L.symbol * Y.v))))


class Sharing(unittest.TestCase):
    def written(self, names):
        e = models.equations(models.model("free", [L], [X], X.v**2 / 2, X.q**2 / 2))
        event = [ModeEvent(name, "", X.q - i, 1, (), None, None, True, None, "", "-") for i, name in enumerate(names)]
        modes = [Mode("one", "", e, [], event), Mode("two", "", e, [], event[::-1])]
        return problem_file.write(models.model("free", [L], [X], X.v**2 / 2, X.q**2 / 2), modes)

    def test_what_is_the_same_is_written_once(self):
        text = self.written(["up"])
        for name in ("inertia", "force", "start", "up"):
            self.assertEqual(text.count(f" FN({name})("), 1)
        self.assertEqual(text.count("static void partials"), 1)
        self.assertNotIn("FN(force_two)", text)

    def test_events_called_as_functions_are(self):
        text = self.written(["force", "sign", "partials", "double", "value"])
        defined = re.findall(r"^static \w+ FN\((\w+)\)", text, re.M)
        self.assertEqual(len(defined), len(set(defined)))
        self.assertNotIn("sign", defined)
        for name in re.findall(r"DAE_MODEL\((\w+)\)", text):
            self.assertIn(name, defined)


if __name__ == "__main__":
    unittest.main()
