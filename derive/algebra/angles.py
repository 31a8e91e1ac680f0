"""Sines and cosines of sums: sin a sin b + cos a cos b = cos(a - b), and its like, in a sum of monomials."""

import sympy

from derive.algebra import monomials


def contracted(table, terms):
    """The sum with squares of sine and cosine, and products of two angles' joined where they belong together."""
    while True:
        joined = _first(table, terms, _squares) or _first(table, terms, _products)
        if joined is None:
            return terms
        terms = joined


def _first(table, terms, rule):
    for key in terms:
        joined = rule(table, terms, key)
        if joined is not None:
            return joined
    return None


def _kind(table, rank):
    factor = table.factors[rank]
    return factor.func if isinstance(factor, (sympy.sin, sympy.cos)) else None


def _squares(table, terms, key):
    """k sin^2 a + k cos^2 a = k, as far as both have k in common."""
    for rank, exponent in key:
        if _kind(table, rank) is sympy.sin and exponent >= 2:
            angle = table.factors[rank].args[0]
            square, other = ((rank, sympy.Integer(2)),), ((table.rank(sympy.cos(angle)), sympy.Integer(2)),)
            rest = monomials.over(key, square)
            partner = monomials.times(rest, other)
            number = terms.get(partner, sympy.S.Zero)
            if number * terms[key] > 0:
                part = min(number, terms[key], key=abs)
                return _replaced(terms, {key: part, partner: part}, {rest: part})
    return None


def _products(table, terms, key):
    """k sin a sin b +- k cos a cos b, and k sin a cos b +- k cos a sin b."""
    angled = [rank for rank, exponent in key if _kind(table, rank) is not None and exponent >= 1]
    for i, first in enumerate(angled):
        for second in angled[i + 1:]:
            joined = _pair(table, terms, key, first, second)
            if joined is not None:
                return joined
    return None


def _pair(table, terms, key, first, second):
    one = sympy.S.One
    a, b = table.factors[first], table.factors[second]
    if a.args == b.args:
        return None
    rest = monomials.over(key, monomials.times(((first, one),), ((second, one),)))
    turned = [((table.rank(_other(factor)), one),) for factor in (a, b)]
    partner = monomials.times(rest, monomials.times(*turned))
    number, ours = terms.get(partner, sympy.S.Zero), terms[key]
    if number == 0 or abs(number) != abs(ours):
        return None
    made = table.of(_of_two_angles(a, b, number == ours))
    added = monomials.product_of(made, {rest: ours})
    return _replaced(terms, {key: ours, partner: number}, added)


def _other(factor):
    return sympy.cos(factor.args[0]) if isinstance(factor, sympy.sin) else sympy.sin(factor.args[0])


def _of_two_angles(first, second, same):
    """first * second +- the product of the others, as one function."""
    a, b = first.args[0], second.args[0]
    if first.func == second.func:
        sign = 1 if isinstance(first, sympy.cos) or same else -1
        return sign * sympy.cos(a - b if same else a + b)
    if same:
        return sympy.sin(a + b)
    return sympy.sin(a - b) if isinstance(first, sympy.sin) else sympy.sin(b - a)


def _replaced(terms, less, more):
    taken = {key: -number for key, number in less.items()}
    return monomials.sum_of([terms, taken, more])
