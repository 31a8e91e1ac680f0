"""Coordinates that a constraint is solved for, such as r = L and x = l sin(theta), and what is left without them."""

import dataclasses

import sympy

from derive.base.equations import Minimal
from derive.base.fault import Fault
from derive.algebra.rates import gradient, held
from derive.algebra.tidy import cost
from derive.mechanics import lagrange, solutions
from derive.mechanics.embedding import Embedding

LONG = 4000                     # operations of accelerations that are no gain any more


def minimal(model, eqs):
    """Minimal coordinates of a mode whose constraints are all solved for coordinates; None where they are not."""
    kept, embedded = _embedding(model, eqs)
    if not kept:
        return None
    acceleration = embedded.accelerations(eqs)
    if cost(sympy.Tuple(*acceleration)) > LONG:
        return None
    return Minimal(kept, embedded.q, embedded.v, acceleration)


def reactions(model, eqs, accelerations):
    """The multipliers of such a mode in its minimal coordinates, a list."""
    return _embedding(model, eqs)[1].reactions(eqs, accelerations)


def _embedding(model, eqs):
    """(Coordinates that stay, Embedding); none stay where the constraints are not solved for the others."""
    found = None if eqs.nonholonomic else solutions.of(list(eqs.g), eqs.q)
    kept = [c for c in model.coordinates if found is not None and c.q not in found]
    return kept, Embedding(kept, eqs.q, found or {})


# ---- a model without them ---------------------------------------------------------------------


def reduced(model):
    """The model without the constraints that are solved for a coordinate, and without these coordinates."""
    removed, found = _removable(model)
    kept = [c for c in model.coordinates if c.q not in found]
    embedded = Embedding(kept, model.q(), found)
    values = embedded.values(model.q(), model.v())
    if _mentioned(model) & {c.symbol for c in removed}:
        values.update(_formulas(model, removed, embedded))
    return _without(model, removed, kept, _Put(values, _come_and_go(model)))


def _removable(model):
    """The constraints that hold both ways and can go together, in their order; {coordinate: expression}."""
    removed, found = [], {}
    for constraint in model.constraints:
        stays = constraint.sign or constraint.nonholonomic
        more = None if stays else solutions.of([c.g for c in removed + [constraint]], model.q())
        if more is not None and len(more) < len(model.coordinates):
            removed, found = removed + [constraint], more
    if not removed:
        raise Fault(*_nothing_to_remove(model))
    return removed, found


def _nothing_to_remove(model):
    if not model.constraints:
        return model.lines.get("model", 1), "there are no constraints: these coordinates are minimal"
    one_way = [c for c in model.constraints if c.sign]
    if len(one_way) == len(model.constraints):
        first = one_way[0]
        return first.line, (f"the constraint of {first.name} may let go, and then needs all coordinates: there are no "
                            "minimal ones for all of a motion")
    return model.lines.get("constraints", model.constraints[0].line), (
        "no constraint is solved for a coordinate, as x = l sin(phi) is for x: linear in it, with a factor of "
        "parameters that are positive, and not the last coordinate")


def _mentioned(model):
    """Symbols in events, invariants and normal forces."""
    told = [i.value for i in model.invariants] + [f.normal for f in model.frictions]
    for event in model.events:
        told += [event.value, event.measure] + [expr for _, expr in event.then]
    return {symbol for expr in told if expr is not None for symbol in expr.free_symbols}


def _formulas(model, removed, embedded):
    """{reaction that is removed: expression of t, s, s', the other reactions and forces of friction}."""
    q = model.q()
    v = model.v()
    others = [(c.symbol, [-slope for slope in gradient(held(c, q, v), v)]) for c in model.constraints
              if c not in removed]
    others += [(f.symbol, gradient(f.along, q)) for f in model.frictions]
    forces = [sympy.Add(*[symbol * along[j] for symbol, along in others]) for j in range(len(q))]
    eqs = lagrange.equations(model, removed, forces)
    return dict(zip(eqs.multipliers, embedded.reactions(eqs, embedded.accelerations(eqs))))


def _come_and_go(model):
    """Forces that there are in some states only, {symbol: name}."""
    forces = [c for c in model.constraints if c.sign] + model.frictions
    return {force.symbol: force.name for force in forces}


class _Put:
    """Puts values into what a text says, or tells on which line they cannot be."""

    def __init__(self, values, fleeting):
        self.values, self.fleeting = values, fleeting

    def into(self, expr):
        return expr.xreplace(self.values)

    def each(self, expressions):
        return tuple(self.into(expr) for expr in expressions)

    def heard(self, expr, line, what):
        """Into an expression that may hold reactions, of which one that is removed must not need a force that
        comes and goes."""
        if expr is None:
            return None
        made = self.into(expr)
        news = [name for symbol, name in self.fleeting.items() if symbol in made.free_symbols - expr.free_symbols]
        if news:
            raise Fault(line, f"{what} needs a reaction that depends on {' and '.join(news)}, and goes with its "
                              "constraint: --minimal cannot take that one out")
        return made


def _without(model, removed, kept, put):
    symbols = {s for c in kept for s in (c.q, c.v)} | {c.symbol for c in model.constraints if c not in removed}
    return dataclasses.replace(
        model, coordinates=kept, kinetic=put.into(model.kinetic), potential=put.into(model.potential),
        forces=[_force(force, put) for force in model.forces],
        constraints=[dataclasses.replace(c, g=put.into(c.g)) for c in model.constraints if c not in removed],
        impacts=[dataclasses.replace(i, g=put.into(i.g)) for i in model.impacts],
        frictions=[_friction(f, put) for f in model.frictions],
        start={symbol: value for symbol, value in model.start.items()
               if symbol in symbols or symbol in {f.symbol for f in model.frictions}},
        events=[_event(event, model, kept, put) for event in model.events],
        invariants=[dataclasses.replace(i, value=put.heard(i.value, i.line, f"the invariant {i.name}"))
                    for i in model.invariants],
        drawing=[_shape(shape, put) for shape in model.drawing])


def _force(force, put):
    """A force on a coordinate that is removed is one at a point that has this single coordinate."""
    value = put.each(force.value)
    if force.on is not None and force.on.q in put.values and put.into(force.on.q) != force.on.q:
        return dataclasses.replace(force, point=(put.into(force.on.q),), value=value, on=None)
    return dataclasses.replace(force, point=put.each(force.point), value=value)


def _friction(friction, put):
    normal = put.heard(friction.normal, friction.line, f"the normal force of {friction.name}")
    if friction.normal.is_Symbol and normal != friction.normal:
        normal = sympy.Abs(normal)          # a reaction presses either way
    return dataclasses.replace(friction, along=put.into(friction.along), normal=normal)


def _event(event, model, kept, put):
    gone = {s: c.name for c in model.coordinates if c not in kept for s in (c.q, c.v)}
    for symbol, _ in event.then:
        if symbol in gone:
            raise Fault(event.line, f"the event {event.name} changes {symbol.name}, which --minimal takes out: "
                                    f"change {' or '.join(c.name for c in kept)}")
    what = f"the event {event.name}"
    return dataclasses.replace(
        event, value=put.heard(event.value, event.line, what), measure=put.heard(event.measure, event.line, what),
        then=tuple((symbol, put.heard(expr, event.line, what)) for symbol, expr in event.then))


def _shape(shape, put):
    size = None if shape.size is None else put.into(sympy.sympify(shape.size))
    return dataclasses.replace(shape, points=tuple(put.each(point) for point in shape.points), size=size)
