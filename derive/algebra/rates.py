"""Derivatives that keep the shape of an expression: the rate of (x2 - x1)^2 is 2 (x2 - x1) (v2 - v1)."""

import sympy

from derive.base.model import TIME


def along(expr, directions):
    """The derivative of expr where each symbol of directions, {symbol: rate}, moves with its rate."""
    return _Walk(directions).rate(sympy.sympify(expr))


def derivative(expr, symbol):
    """d expr/d symbol."""
    return along(expr, {symbol: sympy.S.One})


def gradient(expr, symbols):
    """[d expr/d symbol], a list."""
    return [derivative(expr, symbol) for symbol in symbols]


def total(expr, q, v, a=None):
    """d expr/dt along q' = v, and v' = a where a is given."""
    directions = {TIME: sympy.S.One}
    directions.update(zip(q, v))
    if a is not None:
        directions.update(zip(v, a))
    return along(expr, directions)


def held(constraint, q, v):
    """The rate that a constraint holds at zero, linear in v: dg/dt, or where it binds velocities g itself."""
    return constraint.g if constraint.nonholonomic else total(constraint.g, q, v)


class _Walk:
    """The rates of the nodes of a tree, each made once."""

    def __init__(self, directions):
        self.rates = dict(directions)

    def rate(self, expr):
        known = self.rates.get(expr)
        if known is None:
            known = self.rates[expr] = self._of(expr)
        return known

    def _of(self, expr):
        rates = [self.rate(part) for part in expr.args]
        return sympy.Add(*[_slope(expr, k) * rate for k, rate in enumerate(rates) if rate != 0])


def _slope(expr, k):
    """d expr/d args[k], the others held."""
    if expr.is_Add or isinstance(expr, sympy.sign):
        return sympy.S.One if expr.is_Add else sympy.S.Zero
    if expr.is_Mul:
        return sympy.Mul(*expr.args[:k], *expr.args[k + 1:])
    if expr.is_Pow and k == 0:
        return expr.exp * expr.base ** (expr.exp - 1)
    if isinstance(expr, sympy.Abs):
        return sympy.sign(expr.args[0])
    places = [sympy.Dummy(f"x{i}", real=True) for i in range(len(expr.args))]
    return expr.func(*places).diff(places[k]).xreplace(dict(zip(places, expr.args)))
