"""The equations of a model for people: energies, constraints as they were written, frictions."""

import sympy

from derive.base.model import TIME
from derive.algebra import tidy
from derive.algebra.order import Order, ranks
from derive.writing import layout
from derive.writing.c_expression import Unwritable, WordWriter

WIDTH, LONGEST = 90, 300


def lines(model, names, acting=None):
    """Lines of T, V, and what acts: all constraints, or those of one mode (Constraints, Frictions)."""
    writer = WordWriter({**names.words, TIME: "t"}, Order(ranks(model)))
    found = _formula("T", model.kinetic, writer) + _formula("V", model.potential, writer)
    for force in model.forces:
        found += _force(force, writer)
    for constraint in model.constraints:
        if acting is None or constraint in acting:
            found.append(_constraint(constraint))
    for friction in model.frictions:
        if not (acting is not None and _without_normal(model, friction, acting)):
            found += _friction(friction, writer, acting)
    found += [_impact(impact, writer) for impact in model.impacts]
    return [line for long in found for line in _indented(layout.formula(long, WIDTH))]


def _formula(name, e, writer):
    e = sympy.sympify(e)
    if e == 0 or tidy.size(e) > 4 * LONGEST:
        return []
    try:
        text = min(writer.write(e), writer.write(tidy.tidy(e)), key=len)
    except Unwritable:
        return []
    return [f"{name} = {text}"] if len(text) <= LONGEST else []


def _force(force, writer):
    value = ", ".join(writer.write(sympy.sympify(x)) for x in force.value)
    if force.on is not None:
        return [f"{force.name} = {value} on {force.on.name}"]
    return [f"{force.name} = ({value}) at ({', '.join(writer.write(sympy.sympify(x)) for x in force.point)})"]


def _constraint(c):
    text = c.text if "=" in c.text else f"{c.text} = 0"
    unit = "" if c.unit == "-" else f" [{c.unit}]"
    bound = {1: f", {c.name} >= 0", -1: f", {c.name} <= 0"}.get(c.sign, "")
    return f"{text},  {c.name}{unit} its reaction{bound}"


def _without_normal(model, friction, acting):
    """Its normal force is a reaction that is not there."""
    return any(c.symbol in sympy.sympify(friction.normal).free_symbols and c not in acting for c in model.constraints)


def _friction(f, writer, acting):
    """Its bound, and the force where it slides."""
    rest, motion = (_bound(coefficient, f.normal, writer) for coefficient in (f.rest, f.motion))
    if acting is None:
        return [f"|{f.name}| <= {rest} at rest, {motion} in motion along {writer.write(f.along)}"]
    if f in acting:
        held = sympy.Symbol("held", real=True) if f.held is None else f.held.symbol
        return [f"0 = {writer.write(held - f.along)},  |{f.name}| <= {rest}"]
    return [f"|{f.name}| = {motion} against the motion of {writer.write(f.along)}"]


def _bound(coefficient, normal, writer):
    return " ".join(writer.factor(sympy.sympify(e)) for e in (coefficient, normal))


def _impact(impact, writer):
    return f"{impact.text},  a wall with the restitution {writer.write(sympy.sympify(impact.restitution))}"


def _indented(lines):
    """What goes over stands farther in."""
    return lines[:1] + ["    " + line for line in lines[1:]]
