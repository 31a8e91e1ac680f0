"""Whether constraints on one side act at the start with the sign that they are said to have.

With M a = f - G^T lambda and 0 = G a + c the reactions are lambda = (G M^-1 G^T)^-1 (G M^-1 f + c). A floor whose
equation is written the other way round would pull, let go at once and be fallen through.
"""

import mpmath

from derive.base.fault import Fault
from derive.words.soundness import DIGITS, number_at, start_of

ROUNDED = mpmath.mpf("1e-6")    # in parts of what the reaction is made of


def examine(model, mode):
    """Fault where a reaction of the first mode has the wrong sign at the start."""
    sided = {c.symbol: c for c in model.constraints if c.sign}
    eqs = mode.equations
    if not any(symbol in sided for symbol in eqs.multipliers):
        return
    with mpmath.workdps(DIGITS):
        found = _reactions(eqs, start_of(model), model.lines.get("start", 1))
        for symbol, (value, size) in zip(eqs.multipliers, found):
            constraint = sided.get(symbol)
            if constraint is not None and constraint.sign * value < -ROUNDED * size:
                raise Fault(constraint.line, _sentence(constraint, value))


def _sentence(constraint, value):
    relation = ">=" if constraint.sign > 0 else "<="
    name = constraint.name
    return (f"the reaction {name} is {mpmath.nstr(value, 6)} at the start, and acts while {name} {relation} 0: let it "
            f"begin open; or, if left {relation} right is what it allows, change the sides")


def _reactions(eqs, point, line):
    """(number, size of what it is a sum of) of each multiplier."""
    def numbers(matrix, what):
        return mpmath.matrix([[number_at(entry, point, line, what) for entry in matrix.row(i)]
                              for i in range(matrix.rows)])
    point = {**point, **{a: mpmath.mpf(0) for a in eqs.a}}
    M, f, G = numbers(eqs.M, "the mass matrix"), numbers(eqs.f, "a force"), numbers(eqs.G, "a constraint")
    c = numbers(eqs.acceleration, "the acceleration of a constraint")
    over = mpmath.inverse(M)
    compliance = mpmath.inverse(G * over * G.T)
    values, sizes = compliance * (G * over * f + c), _sizes(compliance) * (_sizes(G * over) * _sizes(f) + _sizes(c))
    return [(values[i], sizes[i]) for i in range(len(eqs.multipliers))]


def _sizes(matrix):
    return matrix.apply(abs)
