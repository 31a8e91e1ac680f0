"""Whether functions of (t, q) depend on each other, from their gradients at points that are drawn once for all."""

import random

import mpmath

from derive.base.model import TIME
from derive.algebra import rates
from derive.algebra.vanishing import value_at

POINTS = 3
DIGITS = 60
SMALL = mpmath.mpf(10) ** -40


def independent(functions, q):
    """Are the gradients of the functions independent, at one of the points at least?"""
    return _largest_rank([rates.gradient(g, q) for g in functions]) == len(functions)


def determined(function, functions, q):
    """Does its gradient depend on theirs, everywhere?"""
    rows = [rates.gradient(g, q) for g in functions]
    return _largest_rank([*rows, rates.gradient(function, q)]) == _largest_rank(rows)


def at_rest(function, functions, q):
    """Is the rate of function zero wherever those of functions are?"""
    moving = [*q, TIME]
    rows = [rates.gradient(g, moving) for g in functions]
    return _largest_rank([*rows, rates.gradient(function, moving)]) == _largest_rank(rows)


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
