"""Lagrange's equations of the first kind, from energies, forces and constraints.

    M a = f - G^T lambda,   0 = g(t, q),   G = dg/dq,   or   0 = A(t, q) v + b(t, q),   G = A

With T = v^T M v/2 + b^T v + T0, where M, b and T0 are of (t, q), d/dt dT/dv - dT/dq = Q - dV/dq is

    f_k = sum_ij (d_k M_ij/2 - d_j M_ki) v_i v_j + sum_i (d_k b_i - d_i b_k - d_t M_ki) v_i
          - d_t b_k + d_k (T0 - V) + Q_k.

Goldstein, Poole, Safko (2002), Classical Mechanics, sections 1.4, 2.4 and 2.7.
"""

import sympy

from derive.base.equations import Equations
from derive.base.model import TIME
from derive.algebra import elimination, primitive, squares
from derive.algebra.rates import derivative, gradient, held, total
from derive.algebra.tidy import LARGE, size, tidy
from derive.algebra.vanishing import vanishes


def equations(model, active, forces=None):
    """The equations of a mode: active are Constraints; forces [nq] are added to f."""
    q, v, a = model.q(), model.v(), model.a()
    kinetic = _Kinetic(model.kinetic, q, v)
    applied = _applied(model, q, forces)
    stored = _stored(_applied(model, q, None), q, v)
    f = [tidy(inertial - slope + force) for inertial, slope, force
         in zip(kinetic.forces(), gradient(model.potential, q), applied)]
    active = sorted(active, key=lambda one: one.nonholonomic)
    multipliers = [one.symbol for one in active]
    rate = [held(one, q, v) for one in active]
    G = sympy.Matrix(len(active), len(q), [tidy(slope) for one in active for slope in _row(one, q, v)])
    return Equations(
        q=q, v=v, a=a, multipliers=multipliers,
        M=kinetic.M, f=_column(f), g=_column([one.g for one in active if not one.nonholonomic]), G=G,
        rate=_column([tidy(one) for one in rate]),
        acceleration=_column([tidy(total(one, q, v, a)) for one in rate]),
        reaction=_column([tidy(sympy.Add(*[G[i, j] * multipliers[i] for i in range(len(active))]))
                          for j in range(len(q))]),
        energy=_energy(kinetic, model.kinetic, model.potential - stored),
        conservative=kinetic.is_conservative() and vanishes(_power(applied, v) - total(stored, q, v)),
        inertia=kinetic.inertia(a))


def solved(eqs):
    """([a], [lambda]) as expressions of t, q and v: block elimination of the equations and of d2g/dt2 = 0.

    G M^-1 G^T lambda = G M^-1 f + c,   a = M^-1 (f - G^T lambda),   d2g/dt2 = G a + c.
    """
    return solved_with(eqs, eqs.f)


def solved_with(eqs, f):
    """The same with other forces [nq x 1] for f."""
    free = elimination.tidied(eqs.M, f)
    reactions = []
    if eqs.multipliers:
        along = [elimination.tidied(eqs.M, eqs.G.row(i).T) for i in range(eqs.G.rows)]
        size = eqs.G * sympy.Matrix(along).T
        right = eqs.acceleration.xreplace(dict(zip(eqs.a, free)))
        reactions = elimination.tidied(size, right)
        free = [tidy(a - sympy.Add(*[by[j] * force for by, force in zip(along, reactions)]))
                for j, a in enumerate(free)]
    return free, reactions


def _power(forces, v):
    return sympy.Add(*[F * u for F, u in zip(forces, v)])


def _row(constraint, q, v):
    """dg/dq, or A."""
    return gradient(constraint.g, v if constraint.nonholonomic else q)


def _column(entries):
    return sympy.Matrix(len(entries), 1, entries)


def _applied(model, q, forces):
    """Generalised forces: Q_j = sum F . dr/dq_j of forces at points r, and those on a coordinate."""
    Q = list(forces) if forces is not None else [sympy.S.Zero] * len(q)
    for force in model.forces:
        for j, x in enumerate(q):
            Q[j] += _on(force, x)
    return Q


