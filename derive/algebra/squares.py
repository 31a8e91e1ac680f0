"""A kinetic energy as it is added up of velocities u that are linear in those of the coordinates: T = sum w u^2/2.

    M_ij = sum w u_i u_j,   u_i = du/dv_i

With p_k = dT/dv_k = sum w u u_k, where w is constant, and u' = u'|a=0 + sum_j u_j a_j,

    dp_k/dt - dT/dq_k = sum_j M_kj a_j + sum w (u'|a=0 u_k + u (du_k/dt - du/dq_k)),

whose last bracket is zero where u is the rate of a function of (t, q). Nothing is multiplied out.
"""

import sympy

from derive.base.model import TIME
from derive.algebra import shared
from derive.algebra.rates import along, derivative, total
from derive.algebra.vanishing import vanishes


def of(T, q, v):
    """A Squares; None where T is not such a sum, with w of parameters."""
    found = _terms(sympy.sympify(T), {TIME, *q, *v})
    return None if found is None or any(not shared.symbols(u) & set(v) for _, u in found) else Squares(found, q, v)


def _terms(expr, moving):
    """[(w, u)] of sum w u^2/2, or None."""
    if expr.is_Add:
        parts = [_terms(term, moving) for term in expr.args]
        return None if None in parts else [one for part in parts for one in part]
    factors = sympy.Mul.make_args(expr)
    squares = [factor for factor in factors if shared.symbols(factor) & moving]
    sums = [factor for factor in squares if factor.is_Add]
    if len(sums) > 1 or any(not (factor.is_Pow and factor.exp == 2) for factor in squares if factor not in sums):
        return None
    weight = sympy.Mul(*[factor for factor in factors if factor not in squares])
    u = sympy.Mul(*[factor.base for factor in squares if factor not in sums])
    inner = _terms(sums[0], moving) if sums else [(sympy.S(2), sympy.S.One)]
    return None if inner is None else [(weight * w, u * other) for w, other in inner]


class Squares:
    """T = sum w u^2/2, with the slopes u_i of each u."""

    def __init__(self, terms, q, v):
        self.terms, self.q, self.v = terms, q, v
        self.slopes = [[derivative(u, x) for x in v] for _, u in terms]

    def mass(self):
        n = len(self.v)
        M = sympy.zeros(n, n)
        for i in range(n):
            for j in range(i, n):
                M[i, j] = M[j, i] = sympy.Add(*[w * row[i] * row[j] for (w, _), row in zip(self.terms, self.slopes)])
        return M

    def inertia(self, a):
        """M a, a list: each u with accelerations in the place of velocities, once for all rows."""
        moved = [along(u, dict(zip(self.v, a))) for _, u in self.terms]
        return [self._row(k, moved) for k in range(len(self.v))]

    def forces(self):
        """What stands on the right of M a = ..., a list."""
        bent = [total(u, self.q, self.v) for _, u in self.terms]
        return [self._turning(k) - self._row(k, bent) for k in range(len(self.v))]

    def _row(self, k, factors):
        return sympy.Add(*[w * row[k] * factor for (w, _), row, factor in zip(self.terms, self.slopes, factors)])

    def _turning(self, k):
        """sum w u (du/dq_k - du_k/dt): of velocities that are no rates, as those of a body that turns in space."""
        terms = [w * u * (derivative(u, self.q[k]) - total(row[k], self.q, self.v))
                 for (w, u), row in zip(self.terms, self.slopes)]
        return sympy.Add(*[term for term in terms if not vanishes(term)])
