"""Forces, constraints on both sides and on one, walls, and dry friction."""

import re
from dataclasses import replace

import sympy

from derive.base.fault import Fault
from derive.base.model import Constraint, Force, Friction, Impact
from derive.algebra import rates
from derive.algebra.tidy import tidy
from derive.algebra.vanishing import vanishes
from derive.words import units
from derive.words.places import point, same_space, vector
from derive.words.reading import called, unit_name
from derive.words.scope import ACTING, PARAMETERS, PLACED, STATE, Name
from derive.words.text import Mapping, as_choice, as_mapping, as_scalar, did_you_mean, known_keys

_SIGN = re.compile(r"\s*([A-Za-z]\w*)\s*(<=|>=|<|>|=)\s*(.+?)\s*\Z", re.ASCII)
_BEGINS = ("sticking", "forwards", "backwards")


def read_forces(reading):
    return [_force(reading, name, value) for name, value in reading.named("forces", "a force")]


def _force(reading, name, node):
    what = f"the force {name}"
    keys = as_mapping(node, what).values
    known_keys(node, ("at", "on", "is"), what)
    if "is" not in keys or ("at" in keys) == ("on" in keys):
        raise Fault(node.line, f"{what} is {{at: POINT, is: [FX, FY]}} or {{on: COORDINATE, is: Q}}")
    if "on" in keys:
        return _generalised(reading, name, keys, what)
    place = point(reading, keys["at"], f"the point of {what}")
    value = vector(reading, keys["is"], what, STATE, nonsmooth=True)
    same_space(place.place, value.place, keys["is"].line, f"{what} and its point")
    reading.fits(value, reading.conjugate(place.unit), keys["is"], what)
    return Force(name, place.place, value.place, None, node.line)


def _generalised(reading, name, keys, what):
    wanted = as_scalar(keys["on"], f"the coordinate of {what}").value.strip()
    known = {c.name: c for c in reading.coordinates}
    if wanted not in known:
        raise Fault(keys["on"].line, f"{what} acts on '{wanted}', which is no coordinate"
                                     f"{did_you_mean(wanted, {c.name: c.text for c in reading.coordinates})}")
    value = reading.read(keys["is"], what, STATE, nonsmooth=True)
    unit = reading.scope.names[wanted].unit
    reading.fits(value, reading.conjugate(unit), keys["is"], what)
    return Force(name, (), (value.value,), known[wanted], keys["is"].line)


def read_constraints(reading):
    return [_constraint(reading, name, value) for name, value in list(reading.named("constraints", "a reaction"))]


def _constraint(reading, name, node):
    what = f"the constraint {name}"
    keys = node.values if isinstance(node, Mapping) else {"equation": node}
    if isinstance(node, Mapping):
        known_keys(node, ("equation", "while", "restitution", "begins", "closed", "open"), what)
    sign = _sign(name, keys["while"]) if "while" in keys else 0
    equation, g = _displacement(reading, keys, node, what, PLACED if sign else STATE)
    nonholonomic = _binds_velocities(reading, g.value, node, what)
    for key in ("restitution", "begins", "closed", "open"):
        if key in keys and not sign:
            raise Fault(keys[key].line, f"{what} holds both ways, and has '{key}' only with 'while: {name} >= 0'")
    along = g.unit * units.SECOND if nonholonomic and g.unit else g.unit
    unit = reading.conjugate(along)
    symbol = sympy.Symbol(name, real=True)
    reading.scope.add(name, Name("reaction", symbol, unit, node.line, "reaction"))
    closed = _state(reading, keys, "closed", f"with_{name}", node) if sign else ""
    opened = _state(reading, keys, "open", f"without_{name}", node) if sign else ""
    return Constraint(
        name, symbol, g.value, unit_name(unit, along == units.ONE), equation, sign,
        _restitution(reading, keys, what) if "restitution" in keys else None,
        "begins" in keys and as_choice(keys["begins"], f"'begins' of {what}", ("closed", "open")) == "open",
        closed, opened, node.line, nonholonomic)


def _binds_velocities(reading, g, node, what):
    """Does it, as x' sin(phi) = y' cos(phi)? Fault where that is not linear in velocities."""
    velocities = {c.v: c.name for c in reading.coordinates if c.v in g.free_symbols}
    for v, name in velocities.items():
        slope = rates.derivative(g, v)
        if any(not vanishes(rates.derivative(slope, other)) for other in velocities):
            raise Fault(node.line, f"{what} is not linear in the velocities, look at {name}': it is A v + b = 0, with "
                                   "A and b of coordinates, parameters and t")
    return bool(velocities)


def _displacement(reading, keys, node, what, allowed=PLACED):
    """The text of g and g itself, of a constraint or a wall."""
    if "equation" not in keys:
        raise Fault(node.line, f"{what} has no equation")
    equation = keys["equation"]
    g = _without_what_cancels(reading.read_equation(equation, what, allowed), reading.q() + reading.v())
    if not g.value.free_symbols & set(reading.q() + reading.v()):
        raise Fault(equation.line, f"{what} holds no coordinate, and constrains nothing")
    return " ".join(equation.value.split()), g


def _without_what_cancels(quantity, symbols):
    """Tidied where terms of one of the symbols cancel, as in (a + b) x - a x - b x: in doubles they leave rounding."""
    held = [x for x in symbols if x in quantity.value.free_symbols]
    if any(vanishes(rates.derivative(quantity.value, x)) for x in held):
        return replace(quantity, value=tidy(quantity.value))
    return quantity


