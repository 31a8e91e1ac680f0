"""Events of the first mode that tell a start which is not of this mode: parameters may have been changed.

What they ask is made of parameters alone, the state at the start; so it passes zero at the start or never. They are
left out where the ranges of parameters say that it cannot.
"""

import sympy

from derive.base.equations import ModeEvent
from derive.base.model import TIME
from derive.algebra import rates
from derive.switching import states
from derive.switching.states import BACKWARDS, FORWARDS, State

ROUNDING = sympy.Rational(1, 10**9)     # of the terms of a sum


def of(model, state):
    """The events of the start, for the first mode."""
    return _beyond(model, state) + [event for k in range(len(model.frictions)) for event in _turned(model, state, k)]


def _beyond(model, state):
    """Beyond a wall the run ends."""
    walls = [(c.sign, c) for c, acts in zip(states.unilateral(model), state.acts) if not acts]
    walls += [(1, impact) for impact in model.impacts]
    passed = [(_at_start(model, sign * wall.g), wall) for sign, wall in walls]
    passed = [(by, wall) for by, wall in passed if not by.is_nonpositive]
    if not passed:
        return []
    by = sympy.Max(*[by - _rounding(by) for by, _ in passed])
    names = " or ".join(wall.text for _, wall in passed)
    return [ModeEvent("beyond", f"the start lies beyond {names}", by, 1, (), state, None, True, None, "", "")]


def _turned(model, state, k):
    """A friction that begins sliding, the other way than it is said to."""
    if state.rubs[k] not in (FORWARDS, BACKWARDS):
        return []
    friction, sign = model.frictions[k], 1 if state.rubs[k] == FORWARDS else -1
    rate = _at_start(model, sign * rates.total(friction.along, model.q(), model.v()))
    if rate.is_nonnegative:
        return []
    other = BACKWARDS if sign > 0 else FORWARDS
    name = getattr(friction, other)
    return [ModeEvent(f"begins_{name}", f"the start slides {other} against {friction.name}", rate + _rounding(rate), -1,
                      (), State(state.acts, state.rubs[:k] + (other,) + state.rubs[k + 1:]), None, False, None, "", "")]


def _at_start(model, expr):
    values = {symbol: sympy.S.Zero for symbol in model.q() + model.v()}
    values.update({symbol: sympy.sympify(value) for symbol, value in model.start.items()})
    values[TIME] = sympy.Rational(repr(float(model.t0)))
    return sympy.sympify(expr).xreplace(values)


def _rounding(expr):
    """What rounding may make of a sum; 0 of a single term."""
    terms = sympy.Add.make_args(expr)
    if len(terms) == 1:
        return sympy.S.Zero
    return sympy.Mul(ROUNDING, sympy.Add(*map(sympy.Abs, terms)), evaluate=False)
