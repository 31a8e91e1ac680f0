"""Walks through expressions whose equal parts are looked at once: written out, nested words have billions of them."""

import sympy


def symbols(expr, known=None):
    """expr.free_symbols; known keeps those of parts from call to call."""
    known = {} if known is None else known
    if expr not in known:
        found = frozenset({expr}) if expr.is_Symbol else frozenset()
        for part in expr.args:
            found |= symbols(part, known)
        known[expr] = found
    return known[expr]


def replaced(expr, rule, known=None):
    """expr.xreplace(rule); known is for one rule."""
    known = {} if known is None else known
    if expr in rule:
        return rule[expr]
    if not expr.args:
        return expr
    if expr not in known:
        args = [replaced(part, rule, known) for part in expr.args]
        known[expr] = expr if all(a is b for a, b in zip(args, expr.args)) else expr.func(*args)
    return known[expr]


def parts(*exprs):
    """Each part of them once, a part before what it is in."""
    seen = {}
    for expr in exprs:
        _collect(expr, seen)
    return list(seen)


def _collect(expr, seen):
    if expr not in seen:
        for part in expr.args:
            _collect(part, seen)
        seen[expr] = True


def has(expr, *kinds):
    """expr.has(*kinds), of classes."""
    return any(isinstance(part, kinds) for part in parts(sympy.sympify(expr)))


def once():
    """From now on SymPy, too, looks for the symbols of an equal part once, and not wherever it stands."""
    _once(sympy.Basic, "free_symbols")
    _once(sympy.Expr, "is_number")


def _once(kind, name):
    of, known = getattr(kind, name).fget, {}

    def found(expr):
        if expr not in known:
            known[expr] = of(expr)
        return known[expr]
    setattr(kind, name, property(found))
