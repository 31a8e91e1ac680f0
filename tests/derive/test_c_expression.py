"""Expressions in C have the values of SymPy, to all digits of a quad number in the quad pass, and its derivatives."""

import pathlib
import shutil
import subprocess
import tempfile
import unittest

import sympy
from sympy import Rational, cos, exp, pi, sin, sqrt

import models

from derive.writing import numbers_in_c
from derive.writing.c_expression import CWriter, Unwritable, WordWriter
from derive.writing.functions import Functions
from derive.writing.names import Names
from derive.algebra.order import Order, ranks

ROOT = pathlib.Path(__file__).resolve().parents[2]

A, B = models.parameter("a", "0.75", "m"), models.parameter("b", "1.625", "m")
X = models.coordinate("x", "m")
a, b, x, v = A.symbol, B.symbol, X.q, X.v
VALUES = {a: Rational(3, 4), b: Rational(13, 8), x: Rational(5, 16), v: Rational(-7, 4)}
MODEL = models.model("expressions", [A, B], [X], v**2, x)

EXPRESSIONS = [
    x / 3, 2 * x / 3, -x / 7, Rational(1, 3) + x, x - Rational(1, 3), Rational(981, 100) * x, Rational(1, 10) + x,
    Rational(2, 7) / x, 1 / (3 * x), 5 / x**2, a / (b * x), x**3, x**4, x**7, x**-3, sqrt(x), 1 / sqrt(x),
    x**Rational(3, 2), x**Rational(-5, 2), x**Rational(1, 3), x**Rational(-2, 3), x**a, a**x, 2**x, pi * x,
    sin(2 * pi * a * x), exp(1) * x, exp(-x), exp(2) + x, sqrt(2) * x / 2, sqrt(3) + x, sympy.log(10) * x,
    sin(Rational(1, 10)) + x, cos(1) * x, sympy.tan(x), sympy.asin(x), sympy.acos(x), sympy.atan(x),
    sympy.atan2(v, x), sympy.sinh(x), sympy.cosh(x), sympy.tanh(x), sympy.asinh(x), sympy.acosh(b + x),
    sympy.atanh(x), sympy.log(a + x), sympy.Abs(v), sympy.sign(v) * x, sympy.Max(x, v, a), sympy.Min(x, 0),
    sympy.Max(v, Rational(1, 3)), sympy.cot(x), sympy.sec(x), sympy.csc(x), -(a + b) * x, (a - b) * x,
    x - (a - b), a - (x - v) * b, -x - v, (x + v)**2, (x - v)**3 / (a + b)**2, sqrt(x**2 + v**2),
    (sin(x) + cos(x)) * (sin(x) - 2), sin(x)**2 + cos(v)**2 * sin(x)**2, x * (x + 1) * (v + 2) / (a - 7), 10**30 * x,
    x / 10**30, Rational(123456789012345678901234567890, 7) * x, 3000000000 * x, Rational(1, 3000000001) + x,
    Rational(15, 10**9) * x, x * 0 + Rational(22, 7), a / 3, a**Rational(1, 3), pi / 6 + 0 * x, sqrt(2) / 2,
    a * b * sin(x) / 12 - a**2 * v**2 / 24, 1 / (1 + 1 / (1 + x)), ((x + a) * v - b)**2 - 1 / (x * v),
    -(x - v) / 3, -2 * (x - v) * (a + b) / 5, sympy.Mul(-1, x + v, evaluate=False), (-a - b) * (-x - v),
]

MAIN = """
static void show_quad(dae_quad x)
{
    for (int i = 0; i < 3; i++) {
        const double part = (double)x;
        printf("%a ", part);
        x -= part;
    }
}
int main(void)
{
    const dae_map2 all = DAE_MODEL(numbers);
    if (!all.tangent)
        return 1;
    const double p[] = {A0, B0}, q[] = {X0}, v[] = {V0};
    const dae_quad P[] = {A0, B0}, Q[] = {X0}, V[] = {V0};
    const dae_dual dq[] = {dae_dual_make(X0, 1)}, dv[] = {V0};
    double f[COUNT];
    dae_dual df[COUNT];
    dae_quad F[COUNT];
    numbers_double(p, 0, q, v, f);
    numbers_dual(p, 0, dq, dv, df);
    numbers_quad(P, 0, Q, V, F);
    for (int i = 0; i < COUNT; i++) {
        printf("%a %a ", f[i], dae_dual_derivative(df[i]));
        show_quad(F[i]);
        printf("\\n");
    }
    return 0;
}
"""


