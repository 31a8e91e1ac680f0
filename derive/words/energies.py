"""Kinetic and potential energy: those that are given, of masses, and of gravity.

A mass m at r(t, q) has T = m |r'|^2/2 with r' = dr/dt + sum_i dr/dq_i q_i', and V = -m g.r of the acceleration g of
gravity; a body that turns by the angle A has J A'^2/2 besides.
"""

import sympy

from derive.base.fault import Fault
from derive.base.model import TIME
from derive.algebra import rates, tidy
from derive.words import units
from derive.words.expression import Quantity, in_radians
from derive.words.places import point, same_space, vector
from derive.words.reading import called
from derive.words.scope import MOVING, PARAMETERS, PLACED, STATE
from derive.words.text import Mapping, as_mapping, known_keys


def read_energies(reading):
    """T and V."""
    kinetic, potential = sympy.S.Zero, sympy.S.Zero
    if reading.section("T") is not None:
        kinetic += _energy(reading, "T", "the kinetic energy T", STATE)
    field, moving = _gravity(reading), []
    for name, node in _masses(reading):
        squares, lifted = _body(reading, name, node, field)
        moving, potential = moving + squares, potential + lifted
    kinetic += _of_bodies(reading, moving)
    if reading.section("V") is not None:
        potential += _energy(reading, "V", "the potential energy V", PLACED, "; give the rest as a force")
    return kinetic, potential


def _of_bodies(reading, moving):
    """sum w |r'|^2/2 of (w, r): multiplied out where that is short, as people write it, else a sum of squares."""
    q, v = reading.q(), reading.v()
    sum_of_squares = sympy.Add(*[w * rates.total(x, q, v) ** 2 / 2 for w, place in moving for x in place])
    if tidy.size(sum_of_squares) > tidy.LARGE:
        return sum_of_squares
    return sympy.Add(*[w * _square_of_velocity(place, reading.coordinates) / 2 for w, place in moving])


def _energy(reading, key, what, allowed, hint=""):
    node = reading.section(key)
    quantity = reading.read(node, what, allowed, hint=hint)
    reading.is_energy(quantity, node, what)
    return quantity.value


def _gravity(reading):
    node = reading.section("gravity")
    if node is None:
        return None
    if reading.section("masses") is None:
        raise Fault(node.line, "gravity acts on masses, and the model has none; give V in place of it")
    return vector(reading, node, "gravity", MOVING)


def _masses(reading):
    node = reading.section("masses")
    if node is not None:
        section = as_mapping(node, "masses")
        return [(called(section.keys[key], "a mass"), value) for key, value in section.values.items()]
    if reading.section("T") is None:
        raise Fault(reading.tree.line, "a model has a kinetic energy, T or masses, and here is neither")
    return []


def _body(reading, name, node, field):
    """[(w, r)], whose kinetic energy is w |r'|^2/2, and the potential energy of gravity, of one mass."""
    if not isinstance(node, Mapping):
        return _mass(reading, name, node, _its_point(reading, name, node), field)
    known_keys(node, ("mass", "at", "inertia", "angle"), f"the mass {name}")
    if "mass" not in node.values:
        raise Fault(node.line, f"the body {name} has no mass")
    place = point(reading, node.values["at"], f"the mass {name}") if "at" in node.values else \
        _its_point(reading, name, node)
    moving, potential = _mass(reading, name, node.values["mass"], place, field)
    if "inertia" in node.values or "angle" in node.values:
        moving = moving + _turning(reading, name, node, place)
    return moving, potential


def _its_point(reading, name, node):
    if name not in reading.points:
        raise Fault(node.line, f"there is no point '{name}' to have a mass: name it among the points, or write "
                               f"{name}: {{mass: .., at: POINT}}")
    return reading.points[name]


def _mass(reading, name, node, place, field):
    mass = reading.read(node, f"the mass {name}", PARAMETERS)
    speed = place.unit / units.SECOND if place.unit else None
    moving = [(mass.value, place.place)] if _moves(reading, place.place) else []
    _check(reading, mass.value * len(moving), (mass.unit, speed, speed), node, f"the kinetic energy of {name}")
    if field is None:
        return moving, sympy.S.Zero
    same_space(place.place, field.place, node.line, f"the point {name} and gravity")
    lifted = mass.value * sympy.Add(*[-g * r for g, r in zip(field.place, place.place)])
    _check(reading, lifted, (mass.unit, field.unit, place.unit), node, f"the energy of {name} in gravity")
    return moving, lifted


def _turning(reading, name, node, place):
    for key in ("inertia", "angle"):
        if key not in node.values:
            raise Fault(node.line, f"the body {name} has no {key}: one that turns has inertia and angle")
    if len(place.place) == 3:
        raise Fault(node.line, f"the body {name} is in space, where inertia and angle are not enough; write T")
    inertia = reading.read(node.values["inertia"], f"the inertia of {name}", PARAMETERS)
    angle = in_radians(reading.read(node.values["angle"], f"the angle of {name}", PLACED), units.ONE)
    reading.fits(angle, units.ONE, node.values["angle"], f"the angle of {name}")
    moving = [(inertia.value, (angle.value,))] if _moves(reading, (angle.value,)) else []
    rate = units.SECOND ** -1
    _check(reading, inertia.value * len(moving), (inertia.unit, rate, rate), node.values["inertia"],
           f"the energy of {name} that turns")
    return moving


def _moves(reading, place):
    return any(rates.total(x, reading.q(), reading.v()) != 0 for x in place)


def _check(reading, value, factors, node, what):
    """That a product of these units is an energy."""
    if value == 0 or None in factors:
        return
    unit = units.ONE
    for factor in factors:
        unit = unit * factor
    reading.is_energy(Quantity(value, unit), node, what)


def _square_of_velocity(place, coordinates):
    """|r'|^2 = sum_ij (dr/dq_i . dr/dq_j) q_i' q_j', with t among the q, whose velocity is 1."""
    unknowns = [(c.q, c.v) for c in coordinates] + [(TIME, sympy.S.One)]
    columns = [([rates.derivative(r, q) for r in place], v) for q, v in unknowns]
    columns = [(column, v) for column, v in columns if any(column)]
    terms = []
    for i, (left, v) in enumerate(columns):
        for j, (right, w) in enumerate(columns[:i + 1]):
            product = tidy.tidy(sympy.Add(*[a * b for a, b in zip(left, right)]))
            terms.append(product * v * w * (1 if i == j else 2))
    return sympy.Add(*terms)