def _sign(name, node):
    text = as_scalar(node, f"'while' of {name}").value
    found = _SIGN.match(text)
    if not found or found.group(1) != name or found.group(3) != "0":
        other = f", and not of {found.group(1)}" if found and found.group(1) != name else ""
        raise Fault(node.line, f"'while' speaks of the reaction of its constraint{other}: while: {name} >= 0, or "
                               f"{name} <= 0")
    if found.group(2) not in ("<=", ">="):
        sign = "<=" if found.group(2) == "<" else ">="
        raise Fault(node.line, f"'{text.strip()}': write while: {name} {sign} 0")
    return 1 if found.group(2) == ">=" else -1


def _state(reading, keys, key, default, node):
    """The name of a state, that of key or a default."""
    name, line = default, node.line
    if key in keys:
        scalar = as_scalar(keys[key], f"the name of the state '{key}'")
        name, line = called(scalar, "a state"), scalar.line
    reading.scope.add(name, Name("state", None, None, line))
    reading.happens(name, line)
    return name


def _restitution(reading, keys, what):
    node = keys["restitution"]
    quantity = reading.read(node, f"the restitution of {what}", PARAMETERS)
    reading.fits(quantity, units.ONE, node, f"the restitution of {what}")
    return quantity.value


def read_impacts(reading):
    return [_impact(reading, name, value) for name, value in reading.named("impacts", "an impact")]


def _impact(reading, name, node):
    what = f"the impact {name}"
    keys = as_mapping(node, what).values
    known_keys(node, ("equation", "restitution"), what)
    if "restitution" not in keys:
        raise Fault(node.line, f"{what} has no restitution, a number of 0 to 1")
    equation, g = _displacement(reading, keys, node, what)
    reading.happens(name, node.line)
    return Impact(name, g.value, _restitution(reading, keys, what), equation, node.line)


def read_frictions(reading):
    found = list(reading.named("friction", "a force of friction"))
    return [_friction(reading, name, value, len(found) > 1) for name, value in found]


def _friction(reading, name, node, several):
    what = f"the friction {name}"
    keys = as_mapping(node, what).values
    known_keys(node, ("along", "normal", "rest", "motion", "coefficient", "begins", "held") + _BEGINS, what)
    for key, meaning in (("along", "no displacement 'along' which it slides"), ("normal", "no 'normal' force")):
        if key not in keys:
            raise Fault(node.line, f"{what} has {meaning}")
    along = reading.read(keys["along"], f"'along' of {what}", PLACED)
    if not along.value.free_symbols & set(reading.q()):
        raise Fault(keys["along"].line, f"'along' of {what} holds no coordinate")
    unit = reading.conjugate(along.unit)
    normal = reading.read(keys["normal"], f"the normal force of {what}", ACTING, nonsmooth=True)
    rest, motion = [_coefficient(reading, keys, key, node, what) for key in ("rest", "motion")]
    for coefficient in (rest, motion):
        force = coefficient.unit * normal.unit if coefficient.unit and normal.unit else None
        if force is not None and unit is not None and force != unit:
            raise Fault(node.line, f"{what}: coefficient times normal force is {units.told(force)}, and along this "
                                   f"displacement a force is in {units.name(unit, along.unit == units.ONE)}")
    symbol = sympy.Symbol(name, real=True)
    reading.scope.add(name, Name("friction", symbol, unit, node.line, "friction"))
    states = [_state(reading, keys, state, f"{state}_{name}" if several else state, node) for state in _BEGINS]
    begins = as_choice(keys["begins"], f"'begins' of {what}", _BEGINS) if "begins" in keys else "sticking"
    return Friction(name, symbol, along.value, normal.value, rest.value, motion.value,
                    _held(reading, keys, begins, along, node, what), begins, *states,
                    unit_name(unit, along.unit == units.ONE), node.line, _angle_or(along.unit))


def _angle_or(unit):
    """The unit of a displacement, where a number is an angle."""
    return "rad" if unit == units.ONE else unit_name(unit)


def _coefficient(reading, keys, key, node, what):
    both = "coefficient" in keys
    if both and key in keys:
        raise Fault(keys[key].line, f"{what} has 'coefficient', which is that of '{key}', too")
    if not both and key not in keys:
        raise Fault(node.line, f"{what} has no '{key}', a coefficient (or 'coefficient' for those of rest and motion)")
    of = "coefficient" if both else key
    return reading.read(keys[of], f"'{of}' of {what}", PARAMETERS)


def _held(reading, keys, begins, along, node, what):
    if "held" not in keys:
        if begins == "sticking":
            raise Fault(node.line, f"{what} begins sticking, and needs 'held', the parameter that 'along' is equal to "
                                   "while it sticks")
        return None
    name = as_scalar(keys["held"], f"'held' of {what}").value.strip()
    known = {p.name: p for p in reading.parameters}
    if name not in known:
        raise Fault(keys["held"].line, f"'held' of {what} is a parameter, and '{name}' is none"
                                       f"{did_you_mean(name, {p.name: p.text for p in reading.parameters})}")
    held = reading.scope.names[name]
    if held.unit is not None and along.unit is not None and held.unit != along.unit:
        raise Fault(keys["held"].line, f"'{name}' is {units.told(held.unit)}, and 'along' of {what} "
                                       f"{units.told(along.unit)}")
    return known[name]
