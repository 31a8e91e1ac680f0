"""How the errors of one curve have changed from one result to another, as a whole.

A curve is a problem in a formulation by a method with the same settings, over its tolerances or steps. A single error
at the end of a run is large or small by chance, as it passes zero; the geometric mean of the ratios new/old over the
levels is less so. Where a change costs no accuracy, as many errors become larger as smaller, and as many much larger
as much smaller.
"""
from __future__ import annotations

from typing import List

import numpy
import pandas
from numpy import ndarray

from daelab.show.results import Table, numbers

WITHIN, MUCH = 10, 3                                    # rtol or atol that do not matter; times as large
SAME, ROUNDINGS = 1.01, 16
EPSILON = numpy.finfo(float).eps


def _scale_of(runs: Table, column: str) -> ndarray:
    """Of the variables that a column has the errors of, of times the interval; NaN: not known."""
    if column == "error_event_time":
        return numbers(runs, "t_end") - numbers(runs, "t_start")
    return numbers(runs, "scale" + column[column.index("_"):])


def _matters(runs: Table, column: str, error: ndarray) -> ndarray:
    """Beyond what was asked for; with fixed steps nothing was. Variables that pass zero at the end have atol."""
    asked = WITHIN * numbers(runs, "rtol") * _scale_of(runs, column)
    own = runs["atol_of"].notna() if "atol_of" in runs else False
    return ~((error <= asked) | (error <= WITHIN * numpy.where(own, 0, numbers(runs, "atol"))))


def errors_of(runs: Table, column: str, before: ndarray, after: ndarray) -> pandas.DataFrame:
    """What the errors in a column of runs, which both results have, tell; what is not finite tells nothing, and what is
    below some roundings of the variables, or zero, is as these."""
    known = numpy.isfinite(before) & numpy.isfinite(after)
    least = ROUNDINGS * EPSILON * _scale_of(runs, column)
    error, before, after = after, numpy.fmax(before, least), numpy.fmax(after, least)
    with numpy.errstate(all="ignore"):
        ratio, matters = after / before, _matters(runs, column, after)
    found = pandas.DataFrame({
        "row": range(len(runs)), "class": column[column.index("_") + 1:], "logarithm": numpy.log(ratio),
        "larger": after > SAME * before, "smaller": before > SAME * after,
        "much_larger": (after > MUCH * before) & matters,
        "much_smaller": (before > MUCH * after) & _matters(runs, column, before),
        "worst": numpy.where(matters, ratio, numpy.nan), "worst_rtol": numbers(runs, "rtol"),
        "worst_step": numbers(runs, "step"), "worst_error": error})
    return found[known & (before > 0) & (after > 0)]


def _one(errors: pandas.DataFrame) -> dict:
    """Of one curve and class."""
    worst = errors.loc[errors["worst"].idxmax()] if errors["worst"].notna().any() else {}
    return {"row": errors["row"].iloc[0], "class": errors["class"].iloc[0], "levels": len(errors),
            "mean": float(numpy.exp(errors["logarithm"].mean())),
            **{name: int(errors[name].sum()) for name in ("larger", "smaller", "much_larger", "much_smaller")},
            **{name: worst.get(name, numpy.nan) for name in ("worst", "worst_rtol", "worst_step", "worst_error")}}


def table(settings: Table, keys: List[tuple], found: List[pandas.DataFrame]) -> Table:
    """A row for each curve and class of variables, the largest mean first. Of each run its settings but for the level,
    and these as a key."""
    errors = pandas.concat(found, ignore_index=True) if found else pandas.DataFrame()
    if errors.empty:
        return Table()
    curve = pandas.factorize(pandas.Series([keys[row] for row in errors["row"]], dtype=object))[0]
    curves = pandas.DataFrame([_one(group) for _, group in errors.groupby([curve, "class"], sort=False)])
    curves = curves.sort_values(["mean", "row"], ascending=[False, True], kind="stable").reset_index(drop=True)
    of_runs = settings.iloc[curves.pop("row")].reset_index(drop=True)
    return Table(pandas.concat([of_runs, curves], axis=1))
