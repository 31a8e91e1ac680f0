"""Texts, numbers and units of records, lines that are not too long, and the equations in words."""

import unittest

import sympy

import models

from derive.writing import drawing, in_words, layout, record
from derive.base.model import Friction, Impact, Shape
from derive.writing.names import Names


class Record(unittest.TestCase):
    def test_texts(self):
        self.assertEqual(record.text('why???/'), '"why?\\?\\?/"')
        self.assertEqual(record.comment('why???/'), 'why? ? ?/')
        self.assertEqual(record.text('a "b" \\ ??/'), '"a \\"b\\" \\\\ ?\\?/"')
        self.assertEqual(record.text("two\nlines"), '"two lines"')
        self.assertEqual(record.comment("/* a */"), "/ * a * /")

    def test_numbers(self):
        for typed, written in [("5", "5"), ("1e-10", "1e-10"), ("010", "10"), ("+2", "2"), ("-0.50", "-0.50"),
                               ("12345678901", "12345678901.0"), ("6.4072270822296949575", "6.4072270822296949575")]:
            self.assertEqual(record.as_typed(typed), written)
            self.assertEqual(float(written), float(typed))
        self.assertEqual([record.number(x) for x in (0.0, 2, 0.1, 1e-7)], ["0", "2", "0.1", "1e-07"])

    def test_units_of_rates(self):
        for unit, rate in [("m", "m/s"), ("rad", "rad/s"), ("-", "1/s"), ("m/s", "m/s^2"), ("kg/m", "kg/m/s")]:
            self.assertEqual(record.of_velocity(unit), rate)


class Lines(unittest.TestCase):
    def test_none_is_too_long_and_nothing_is_lost(self):
        terms = " + ".join(f"p[A{i}] * (q[{i}] - sin(q[{i}]) * (1 + v[{i}] / p[L]))" for i in range(20))
        text = layout.statement(f"f[0] = {terms};", 4, 11)
        self.assertGreater(text.count("\n"), 3)
        self.assertLessEqual(max(map(len, text.splitlines())), layout.WIDTH)
        self.assertEqual("".join(text.split()), "".join(f"f[0]={terms};".split()))
        for line in text.splitlines()[1:]:
            self.assertTrue(line.startswith(" " * 11))

    def test_inside_of_parentheses(self):
        text = layout.statement("f[0] = p[M] * (" + " + ".join(["q[0] * v[1]"] * 12) + ");", 4, 11)
        self.assertTrue(all(line.startswith(" " * 19 + "+ ") for line in text.splitlines()[1:]))

    def test_declarations(self):
        lines = layout.declarations([("param", "a = 1"), ("param", "b = 2"), ("real", "c = t")])
        self.assertEqual(lines, ["    const param a = 1, b = 2;", "    const real c = t;"])


class Words(unittest.TestCase):
    def test_what_acts(self):
        m = models.pendulum()
        x, mu = m.coordinates[0], sympy.Symbol("m")
        friction = Friction("F", sympy.Symbol("F"), x.q, m.constraints[0].symbol, m.parameters[0].symbol,
                            2 * m.parameters[0].symbol, m.parameters[1], "sticking", "s", "f", "b", "N", 1)
        m.frictions = [friction]
        m.impacts = [Impact("wall", x.q, sympy.S.Half, "x = 0", 1)]
        names = Names(m)
        everything = in_words.lines(m, names)
        self.assertIn("T = m (x'^2 + y'^2)/2", everything)
        self.assertIn("|F| <= m T at rest, 2 m T in motion along x", everything)
        self.assertIn("x = 0,  a wall with the restitution 1/2", everything)
        self.assertIn("0 = L - x,  |F| <= m T", in_words.lines(m, names, [*m.constraints, friction]))
        self.assertIn("|F| = 2 m T against the motion of x", in_words.lines(m, names, m.constraints))
        without = "\n".join(in_words.lines(m, names, []))
        self.assertNotIn("F|", without)             # its normal force is a reaction that is not there
        self.assertNotIn("its reaction", without)


class Drawing(unittest.TestCase):
    def drawn(self, shapes, **more):
        m = models.pendulum()
        m.drawing = shapes
        for name, value in more.items():
            setattr(m, name, value)
        return drawing.write(m, Names(m), models.equations(m))

    def test_sizes_are_of_the_model(self):
        m = models.pendulum()
        x, y = (c.q for c in m.coordinates)
        body = Shape("body", ((x, y),), None, 1)
        self.assertIn("dae_draw_body(out, x[0], x[1], 0.04 * p[L]);", self.drawn([body]))
        named = Shape("body", ((x, y),), None, 1, "bob")
        self.assertIn('dae_draw_named_body(out, "bob", x[0], x[1], 0.04 * p[L]);', self.drawn([named]))
        text = self.drawn([body], constraints=[])   # no length: of the start, 5 (3/5, -4/5), 4 of 25
        self.assertIn("dae_draw_body(out, x[0], x[1], 0.16);", text)
        self.assertIn("x[1], 2 * p[L]);", self.drawn([Shape("body", ((x, y),), 2 * m.parameters[1].symbol, 1)]))

    def test_nothing_to_draw(self):
        self.assertEqual(self.drawn([]), "")


if __name__ == "__main__":
    unittest.main()
