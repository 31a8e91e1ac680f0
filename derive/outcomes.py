"""What states an event may lead to, and the signs of velocities after it that decide between them."""

import itertools

from derive import independence, rates, states, vanishing
from derive.states import ABSENT, BACKWARDS, DRIVEN, FORWARDS, FREE, STICKING, State


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
    rate = rates.total(friction.along, model.q(), model.v())
    after = rate.xreplace(jump)
    turned = bool(jump) and not vanishing.vanishes(after - rate)
    known = [_known(model, before, friction, was, kind, turned) for kind in kinds]
    if None not in known:
        return [(None, known)]
    return [((after, 1), [r if r is not None else FORWARDS for r in known]),
            ((after, -1), [r if r is not None else BACKWARDS for r in known])]


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
    return independence.at_rest(friction.along, [c.g for c in states.acting(model, before.acts)], model.q())


def sticks(model, before, after, moved):
    """((parameter, expression),) of the frictions that begin to stick, where coordinates become those of moved."""
    return tuple((f.held.symbol, f.along.xreplace(moved)) for f, was, now
                 in zip(model.frictions, before.rubs, after.rubs) if now == STICKING and was != STICKING)

