"""Events of the first mode that tell a start which is not of this mode: parameters may have been changed.

They are heard at the time of the start only, and left out where the ranges of parameters say that they cannot happen.
"""

import dataclasses

import sympy

from derive import rates, states
from derive.equations import ModeEvent
from derive.model import TIME
from derive.states import BACKWARDS, FORWARDS, State

ROUNDING = sympy.Rational(1, 10**9)     # of the terms of a sum


def guarded(model, state, events):
    """The events of the first mode, those of the start among them."""
    before = []
    for k, constraint in enumerate(states.unilateral(model)):
        if not state.acts[k]:
            before += _beyond(model, state, constraint, constraint.sign, state.acts[:k] + (True,) + state.acts[k + 1:])
    for impact in model.impacts:
        before += _beyond(model, state, impact, 1, state.acts)
    for k, friction in enumerate(model.frictions):
        if state.rubs[k] in (FORWARDS, BACKWARDS):
            before, events = _turned(model, state, k, before, events)
    return before + events


def _beyond(model, state, wall, sign, acts):
    """The start must lie before a wall; beyond it the run ends."""
    passed = sign * wall.g
    if _at_start(model, passed).is_nonpositive:
        return []
    entered = State(acts, state.rubs) if acts == state.acts or states.possible(model, acts) else state
    return [ModeEvent(f"beyond_{wall.name}", f"the start lies beyond {wall.text}", passed - _rounding(passed), 1, (),
                      entered, None, True, None, "", "", _now(model, 1))]


def _turned(model, state, k, before, events):
    """A friction that begins sliding, the other way than it is said to."""
    rate = rates.total(model.frictions[k].along, model.q(), model.v())
    sign = 1 if state.rubs[k] == FORWARDS else -1
    if (sign * _at_start(model, rate)).is_nonnegative:
        return before, events
    other = BACKWARDS if sign > 0 else FORWARDS
    name = getattr(model.frictions[k], other)
    turned = ModeEvent(f"begins_{name}", f"the start slides {other}", sign * rate + _rounding(rate), -1, (),
                       State(state.acts, state.rubs[:k] + (other,) + state.rubs[k + 1:]), None, False, None, "", "",
                       _now(model, 1))
    later = [dataclasses.replace(e, only=e.only + _now(model, -1)) if e.value == rate else e for e in events]
    return before + [turned], later


def _now(model, sign):
    """Heard at the start (sign 1), or after it (-1)."""
    return ((sympy.Rational(repr(float(model.t0))) - TIME, sign),)


def _at_start(model, expr):
    values = {symbol: sympy.S.Zero for symbol in model.q() + model.v()}
    values.update({symbol: sympy.sympify(value) for symbol, value in model.start.items()})
    values[TIME] = sympy.Rational(repr(float(model.t0)))
    return sympy.sympify(expr).xreplace(values)


def _rounding(expr):
    """What rounding may make of a sum; 0 of a single term."""
    terms = sympy.Add.make_args(expr)
    return ROUNDING * sympy.Add(*map(sympy.Abs, terms)) if len(terms) > 1 else sympy.S.Zero
