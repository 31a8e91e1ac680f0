"""Whether a model can be simulated as it stands: what a text cannot show but numbers at its start do.

Numbers have 30 digits; parameters are those of the text, and what start does not name is 0.
"""

import random

import mpmath
import sympy

from derive.base.fault import Fault
from derive.base.model import TIME
from derive.algebra import rates
from derive.algebra.vanishing import value_at, vanishes

DIGITS = 30
ROUNDED = mpmath.mpf("1e-6")    # digits that are typed of a start, in parts of what it is made of
DEPENDENT = mpmath.mpf("1e-20")
POINTS = 12


def examine(model):
    """Fault at what is wrong."""
    with mpmath.workdps(DIGITS):
        point = start_of(model)
        _examine_kinetic(model, point)
        _examine_potential(model, point)
        _examine_forces(model, point)
        _examine_constraints(model, point)
        for constraint in model.constraints:
            _examine_side(constraint, model.lines, point)
        for impact in model.impacts:
            _examine_wall(impact, point)
        for friction in model.frictions:
            _examine_friction(friction, model, point)


def start_of(model):
    """Numbers of parameters, coordinates, velocities and reactions at the start."""
    point = {p.symbol: mpmath.mpf(p.value.rstrip(".")) for p in model.parameters}
    parameters = dict(point)
    point.update((symbol, mpmath.mpf(0)) for symbol in model.q() + model.v())
    point.update((c.symbol, mpmath.mpf(0)) for c in model.constraints + model.frictions)
    point[TIME] = mpmath.mpf(model.t0)
    for symbol, value in model.start.items():
        point[symbol] = number_at(value, parameters, model.lines["start"], f"the start of {symbol.name}")
    return point


def number_at(expr, point, line, what):
    """The number of an expression; Fault where it has none."""
    value = _value(expr, point)
    if value is None:
        raise Fault(line, f"{what} has no value at the start, with the parameters as they are")
    return value


def _value(expr, point):
    """A real number, or None."""
    try:
        value = value_at(sympy.sympify(expr), point)
    except (ArithmeticError, ValueError, TypeError, AttributeError):
        return None
    if not mpmath.isfinite(value) or mpmath.im(value) != 0:
        return None
    return mpmath.re(value)


# Energies

def _examine_kinetic(model, point):
    line = model.lines.get("T", model.lines.get("masses", 1))
    number_at(model.kinetic, point, line, "the kinetic energy")
    for i, slope in enumerate(rates.gradient(model.kinetic, model.v())):
        for entry in rates.gradient(slope, model.v()[:i + 1]):
            _examine_degree(model, entry, line)


def _examine_degree(model, entry, line):
    """Second derivatives of T are free of velocities."""
    for c in model.coordinates:
        if c.v in entry.free_symbols and not vanishes(rates.derivative(entry, c.v)):
            raise Fault(line, f"the kinetic energy is not quadratic in the velocities: look at {c.name}'")


def _examine_potential(model, point):
    line = model.lines.get("V", model.lines.get("gravity", 1))
    number_at(model.potential, point, line, "the potential energy")
    for c, slope in zip(model.coordinates, rates.gradient(model.potential, model.q())):
        number_at(slope, point, line, f"the derivative of the potential energy with respect to {c.name}")


def _examine_forces(model, point):
    for force in model.forces:
        for value in force.value + force.point:
            number_at(value, point, force.line, f"the force {force.name}")


# Constraints

def _examine_constraints(model, point):
    q, v, nq = model.q(), model.v(), len(model.coordinates)
    acting = [(c.name, c.line, rates.held(c, q, v)) for c in model.constraints if not c.begins_open]
    acting += [(f.name, f.line, rates.total(f.along, q, v)) for f in model.frictions if f.begins == "sticking"]
    for constraint in model.constraints:
        number_at(constraint.g, point, constraint.line, f"the constraint {constraint.name}")
    if len(acting) > nq:
        names = ", ".join(name for name, _, _ in acting)
        raise Fault(acting[nq][1], f"too many constraints: {len(acting)} act at the start, {names}, on {nq} "
                                   f"coordinate{'s' * (nq > 1)}")
    gradients = [rates.gradient(rate, v) for _, _, rate in acting]
    found = _dependence(model, gradients, point)
    if found is not None:
        raise _dependent(acting, *found, ": it holds already, or cannot hold")
    rows = [[number_at(entry, point, line, f"the derivative of the constraint {name}") for entry in row]
            for (name, line, _), row in zip(acting, gradients)]
    found = _dependent_row(rows)
    if found is not None:
        raise _dependent(acting, *found, " at the start, with the parameters as they are: begin elsewhere")


def _dependent(acting, i, others, rest):
    name, line, _ = acting[i]
    of = ", ".join(f"{acting[j][0]} of line {acting[j][1]}" for j in others)
    return Fault(line, f"the constraint {name} " + (f"depends on {of}" if of else "changes with no coordinate") + rest)


def _dependence(model, gradients, point):
    """(i, those before it that row i of G is made of) where that is so everywhere, or None."""
    found = None
    for place in _nearby(model, point):
        rows = [[_value(entry, place) for entry in row] for row in gradients]
        if any(entry is None for row in rows for entry in row):
            continue
        found = _dependent_row(rows)
        if found is None:
            return None
    return found


