"""Forms of expressions: the same value in fewer operations, and what vanishes is zero."""

import os
import random
import unittest

import mpmath
import sympy
from sympy import Abs, Max, Rational, atan2, cos, exp, log, pi, sign, sin, sqrt, tan

from derive.algebra import angles, grouping, monomials
from derive.algebra.tidy import cost, multiplied_out, tidy
from derive.algebra.vanishing import value_at, vanishes

mpmath.mp.dps = 40
x, y, a, b, c, u, v = sympy.symbols("x y a b c u v", real=True)
m, M, l, L, g = sympy.symbols("m M l L g", positive=True, real=True)


class Values(unittest.TestCase):
    def same(self, found, expected):
        symbols = sorted(expected.free_symbols | found.free_symbols, key=str)
        drawn = random.Random(7)
        point = {s: mpmath.mpf(drawn.randrange(3, 19)) / 11 for s in symbols}
        for e in (found, expected):
            self.assertTrue(mpmath.isfinite(value_at(e, point)))
        self.assertLess(abs(value_at(found, point) - value_at(expected, point)),
                        1e-35 * (1 + abs(value_at(expected, point))), f"{found} for {expected}")


def random_expression(drawn, depth):
    """Sums, products, quotients, powers and functions of six symbols."""
    if depth == 0:
        return drawn.choice([x, y, a, m, l, Rational(drawn.randrange(-4, 5) or 1, drawn.randrange(1, 4))])
    parts = [random_expression(drawn, depth - 1) for _ in range(drawn.randrange(2, 4))]
    kind = drawn.randrange(8)
    if kind < 3:
        return sympy.Add(*parts)
    if kind < 6:
        return sympy.Mul(*parts)
    if kind == 6:
        return parts[0] / (1 + parts[1] ** 2)
    return drawn.choice([sin, cos, lambda e: e ** 2, lambda e: sqrt(e ** 2 + 1)])(parts[0])


class Forms(Values):
    def test_random_expressions_keep_their_value(self):
        drawn = random.Random(1788)
        for _ in range(120):
            expr = random_expression(drawn, drawn.randrange(1, 4))
            form = tidy(expr)
            self.assertLessEqual(cost(form), cost(expr))
            self.same(form, expr)
            long = multiplied_out(expr)
            if long is not None:
                self.same(long, expr)

    def becomes(self, expr, form):
        self.assertEqual(tidy(expr), form)

    def test_what_persons_write(self):
        self.becomes((2 * x * u + 2 * y * v) / (2 * L), (x * u + y * v) / L)
        self.becomes(m * l ** 2 * a / 4 + m * l ** 2 * a / 12, a * l ** 2 * m / 3)
        self.becomes(m * x + M * x + x ** 2 * m, x * (M + m * x + m))
        self.becomes(x * (a + b) - x * a, b * x)
        self.becomes(-m * g - m * l, -m * (g + l))
        self.becomes((y - x) * (v - u) - (x - y) * (u - v) + m, m)

    def test_sums_in_products_may_stay(self):
        self.becomes((a - b) ** 2 / m + (a - b) ** 2 / M + (c - u) ** 2 / m + (c - u) ** 2 / M,
                     (1 / m + 1 / M) * ((a - b) ** 2 + (c - u) ** 2))

    def test_differences_have_one_sign(self):
        for power in (-3, -2, -1, 1, 2, 3):
            one, other = m * (x - y) ** power, m * (y - x) ** power
            self.same(tidy(one), one)
            self.same(tidy(other), other)
            self.assertEqual(tidy(other), sympy.Integer(-1) ** power * tidy(one))

    def test_long_expressions_stay(self):
        expr = (a + b + c) ** 9 * (x + y + u) ** 9 * (m + l + L) ** 9
        self.assertIsNone(multiplied_out(expr))
        self.assertLessEqual(cost(tidy(expr)), cost(expr))

    def test_what_vanishes(self):
        self.becomes(sin(a) ** 2 + cos(a) ** 2 - 1, 0)
        self.becomes(sqrt(x ** 2 + 2 * x * y + y ** 2) ** 2 - (x + y) ** 2, 0)
        self.becomes(m * (tan(a) - sin(a) / cos(a)), 0)