def run(expressions):
    """Rows (double, dual, quad) of what the C computes."""
    names = Names(MODEL)
    functions = Functions(MODEL, names)
    functions._map("numbers", "const param *p, real t, const real *q, const real *v, real *", "f",
                   {x: "q[0]", v: "v[0]"}, expressions)
    text = ("#ifndef DAE_PASS\nenum { A, B };\n#include <stdio.h>\n#include <daelab/model.h>\n" + MAIN + "#else\n"
            + functions.all_text() + "#endif\n")
    constants = {"A0": VALUES[a], "B0": VALUES[b], "X0": VALUES[x], "V0": VALUES[v], "COUNT": len(expressions)}
    rows = {}
    for compiler in filter(shutil.which, ("gcc", "clang")):
        with tempfile.TemporaryDirectory() as folder:
            source, program = pathlib.Path(folder) / "numbers.c", pathlib.Path(folder) / "numbers"
            source.write_text(text)
            defines = [f"-D{name}={float(value) if name != 'COUNT' else value}" for name, value in constants.items()]
            subprocess.run([compiler, "-std=gnu11", "-O1", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror",
                            *defines, f"-I{ROOT / 'include'}", str(source), "-o", str(program), "-lm"], check=True)
            printed = subprocess.run([str(program)], capture_output=True, text=True, check=True).stdout
        rows[compiler] = [[sympy.Rational(float.fromhex(word)) for word in line.split()]
                          for line in printed.splitlines()]
    return rows


class Values(unittest.TestCase):
    def test_all_passes(self):
        for compiler, rows in run(EXPRESSIONS).items():
            for e, (plain, slope, *parts) in zip(EXPRESSIONS, rows):
                with self.subTest(compiler=compiler, expression=str(e)):
                    exact = sympy.N(sympy.sympify(e).subs(VALUES), 50)
                    size = max(abs(exact), Rational(1, 100))
                    self.assertLess(abs(plain - exact) / size, 2e-14)
                    self.assertLess(abs(sum(parts) - exact) / size, Rational(1, 10**31))
                    if not sympy.sympify(e).has(sympy.Max, sympy.Min, sympy.sign, sympy.Abs):
                        derivative = sympy.N(sympy.diff(e, x).subs(VALUES), 30)
                        self.assertLess(abs(slope - derivative), 1e-13 * max(1, abs(derivative)))

    def test_sign_at_zero(self):
        for rows in run([sympy.sign(x - Rational(5, 16)), sympy.sign(v) / 2]).values():
            self.assertEqual(rows[0][0], 0)
            self.assertEqual(rows[1][0], Rational(-1, 2))


class Texts(unittest.TestCase):
    def setUp(self):
        order = Order(ranks(MODEL))
        self.c = CWriter({a: "a", b: "b", x: "x", v: "v"}, order)
        self.words = WordWriter({a: "a", b: "b", x: "x", v: "x'"}, order)
        self.lengths = CWriter({a: "a", b: "b", x: "x", v: "v"}, order, lengths=True)

    def test_c(self):
        for e, text in [(x / 3, "x / 3"), (a * x**2 / 2, "a * x * x / 2"), (x - a, "x - a"), (a - x**2, "a - x * x"),
                        (-(a + b) * x, "-(a + b) * x"), (Rational(1, 3) + x, "EXACT(1.0) / 3 + x"), (1 / x, "1 / x"),
                        (x / 2 - Rational(1, 2), "x / 2 - 0.5"), (Rational(981, 100) * x, "EXACT(9.81) * x"),
                        (x**Rational(3, 2), "x * sqrt(x)"), (v * x * b * a, "a * b * x * v"), (-x, "-x"),
                        (x**Rational(1, 3), "pow(x, EXACT(1.0) / 3)"), (-a * (x - v) * b, "a * b * (v - x)")]:
            self.assertEqual(self.c.write(e), text)

    def test_words(self):
        for e, text in [(a * v**2 / 2, "a x'^2/2"), (a * b * cos(x), "a b cos(x)"), (x / (a * b), "x/(a b)"),
                        (sqrt(x), "sqrt(x)"), (sympy.Abs(v), "abs(x')"), (sympy.Max(x, v), "max(x', x)"),
                        (Rational(1, 3) + x, "1/3 + x"), ((x + v)**2, "(x' + x)^2"), (1 / (a + x), "1/(x + a)")]:
            self.assertEqual(self.words.write(e), text)

    def test_lengths(self):
        self.assertEqual(self.lengths.write(sqrt(x**2 + v**2 * a**2)), "hypot(a * v, x)")
        self.assertEqual(self.lengths.write(sqrt(x**2 + v)), "sqrt(v + x * x)")

    def test_what_has_no_formula(self):
        for e in (sympy.zoo, sympy.nan, sympy.I * x, sympy.gamma(x), sympy.oo, sympy.Derivative(sympy.Abs(x), x)):
            with self.assertRaises(Unwritable):
                self.c.write(e)


class Numbers(unittest.TestCase):
    def test_decimals(self):
        for value, digits in [("981/100", "9.81"), ("1/10", "0.1"), ("-1/4", "-0.25"), ("3", "3.0"), ("1/3", None),
                              ("1500", "1500.0"), ("1/100000000", "1e-8"), ("10000000000000000000000", "1e22"),
                              ("1/1024", "0.0009765625"),
                              ("123456789012345678901234567", "1.23456789012345678901234567e26")]:
            from fractions import Fraction
            self.assertEqual(numbers_in_c.decimal(Fraction(value)), digits)
            if digits:
                self.assertEqual(Fraction(digits), Fraction(value))


if __name__ == "__main__":
    unittest.main()
