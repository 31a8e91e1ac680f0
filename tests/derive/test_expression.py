"""Expressions: what stands beside each other, signs and powers, exact numbers, units, and what is refused."""

import unittest

import sympy

from derive.words import expression, units
from derive.base.fault import Fault
from derive.base.model import TIME
from derive.words.scope import Name, beginning
from derive.words.text import Scalar

NAMES = {"x": "m", "phi": "rad", "L": "m", "m": "kg", "g": "m/s^2", "a": "-", "b": "-", "c": "-", "I": "kg.m^2",
         "E": "-", "gamma": "1/s", "e": "-", "lambda": "N", "S": "N", "y0": "mm"}


def scope(checked=True, nonsmooth=True):
    known = beginning(checked)
    for word, unit in NAMES.items():
        kind = "coordinate" if word in ("x", "phi") else "parameter"
        rate = sympy.Symbol(word + "'", real=True) if kind == "coordinate" else None
        known.add(word, Name(kind, sympy.Symbol(word, real=True), units.read(unit), 1, "", rate))
    return known.within(frozenset({"parameter", "coordinate", "velocity", "time"}), "it", nonsmooth)


def read(text, checked=True, nonsmooth=True):
    return expression.read(Scalar(text, text, 5), scope(checked, nonsmooth))


def symbol(word):
    return sympy.Symbol(word, real=True)


A, B, C, X, V = (symbol(word) for word in ("a", "b", "c", "x", "x'"))
HALF = sympy.Rational(1, 2)


class Values(unittest.TestCase):
    def test_grammar(self):
        for text, value in (
                ("a b c", A * B * C), ("1/2 a b", A * B / 2), ("a/2 b", A * B / 2), ("a/b*c", A * C / B),
                ("a/b*c a", A ** 2 * C / B), ("a/(b c)", A / (B * C)), ("a*b/c", A * B / C), ("a - b - c", A - B - C),
                ("a - (b - c)", A - B + C), ("a/b/c", A / B / C), ("-a^2", -A ** 2), ("(-a)^2", A ** 2),
                ("a^-2", A ** -2), ("a^b^2", A ** (B ** 2)), ("2^-1 a", A / 2), ("a^2 b", A ** 2 * B),
                ("2a", 2 * A), ("a (b + c)", A * (B + C)), ("(a + b)(a - b)", (A + B) * (A - B)),
                ("1/(2 b) a", A / (2 * B)), ("-a b", -A * B), ("a*-b", -A * B), ("--a", A), ("+a", A),
                ("a 2", 2 * A), ("sin(a)^2 b", sympy.sin(A) ** 2 * B), ("a sin(b) c", A * sympy.sin(B) * C),
                ("a^(1/2)", sympy.sqrt(A)), ("2e b", 2 * symbol("e") * B), ("2e1 b", 20 * B),
                ("E I", symbol("E") * symbol("I")), ("a(b)", A * B), ("\n a +\n b\n", A + B)):
            with self.subTest(text):
                self.assertEqual(read(text, checked=False).value, value)

    def test_numbers_are_exact(self):
        for text, value in (("0.1", "1/10"), ("1e-6", "1/1000000"), (".5", "1/2"), ("5.", "5"),
                ("0.1 + 0.2", "3/10"), ("2E+3", "2000"), ("1/3", "1/3"), ("10^-3", "1/1000"),
                ("6.4072270822296949575", "6.4072270822296949575")):
            with self.subTest(text):
                self.assertEqual(read(text).value, sympy.Rational(value))

    def test_functions(self):
        for name in ("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh",
                "exp", "log"):
            with self.subTest(name):
                self.assertEqual(read(f"{name}(a b)").value, getattr(sympy, name)(A * B))
        self.assertEqual(read("atan2(a, b)").value, sympy.atan2(A, B))
        self.assertEqual(read("hypot(a, b)").value, sympy.sqrt(A ** 2 + B ** 2))
        self.assertEqual(read("abs(a) + min(a, b) + max(a, b) + sign(a)").value,
                         sympy.Abs(A) + sympy.Min(A, B) + sympy.Max(A, B) + sympy.sign(A))

    def test_names(self):
        self.assertEqual(read("x' t + x").value, V * TIME + X)
        self.assertEqual(read("2 pi a").value, 2 * sympy.pi * A)
        self.assertEqual(read("gamma").value, symbol("gamma"))

    def test_equations(self):
        def equation(text):
            return expression.read_equation(Scalar(text, text, 1), scope()).value
        self.assertEqual(equation("x = L"), X - symbol("L"))
        self.assertEqual(equation("0 = x"), -X)
        self.assertEqual(equation("x - L"), X - symbol("L"))