def _nearby(model, point):
    """Points drawn about the start, once for all; what is 0 there moves by 1, 1e-3, 1e-6, ..."""
    drawn = random.Random(1743)
    for k in range(POINTS):
        place = dict(point)
        for q in model.q():
            step = mpmath.mpf(drawn.randrange(-10 ** 6, 10 ** 6)) / 10 ** 6
            place[q] += step * (abs(point[q]) / 4 if point[q] else mpmath.mpf(10) ** (-3 * (k % 4)))
        yield place


def _dependent_row(rows):
    """(i, [j, ...]) of the first row that is a combination of rows j before it; None where there is none."""
    basis = []                                  # (pivot column, row, what it is made of)
    for i, row in enumerate(rows):
        size = max(abs(entry) for entry in row)
        if size == 0:
            return i, []
        row, made = [entry / size for entry in row], {i: mpmath.mpf(1)}
        for pivot, other, parts in basis:
            factor = row[pivot] / other[pivot]
            row = [a - factor * b for a, b in zip(row, other)]
            for j, part in parts.items():
                made[j] = made.get(j, 0) - factor * part
        pivot = max(range(len(row)), key=lambda k: abs(row[k]))
        if abs(row[pivot]) < DEPENDENT:
            return i, [j for j, part in sorted(made.items()) if j != i and abs(part) > DEPENDENT]
        basis.append((pivot, row, made))
    return None


# What begins

def _examine_side(constraint, lines, point):
    """A constraint on one side: where it begins, its reaction, its restitution."""
    if not constraint.sign:
        return
    name, sign = constraint.name, constraint.sign
    side = sign * _side(constraint.g, point)
    if side > 0:
        raise Fault(constraint.line, f"the constraint {name} is violated at the start: it allows left "
                                     f"{_relation(sign)} right")
    if side < 0 and not constraint.begins_open:
        raise Fault(constraint.line, f"the constraint {name} acts from the start, and does not hold there: let it "
                                     "begin open, or start on it")
    if point[constraint.symbol] * sign < 0:
        raise Fault(lines["start"], f"the reaction {name} begins with {mpmath.nstr(point[constraint.symbol], 6)}, "
                                          f"and acts while {name} {'>=' if sign > 0 else '<='} 0")
    if constraint.restitution is not None:
        _examine_restitution(constraint, f"the constraint {name}", point)


def _relation(sign):
    return "<=" if sign > 0 else ">="


def _side(g, point):
    """-1, 0 or 1: the sign of g at the start, 0 where it is so small as digits of a start are rounded."""
    value = _value(g, point)
    if abs(value) <= ROUNDED * _size(g, point):
        return 0
    return 1 if value > 0 else -1


def _size(expr, point):
    """What the value of expr would be at most if nothing cancelled."""
    if expr.is_Add:
        return mpmath.fsum(_size(term, point) for term in expr.args)
    if expr.is_Mul:
        return mpmath.fprod(_size(factor, point) for factor in expr.args)
    if expr.is_Pow and expr.exp.is_positive:
        return _size(expr.base, point) ** value_at(expr.exp, point)
    size = abs(_value(expr, point) or 0)
    if expr.is_Function and len(expr.args) == 1:
        size += _size(expr.args[0], point)
    return size


def _examine_wall(impact, point):
    number_at(impact.g, point, impact.line, f"the impact {impact.name}")
    if _side(impact.g, point) > 0:
        raise Fault(impact.line, f"the start is behind the wall {impact.name}: left <= right is where motion may be")
    _examine_restitution(impact, f"the impact {impact.name}", point)


def _examine_restitution(wall, what, point):
    value = number_at(wall.restitution, point, wall.line, f"the restitution of {what}")
    if not 0 <= value <= 1:
        raise Fault(wall.line, f"the restitution of {what} is {mpmath.nstr(value, 6)}, and must be in 0 to 1")


def _examine_friction(friction, model, point):
    what = f"the friction {friction.name}"
    rest, motion = [number_at(value, point, friction.line, f"a coefficient of {what}")
                    for value in (friction.rest, friction.motion)]
    if rest < 0 or motion < 0:
        raise Fault(friction.line, f"{what} has a negative coefficient, {mpmath.nstr(min(rest, motion), 6)}")
    if rest < motion:
        raise Fault(friction.line, f"{what}: the coefficient of rest, {mpmath.nstr(rest, 6)}, is smaller than that of "
                                   f"motion, {mpmath.nstr(motion, 6)}")
    _examine_normal(friction, model, point, what)
    _examine_sliding(friction, model, point, what)


def _examine_normal(friction, model, point, what):
    normal = number_at(friction.normal, point, friction.line, f"the normal force of {what}")
    reactions = {c.symbol: c for c in model.constraints}
    if normal < 0 and not friction.normal.free_symbols & set(reactions):
        raise Fault(friction.line, f"the normal force of {what} is negative at the start, {mpmath.nstr(normal, 6)}")
    other = reactions.get(friction.normal)
    if other is not None and other.sign < 0:
        raise Fault(friction.line, f"the normal force of {what} is {other.name}, which is negative where its "
                                   f"constraint acts: write -{other.name}")


def _examine_sliding(friction, model, point, what):
    velocity = rates.total(friction.along, model.q(), model.v())
    rate = number_at(velocity, point, friction.line, f"the velocity of {what}")
    way = {"forwards": 1, "backwards": -1}.get(friction.begins, 0)
    if way * rate < 0:
        raise Fault(friction.line, f"{what} begins {friction.begins}, and slides the other way at the start, with "
                                   f"{mpmath.nstr(rate, 6)}")
    if not way and _side(friction.held.symbol - friction.along, point):
        raise Fault(friction.line, f"{what} begins sticking, and {friction.held.name} is not what 'along' is at the "
                                   "start")
