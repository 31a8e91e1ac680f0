"""SymPy expressions as C of model.h, exact in every pass, and as formulas for people.

Numbers are whole, or EXACT; a quotient is written with / so that no pass rounds a fraction of its own; powers
are products, square roots sqrt. What cannot be written is an Unwritable.
"""

from fractions import Fraction

import sympy

from derive.algebra.order import is_negative
from derive.writing import numbers_in_c

SUM, PRODUCT, ATOM = 1, 2, 3

FUNCTIONS = {
    sympy.sin: "sin", sympy.cos: "cos", sympy.tan: "tan", sympy.asin: "asin", sympy.acos: "acos",
    sympy.atan: "atan", sympy.atan2: "atan2", sympy.sinh: "sinh", sympy.cosh: "cosh", sympy.tanh: "tanh",
    sympy.asinh: "asinh", sympy.acosh: "acosh", sympy.atanh: "atanh", sympy.exp: "exp", sympy.log: "log",
    sympy.Abs: "fabs",
}
OVER = {sympy.cot: sympy.tan, sympy.sec: sympy.cos, sympy.csc: sympy.sin, sympy.coth: sympy.tanh,
        sympy.sech: sympy.cosh, sympy.csch: sympy.sinh}
MOST_FACTORS = 4                # x^4 is a product, x^5 pow(x, 5)


class Unwritable(Exception):
    """An expression that has no formula in C: infinite, complex, or of a function that there is not."""


class CWriter:
    """Writes expressions; place: symbol -> text in C, order: an Order.

    passes: in a function of all passes; lengths: sqrt(x^2 + y^2) is hypot(x, y).
    """

    times, joined = " * ", ", "

    def __init__(self, place, order, passes=True, lengths=False):
        self.place, self.order, self.passes, self.lengths = place, order, passes, lengths

    def write(self, expression):
        return self._write(sympy.sympify(expression))[0]

    def factor(self, expression):
        """The same, in parentheses where it is a sum."""
        return self._at_least(sympy.sympify(expression), PRODUCT)

    def _write(self, e):
        """The text, and how tightly it holds together."""
        if e.is_Symbol:
            return self.place[e], ATOM
        if e.is_Rational:
            return self._number(Fraction(int(e.p), int(e.q)))
        if e is sympy.pi:
            return self._pi(), ATOM
        if e is sympy.E:
            return self._e(), ATOM
        if e.is_Add:
            return self._sum(e), SUM
        if e.is_Mul or (e.is_Pow and e.exp.is_Rational):
            return self._product(e)
        if e.is_Pow:
            return self._power(e.base, e.exp), ATOM
        return self._function(e), ATOM

    def _at_least(self, e, hold):
        text, held = self._write(e)
        return text if held >= hold else f"({text})"

    def _pi(self):
        return "PI" if self.passes else "DAE_PI_DOUBLE"

    def _e(self):
        return "M_E"

    def _number(self, value):
        text = numbers_in_c.literal(value, self.passes)
        if text is None:
            over = numbers_in_c.literal(Fraction(value.denominator), self.passes)
            top = numbers_in_c.decimal(Fraction(value.numerator)) or str(value.numerator) + ".0"
            text = f"EXACT({top}) / {over}" if self.passes else f"{top} / {over}"
            return text, PRODUCT if value > 0 else SUM
        return text, ATOM if value >= 0 else SUM

    # Sums

    def _sum(self, e):
        text = ""
        for term in self.order.terms(sympy.Add.make_args(e)):
            minus = is_negative(term)
            part = self._at_least(-term if minus else term, PRODUCT)
            text += (" - " if minus else " + ") + part if text else ("-" if minus else "") + part
        return text

    # Products and quotients

    def _product(self, e):
        coefficient, factors = e.as_coeff_mul()
        c = Fraction(int(coefficient.p), int(coefficient.q))
        c, factors = self._without_minus(c, factors)
        above, below = self._above_and_below(factors)
        top, bottom = self._coefficient(abs(c), bool(above or below))
        top, bottom = top + above, bottom + below
        text = self._joined(top or ["1"])
        if bottom:
            under = self._joined(bottom)
            text += self._over(under if len(bottom) == 1 else f"({under})")
        if c < 0:
            return "-" + text, SUM
        return text, ATOM if e.is_Pow and e.exp == sympy.Rational(1, 2) else PRODUCT

    @staticmethod
    def _without_minus(c, factors):
        """-(a + b) of a factor -a - b, and b - a of -(a - b)."""
        kept = []
        for factor in factors:
            minus = sum(is_negative(term) for term in factor.args) if factor.is_Add else 0
            turn = minus and (minus == len(factor.args) or (c < 0 and 2 * minus >= len(factor.args)))
            kept.append(-factor if turn else factor)
            c = -c if turn else c
        return c, kept

    def _joined(self, factors):
        return self.times.join(factors)

    def _over(self, under):
        return " / " + under

    def _coefficient(self, c, has_factors):
        """What of a positive number stands above and below."""
        if c == 1:
            return [], []
        whole = c.denominator == 1
        text = numbers_in_c.literal(c, self.passes)
        if text is not None and (whole or not numbers_in_c.is_small(c) or self._as_decimal(c)):
            return [text], []
        top = [] if c.numerator == 1 and has_factors else [self._top_of(c, has_factors)]
        return top, [numbers_in_c.literal(Fraction(c.denominator), self.passes) or f"{c.denominator}.0"]

    def _as_decimal(self, c):
        """0.04 L of doubles, where a quotient is no more exact."""
        return not self.passes and c.denominator % 5 == 0

    def _top_of(self, c, has_factors):
        """A numerator: a quotient of integers would be one of C."""
        text = numbers_in_c.literal(Fraction(c.numerator), self.passes) or f"{c.numerator}.0"
        return text if has_factors or "." in text else f"EXACT({text}.0)" if self.passes else f"{text}.0"

    def _above_and_below(self, factors):
        above, below = [], []
        for factor in self.order.factors(factors):
            base, exponent = factor.as_base_exp()
            if exponent.is_Rational and exponent < 0:
                below += self._repeated(base, -exponent)
            elif exponent.is_Rational:
                above += self._repeated(base, exponent)
            else:
                above.append(self._at_least(factor, PRODUCT))
        return above, below

    def _repeated(self, base, exponent):
        """base^exponent, exponent > 0, as factors."""
        whole, half = int(exponent), exponent - int(exponent)
        if half and base.is_negative and base.is_number:
            raise Unwritable(f"{base}^({exponent}) is not real")
        if half not in (0, sympy.Rational(1, 2)) or whole > MOST_FACTORS:
            return [self._power(base, exponent)]
        root = [self._root(base)] if half else []
        return ([self._at_least(base, ATOM)] if whole else []) * whole + root

    def _root(self, base):
        """Of two squares, where that is asked for, hypot, which has a derivative at 0, too."""
        sides = [_side(term) for term in self.order.terms(base.args)] if self.lengths and base.is_Add else []
        if len(sides) == 2 and None not in sides:
            return f"hypot({self.write(sides[0])}, {self.write(sides[1])})"
        return f"sqrt({self.write(base)})"

    def _power(self, base, exponent):
        return f"pow({self.write(base)}, {self.write(exponent)})"

    # Functions

    def _function(self, e):
        kind = e.func
        if kind in OVER:
            return f"(1 / {self._function(OVER[kind](*e.args, evaluate=False))})"
        if kind in (sympy.Max, sympy.Min):
            return self._extreme(e)
        if kind is sympy.sign:
            return self._sign(self.write(e.args[0]))
        if kind not in FUNCTIONS:
            raise Unwritable(f"there is no formula for {e}")
        return f"{self._called(FUNCTIONS[kind])}({self.joined.join(self.write(a) for a in e.args)})"

    def _called(self, name):
        return name

    def _sign(self, text):
        return f"FN(sign)({text})" if self.passes else f"(double)(({text} > 0) - ({text} < 0))"

    def _extreme(self, e):
        """Max and Min of several, two by two."""
        name = self._called("fmax" if e.func is sympy.Max else "fmin")
        first, *rest = self.order.terms(e.args)
        text = self.write(first)
        for argument in rest:
            text = f"{name}({text}, {self.write(argument)})"
        return text


