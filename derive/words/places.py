"""Points in the plane, across and upwards, and in space, with z upwards."""

from dataclasses import dataclass

from derive.base.fault import Fault
from derive.words.scope import PLACED
from derive.words.text import Scalar, as_sequence, did_you_mean


@dataclass(frozen=True)
class Point:
    place: tuple                # two or three expressions
    unit: object                # of all of them, or None
    line: int


def read_points(reading):
    for name, value in reading.named("points", "a point"):
        reading.points[name] = vector(reading, value, f"the point {name}", PLACED)


def point(reading, node, what, nonsmooth=False):
    """A Point from its name, or from its coordinates."""
    if not isinstance(node, Scalar):
        return vector(reading, node, what, PLACED, nonsmooth)
    name = node.value.strip()
    if name not in reading.points:
        known = dict.fromkeys(reading.points, "")
        raise Fault(node.line, f"{what}: there is no point '{name}'{did_you_mean(name, known)}")
    return reading.points[name]


def vector(reading, node, what, allowed, nonsmooth=False):
    """Two or three expressions of one unit."""
    parts = as_sequence(node, what).items
    if len(parts) not in (2, 3):
        raise Fault(node.line, f"{what} has two components, or three in space, and not {len(parts)}")
    read = [reading.read(part, f"component {i + 1} of {what}", allowed, nonsmooth) for i, part in enumerate(parts)]
    unit = next((r.unit for r in read if r.unit is not None), None)
    for i, component in enumerate(read):
        reading.fits(component, unit, parts[i], f"component {i + 1} of {what}")
    return Point(tuple(r.value for r in read), unit, node.line)


def same_space(place, other, line, what):
    if len(place) != len(other):
        raise Fault(line, f"{what}: one has {len(place)} components and the other {len(other)}")
