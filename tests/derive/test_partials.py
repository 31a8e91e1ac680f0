"""Analytic derivatives: every entry that is not zero, where problem.h has it, and no other."""

import re
import unittest

import sympy

import mechanisms
import models

from derive.mechanics import lagrange
from derive.writing import partials
from derive.base.model import TIME
from derive.writing.names import Names

SMOOTH = ("pendulum", "ladder", "links", "moving_plane", "moving_pivot", "hoop")


def expected(e):
    """name -> matrix, as problem.h says, by SymPy's own differentiation; a column for d/dt."""
    t = [TIME]
    table = {"f": e.f, "G": e.g.jacobian(e.q) if e.multipliers else e.G}
    for name, rows in (("f", e.f), ("r", e.reaction), ("rate", e.rate), ("acc", e.acceleration)):
        for by, symbols in (("q", e.q), ("v", e.v), ("t", t)):
            if len(rows) and (name, by) not in (("r", "v"), ("rate", "v")):
                table[f"{name}_{by}"] = sympy.Matrix(rows).jacobian(symbols)
    if e.multipliers:
        table["g_t"] = e.g.jacobian(t)
    return table


class Entries(unittest.TestCase):
    def test_all_and_no_other(self):
        looked_at = 0
        for name in SMOOTH:
            m = getattr(mechanisms, name)()
            e = lagrange.equations(m, m.constraints)
            if partials.mass_varies(e):
                continue
            looked_at += 1
            found = {target: x for level in partials._entries(e) for target, x in level}
            for block, matrix in expected(e).items():
                for k, exact in enumerate(matrix):
                    x = found.pop(f"d->{block}[{k}]", sympy.S.Zero)
                    self.assertEqual(sympy.simplify(x - exact), 0, f"{name}: {block}[{k}]")
            self.assertEqual(found, {}, name)
        self.assertGreaterEqual(looked_at, 3)

    def test_what_is_written_at_which_level(self):
        m = mechanisms.ladder()
        e = lagrange.equations(m, m.constraints)
        text = partials.write(m, Names(m), e)
        first, second, third = re.split(r"    if \(d->level < \d\)\n        return;\n", text)
        self.assertEqual(set(re.findall(r"d->(\w+)\[", first)), {"f", "G", "r_q"})
        self.assertEqual(set(re.findall(r"d->(\w+)\[", second)), {"rate_q"})
        self.assertEqual(set(re.findall(r"d->(\w+)\[", third)), {"acc_q", "acc_v"})
        for part in (first, second, third):         # a name is there before it is used
            for name in re.findall(r"\b[sc]_theta\b", part):
                self.assertIn(f"{name} =", text[:text.index(part) + len(part)])

    def test_where_there_are_none(self):
        x, k = models.coordinate("x", "m"), models.parameter("k", "1", "N/m")
        m = models.model("kink", [k], [x], x.v**2 / 2, 0)
        e = models.equations(m)
        self.assertNotEqual(partials.write(m, Names(m), e), "")
        for force in (sympy.Abs(x.q), sympy.sign(x.v), sympy.Max(x.q, 0)):
            e.f = sympy.Matrix([k.symbol * force])
            self.assertEqual(partials.write(m, Names(m), e), "")
        two = models.two_angles()
        self.assertEqual(partials.write(two, Names(two), models.equations(two)), "")


if __name__ == "__main__":
    unittest.main()
