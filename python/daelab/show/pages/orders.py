"""What a row of the table of orders says: as declared, less, or an error that stays."""
from __future__ import annotations

import numpy
import pandas

from daelab.show.pages.cells import numbers, shown, texts
from daelab.show.pages.ladders import ladders_of
from daelab.show.pages.page import Tone

EPSILON = numpy.finfo(float).eps


def quantity_of(name: str) -> str:
    """Of a class: recovered multipliers are multipliers, too."""
    return name.replace("recovered", "multiplier")


def _whole_scales(rows: pandas.DataFrame) -> pandas.Series:
    """The size of a class, or of the one that it is a part of: "position" of "position_after_events", which may be
    where all positions are zero."""
    classes, scales = texts(rows, "class").to_list(), numbers(rows, "scale")
    whole = [max((scale for scale, of in zip(scales, classes) if quantity_of(name).startswith(of) and scale == scale),
                 default=numpy.nan) for name in classes]
    return pandas.Series(whole, index=rows.index, dtype=float)


def _stays(found: pandas.DataFrame) -> pandas.Series:
    """Does the error not fall from level to level? An order in the step is a whole number: it is 0 where the interval,
    or without one the slope, is nearer to 0 than to 1 and -1. Of a slope against rtol: the error falls less than
    twofold where the tolerance falls by ten, and is not so small that rounding might end it. What some thousand steps
    leave of rounding cannot fall."""
    has_interval = found.low.notna() & found.high.notna()
    flat = (found.high < 0.25) & (found.error > numpy.sqrt(EPSILON) * found.scale)
    near = found.observed.abs().lt(0.5) & found.verdict.ne("not determined")
    zero = near.mask(has_interval, found.low.gt(-0.5) & found.high.lt(0.5))
    return zero.where(~found.by_rtol, flat) & ~(found.error <= 1e4 * EPSILON * found.scale)


def judged(orders: pandas.DataFrame) -> pandas.DataFrame:
    """Columns that are always there, and of each row whether its error stays, its tone, and the order in words."""
    found = pandas.DataFrame({name: numbers(orders, name) for name in ("observed", "low", "high", "declared")})
    found["error"] = numbers(orders, "error_finest")
    for name in ("class", "verdict", "reason", "unit"):
        found[name] = texts(orders, name)
    found["by_rtol"] = texts(orders, "levels_by") == "rtol"
    ladders = ladders_of(orders)
    found["scale"] = pandas.concat([_whole_scales(ladder.rows) for ladder in ladders]) if ladders else numpy.nan
    found["stays"] = _stays(found)
    tones = {"below": Tone.BAD, "agrees": Tone.GOOD, "above": Tone.GOOD, "not determined": Tone.NOTE}
    found["tone"] = pandas.Series([Tone.BAD if stays else tones.get(verdict, Tone.PLAIN)
                                   for stays, verdict in zip(found.stays, found.verdict)], dtype=object)
    found["text"] = [shown(x if abs(x) >= 0.005 else 0 * x, ".2f") for x in found.observed]
    return found
