"""Functions by their slopes: found where they are made of powers, sines and cosines, and else none."""

import os
import unittest

import sympy
from sympy import cos, exp, sin, sqrt

from derive.algebra import primitive
from derive.base.model import TIME
from derive.algebra.rates import gradient
from derive.algebra.vanishing import vanishes

x, y, c = sympy.symbols("x y c", real=True)
l, w = sympy.symbols("l w", positive=True, real=True)


class Primitives(unittest.TestCase):
    def test_found(self):
        for F in (x, sympy.S.Zero, cos(w * x), l * sin(2 * x), x * y + y ** 3 * TIME,
                  l * sin(x - y) * cos(w * TIME) + y, cos(w * x) * sin(y) / l, x ** 3 * sin(2 * y - w * TIME),
                  sqrt(x) * y, c * x * cos(l * y) - x / y ** 2):
            slopes = gradient(F, [x, y])
            found = primitive.of(slopes, [x, y])
            self.assertIsNotNone(found, F)
            for slope, expected in zip(gradient(found, [x, y]), slopes):
                self.assertTrue(vanishes(slope - expected), F)

    def test_none(self):
        for slopes in ([y, -x], [sympy.S.Zero, x], [exp(x), sympy.S.Zero], [1 / x, sympy.S.Zero],
                       [sin(c * x), sympy.S.Zero], [x * sin(x), sympy.S.Zero], [sin(x ** 2), sympy.S.Zero]):
            self.assertIsNone(primitive.of(slopes, [x, y]), slopes)


if __name__ == "__main__":
    unittest.main()
