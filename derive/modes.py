"""The modes of a model. A model that nothing leaves and nothing rubs in has one, of name ""."""

import dataclasses

import sympy

from derive import lagrange
from derive.equations import Mode, ModeEvent
from derive.model import Parameter


def prepared(model):
    """The model with all that its modes need: each friction has a parameter for where it holds."""
    parameters = list(model.parameters)
    frictions = [_with_held(model, f, parameters) for f in model.frictions]
    return dataclasses.replace(model, parameters=parameters, frictions=frictions)


def _with_held(model, friction, parameters):
    if friction.held is not None:
        return friction
    name = _unused(f"held_{friction.name}", model)
    held = Parameter(name, sympy.Symbol(name, real=True), "0", "-", f"where {friction.name} holds; set there", "any",
                     friction.line)
    parameters.append(held)
    return dataclasses.replace(friction, held=held)


def _unused(name, model):
    taken = {p.name for p in model.parameters} | {c.name for c in model.coordinates}
    taken |= {c.name for c in model.constraints} | {f.name for f in model.frictions}
    while name in taken:
        name += "_"
    return name


def of(model):
    """The modes of a model; the first is the one it begins in."""
    equations = lagrange.equations(model, model.constraints)
    return [Mode("", model.title, equations, list(model.constraints), [_heard(e) for e in model.events])]


def _heard(event):
    return ModeEvent(event.name, event.title, event.value, event.direction, event.then, None, None,
                     event.stop, event.measure, event.measures, event.unit)
