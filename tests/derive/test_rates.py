"""Rates: those of SymPy in value, and of the shape of what they are the rates of."""

import math
import os
import unittest

import sympy
from sympy import Abs, Max, Min, acosh, asin, atan, atan2, cosh, exp, log, sign, sin, sqrt, tan, tanh

from derive.algebra import rates, shared
from derive.base.model import TIME
from derive.algebra.tidy import tidy
from derive.algebra.vanishing import value_at, vanishes

x, y, u, w, a, b = sympy.symbols("x y x' y' x'' y''", real=True)
L = sympy.Symbol("L", positive=True, real=True)

SMOOTH = [x, L, x * y * TIME, (x - y) ** 2, 1 / (x + y), sqrt(x ** 2 + y ** 2), sin(x * y) ** 3, tan(x / L),
          exp(-x * TIME), log(x + L), asin(x / (4 * L)), atan(x), atan2(x, y), cosh(x), tanh(x * y), acosh(x + 9),
          x ** y, (x + L) ** sympy.Rational(-3, 2), L ** x, (x * sin(TIME) + y) / (L + x ** 2)]


def in_time(expr):
    """By SymPy, of functions of time."""
    X, Y = sympy.Function("X")(TIME), sympy.Function("Y")(TIME)
    found = expr.xreplace({x: X, y: Y, u: X.diff(TIME), w: Y.diff(TIME)}).diff(TIME)
    return found.xreplace({X.diff(TIME, 2): a, Y.diff(TIME, 2): b}).xreplace(
        {X.diff(TIME): u, Y.diff(TIME): w}).xreplace({X: x, Y: y})


class Rates(unittest.TestCase):
    def test_first_and_second(self):
        for expr in SMOOTH:
            rate = rates.total(expr, [x, y], [u, w])
            self.assertTrue(vanishes(rate - in_time(expr)), expr)
            self.assertTrue(vanishes(rates.total(rate, [x, y], [u, w], [a, b]) - in_time(rate)), expr)

    def test_partial(self):
        for expr in SMOOTH:
            self.assertTrue(vanishes(rates.derivative(expr, x) - sympy.diff(expr, x)), expr)
            self.assertEqual(len(rates.gradient(expr, [x, y, L])), 3)
        self.assertEqual(rates.derivative(sin(y), x), 0)

    def test_shape(self):
        self.assertEqual(tidy(rates.total((x - y) ** 2, [x, y], [u, w])), sympy.Mul(2, x - y, u - w))
        self.assertFalse(rates.total((x - y) ** 2 / L, [x, y], [u, w]).has(x * u))

    def test_kinks(self):
        self.assertEqual(rates.derivative(Abs(x * y), x), y * sign(x * y))
        self.assertEqual(rates.derivative(sign(x) * y, x), 0)
        for expr in (Max(x, y), Min(x, 2 * y)):
            slope = rates.derivative(expr, x)
            for at, expected in (((3, 1), expr.func is Max), ((1, 3), expr.func is Min)):
                self.assertEqual(slope.subs({x: at[0], y: at[1]}), int(expected))


class Nested(unittest.TestCase):
    def test_words_within_words(self):
        """a_k = sin(a_(k-1)) + a_(k-1)/2, whose slope is the product of cos(a_(k-1)) + 1/2; written out it is long."""
        word, value, slope = x, 0.3, 1.0
        for _ in range(10):
            word = sin(word) + word / 2
            value, slope = math.sin(value) + value / 2, slope * (math.cos(value) + 0.5)
        found = rates.derivative(word, x)
        self.assertAlmostEqual(float(value_at(found, {x: 0.3})) / slope, 1, 10)
        self.assertEqual(shared.symbols(found), {x})
        self.assertEqual(shared.replaced(found, {x: L}), rates.derivative(shared.replaced(word, {x: L}), L))
        self.assertFalse(vanishes(found))


if __name__ == "__main__":
    unittest.main()