class Angles(unittest.TestCase):
    def contracted(self, expr):
        table = monomials.Monomials()
        return table.expression(angles.contracted(table, table.of(expr)))

    def test_two_angles(self):
        for expr, form in ((sin(a) * sin(b) + cos(a) * cos(b), cos(a - b)),
                           (cos(a) * cos(b) - sin(a) * sin(b), cos(a + b)),
                           (sin(a) * sin(b) - cos(a) * cos(b), -cos(a + b)),
                           (sin(a) * cos(b) + cos(a) * sin(b), sin(a + b)),
                           (sin(a) * cos(b) - cos(a) * sin(b), sin(a - b)),
                           (cos(a) * sin(b) - sin(a) * cos(b), sin(b - a)),
                           (3 * m * x * (sin(a) * sin(b) + cos(a) * cos(b)) + x, 3 * m * x * cos(a - b) + x)):
            self.assertEqual(self.contracted(expr), form)

    def test_squares(self):
        for expr, form in ((m * sin(a) ** 2 + m * cos(a) ** 2, m), (3 * sin(a) ** 2 + 2 * cos(a) ** 2, 2 + sin(a) ** 2),
                           (sin(a) ** 2 - cos(a) ** 2, sin(a) ** 2 - cos(a) ** 2),
                           (sin(a) ** 4 + 2 * sin(a) ** 2 * cos(a) ** 2 + cos(a) ** 4, 1),
                           (m * cos(a) ** 2 + (m + M) * sin(a) ** 2, m + M * sin(a) ** 2)):
            self.assertEqual(self.contracted(expr), form)

    def test_what_does_not_belong_together_stays(self):
        for expr in (2 * sin(a) * sin(b) + cos(a) * cos(b), m * sin(a) * sin(b) + M * cos(a) * cos(b),
                     sin(a) * cos(a) + 1, sin(a) * cos(b) + cos(a) * sin(c), x / sin(a) ** 2 + y * cos(a) ** 2):
            self.assertEqual(self.contracted(expr), expr)


class Monomials(unittest.TestCase):
    def test_common_factors(self):
        table = monomials.Monomials()
        terms = table.of(m * x ** 2 / L + 3 * m * x / L ** 2 - m * y / (x * L))
        shared = monomials.common(list(terms))
        self.assertEqual(table.term(shared, 1), m / L)
        for keys in ([((0, 2),), ((0, 1), (1, 1))], [((0, 1),), ((0, 2), (1, -1))]):
            self.assertEqual(monomials.common(keys), ((0, 1),))

    def test_brackets_keep_the_sum(self):
        for expr in (x * m / 2 + x * M / 2, x * m / 2 + x * M / 3, -x * m - x * M, x * y + x * a + b * y + b * a,
                     x / L + y / L, x ** 2 / y - x / y ** 2, sympy.S.Zero, sympy.S(3), m - m * x ** 2):
            table = monomials.Monomials()
            self.assertEqual(sympy.expand(grouping.grouped(table, table.of(expr)) - expr), 0)

    def test_brackets(self):
        for expr, form in ((x * m / 2 + x * M / 2, x * (m + M) / 2), (x * m / 2 + x * M / 3, x * (m / 2 + M / 3)),
                           (-x * m - x * M, -x * (m + M)), (2 * x * m + 4 * x * M, 2 * x * (m + 2 * M)),
                           (-x - m, -x - m), (x * y + b * y + a / y, y * (x + b) + a / y),
                           (x * y * a + x * y * b + a * c, x * y * (a + b) + a * c)):
            table = monomials.Monomials()
            self.assertEqual(grouping.grouped(table, table.of(expr)), form)

    def test_too_many(self):
        with self.assertRaises(monomials.TooMany):
            monomials.Monomials().of((a + b + c) ** 30)


class Vanishing(Values):
    def test_identities(self):
        for expr in (sin(a) ** 2 + cos(a) ** 2 - 1, (x + y) ** 2 - x ** 2 - 2 * x * y - y ** 2,
                     m * (sin(2 * a) - 2 * sin(a) * cos(a)) * x, log(exp(x) * L) - x - log(L),
                     Max(x, y) + sympy.Min(x, y) - x - y, (sin(a) ** 2 + cos(a) ** 2 - 1) ** 3 * y,
                     x * (cos(a) ** 2 - 1 + sin(a) ** 2) + y * (tan(a) * cos(a) - sin(a)), sympy.S.Zero):
            self.assertTrue(vanishes(expr), expr)

    def test_what_is_small_or_has_no_number_is_not_zero(self):
        tiny = Rational(1, 10 ** 30)
        for expr in (x, m - M, (x + y) ** 2 - x ** 2 - y ** 2, sin(a) ** 2 + cos(a) ** 2 - 1 + tiny,
                     sqrt(-x ** 2 - 4) - y, exp(exp(exp(exp(9 * x)))) - y, Max(sqrt(x - 9), y) + y, pi - 3, tiny * x):
            self.assertFalse(vanishes(expr), expr)

    def test_values(self):
        point = {x: mpmath.mpf(2), y: mpmath.mpf(-3)}
        for expr, expected in ((x ** y, 0.125), (Abs(y), 3), (sign(y), -1), (atan2(y, x), mpmath.atan2(-3, 2)),
                               (pi * x, 2 * mpmath.pi), (Rational(1, 3) * y, -1), (sqrt(x), mpmath.sqrt(2))):
            self.assertAlmostEqual(value_at(expr, point), expected, 30)


if __name__ == "__main__":
    unittest.main()
