"""The rows of a tidy table that are one curve."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, List, Tuple

import numpy
import pandas

from daelab.show.pages.cells import failed, numbers, texts, value_text

PAIR = ["part", "problem", "form", "method"]
LEVELS = ["step", "rtol"]


@dataclass
class Ladder:
    """Rows of one problem in one formulation by one method with one value of each setting, in their order."""

    part: str
    problem: str
    form: str
    method: str
    label: str                  # the method, with the settings in which ladders of the same formulation differ
    by_rtol: bool               # its levels are tolerances, not steps
    rows: pandas.DataFrame

    @property
    def subject(self) -> Tuple[str, str]:
        return self.part, self.problem

    @property
    def pair(self) -> str:
        return f"{self.problem}, {self.form} by {self.label}"

    def is_like(self, other: Ladder) -> bool:
        """Is it of the same problem, formulation and method?"""
        return (self.subject, self.form, self.label) == (other.subject, other.form, other.label)

    def finest(self) -> pandas.DataFrame:
        """The last row whose run went well, as a table; an empty one where none did."""
        return self.rows[~failed(self.rows)].tail(1)


def by_subject(ladders: List[Ladder]) -> Dict[Tuple[str, str], List[Ladder]]:
    """The ladders of each part and problem, in the order of their appearance."""
    beside: Dict[Tuple[str, str], List[Ladder]] = {}
    for ladder in ladders:
        beside.setdefault(ladder.subject, []).append(ladder)
    return beside


def _told_apart(table: pandas.DataFrame) -> List[str]:
    """What tells runs apart beside the level: varied parameters, or else all; none where one is the level."""
    varied = [name for name in table if name.startswith("vary_")] or ["parameters"]
    settings = [name for name in getattr(table, "settings", []) if name not in LEVELS + ["atol"]]
    return [name for name in ([] if "value" in table else varied) + settings if name in table]


def _settings(table: pandas.DataFrame, names: List[str], pair: pandas.Series) -> pandas.DataFrame:
    """The settings in words. What a run that was not made would have chosen is not known, "best" or nothing: it
    has that of the other runs of its pair."""
    bad, found = pandas.Series(failed(table), index=table.index), pandas.DataFrame(index=table.index)
    for name in names:
        cells = table[name].astype(object).where(table[name].notna(), "")
        known = cells.mask(bad & cells.isin(["", "best"]))
        found[name] = known.groupby(pair).ffill().groupby(pair).bfill().fillna("")
    return found


def _scheme_of_atol(rows: pandas.DataFrame) -> pandas.Series:
    """The absolute tolerance, or its ratio to the relative one, whichever takes fewer values."""
    atol, rtol = numbers(rows, "atol"), numbers(rows, "rtol")
    with numpy.errstate(divide="ignore", invalid="ignore"):
        schemes = [pandas.Series([f"{x:.9g}" for x in values], index=rows.index) for values in (atol, atol / rtol)]
    return min(schemes, key=lambda scheme: scheme.nunique())


def _number(keys: pandas.DataFrame) -> pandas.Series:
    """Equal rows have equal numbers, in the order of their appearance."""
    seen: Dict[tuple, int] = {}
    return pandas.Series([seen.setdefault(row, len(seen)) for row in zip(*(keys[name] for name in keys))],
                         index=keys.index, dtype=int)


def _keys(table: pandas.DataFrame, told: List[str], levels: bool) -> pandas.DataFrame:
    pair = pandas.DataFrame({name: texts(table, name) for name in PAIR})
    keys = pair.join(_settings(table, told, _number(pair.join(table[[n for n in told if n.startswith("vary_")]]
                                                               .astype(str)))))
    if not levels:
        return keys.join(pandas.DataFrame({name: texts(table, name) for name in LEVELS + ["atol", "run"]}))
    for name in LEVELS:
        keys["by_" + name] = numpy.isfinite(numbers(table, name))
    number = _number(keys)
    keys["atol"] = pandas.concat([_scheme_of_atol(rows) for _, rows in table.groupby(number)]) if len(table) else ""
    return keys


def _labels(keys: pandas.DataFrame, told: List[str]) -> pandas.Series:
    """Method, and settings in which rivals of the same pair differ: "cros project=position"."""
    labels = keys["method"]
    for name in told:
        differs = keys.groupby(PAIR)[name].transform("nunique") > 1
        words = [f" {name[5:] if name.startswith('vary_') else name}={value_text(None if cell == '' else cell)}"
                 for cell in keys[name]]
        labels = labels.where(~differs, labels + words)
    return labels


def ladders_of(table: pandas.DataFrame, levels: bool = True) -> List[Ladder]:
    """levels: rows of several steps, tolerances or values (a column `value`) are one ladder; else each has its own."""
    if not len(table):
        return []
    told = _told_apart(table)
    keys = _keys(table, told, levels)
    number = _number(keys)
    first = keys.groupby(number).head(1).set_index(pandas.RangeIndex(number.max() + 1))
    by = numpy.isfinite(numbers(table, "rtol"))
    if "levels_by" in table:
        by = (texts(table, "levels_by") == "rtol").to_numpy()
    labels = _labels(first, told + ([] if levels else [name for name in LEVELS if name in table]))
    return [Ladder(*(first.at[i, name] for name in PAIR), labels[i], bool(by[rows.index[0]]), rows)
            for i, rows in pandas.DataFrame(table).groupby(number)]
