"""States of a model: which of its unilateral constraints act, and how each friction is.

A friction whose normal force vanishes, since the constraints are open whose reactions make it, or whose displacement
rests already by the constraints that act, is absent: it exerts no force. Where these constraints move its
displacement, it slides, and never sticks.
"""

from dataclasses import dataclass

import sympy

from derive.base.fault import Fault
from derive.base.model import Constraint
from derive.algebra import independence, rates, vanishing

STICKING, FORWARDS, BACKWARDS, ABSENT = "sticking", "forwards", "backwards", ""
FREE, DRIVEN = "free", "driven"


@dataclass(frozen=True)
class State:
    acts: tuple                 # of the unilateral constraints: does it?
    rubs: tuple                 # of the frictions: STICKING, FORWARDS, BACKWARDS or ABSENT


def unilateral(model):
    return [c for c in model.constraints if c.sign]


def acting(model, acts):
    """The constraints that act where the unilateral ones do as acts says."""
    does = dict(zip((c.name for c in unilateral(model)), acts))
    return [c for c in model.constraints if does.get(c.name, True)]


def held(model, acts):
    """The rates that they hold at zero."""
    return [rates.held(c, model.q(), model.v()) for c in acting(model, acts)]


def sliding(model, friction):
    """The velocity of sliding."""
    return rates.total(friction.along, model.q(), model.v())


def sticking(model, state):
    return [f for f, rubs in zip(model.frictions, state.rubs) if rubs == STICKING]


def holds(friction):
    """A friction that sticks, as a constraint: 0 = held - d, whose multiplier is the force along d."""
    held = friction.held.symbol
    return Constraint(friction.name, friction.symbol, held - friction.along, friction.unit,
                      f"{friction.held.name} = {friction.along}", 0, None, False, "", "", friction.line)


def active(model, state):
    """All constraints of a state, those of frictions that stick behind the others."""
    return acting(model, state.acts) + [holds(f) for f in sticking(model, state)]


def normal(model, acts, friction):
    """Its normal force where the unilateral constraints do as acts says; not negative where it is what it says."""
    gone = {c.symbol: 0 for c, does in zip(unilateral(model), acts) if not does}
    force = friction.normal.xreplace({symbol: sympy.S.Zero for symbol in gone})
    both_ways = {c.symbol for c in model.constraints if not c.sign}
    return sympy.Abs(force) if both_ways & force.free_symbols else force


def kinds(model, acts):
    """Of each friction FREE, DRIVEN (it slides as constraints say, and cannot stick) or ABSENT."""
    constraints = held(model, acts)
    kind = [_kind(model, acts, f, constraints) for f in model.frictions]
    free = [f for f, k in zip(model.frictions, kind) if k == FREE]
    for i, friction in enumerate(free):
        if independence.determined(sliding(model, friction), constraints + [sliding(model, f) for f in free[:i]],
                                   model.v()):
            raise Fault(friction.line, f"the frictions {', '.join(f.name for f in free[:i + 1])} hold what "
                                       "constraints and the others hold already: their forces are not determined; "
                                       "frictions along the same displacement can be written as one")
    return kind


def _kind(model, acts, friction, constraints):
    if vanishing.vanishes(normal(model, acts, friction)):
        return ABSENT
    rate = sliding(model, friction)
    if not independence.determined(rate, constraints, model.v()):
        return FREE
    return ABSENT if independence.at_rest(rate, constraints, model.v()) else DRIVEN


def possible(model, acts):
    """Are the constraints independent of each other?"""
    return independence.independent(held(model, acts), model.v())


def first(model):
    """The state in which the model begins."""
    acts = tuple(not c.begins_open for c in unilateral(model))
    if not possible(model, acts):
        names = ", ".join(c.name for c in acting(model, acts))
        raise Fault(acting(model, acts)[-1].line, f"the constraints of {names} depend on each other")
    rubs = []
    for friction, kind in zip(model.frictions, kinds(model, acts)):
        if kind == DRIVEN and friction.begins == STICKING:
            raise Fault(friction.line, f"the friction {friction.name} cannot begin sticking: constraints move it")
        rubs.append(ABSENT if kind == ABSENT else friction.begins)
    return State(acts, tuple(rubs))


# ---- names


def words(model, state):
    """What the state of each component is called; "" of an absent friction."""
    named = [c.closed if does else c.open for c, does in zip(unilateral(model), state.acts)]
    return named + [getattr(f, rubs) if rubs else "" for f, rubs in zip(model.frictions, state.rubs)]


def names(model, states):
    """A name for each of several states: the words in which they differ, joined by _."""
    said = [words(model, state) for state in states]
    differ = [k for k in range(len(said[0])) if len({word[k] for word in said}) > 1] if said else []
    plain = ["_".join(word[k] for k in differ if word[k]) for word in said]
    if len(set(plain)) == len(plain):
        return plain
    owner = [c.name for c in unilateral(model)] + [f.name for f in model.frictions]
    return ["_".join(f"{owner[k]}_{word[k]}" for k in differ if word[k]) for word in said]


def title(model, state):
    """A state in words: what holds, what is open, how frictions are."""
    parts = [f"{c.text} {'holds' if does else 'is open'}" for c, does in zip(unilateral(model), state.acts)]
    said = {STICKING: "holds", FORWARDS: "acts against sliding forwards", BACKWARDS: "acts against sliding backwards"}
    parts += [f"{f.name} {said[rubs]}" for f, rubs in zip(model.frictions, state.rubs) if rubs]
    return ", ".join(parts)
