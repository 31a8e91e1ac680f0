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
    return _Zeros().of(sympy.sympify(expr))


class _Zeros:
    """Which nodes of a tree vanish, each looked at once, with their numbers at the points."""

    def __init__(self):
        self.known = {}
        self.points = [_Drawn(k) for k in range(POINTS)]

    def of(self, expr):
        if expr not in self.known:
            self.known[expr] = self._found(expr)
        return self.known[expr]

    def _found(self, expr):
        if expr.is_Mul:
            return any(self.of(factor) for factor in expr.args)
        if expr.is_Pow:
            return self.of(expr.base)
        if not expr.is_Add:
            return expr == 0
        terms = [term for term in expr.args if not self.of(term)]
        if len(terms) < 2 or all(term.is_Symbol for term in terms):
            return not terms
        return all(_cancel(terms, point) for point in self.points)


def _cancel(terms, point):
    with mpmath.workdps(DIGITS):
        try:
            values = [point.of(term) for term in terms]
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
        if not expr.args:
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


class _Drawn(_Values):
    """Numbers at a point that is drawn by the names of symbols."""

    def __init__(self, number):
        super().__init__({})
        self.number = number

    def _made(self, expr):
        if expr.is_Symbol:
            which = expr.sort_key() if isinstance(expr, sympy.Dummy) else ""
            drawn = random.Random(f"{self.number} {expr.name} {which}")
            return mpmath.mpf(drawn.randrange(300001, 1700000)) / 1000003
        return super()._made(expr)
