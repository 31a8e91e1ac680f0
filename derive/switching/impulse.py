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


def onto(equations):
    """((symbol, expression),): positions brought onto 0 = g of all constraints that act, and velocities onto 0 = g'.

    Where each of them is linear in a coordinate that no other has, with a coefficient that is never zero, these are
    solved for: g is as wrong as the run is, and so is what this does to others. Else a Newton step. All of them, as
    the mode that is entered begins with a projection onto those that stay, which moves the others, too.
    """
    q, v = equations.q, equations.v
    own = [_own(equations, g) for g in equations.g]
    if all(own) and not equations.nonholonomic:
        return (tuple((q[k], tidy(q[k] - g / slope)) for g, (k, slope) in zip(equations.g, own))
                + tuple((v[k], tidy(v[k] - rate / slope)) for rate, (k, slope) in zip(equations.rate, own)))
    M, G, n = equations.M, equations.G, len(equations.g)
    moved = step(M, G[:n, :], list(equations.g)) if n else []
    return _changes(q, moved) + _changes(v, step(M, G, list(equations.rate)))


def _own(equations, g):
    """(k, dg/dq_k) of the first coordinate that g is linear in and no other constraint has; None: there is none."""
    others = set().union(*(other.free_symbols for other in equations.g if other != g))
    for k, q in enumerate(equations.q):
        slope = rates.derivative(g, q)
        if q not in others and slope.is_nonzero and not slope.free_symbols & set(equations.q):
            return k, slope
    return None


def shares(equations, others, rate):
    """[kappa of others] in an impulse -M^-1 (G^T kappa) on a rate that leaves the other rates, for kappa = 1 of it.

    The impulse of others relative to that one: less than nothing where they would have to pull instead of pushing.
    """
    G = sympy.Matrix([rates.gradient(held, equations.v) for held in [*others, rate]])
    size, n = _along(equations.M, G)[1], len(others)
    if not n:
        return []
    return [elimination.short(-kappa) for kappa in elimination.solve(size[:n, :n], size[:n, n])]


def bounce(equations, others, rate, restitution):
    """((velocity, expression),): a rate becomes - restitution times itself; others, of constraints that act, stay."""
    v = equations.v
    G = sympy.Matrix([rates.gradient(held, v) for held in [*others, rate]])
    r = [sympy.S.Zero] * len(others) + [(1 + restitution) * rate]
    return _changes(v, step(equations.M, G, r))


def _changes(symbols, steps):
    return tuple((symbol, elimination.short(symbol + by)) for symbol, by in zip(symbols, steps) if by != 0)
