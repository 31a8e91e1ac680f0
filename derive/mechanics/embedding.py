"""The motion in the coordinates that are left, q = q(t, s), and the reactions along it.

With J = dq/ds and q'' = J s'' + c(t, s, s') the equations M q'' = f - G^T lambda become, as G J = 0,

    J^T M J s'' = J^T (f - M c),

and lambda follows from the rows of the coordinates that are not among s. No inverse of M is needed.

Goldstein, Poole, Safko (2002), Classical Mechanics, section 1.4.
"""

import sympy

from derive.algebra import elimination
from derive.algebra.rates import gradient, total
from derive.algebra.tidy import tidy
from derive.algebra.vanishing import vanishes


class Embedding:
    """q(t, s) and v(t, s, s'), where found, {coordinate: expression}, are those that go and kept those that stay."""

    def __init__(self, kept, q, found):
        self.s, self.rates = [c.q for c in kept], [c.v for c in kept]
        self.gone = [k for k, x in enumerate(q) if x in found]
        self.q = [found.get(x, x) for x in q]
        self.v = [tidy(total(x, self.s, self.rates)) for x in self.q]

    def values(self, q, v):
        """{symbol: expression} for all of (q, v)."""
        return {**dict(zip(q, self.q)), **dict(zip(v, self.v))}

    def accelerations(self, eqs):
        """s'', a list."""
        values = self.values(eqs.q, eqs.v)
        J, M = self._slopes(), eqs.M.xreplace(values)
        f = eqs.f.xreplace(values) - M * self._accelerations_of([sympy.S.Zero] * len(self.s))
        return elimination.tidied((J.T * M * J).applyfunc(tidy), (J.T * f).applyfunc(tidy))

    def reactions(self, eqs, accelerations):
        """lambda, a list, of the constraints that found is made of: G^T lambda = f - M q''."""
        values = self.values(eqs.q, eqs.v)
        rest = (eqs.f - eqs.M * sympy.Matrix(eqs.a)).xreplace(
            {**values, **dict(zip(eqs.a, self._accelerations_of(accelerations)))})
        G = eqs.G.xreplace(values)
        square = sympy.Matrix([[tidy(G[i, k]) for i in range(G.rows)] for k in self.gone])
        right = sympy.Matrix([tidy(rest[k]) for k in self.gone])
        return [tidy(force) for force in square.LUsolve(right, iszerofunc=vanishes)]

    def _slopes(self):
        return sympy.Matrix([gradient(x, self.s) for x in self.q])

    def _accelerations_of(self, accelerations):
        """q'' where s'' is given, [nq x 1]."""
        return sympy.Matrix([total(v, self.s, self.rates, accelerations) for v in self.v])
