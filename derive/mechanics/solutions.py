"""Coordinates that constraints are solved for: r of r = L, x of x = l sin(theta)."""

import sympy

from derive.algebra.rates import derivative
from derive.algebra.tidy import tidy

TRIED = 500                     # choices of coordinates


def of(constraints, q):
    """{coordinate: expression of the others}, one for each of the expressions 0 = g; None where that cannot be.

    A constraint is solved for a coordinate that it is linear in, with a factor that is free of coordinates and not
    zero whatever the parameters are.
    """
    return _Search(q).solve([tidy(g) for g in constraints], {})


class _Search:
    """Elimination of one coordinate after the other, another one where the way ends."""

    def __init__(self, q):
        self.q = q
        self.tried = 0

    def solve(self, constraints, found):
        if not constraints:
            return found
        for i, x, slope in self._choices(constraints):
            self.tried += 1
            if self.tried > TRIED:
                return None
            is_x = {x: tidy((slope * x - constraints[i]) / slope)}
            others = [_put(g, is_x) for k, g in enumerate(constraints) if k != i]
            ends = self.solve(others, {**{y: _put(e, is_x) for y, e in found.items()}, **is_x})
            if ends is not None:
                return ends
        return None

    def _choices(self, constraints):
        """(constraint, coordinate, slope): x of x = R phi before phi, and the last of several."""
        found = []
        for i, g in enumerate(constraints):
            for j, x in enumerate(self.q):
                slope = tidy(derivative(g, x)) if x in g.free_symbols else sympy.S.Zero
                if slope.is_nonzero and not slope.free_symbols.intersection(self.q):
                    found.append(((abs(slope) != 1, i, -j), i, x, slope))
        return [choice[1:] for choice in sorted(found, key=lambda choice: choice[0])]


def _put(expr, values):
    return tidy(expr.xreplace(values)) if expr.free_symbols.intersection(values) else expr
