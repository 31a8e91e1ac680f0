"""The start of a run, its interval and tolerance, what happens on the way, and what stays constant."""

import re
from dataclasses import replace

from derive.base.fault import Fault
from derive.base.model import Event, Invariant
from derive.words import units
from derive.words.expression import Quantity, in_radians, number
from derive.words.reading import unit_name
from derive.words.scope import EVENTFUL, PARAMETERS, STATE
from derive.words.text import (Sequence, as_choice, as_line, as_mapping, as_scalar, as_sequence, did_you_mean,
                               known_keys)

_NUMBER_AND_UNIT = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s+([^\d\s(].*)\Z", re.ASCII)
_WORD = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_DIRECTION = re.compile(r"\s(rising|falling)\s*\Z")


def read_start(reading):
    """Symbol -> expression of parameters."""
    node = reading.section("start")
    if node is None:
        return {}
    section, start = as_mapping(node, "start"), {}
    for key, value in section.values.items():
        symbol, unit = _started(reading, section.keys[key])
        start[symbol] = _beginning(reading, value, unit, f"the start of {key}").value
    return start


def _beginning(reading, node, unit, what):
    """An expression, or a number and its unit, '60 deg'. Where a name of the model stands in the unit, '2 m' with a
    parameter m, it is what has the unit of the start; what both or units that are not checked could be is refused."""
    measured = _with_unit(reading, node, what)
    words = [word for word in _WORD.findall(node.value) if word in reading.scope.names] if measured else []
    if measured is not None and not words:
        return _fitting(reading, measured, unit, node, what)

    def product():
        return _fitting(reading, reading.read(node, what, PARAMETERS, nonsmooth=True), unit, node, what)
    alone = _or_none(lambda: _fitting(reading, measured, unit, node, what)) if measured is not None else None
    if alone is None:
        return product()
    if _or_none(product) is None:
        return alone
    text = node.value.strip()
    raise Fault(node.line, f"{what}, '{text}', is a number with its unit, or a product with {words[0]}: write "
                           f"{text.replace(' ', '*', 1)} for the product, or call the parameter otherwise")


def _or_none(read):
    try:
        return read()
    except Fault:
        return None


def _fitting(reading, quantity, unit, node, what):
    quantity = in_radians(quantity, unit)
    reading.fits(quantity, unit, node, what)
    return quantity


def _with_unit(reading, node, what):
    """A number and its unit; None where the text is something else."""
    text = as_scalar(node, what).value.strip()
    found = _NUMBER_AND_UNIT.match(text)
    if not found:
        return None
    try:
        unit, value = units.read(found.group(2)), number(found.group(1).lstrip("+-"))
    except ValueError:
        return None                                     # an expression says what is wrong with it
    if units.unknown(unit):
        return None
    return Quantity(-value if text.startswith("-") else value, unit if reading.scope.checked else None)


def _started(reading, key):
    """Symbol and unit of a coordinate, a velocity, or a reaction."""
    name = key.value.rstrip("'")
    entry = reading.scope.names.get(name)
    primes = len(key.value) - len(name)
    if entry is not None and entry.kind == "coordinate" and primes <= 1:
        rate = entry.unit / units.SECOND if entry.unit else None
        return (entry.rate, rate) if primes else (entry.value, entry.unit)
    if entry is not None and entry.kind in ("reaction", "friction") and not primes:
        return entry.value, entry.unit
    if entry is not None:
        raise Fault(key.line, f"'{key.value}' is no coordinate, velocity or reaction, and has no start")
    known = {n: e.text for n, e in reading.scope.names.items() if e.kind in ("coordinate", "reaction", "friction")}
    raise Fault(key.line, f"the start of an unknown '{key.value}'{did_you_mean(name, known)}")


def read_interval(reading):
    node = reading.section("interval")
    if node is None:
        raise Fault(reading.tree.line, "a model has an interval, [begin, end] in seconds, and here is none")
    items = as_sequence(node, "the interval").items
    if len(items) != 2:
        raise Fault(node.line, f"the interval is [begin, end], two numbers, and not {len(items)}")
    t0, t_end = [_time(reading, item) for item in items]
    if not t0 < t_end:
        raise Fault(node.line, f"the interval ends at {t_end:g}, which is not after its begin, {t0:g}")
    return t0, t_end


def _time(reading, node):
    value = reading.read(node, "a time of the interval", frozenset()).value
    if value.free_symbols:
        raise Fault(node.line, "the times of the interval are numbers, in seconds")
    return float(value)


def read_rtol(reading):
    """The relative tolerance of single runs; 0 where the text has none."""
    node = reading.section("rtol")
    if node is None:
        return 0.0
    value = reading.read(node, "rtol", frozenset()).value
    if value.free_symbols or not 0 < value < 1:
        raise Fault(node.line, "'rtol', the relative tolerance of single runs, is a number between 0 and 1, as 1e-8")
    return float(value)


def read_events(reading):
    return [_event(reading, name, value) for name, value in reading.named("events", "an event")]


def _event(reading, name, node):
    what = f"the event {name}"
    keys = as_mapping(node, what).values
    known_keys(node, ("when", "title", "stop", "then", "measure", "measures", "during"), what)
    if "when" not in keys:
        raise Fault(node.line, f"{what} has no 'when'")
    reading.happens(name, node.line)
    when, direction = _when(as_scalar(keys["when"], f"'when' of {what}"))
    value = reading.read_equation(when, f"'when' of {what}", EVENTFUL, nonsmooth=True).value
    changing = {symbol for symbol, kind in reading.scope.kinds.items() if kind != "parameter"}
    if not value.free_symbols & changing:
        raise Fault(keys["when"].line, f"'when' of {what} never changes: it holds parameters only")
    measure, measures, unit = _measure(reading, keys, what)
    return Event(
        name, as_line(keys["title"], f"the title of {what}") if "title" in keys else " ".join(when.value.split()),
        value, direction, "stop" in keys and _yes(keys["stop"], f"'stop' of {what}"), _then(reading, keys, what),
        measure, measures, unit, _during(reading, keys, what), node.line)


def _when(scalar):
    """The Scalar without rising or falling behind it, and 1, -1 or 0."""
    found = _DIRECTION.search(scalar.source)
    if not found:
        return scalar, 0
    cut = replace(scalar, source=scalar.source[:found.start()], value=_DIRECTION.sub("", scalar.value))
    return cut, 1 if found.group(1) == "rising" else -1


def _yes(node, what):
    return as_choice(node, what, ("yes", "no", "true", "false")) in ("yes", "true")


def _then(reading, keys, what):
    if "then" not in keys:
        return ()
    section, changes = as_mapping(keys["then"], f"'then' of {what}"), []
    for key, value in section.values.items():
        symbol, unit = _changed(reading, section.keys[key], what)
        quantity = reading.read(value, f"the new {key} of {what}", EVENTFUL, nonsmooth=True)
        reading.fits(quantity, unit, value, f"the new {key} of {what}")
        changes.append((symbol, quantity.value))
    return tuple(changes)


def _changed(reading, key, what):
    """Symbol and unit of a coordinate, a velocity or a parameter."""
    name = key.value.rstrip("'")
    primes = len(key.value) - len(name)
    entry = reading.scope.names.get(name)
    if entry is None:
        known = {n: e.text for n, e in reading.scope.names.items() if e.kind in ("coordinate", "parameter")}
        raise Fault(key.line, f"'then' of {what} changes an unknown '{key.value}'{did_you_mean(name, known)}")
    if entry.kind == "coordinate" and primes == 1:
        return entry.rate, entry.unit / units.SECOND if entry.unit else None
    if entry.kind in ("coordinate", "parameter") and not primes:
        return entry.value, entry.unit
    raise Fault(key.line, f"'then' of {what} cannot change '{key.value}': it changes coordinates, velocities and "
                          "parameters")


def _measure(reading, keys, what):
    """Expression, name and unit of the number to report."""
    if "measure" not in keys:
        if "measures" in keys:
            raise Fault(keys["measures"].line, f"{what} has 'measures', a name, and no 'measure', what has it")
        return None, "", ""
    quantity = reading.read(keys["measure"], f"'measure' of {what}", EVENTFUL, nonsmooth=True)
    name = as_line(keys["measures"], f"'measures' of {what}") if "measures" in keys else "measure"
    return quantity.value, name, unit_name(quantity.unit)


def _during(reading, keys, what):
    if "during" not in keys:
        return ()
    node = keys["during"]
    states = {name: "" for name, entry in reading.scope.names.items() if entry.kind == "state"}
    heard = []
    for item in node.items if isinstance(node, Sequence) else [node]:
        name = as_scalar(item, f"'during' of {what}").value.strip()
        if name not in states:
            raise Fault(item.line, f"'during' of {what}: there is no state '{name}'{did_you_mean(name, states)}")
        heard.append(name)
    return tuple(heard)


def read_invariants(reading):
    invariants = []
    for name, value in reading.named("invariants", "an invariant"):
        quantity = reading.read(value, f"the invariant {name}", STATE)
        if not quantity.value.free_symbols & set(reading.q() + reading.v()):
            raise Fault(value.line, f"the invariant {name} holds no coordinate and no velocity")
        invariants.append(Invariant(name, quantity.value, unit_name(quantity.unit), value.line))
    return invariants
