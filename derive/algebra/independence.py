"""Whether rates A(t, q) v + b(t, q) depend on each other, from A and b at points that are drawn once for all."""

import random

import mpmath
import sympy

from derive.algebra import rates
from derive.algebra.vanishing import value_at

POINTS = 3
DIGITS = 60
SMALL = mpmath.mpf(10) ** -40


def independent(held, v):
    """Are the A of the rates independent, at one of the points at least?"""
    return _largest_rank([rates.gradient(rate, v) for rate in held]) == len(held)


def determined(rate, held, v):
    """Does its A depend on theirs, everywhere?"""
    rows = [rates.gradient(other, v) for other in held]
    return _largest_rank([*rows, rates.gradient(rate, v)]) == _largest_rank(rows)


def at_rest(rate, held, v):
    """Is it zero wherever the others are?"""
    rows = [_with_rest(other, v) for other in held]
    return _largest_rank([*rows, _with_rest(rate, v)]) == _largest_rank(rows)


def _with_rest(rate, v):
    """A, and b."""
    return [*rates.gradient(rate, v), rate.xreplace({u: sympy.S.Zero for u in v})]


def _largest_rank(rows):
    """The rank of a matrix of expressions, a list of rows: the largest of those at the points."""
    symbols = sorted(set().union(*(entry.free_symbols for row in rows for entry in row)) if rows else set(),
                     key=lambda symbol: (symbol.name, symbol.sort_key()))
    drawn = random.Random(1765)
    return max(_rank(rows, {s: mpmath.mpf(drawn.randrange(300001, 1700000)) / 1000003 for s in symbols})
               for _ in range(POINTS))


def _rank(rows, point):
    with mpmath.workdps(DIGITS):
        numbers = [[value_at(entry, point) for entry in row] for row in rows]
        rank = 0
        while numbers:
            i, j = max(((i, j) for i in range(len(numbers)) for j in range(len(numbers[0]))),
                       key=lambda at: abs(numbers[at[0]][at[1]]))
            if abs(numbers[i][j]) <= SMALL:
                break
            pivot = numbers.pop(i)
            numbers = [[a - row[j] / pivot[j] * b for a, b in zip(row, pivot)] for row in numbers]
            rank += 1
        return rank