class Units(unittest.TestCase):
    def test_of_results(self):
        for text, unit in (("1/2 m x'^2", "J"), ("m g x", "J"), ("x'/x", "1/s"), ("sqrt(L g)", "m/s"),
                ("sin(phi) L", "m"), ("phi'", "1/s"), ("L phi'", "m/s"), ("atan2(x, L)", "1"), ("hypot(x, L)", "m"),
                ("abs(m g)", "N"), ("max(x, 0)", "m"), ("sign(x')", "1"), ("0 + x", "m"), ("x^(3/2)", "m^(3/2)"),
                ("x^0", "1"), ("0.5", "1"), ("gamma t", "1"), ("I phi'^2", "J"), ("x - 0", "m"), ("a^b", "1")):
            with self.subTest(text):
                self.assertEqual(read(text).unit, units.read(unit))

    def test_zero_fits_all(self):
        self.assertIsNone(read("0").unit)
        self.assertIsNone(read("0*x").unit)

    def test_numbers_with_units(self):
        """A word behind a number is its unit where the model has no such name; t alone counts in seconds."""
        for text, value, unit in (("2 s", 2, "s"), ("3 mm/s^2", 3, "mm/s^2"), ("1/2 kN cm", "1/2", "kN.cm"),
                ("4/s x", "4*x", "m/s"), ("2 rad/s t", "2*t", "1"), ("5 N/cm^2*x^2", "5*x**2", "N.m^2/cm^2"),
                ("sin(2 t)", "sin(2*t)", "1"), ("sin(2 rad/s t)", "sin(2*t)", "1"), ("sin(30 deg)", "1/2", "1"),
                ("exp(-t)", "exp(-t)", "1"), ("2 m", "2*m", "kg"),
                ("2 L x", "2*L*x", "m^2")):
            with self.subTest(text):
                found = read(text)
                self.assertEqual(found.unit, units.read(unit))
                names = {s.name: s for s in found.value.free_symbols}
                self.assertEqual(found.value, sympy.sympify(value, locals=names))
        for text, part in (("x + 2 s", "'2 s' in s"), ("m s", "unknown 's'"), ("2 m/s", "unknown 's'"),
                ("2 parsecs", "unknown 'parsecs'"), ("sin(2 s^2/s t^2)", "'2 s^2/s t^2' is in s^3"),
                ("x + 2 cm", "'2 cm' in cm")):
            with self.subTest(text), self.assertRaisesRegex(Fault, part.replace("^", r"\^")):
                read(text)
        with self.assertRaisesRegex(Fault, "unknown 's'"):
            read("2 s", checked=False)

    def test_unlike(self):
        for text, part in (("x + phi", "'x' is in m and 'phi' a number: they cannot be added"),
                ("x + y0", "'x' is in m and 'y0' in mm"), ("m g x - m g", "'m g x' is in J and 'm g' in N"),
                ("sin(x)", "'x' is in m"), ("x^a", "is not a number"), ("a^x", "'x' is in m"),
                ("atan2(x, t)", "atan2"), ("hypot(x, 1)", "hypot"), ("exp(L t)", "'L t' is in m.s"),
                ("x + 1", "a number may have its unit behind it"), ("max(x, t)", "max")):
            with self.subTest(text), self.assertRaisesRegex(Fault, part.replace("(", r"\(").replace(")", r"\)")):
                read(text)
            read(text, checked=False)


