"""Columns of tidy tables, which need not be there, and numbers in words."""
from __future__ import annotations

import math
from typing import Any, List, Optional

import numpy
import pandas
from pandas.api.types import is_numeric_dtype


def numbers(table: pandas.DataFrame, column: str) -> numpy.ndarray:
    """The column in doubles; NaN where there is no number, or no such column."""
    if column not in table:
        return numpy.full(len(table), math.nan)
    return pandas.to_numeric(table[column], errors="coerce").to_numpy(float)


def texts(table: pandas.DataFrame, column: str) -> pandas.Series:
    """The column in words; "" where there is none."""
    if column not in table:
        return pandas.Series("", index=table.index, dtype=object)
    return pandas.Series(["" if cell is None or cell != cell else str(cell) for cell in table[column].tolist()],
                         index=table.index, dtype=object)


def failed(table: pandas.DataFrame) -> numpy.ndarray:
    """Which runs have a status, and another one than ok."""
    return ~texts(table, "status").isin(["", "ok"]).to_numpy()


def is_text(column: pandas.Series) -> bool:
    """Does a cell hold words?"""
    return not is_numeric_dtype(column) and column.map(lambda cell: isinstance(cell, str)).any()


def classes_of(table: pandas.DataFrame) -> List[str]:
    """The classes of unknowns whose error some run has."""
    names = [name[len("error_"):] for name in table if name.startswith("error_") and name != "error_test"]
    return [name for name in names if numpy.isfinite(numbers(table, "error_" + name)).any()]


def decimal(x: float) -> str:
    """The shortest decimal that reads back."""
    return next(text for text in (f"{x:.{digits}g}" for digits in (15, 16, 17)) if float(text) == x)


def value_text(value: Any) -> str:
    """A cell in words; "-" where it is empty."""
    if isinstance(value, str):
        return value
    return decimal(float(value)) if value is not None and math.isfinite(value) else "-"


def shown(x: float, form: str) -> str:
    """A number for people; "-" where there is none, and no -0.00."""
    if not math.isfinite(x):
        return "-"
    text = format(x, form)
    return text[1:] if text.startswith("-") and float(text) == 0 else text


def percent(ratio: float) -> str:
    return f"{100 * ratio:.{2 if ratio < 0.995 else 0}{'g' if ratio < 0.995 else 'f'}} %"


def with_unit(x: float, unit: Optional[str], form: str = ".2g") -> str:
    return f"{x:{form}} {unit}" if unit else f"{x:{form}}"


def time_text(seconds: float) -> str:
    """The time in s, ms or µs."""
    size, unit = next((pair for pair in ((1, "s"), (1e-3, "ms")) if seconds >= pair[0]), (1e-6, "µs"))
    return f"{seconds / size:.3g} {unit}"


def level_text(step: float, rtol: float) -> str:
    """At which step or tolerance a run was made; "" where it has neither."""
    if math.isfinite(rtol):
        return f"rtol = {decimal(rtol)}"
    return f"step = {decimal(step)}" if math.isfinite(step) else ""
