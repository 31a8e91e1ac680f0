"""What states an event may lead to, and the signs of velocities after it that decide between them."""

import itertools

import sympy

from derive.algebra import independence, vanishing
from derive.switching import states
from derive.switching.states import ABSENT, BACKWARDS, DRIVEN, FORWARDS, FREE, STICKING, State

MOST = 40                       # operations of an expression whose sign is looked for


def of(model, before, targets, jump):
    """[(only, [a State for each of targets])]; only as in ModeEvent, empty where nothing is to decide.

    targets: for each the unilateral constraints that act. jump: {velocity, coordinate: expression after the event}.
    """
    kinds = [states.kinds(model, acts) for acts in targets]
    choices = [_of_friction(model, before, k, [kind[k] for kind in kinds], jump) for k in range(len(model.frictions))]
    return [(tuple(ask for ask, _ in chosen if ask), _states(targets, [rubs for _, rubs in chosen]))
            for chosen in itertools.product(*choices)]


def _states(targets, rubs):
    return [State(acts, tuple(of_friction[m] for of_friction in rubs)) for m, acts in enumerate(targets)]


def _of_friction(model, before, k, kinds, jump):
    """[(what to ask, or None, [how friction k is in each target])]"""
    friction, was = model.frictions[k], before.rubs[k]
    rate = states.sliding(model, friction)
    after = rate.xreplace(jump)
    turned = bool(jump) and not vanishing.vanishes(after - rate)
    known = [_known(model, before, friction, was, kind, turned) for kind in kinds]
    sign = sign_after(rate, after, {STICKING: 0, FORWARDS: 1, BACKWARDS: -1}.get(was)) if None in known else None
    if sign is not None:
        known = [r if r is not None else FORWARDS if sign > 0 else BACKWARDS for r in known]
    if None not in known:
        return [(None, known)]
    return [((after, 1), [r if r is not None else FORWARDS for r in known]),
            ((after, -1), [r if r is not None else BACKWARDS for r in known])]


def sign_after(rate, after, sign):
    """The sign of a rate after it jumped, 1 or -1, where it follows from that before: 0, 1, -1, or None: not known."""
    if sympy.count_ops(after) > MOST:
        return None
    if sign is None or _definite(after):
        return _definite(after)
    change = sympy.expand(after - rate)
    if sign == 0 or _definite(sign * change) == 1:
        return _definite(change) if sign == 0 else sign
    ratio = sympy.cancel(after / rate)
    factor = _definite(ratio) if not ratio.free_symbols & rate.free_symbols else None
    return None if factor is None else sign * factor


def _definite(expr):
    return 1 if expr.is_nonnegative else -1 if expr.is_nonpositive else None


def _known(model, before, friction, was, kind, turned):
    """How a friction is after an event; None where the sign of its velocity decides."""
    if kind == ABSENT:
        return ABSENT
    if was == ABSENT and not turned and kind == FREE and _rested(model, before, friction):
        return STICKING
    if was == ABSENT or turned or (was == STICKING and kind == DRIVEN):
        return None
    return was


def _rested(model, before, friction):
    """Do the constraints that acted before hold its displacement?"""
    return independence.at_rest(states.sliding(model, friction), states.held(model, before.acts), model.v())


def sticks(model, before, after, moved):
    """((parameter, expression),) of the frictions that begin to stick, where coordinates become those of moved."""
    return tuple((f.held.symbol, f.along.xreplace(moved)) for f, was, now
                 in zip(model.frictions, before.rubs, after.rubs) if now == STICKING and was != STICKING)
