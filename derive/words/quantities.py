"""Parameters, coordinates, and the short words of let."""

import re

import sympy

from derive.base.fault import Fault
from derive.base.model import Coordinate, Parameter
from derive.algebra import rates, shared
from derive.words import expression, units
from derive.words.reading import called
from derive.words.scope import STATE, Name
from derive.words.text import as_line, as_mapping

RANGES = ("positive", "nonnegative", "any")
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?![\d.])", re.ASCII)


def read_parameters(reading):
    for name, value in reading.named("parameters", "a parameter"):
        parameter, unit = _parameter(name, value, reading.scope.checked)
        reading.scope.add(name, Name("parameter", parameter.symbol, unit, parameter.line, parameter.text))
        reading.parameters.append(parameter)


def _parameter(name, node, checked):
    parts = [part.strip() for part in as_line(node, f"the parameter {name}").split(",")]
    if len(parts) > 1 and parts[-1] not in RANGES and re.sub("[- ]", "", parts[-1].lower()) in RANGES + ("negative",):
        raise Fault(node.line, f"the range of a parameter is positive, nonnegative or any, and not '{parts[-1]}'")
    value_range = parts.pop() if parts[-1] in RANGES and len(parts) > 1 else "any"
    found = _NUMBER.match(parts[0])
    if not found:
        raise Fault(node.line, f"the parameter {name} is a number and a unit, as in '1.5 m', and not '{parts[0]}'")
    value = _value(name, found.group(), node.line)
    if value_range == "positive" and value <= 0 or value_range == "nonnegative" and value < 0:
        raise Fault(node.line, f"the parameter {name} is said to be {value_range}, and is {found.group()}")
    text, unit = _unit(parts[0][found.end():], f"the parameter {name}", node.line, checked)
    assumed = {"positive": {"positive": True}, "nonnegative": {"nonnegative": True}, "any": {"real": True}}
    symbol = sympy.Symbol(name, **assumed[value_range])
    return Parameter(name, symbol, _literal(found.group()), text, ", ".join(parts[1:]), value_range, node.line), unit


def _value(name, digits, line):
    try:
        value = expression.number(digits.lstrip("+-"))
    except ValueError as error:
        raise Fault(line, f"the parameter {name}: {error}") from None
    return -value if digits.startswith("-") else value


def _literal(digits):
    """As it was typed, and a double in C, too, where 010 is 8 and long integers are too long."""
    digits = re.sub(r"^\+?(-?)0+(?=\d)", r"\1", digits.lstrip("+"))
    return digits + "." if len(digits) > 9 and digits.lstrip("-").isdigit() else digits


def _unit(text, what, line, checked):
    """The unit as it was typed, and what it is."""
    text = text.strip()
    if not text:
        if checked:
            raise Fault(line, f"{what} has no unit; where there is none, that is -, as in '0.5 -'")
        return "-", None
    try:
        unit = units.read(text)
    except ValueError as error:
        raise Fault(line, f"{what}: {error}") from None
    return ("-" if text == "1" else text), unit if checked else None


def read_coordinates(reading):
    node = reading.section("coordinates")
    if node is None:
        raise Fault(reading.tree.line, "a model has coordinates, and here are none")
    section = as_mapping(node, "coordinates")
    if not section.keys:
        raise Fault(section.line, "a model has coordinates, and here are none")
    for key, value in section.values.items():
        name = called(section.keys[key], "a coordinate")
        unit, _, text = as_line(value, f"the coordinate {name}").partition(",")
        typed, unit = _unit(unit, f"the coordinate {name}", value.line, reading.scope.checked)
        q, v, a = (sympy.Symbol(name + primes, real=True) for primes in ("", "'", "''"))
        reading.scope.add(name, Name("coordinate", q, unit, value.line, text.strip(), v))
        reading.coordinates.append(Coordinate(name, q, v, a, typed, text.strip(), value.line))


def read_words(reading):
    """let: each may use those before it, and has a rate where it is free of velocities and kinks."""
    for name, value in reading.named("let", "what let defines"):
        quantity = reading.read(value, f"'{name}'", STATE, nonsmooth=True)
        rate, why = _rate(reading, quantity.value)
        reading.scope.add(name, Name("word", quantity.value, quantity.unit, value.line, "", rate, why))


def _rate(reading, value):
    if shared.symbols(value) & set(reading.v()):
        return None, "depends on velocities, so that its rate would hold accelerations"
    if shared.has(value, sympy.Abs, sympy.Min, sympy.Max, sympy.sign):
        return None, "has a kink, so that its rate jumps"
    return rates.total(value, reading.q(), reading.v()), ""
