"""The form of an expression that takes fewest operations, of a few that it has."""

import sympy

from derive.algebra import angles, grouping, monomials
from derive.algebra.vanishing import vanishes

LARGE = 400                     # nodes, written out: what has more is not multiplied out
FUNCTION = 8                    # operations that a function counts for
DIVISION = 2


def tidy(expr):
    """expr in its cheapest form; zero where it vanishes."""
    expr = sympy.sympify(expr)
    if expr.is_Atom:
        return expr
    best = min(_forms(expr), key=cost)      # the first of those that cost the same
    return sympy.S.Zero if vanishes(best) else best


def _forms(expr):
    if size(expr) > LARGE:
        yield expr
        return
    expr = _oriented(expr)
    yield expr
    yield sympy.factor_terms(expr)
    yield _grouped(_grouped(expr))
    table = monomials.Monomials()
    try:
        terms = angles.contracted(table, table.of(expr))
    except monomials.TooMany:
        return
    yield table.expression(terms)
    yield grouping.grouped(table, terms)


def _grouped(expr):
    """What terms have in common before brackets, sums in products as they are."""
    table = monomials.Monomials(sums_stay=True)
    try:
        return grouping.grouped(table, table.of(expr))
    except monomials.TooMany:
        return expr


def multiplied_out(expr):
    """A sum of products, sines and cosines joined; None where it is long."""
    table = monomials.Monomials()
    if size(expr) > LARGE:
        return None
    try:
        return table.expression(angles.contracted(table, table.of(expr)))
    except monomials.TooMany:
        return None


def _oriented(expr):
    """Differences that are factors have one sign, that of a - b or of b - a: equal ones are seen to be equal."""
    if expr.is_Atom:
        return expr
    parts = [_oriented(part) for part in expr.args]
    if expr.is_Mul:
        turned = [part.is_Add and part.could_extract_minus_sign() for part in parts]
        return sympy.Mul((-1) ** sum(turned), *[-part if turn else part for part, turn in zip(parts, turned)])
    if expr.is_Pow and parts[1].is_Integer and parts[0].is_Add and parts[0].could_extract_minus_sign():
        return (-1) ** parts[1] * (-parts[0]) ** parts[1]
    return expr.func(*parts)


def cost(expr):
    """Operations of an expression whose equal parts are computed once."""
    seen = set()
    _visit(expr, seen)
    return sum(_operations(part) for part in seen)


def _visit(expr, seen):
    if not expr.is_Atom and expr not in seen:
        seen.add(expr)
        for part in expr.args:
            _visit(part, seen)


def _operations(expr):
    if expr.is_Add:
        return len(expr.args) - 1 + all(term.as_coeff_Mul()[0].is_negative for term in expr.args)
    if expr.is_Mul:
        return len(expr.args) - 1 - (expr.args[0] == -1)
    if expr.is_Pow:
        return _power(expr.exp)
    return FUNCTION


def _power(exponent):
    if exponent.is_Integer:
            return abs(int(exponent)) - 1 + DIVISION * int(exponent.is_negative)
    return FUNCTION


def size(expr, known=None):
    """Nodes of the tree, written out."""
    known = {} if known is None else known
    if expr not in known:
        known[expr] = 1 + sum(size(part, known) for part in expr.args)
    return known[expr]