def _on(force, x):
    if force.on is not None:
        return force.value[0] if force.on.q == x else sympy.S.Zero
    return sympy.Add(*[F * derivative(r, x) for F, r in zip(force.value, force.point)])


def _stored(forces, q, v):
    """W with dW/dq = Q, where forces are slopes and neither time nor velocities enter: -W is a part of the energy."""
    if all(F == 0 for F in forces) or any(F.free_symbols & {TIME, *v} for F in forces):
        return sympy.S.Zero
    return primitive.of(forces, q) or sympy.S.Zero


def _energy(kinetic, T, V):
    """H = T2 - T0 + F_t + V, whose rate is its explicit part where is_conservative; else T + V.

    b^T v = F' - F_t where b = dF/dq, and a rate such as F' changes no equation of motion.
    """
    if not kinetic.is_conservative() or kinetic.T0 == 0 and all(b == 0 for b in kinetic.b):
        return tidy(T) + tidy(V)
    return tidy(kinetic.quadratic() - kinetic.T0 + kinetic.drift() + V)


class _Kinetic:
    """T = v^T M v/2 + b^T v + T0; where it is a long sum of squares, it stays one."""

    def __init__(self, T, q, v):
        rest = {x: sympy.S.Zero for x in v}
        momenta = gradient(T, v)
        self.q, self.v = q, v
        self.squares = squares.of(T, q, v) if size(T) > LARGE else None
        self.M = self.squares.mass() if self.squares else _mass(momenta, v)
        self.b = [tidy(p.xreplace(rest)) for p in momenta]
        self.T0 = tidy(T.xreplace(rest))

    def inertia(self, a):
        return self.squares.inertia(a) if self.squares else None

    def forces(self):
        if self.squares:
            return self.squares.forces()
        return [self._force(k) for k in range(len(self.q))]

    def _force(self, k):
        """dT/dq_k - d/dt dT/dv_k, with v held where it is differentiated."""
        q, v, b, here = self.q, self.v, self.b, self.q[k]
        terms = [self._square(k, i, j) * v[i] * v[j] for i in range(len(q)) for j in range(i, len(q))]
        terms += [tidy(derivative(b[i], here) - derivative(b[k], q[i]) - derivative(self.M[k, i], TIME)) * v[i]
                  for i in range(len(q))]
        return tidy(sympy.Add(*terms)) + tidy(derivative(self.T0, here) - derivative(b[k], TIME))

    def _square(self, k, i, j):
        """The coefficient of v_i v_j: a Christoffel symbol of the first kind, and its twin."""
        M, q = self.M, self.q
        slope = derivative(M[i, j], q[k]) - derivative(M[k, i], q[j])
        if i == j:
            return tidy(slope - derivative(M[i, i], q[k]) / 2)
        return tidy(slope - derivative(M[k, j], q[i]))

    def quadratic(self):
        n = len(self.v)
        return sympy.Add(*[self.M[i, j] * self.v[i] * self.v[j] / (2 if i == j else 1)
                           for i in range(n) for j in range(i, n)])

    def is_conservative(self):
        """dH/dt = dH/dt with (q, v) held: where M does not move, and b does not or has an F, b = dF/dq."""
        return all(_is_steady(entry) for entry in self.M) and self.drift() is not None

    def drift(self):
        """F_t; zero where b is steady, None where there is no F."""
        if all(_is_steady(b) for b in self.b):
            return sympy.S.Zero
        F = primitive.of(self.b, self.q)
        return None if F is None else derivative(F, TIME)


def _is_steady(expr):
    return vanishes(tidy(derivative(expr, TIME)))


def _mass(momenta, v):
    n = len(v)
    M = sympy.zeros(n, n)
    for i in range(n):
        for j in range(i, n):
            M[i, j] = M[j, i] = tidy(derivative(momenta[i], v[j]))
    return M
