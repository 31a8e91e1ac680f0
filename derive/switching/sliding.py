"""The forces of frictions that slide, as functions of (t, q, v).

Along d with the sign s of d' it is - s mu N dd/dq. Where N is made of reactions, it changes what it is made of:

    M a = f - G^T lambda - sum s mu N d_q^T,   G a + c = 0,   N = n0 + n1 lambda
    G M^-1 (G^T + sum s mu d_q^T n1) lambda = G M^-1 (f - sum s mu n0 d_q^T) + c

This is linear in lambda, and has a solution as long as the matrix is not singular (Painleve (1895)).
"""

import dataclasses
from dataclasses import dataclass

import sympy

from derive.base.fault import Fault
from derive.algebra import elimination, rates, vanishing
from derive.mechanics import lagrange
from derive.switching import states


def sign(rubs):
    return 1 if rubs == states.FORWARDS else -1


def slide(model, state):
    """(friction, sign) of those that slide."""
    return [(f, sign(rubs)) for f, rubs in zip(model.frictions, state.rubs)
            if rubs in (states.FORWARDS, states.BACKWARDS)]


@dataclass
class Motion:
    """How a state moves."""
    equations: object           # Equations, forces of friction among them
    forces: dict                # {symbol of a friction that slides: its force along d}
    determinant: object         # passes zero where normal forces are not determined; None: it cannot


def motion(model, state):
    active, pairs = states.active(model, state), slide(model, state)
    plain = lagrange.equations(model, active)
    if not pairs:
        return Motion(plain, {}, None)
    reactions, determinant = _reactions(model, state, plain, pairs)
    forces = {f.symbol: elimination.short(-s * f.motion * states.normal(model, state.acts, f).xreplace(reactions))
              for f, s in pairs}
    total = [elimination.short(f + force) for f, force in zip(plain.f, _along(plain.q, pairs, forces))]
    return Motion(dataclasses.replace(plain, f=sympy.Matrix(total), conservative=False), forces, determinant)


def _along(q, pairs, force):
    """The generalised forces of frictions, [nq]."""
    total = [sympy.S.Zero] * len(q)
    for friction, _ in pairs:
        for j, slope in enumerate(rates.gradient(friction.along, q)):
            total[j] += force[friction.symbol] * slope
    return total


def _reactions(model, state, plain, pairs):
    """({reaction: expression of t, q, v} of those that normal forces are made of, determinant of their equations)."""
    normals = [states.normal(model, state.acts, f) for f, _ in pairs]
    if not any(set(plain.multipliers) & n.free_symbols for n in normals):
        return {}, None
    slopes = sympy.Matrix([rates.gradient(f.along, plain.q) for f, _ in pairs])
    moved = elimination.solve(plain.M, sympy.Matrix.hstack(plain.G.T, plain.f, slopes.T))
    nl = plain.G.rows
    matrix = (plain.G * moved[:, :nl]).applyfunc(elimination.short)             # G M^-1 G^T
    reach = (plain.G * moved[:, nl + 1:]).applyfunc(elimination.short)          # G M^-1 d_q^T
    still = plain.acceleration.xreplace({a: sympy.S.Zero for a in plain.a})
    right = (plain.G * moved[:, nl] + still).applyfunc(elimination.short)
    changed = False
    for k, ((friction, s), n) in enumerate(zip(pairs, normals)):
        if not all(vanishing.vanishes(entry) for entry in reach[:, k]):
            n0, n1 = _linear(friction, n, plain.multipliers)
            matrix += reach[:, k] * s * friction.motion * n1
            right -= reach[:, k] * s * friction.motion * n0
            changed = changed or any(n1)
    return dict(zip(plain.multipliers, elimination.solve(matrix, right))), _determinant(matrix) if changed else None


def _determinant(matrix):
    """det; None where it is positive whatever its symbols are."""
    det = elimination.short(matrix.det(method="berkowitz"))
    return None if det.is_positive else det


def _linear(friction, normal, multipliers):
    """(n0, n1 [1 x nl]) of a normal force n0 + n1 lambda."""
    n1 = sympy.Matrix([[sympy.diff(normal, symbol) for symbol in multipliers]])
    if set(multipliers) & n1.free_symbols:
        names = [s.name for s in multipliers if s in normal.free_symbols]
        raise Fault(friction.line, f"the friction {friction.name} changes the reaction {', '.join(names)} that its "
                                   "normal force is made of, and this is not linear: let the reaction have a sign "
                                   f"(while: {names[0]} >= 0), and normal be that reaction")
    return normal.xreplace({symbol: sympy.S.Zero for symbol in multipliers}), n1
