"""Taylor series against derivatives that are known."""

import math
import unittest

import numpy as np
from daelab.taylor import Series, coefficient, curve

X, D = 0.7, Series([0.7, 1.0, 0.0, 0.0])        # x = 0.7 + s


class Derivatives(unittest.TestCase):
    def near(self, series, derivatives):
        expected = [d / math.factorial(k) for k, d in enumerate(derivatives)]
        self.assertEqual(len(series.c), len(expected))
        for found, wanted in zip(series.c, expected):
            self.assertAlmostEqual(found, wanted, 13)

    def test_functions(self):
        """Value and the first three derivatives at x = 0.7."""
        s, c, e = math.sin(X), math.cos(X), math.exp(X)
        sh, ch, r = math.sinh(X), math.cosh(X), 1 / (1 + X * X)
        t, th = math.tan(X), math.tanh(X)
        cases = {
            np.sin: (s, c, -s, -c), np.cos: (c, -s, -c, s), np.exp: (e, e, e, e),
            np.log: (math.log(X), 1 / X, -1 / X**2, 2 / X**3), np.sinh: (sh, ch, sh, ch), np.cosh: (ch, sh, ch, sh),
            np.sqrt: (X**0.5, X**-0.5 / 2, -X**-1.5 / 4, 3 * X**-2.5 / 8),
            np.tan: (t, 1 + t * t, 2 * t * (1 + t * t), (1 + t * t) * (2 + 6 * t * t)),
            np.tanh: (th, 1 - th * th, -2 * th * (1 - th * th), (1 - th * th) * (6 * th * th - 2)),
            np.arctan: (math.atan(X), r, -2 * X * r * r, 8 * X * X * r**3 - 2 * r * r)}
        for function, derivatives in cases.items():
            with self.subTest(function=function.__name__):
                self.near(function(D), derivatives)
                self.near(function(np.array([D]))[0], derivatives)

    def test_arithmetic(self):
        self.near(D**3, (X**3, 3 * X * X, 6 * X, 6))
        self.near(D**1.5, (X**1.5, 1.5 * X**0.5, 0.75 * X**-0.5, -0.375 * X**-1.5))
        self.near(D**-1, (1 / X, -X**-2, 2 * X**-3, -6 * X**-4))
        self.near(2 / D, (2 / X, -2 * X**-2, 4 * X**-3, -12 * X**-4))
        self.near(np.float64(2.0) / D, (2 / X, -2 * X**-2, 4 * X**-3, -12 * X**-4))
        self.near(1 - D * D, (1 - X * X, -2 * X, -2, 0))
        self.near(2.0**D, tuple(2.0**X * math.log(2)**k for k in range(4)))
        self.near(-D + 1, (1 - X, -1, 0, 0))
        self.near((D / D), (1, 0, 0, 0))
        self.near(D**D / D**D, (1, 0, 0, 0))

    def test_vectors(self):
        q = curve(np.array([3.0, -4.0]), np.array([1.0, 2.0]), np.array([0.5, 0.0]))
        g = np.array([q @ q - 25.0, q[0] * q[1], 7.0], dtype=object)
        self.assertTrue(np.array_equal(coefficient(g, 0), [0, -12, 7]))
        self.assertTrue(np.array_equal(coefficient(g, 1), [2 * (3 - 8), -4 + 6, 0]))
        self.assertTrue(np.array_equal(coefficient(g, 2), [1 + 4 + 3.0, 2 - 2.0, 0]))

    def test_complex(self):
        """The imaginary parts of the coefficients are derivatives once more."""
        h = 2.0**-200
        x = Series([complex(X, h), 1.0])
        self.assertAlmostEqual(np.sin(x).c[1].imag / h, -math.sin(X), 14)
        self.assertAlmostEqual(np.sqrt(x).c[1].imag / h, -X**-1.5 / 4, 14)

    def test_not_analytic(self):
        for function in (abs, float, np.floor):
            with self.assertRaises(TypeError):
                function(D)
        self.assertTrue(D > 0.5 and D < 1 and D >= 0.7 and not D <= 0.6)


if __name__ == "__main__":
    unittest.main()
