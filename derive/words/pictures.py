"""How a model is drawn: bodies, links, springs and walls, in the plane; points in space as seen from the front."""

from derive.base.fault import Fault
from derive.base.model import Shape
from derive.words.places import point
from derive.words.scope import PARAMETERS
from derive.words.text import Scalar, as_mapping, as_sequence, known_keys

_SIZES = {"body": "radius", "link": None, "spring": "width", "wall": None}


def read_drawing(reading):
    node = reading.section("drawing")
    if node is None:
        return []
    return [_shape(reading, item) for item in as_sequence(node, "the drawing").items]


def _shape(reading, node):
    keys = as_mapping(node, "what is drawn").values
    known_keys(node, tuple(_SIZES) + ("radius", "width"), "what is drawn")
    kinds = [kind for kind in _SIZES if kind in keys]
    if len(kinds) != 1:
        raise Fault(node.line, f"each entry of a drawing is one of {', '.join(_SIZES)}, and not {len(kinds)} of them")
    kind = kinds[0]
    for key in ("radius", "width"):
        if key in keys and key != _SIZES[kind]:
            raise Fault(keys[key].line, f"a {kind} has no {key}")
    size = reading.read(keys[_SIZES[kind]], f"the {_SIZES[kind]} of a {kind}", PARAMETERS, nonsmooth=True).value \
        if _SIZES[kind] in keys else None
    places = tuple(_front(p) for p in _points(reading, kind, keys[kind]))
    return Shape(kind, places, size, node.line, keys[kind].value.strip() if isinstance(keys[kind], Scalar) else "")


def _points(reading, kind, node):
    if kind == "body":
        return [point(reading, node, "the place of a body", nonsmooth=True)]
    ends = as_sequence(node, f"a {kind}").items
    if len(ends) != 2:
        raise Fault(node.line, f"a {kind} goes from one point to another, [POINT, POINT], and not through {len(ends)}")
    first, second = [point(reading, end, f"the end of a {kind}", nonsmooth=True) for end in ends]
    if len(first.place) != len(second.place):
        raise Fault(node.line, f"a {kind} joins a point of the plane and one of space")
    return [first, second]


def _front(place):
    return place.place if len(place.place) == 2 else (place.place[0], place.place[2])
