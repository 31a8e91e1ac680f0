"""What moves a state onto constraints, along M^-1 G^T.

    x+ = x - M^-1 G^T (G M^-1 G^T)^-1 r

For velocities and r = G v+ - G v this is the impulse of an impact (Pfeiffer, Glocker (1996), Multibody Dynamics with
Unilateral Contacts, 8.1); for positions and r = g it is a Newton step onto 0 = g.
"""

import sympy

from derive.algebra import elimination, rates
from derive.algebra.tidy import tidy


def step(M, G, r):
    """- M^-1 G^T (G M^-1 G^T)^-1 r, a list of [nq]; G [m x nq], r a list of [m]."""
    along, size = _along(M, G)
    return [-entry for entry in along * elimination.solve(size, sympy.Matrix(r))]


def _along(M, G):
    """(M^-1 G^T, G M^-1 G^T)"""
    along = elimination.solve(M, G.T)
    size = sympy.zeros(G.rows, G.rows)
    for i in range(G.rows):
        for j in range(i, G.rows):
            size[i, j] = size[j, i] = elimination.short((G.row(i) * along[:, j])[0])
    return along, size


def onto(equations, g):
    """((coordinate, expression),): positions brought onto 0 = g, one of the constraints that act.

    Where g is linear in a coordinate, with a coefficient that is never zero, that is solved for, one that no other
    constraint has if there is such a one: g is as wrong as the run is, and so is what this does to others. Else all
    constraints are satisfied by a Newton step.
    """
    others = set().union(*(other.free_symbols for other in equations.g if other != g))
    slopes = [(q, rates.derivative(g, q)) for q in equations.q]
    linear = [(q, slope) for q, slope in slopes if slope.is_nonzero and not slope.free_symbols & set(equations.q)]
    if linear:
        q, slope = min(linear, key=lambda pair: pair[0] in others)
        return ((q, tidy(q - g / slope)),)
    return _changes(equations.q, step(equations.M, equations.G, list(equations.g)))


def shares(equations, others, g):
    """[kappa of others] in an impulse -M^-1 (G^T kappa) on g that leaves the rates of others, for kappa = 1 of g.

    The impulse of others relative to that of g: less than nothing where they would have to pull instead of pushing.
    """
    G = sympy.Matrix([rates.gradient(held, equations.q) for held in [*others, g]])
    size, n = _along(equations.M, G)[1], len(others)
    if not n:
        return []
    return [elimination.short(-kappa) for kappa in elimination.solve(size[:n, :n], size[:n, n])]


def bounce(equations, others, g, restitution):
    """((velocity, expression),): the rate of g becomes - restitution times itself, and that of others stays.

    others, a list of functions of (t, q), are constraints that act.
    """
    q, v = equations.q, equations.v
    G = sympy.Matrix([rates.gradient(held, q) for held in [*others, g]])
    r = [sympy.S.Zero] * len(others) + [(1 + restitution) * rates.total(g, q, v)]
    return _changes(v, step(equations.M, G, r))


def _changes(symbols, steps):
    return tuple((symbol, elimination.short(symbol + by)) for symbol, by in zip(symbols, steps) if by != 0)
