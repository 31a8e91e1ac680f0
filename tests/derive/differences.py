"""Random motions of a model, and derivatives along them by differences in numbers of 40 digits."""

import random

import mpmath
import sympy

from derive.base.model import TIME

mpmath.mp.dps = 40
STEP = mpmath.mpf(10) ** -12        # a central difference leaves 1e-24 and 1e-28/STEP


class Motion:
    """q = c0 + c1 s + c2 s^2/2 + c3 s^3/6 at t = t0 + s, parameters and multipliers, all at random."""

    def __init__(self, model, seed):
        drawn = random.Random(seed)
        self.model = model
        self.numbers = {p.symbol: self.number(drawn) for p in model.parameters}
        self.numbers.update({c.symbol: self.number(drawn) for c in model.constraints})
        self.at = self.number(drawn)
        self.curves = [[self.number(drawn) for _ in range(4)] for _ in model.coordinates]

    @staticmethod
    def number(drawn):
        return mpmath.mpf(drawn.randrange(3 * 10 ** 9, 13 * 10 ** 8 * 10)) / 10 ** 10

    def state(self, s=mpmath.mpf(0), velocities=None):
        """{symbol: number} at t0 + s."""
        numbers = dict(self.numbers)
        numbers[TIME] = self.at + s
        for k, (coordinate, c) in enumerate(zip(self.model.coordinates, self.curves)):
            numbers[coordinate.q] = c[0] + s * c[1] + s ** 2 * c[2] / 2 + s ** 3 * c[3] / 6
            numbers[coordinate.v] = c[1] + s * c[2] + s ** 2 * c[3] / 2
            numbers[coordinate.a] = c[2] + s * c[3]
            if velocities is not None:
                numbers[coordinate.v] = velocities[k]
        return numbers


def number(expr, state):
    """By the way that SymPy has to numbers."""
    symbols = sorted(sympy.sympify(expr).free_symbols, key=str)
    return mpmath.mpf(sympy.lambdify(symbols, expr, "mpmath")(*[state[symbol] for symbol in symbols]))


def slope(function):
    """The central difference at 0."""
    return (function(STEP) - function(-STEP)) / (2 * STEP)


def moved(state, symbol, by):
    return {**state, symbol: state[symbol] + by}