class Refused(unittest.TestCase):
    def test_sentences(self):
        for text, part in (
                ("a/b c", "two ways: write a/(b c) or a/b*c"), ("a/b^2 c", "two ways"), ("a/sin(b) c", "two ways"),
                ("a/b (c)", "two ways"), ("Lenght", "unknown 'Lenght'"), ("l", "did you mean L?"),
                ("phy", "did you mean phi?"), ("mgx", "a space between them, m g x"),
                ("xdot", "the velocity of x is x'"), ("vx", "the velocity of x is x'"), ("a\u00b2", "x^2"),
                ("a\u00b7b", "m*g"), ("x''", "acceleration"),
                ("L'", "L is a parameter and has no velocity"), ("t'", "its rate is 1"),
                ("sin phi", "write sin(phi)"), ("sin", "parentheses"), ("sin^2(phi)", "write sin(x)^2"),
                ("sin'(phi)", "has no velocity"), ("sin(phi, phi)", "takes 1 argument, and has 2"),
                ("atan2(a)", "takes 2 arguments"), ("ln(a)", "write log"), ("a**2", "written ^"),
                ("a < b", "'while:'"), ("|a|", "abs(x)"), ("a[1]", "parentheses are round"), ("(a", "not closed"),
                ("a)", "')' without '('"), ("a, b", "','"), ("a = b", "'='"), ("", "missing"),
                ("a +", "ends where"), ("* a", "'*' stands"), ("a b^", "ends where"), ("2 3", "two numbers"),
                ("1/0", "divided by '0'"), ("a/(b - b)", "divided by"), ("0^-1", "0 is raised"),
                ("0^0", "0 is raised"), ("log(0)", "infinite"), ("sqrt(-1)", "not a real"),
                ("asin(2)", "not a real"), ("log(-2)", "not a real"), ("10^10^10", "too large"),
                ("a^65", "too large"), ("a^(1/65)", "too large"), ("(10^17)^(10^300 + a)", "too large"),
                ("exp(1000)", "out of the range"), ("1e999", "out of the range"), ("1e-400", "out of the range"),
                ("10^200*10^200", "out of the range"), ("exp(exp(exp(9)))", "out of the range"),
                ("tan(pi/2)", "infinite"), ("\u03c6", "names have letters"), ("a $ b", "'$' is not understood"),
                ("phi(t)", "alone is what"), ("a.b", "'.' is not"), ("1..2", "two numbers"),
                ("9" * 200, "too many digits"), ("(" * 50 + "a" + ")" * 50, "deep"), ("-" * 99 + "a", "deep"),
                ("a^" * 60 + "1", "deep"), ("a" + "+a" * 2500, "at most 4000"), ("max(a)", "takes 2"),
                ("a'b", "has no velocity"), ("((a)", "not closed"), ("sin(", "ends where"), ("sin()", "stands where")):
            with self.subTest(text[:30]):
                with self.assertRaises(Fault) as caught:
                    read(text, checked=False)
                self.assertIn(part, caught.exception.sentence)

    def test_kinks(self):
        for text in ("abs(phi)", "min(a, phi)", "max(phi', gamma)", "sign(x t)"):
            with self.subTest(text), self.assertRaisesRegex(Fault, "has a kink"):
                read(text, nonsmooth=False)
        self.assertEqual(read("max(a, b) + sqrt(a^2)", nonsmooth=False).value, sympy.Max(A, B) + sympy.Abs(A))

    def test_the_line_within(self):
        with self.assertRaises(Fault) as caught:
            read("a +\n b +\n\n unknown_name +\n c")
        self.assertEqual(caught.exception.line, 8)

    def test_a_function_may_be_no_name(self):
        for name in ("sin", "t", "pi", "max"):
            with self.subTest(name), self.assertRaisesRegex(Fault, "choose another name"):
                scope().add(name, Name("parameter", symbol(name), units.ONE, 1))


if __name__ == "__main__":
    unittest.main()
