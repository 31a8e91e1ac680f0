"""The modes of a model: its states that events lead to, in the order in which they are found.

A model that nothing leaves and nothing rubs in has one, of name "".
"""

import dataclasses

import sympy

from derive.base.equations import Mode
from derive.base.fault import Fault
from derive.base.model import Parameter
from derive.mechanics import redundant
from derive.switching import happenings, sliding, start_guards, states, typical

MOST = 64                       # modes


def prepared(model):
    """The model with all that its modes need: each friction has a parameter for where it holds."""
    parameters = list(model.parameters)
    frictions = [_with_held(model, f, parameters) for f in model.frictions]
    return dataclasses.replace(model, parameters=parameters, frictions=frictions)


def _with_held(model, friction, parameters):
    if friction.held is not None:
        return friction
    name = _unused(f"held_{friction.name}", model, parameters)
    held = Parameter(name, sympy.Symbol(name, real=True), "0", friction.along_unit,
                     f"where {friction.name} holds; set there", "any", friction.line)
    parameters.append(held)
    return dataclasses.replace(friction, held=held)


def _unused(name, model, parameters):
    taken = {p.name for p in parameters} | {c.name for c in model.coordinates}
    taken |= {c.name for c in model.constraints} | {f.name for f in model.frictions}
    while name in taken:
        name += "_"
    return name


def of(model):
    """The modes of a model; the first is the one it begins in."""
    model = prepared(model)
    found, modes = [states.first(model)], []
    for state in found:                         # which grows meanwhile
        mode = _mode(model, state, state is found[0])
        modes.append(mode)
        found += _new(mode, found)
        if len(found) > MOST:
            raise Fault(model.lines.get("constraints", 1), f"the model has more than {MOST} modes: they are the states "
                        "of its unilateral constraints, and of its frictions, in all that events lead to")
    return _named(model, found, _with_minimal(model, modes))


def _with_minimal(model, modes):
    """Minimal coordinates of all modes, where all have them and one has constraints; a run goes through all of them."""
    if not any(mode.constraints for mode in modes):
        return modes
    minimal = []
    for mode in modes:
        minimal.append(redundant.minimal(model, mode.equations))
        if minimal[-1] is None:
            return modes
    return [dataclasses.replace(mode, minimal=of_mode) for mode, of_mode in zip(modes, minimal)]


def _mode(model, state, is_first):
    """A mode without a name; its events lead to States."""
    motion = sliding.motion(model, state)
    events = happenings.of(model, state, motion)
    if is_first:
        events = start_guards.of(model, state) + events
    return Mode("", states.title(model, state), motion.equations,
                states.acting(model, state.acts) + states.sticking(model, state), events,
                start=None if is_first else typical.start(model, state))


def _new(mode, found):
    """The states that its events lead to, other than those found."""
    led = [state for event in mode.events for state in (event.mode, event.limit) if state]
    return [state for k, state in enumerate(led) if state not in found and state not in led[:k]]


def _named(model, found, modes):
    names = states.names(model, found) if len(found) > 1 else [""]
    known = dict(zip(found, names if len(found) > 1 else [model.name]))
    passages = {event.passage for mode in modes for event in mode.events if event.mode}
    for mode, name in zip(modes, names):
        mode.name = name
        mode.title = mode.title if name else model.title
        mode.events = [dataclasses.replace(event, mode=known.get(event.mode), limit=known.get(event.limit),
                                           passage=event.passage if event.passage in passages else "")
                       for event in mode.events]
    return modes
