"""The function draw of a model."""

import sympy

from derive.writing import layout
from derive.writing.functions import Block
from derive.writing.record import text

BODY, SPRING = sympy.Rational(1, 25), sympy.Rational(1, 15)     # of the size of the model


def place(equations):
    return {s: f"x[{i}]" for i, s in enumerate([*equations.q, *equations.v])}


def write(model, names, equations, at=None):
    """The function draw, or "" of a model that is not drawn; at: symbol -> its place in x, by default x[i]."""
    if not model.drawing:
        return ""
    shapes = [_numbers(shape, _size(model)) for shape in model.drawing]
    block = Block(model, names, at or place(equations), [x for s in shapes for x in s], passes=False, lengths=True)
    rows, lines = iter(block.rows), []
    for shape, numbers in zip(model.drawing, shapes):
        texts = [block.text_of(next(rows)) for _ in numbers]
        kind, name = (f"named_{shape.kind}", [text(shape.name)]) if shape.name else (shape.kind, [])
        lines.append(layout.statement(f"dae_draw_{kind}({', '.join(['out', *name, *texts])});", 4, 8))
    head = "static void draw(const double *p, double t, const double *x, dae_picture *out)\n{\n"
    return head + "\n".join(block.declarations() + lines) + "\n}\n"


def _numbers(shape, size):
    points = [x for point in shape.points for x in point]
    if shape.kind == "body":
        return points + [size * BODY if shape.size is None else shape.size]
    if shape.kind == "spring":
        return points + [size * SPRING if shape.size is None else shape.size]
    return points


def _size(model):
    """A length of the model: a positive parameter of the drawing, the largest, else the size at the start."""
    drawn = [sympy.sympify(x) for shape in model.drawing for point in shape.points for x in point]
    held = {s for x in drawn for s in x.free_symbols}
    held |= {s for c in model.constraints for s in c.g.free_symbols}
    lengths = {c.unit for c in model.coordinates if c.unit != "rad"} | {"m"}
    found = [p for p in model.parameters if p.symbol in held and p.range == "positive" and p.unit in lengths]
    if found:
        return max(found, key=lambda p: float(p.value)).symbol
    return _extent(model, drawn)


def _extent(model, drawn):
    """The largest number in the drawing at the start, to two digits."""
    values = {p.symbol: sympy.Rational(p.value) for p in model.parameters}
    start = {s: sympy.sympify(model.start.get(s, 0)).xreplace(values) for s in [*model.q(), *model.v()]}
    sizes = [abs(sympy.N(x.xreplace({**values, **start, sympy.Symbol("t", real=True): sympy.S(model.t0)})))
             for x in drawn]
    largest = max((float(s) for s in sizes if s.is_Float or s.is_Number), default=0.0)
    return sympy.Rational(f"{largest:.1e}") if 0 < largest < 1e300 else sympy.S.One
