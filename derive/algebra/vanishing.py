"""Whether an expression is zero whatever its symbols are: its value at points that are drawn once for all."""

import random

import mpmath
import sympy

POINTS = 3
DIGITS = 60
SMALL = mpmath.mpf(10) ** -40
LARGE = 5000                    # bits: what is larger costs memory, and is no number in doubles


def vanishes(expr):
    """Is expr zero identically? A sum is where it is below SMALL of its terms at all of the points."""
    expr = sympy.sympify(expr)
    if expr.is_Mul:
        return any(vanishes(factor) for factor in expr.args)
    if expr.is_Pow:
        return vanishes(expr.base)
    if not expr.is_Add:
        return expr == 0
    terms = [term for term in expr.args if not vanishes(term)]
    if len(terms) < 2 or all(term.is_Symbol for term in terms):
        return not terms
    return all(_cancel(terms, point) for point in _points(expr))


def _points(expr):
    symbols = sorted(expr.free_symbols, key=lambda symbol: (symbol.name, symbol.sort_key()))
    drawn = random.Random(1788)
    for _ in range(POINTS):
        yield {symbol: mpmath.mpf(drawn.randrange(300001, 1700000)) / 1000003 for symbol in symbols}


def _cancel(terms, point):
    with mpmath.workdps(DIGITS):
        try:
            values = [value_at(term, point) for term in terms]
        except (ArithmeticError, ValueError, TypeError, AttributeError):
            return False
        return abs(mpmath.fsum(values)) <= SMALL * max(abs(value) for value in values)


def value_at(expr, point):
    """The number of an expression at {symbol: number}, in the digits of mpmath that are set."""
    return _Values(point).of(expr)


class _Values:
    """The numbers of the nodes of a tree, each made once; they become complex where a root asks for it."""

    def __init__(self, point):
        self.numbers = dict(point)

    def of(self, expr):
        known = self.numbers.get(expr)
        if known is None:
            known = self.numbers[expr] = self._made(expr)
            if known and mpmath.mag(known) > LARGE:
                raise OverflowError("a number that is far beyond doubles")
        return known

    def _made(self, expr):
        if expr.is_number:
            return mpmath.mpmathify(expr.evalf(mpmath.mp.dps))
        numbers = [self.of(part) for part in expr.args]
        if expr.is_Add:
            return mpmath.fsum(numbers)
        if expr.is_Mul:
            return mpmath.fprod(numbers)
        if expr.is_Pow:
            return mpmath.power(*numbers)
        return _function(expr.func.__name__)(*numbers)


def _function(name):
    builtin = {"Max": max, "Min": min, "Abs": abs}
    return builtin.get(name) or getattr(mpmath, name)
