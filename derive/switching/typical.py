"""A typical state of a mode: the start of the model, moved off the constraints that are open.

There the distances from walls pass zero, and what an event asks has its corners.
"""

import sympy

from derive.algebra import rates
from derive.switching import states


def start(model, state):
    """{symbol: expression of parameters}, or None for that of the model."""
    moved = {}
    for constraint, acts in zip(states.unilateral(model), state.acts):
        if not acts:
            moved.update(_away(model, constraint, moved))
    return {**model.start, **moved} if moved else None


def _away(model, constraint, moved):
    """{coordinate: expression}: by half a parameter of its unit, where g is linear in it and nothing else asks."""
    for coordinate in model.coordinates:
        slope = rates.derivative(constraint.g, coordinate.q)
        size = next((p.symbol for p in model.parameters if p.unit == coordinate.unit and p.range == "positive"), None)
        if slope in (1, -1) and size is not None and coordinate.q not in moved:
            start = sympy.sympify(model.start.get(coordinate.q, 0))
            return {coordinate.q: start - constraint.sign * slope * size / 2}
    return {}
