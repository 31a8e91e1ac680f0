"""Whether the mass matrix is positive definite at the start: accelerations are determined, and so are impacts."""

import mpmath

from derive.base.fault import Fault
from derive.algebra import rates
from derive.words.soundness import DIGITS, number_at, start_of
from derive.mechanics import solutions

SMALL = mpmath.mpf("1e-20")     # a pivot in parts of its diagonal entry


def examine(model):
    """Fault where it is not; a model from which coordinates are to be taken is looked at when they are."""
    line = model.lines.get("T", model.lines.get("masses", 1))
    for c in model.coordinates:
        if c.v not in model.kinetic.free_symbols:
            raise Fault(c.line, f"the kinetic energy does not depend on {c.name}': {c.name} has no mass, and no "
                                f"equation of its own{_way_out(model)}")
    with mpmath.workdps(DIGITS):
        weak = _not_positive(_mass(model, start_of(model), line))
    if weak is not None:
        raise Fault(line, "the mass matrix is not positive definite at the start: the kinetic energy does not grow "
                          f"with {model.coordinates[weak].name}', or not with it alone{_way_out(model)}")


def _mass(model, point, line):
    """The mass matrix d2T/dv2, rows of numbers."""
    v = model.v()
    lower = [[number_at(entry, point, line, "the mass matrix") for entry in rates.gradient(slope, v[:i + 1])]
             for i, slope in enumerate(rates.gradient(model.kinetic, v))]
    return [[lower[max(i, j)][min(i, j)] for j in range(len(v))] for i in range(len(v))]


def _not_positive(matrix):
    """The first row whose pivot is not positive, in parts of its diagonal; None where all are."""
    rows = [list(row) for row in matrix]
    for k, row in enumerate(rows):
        if matrix[k][k] <= 0 or not row[k] > SMALL * matrix[k][k]:
            return k
        for lower in rows[k + 1:]:
            factor = lower[k] / row[k]
            for j in range(k, len(row)):
                lower[j] -= factor * row[j]
    return None


def _way_out(model):
    """That there is another one, where constraints are solved for coordinates."""
    solved = solutions.of([c.g for c in model.constraints if not c.sign and not c.nonholonomic], model.q())
    names = ", ".join(c.name for c in model.coordinates if c.q in (solved or {}))
    return f"; --minimal takes {names} out of the model, which constraints are solved for" if names else ""