def _side(term):
    """a b of a^2 b^2, or None."""
    pairs = [factor.as_base_exp() for factor in sympy.Mul.make_args(term)]
    return sympy.Mul(*(base for base, _ in pairs)) if all(exponent == 2 for _, exponent in pairs) else None


class WordWriter(CWriter):
    """The same for people, in the grammar of the texts: 1/2 m x'^2, r^2 sin(phi)."""

    times = " "

    def __init__(self, words, order):
        super().__init__(words, order, passes=False)

    def _pi(self):
        return "pi"

    def _e(self):
        return "exp(1)"

    def _over(self, under):
        return "/" + (f"({under})" if " " in under and not under.startswith("(") else under)

    def _as_decimal(self, c):
        return False

    def _number(self, value):
        if value.denominator == 1:
            return str(value.numerator), ATOM if value >= 0 else SUM
        return str(value), PRODUCT if value > 0 else SUM

    def _top_of(self, c, has_factors):
        return str(c.numerator)

    def _repeated(self, base, exponent):
        if exponent == sympy.Rational(1, 2):
            return [f"sqrt({self.write(base)})"]
        text = self._at_least(base, ATOM)
        power = "" if exponent == 1 else f"^{exponent}" if exponent.is_Integer else f"^({exponent})"
        return [text + power]

    def _power(self, base, exponent):
        return f"{self._at_least(base, ATOM)}^{self._at_least(exponent, ATOM)}"

    def _called(self, name):
        return {"fabs": "abs", "fmax": "max", "fmin": "min"}.get(name, name)

    def _sign(self, text):
        return f"sign({text})"
