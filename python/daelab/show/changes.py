"""What changed from one result of a study to another.

Rows are the same run where all their settings are; what was measured of them is compared to the bit. A number that is
better small (an error, a drift, a count of work) has become worse where it has grown by more than a tolerance, and, of
errors, by more than rounding. Times are samples: times.py. The role of a column, which the program wrote beside its
name, says whether it is a setting and how it is compared.
"""
from __future__ import annotations

import functools
import itertools
from collections import defaultdict, deque
from typing import Dict, Iterable, List, Optional, Tuple

import numpy
import pandas
from numpy import ndarray

from daelab.show import curve_means, times
from daelab.show.results import SETTINGS, NoResult, Result, Table, numbers, texts

KINDS = ("same", "better", "changed", "worse")
SAME, BETTER, CHANGED, WORSE = KINDS
QUANTITIES = {"outcome": "outcomes", "accuracy": "accuracy", "order": "orders", "count": "counts", "time": "times",
              "value": "values"}                        # roles that are compared, the first ones told first
LEVEL, CHOICE = "level", "choice"
RUNS, GOOD, BAD = "runs", ("ok", "bounded"), "below"
DRIFT_ROUNDINGS = 1000                                  # of the largest variable
FAMILY = 0.05                                           # level of the tests of times, for all of them together

# ---- which rows are of the same run ----


def keys_of(table: Table, settings: List[str]) -> List[tuple]:
    cells = table.reindex(columns=settings).astype(object)
    return [tuple(row) for row in cells.where(cells.notna(), None).to_numpy()]


def _partners(old: List[tuple], new: List[tuple], left: Tuple[Iterable[int], Iterable[int]]) -> List[Tuple[int, int]]:
    """Rows with the same key, those with the same one in their order, of those that are left."""
    waiting: Dict[tuple, deque] = defaultdict(deque)
    for row in left[0]:
        waiting[old[row]].append(row)
    return [(waiting[new[row]].popleft(), row) for row in left[1] if waiting[new[row]]]


class Pair:
    """A table of both results. same: rows of the same runs, of old and new, by all settings; of those that are left, by
    all but what the programs chose themselves. gone, added: rows that only one of them has."""

    def __init__(self, name: str, old: Table, new: Table) -> None:
        self.name = name
        self.roles: Dict[str, str] = {**new.roles, **{c: r for c, r in old.roles.items() if c not in new.roles}}
        self.settings = self.of_roles(SETTINGS)
        rows: Tuple[Iterable[int], Iterable[int]] = (range(len(old)), range(len(new)))
        same: List[Tuple[int, int]] = []
        for roles in (SETTINGS, tuple(role for role in SETTINGS if role != CHOICE)):
            by = sorted(self.of_roles(roles))
            same += _partners(keys_of(old, by), keys_of(new, by), rows)
            matched = [{pair[side] for pair in same} for side in (0, 1)]
            rows = tuple([row for row in side if row not in matched[k]] for k, side in enumerate(rows))
        same.sort(key=lambda pair: pair[1])
        self.old = old.iloc[[pair[0] for pair in same]].reset_index(drop=True)
        self.new = new.iloc[[pair[1] for pair in same]].reset_index(drop=True)
        self.units = {**old.units, **new.units}
        self.gone, self.added = old.iloc[list(rows[0])], new.iloc[list(rows[1])]

    def of_roles(self, roles: Iterable[str]) -> List[str]:
        """The columns, those of the new table first."""
        return [column for column, role in self.roles.items() if role in roles]

    def largest(self, columns: Iterable[str]) -> ndarray:
        """Of each row in the columns of either; NaN: not known."""
        return numpy.fmax.reduce([numbers(t, c) for t in (self.old, self.new) for c in columns])


# ---- how one quantity is judged ----


def _size(before: ndarray, after: ndarray, tolerance: float, noise: ndarray) -> ndarray:
    """Of what is better small."""
    known = numpy.isfinite(before) & numpy.isfinite(after)
    with numpy.errstate(invalid="ignore"):
        grown = (after > before * (1 + tolerance)) & (after - before > noise)
        less = (before > after * (1 + tolerance)) & (before - after > noise)
    return numpy.select([~known, grown, less], [CHANGED, WORSE, BETTER], CHANGED)


def _words(was: Optional[str], now: Optional[str]) -> str:
    """Of words, one of which is good or one of which is bad."""
    if (was == BAD) != (now == BAD):
        return WORSE if now == BAD else BETTER
    if (was in GOOD) != (now in GOOD) and "not determined" not in (was, now):
        return BETTER if now in GOOD else WORSE
    return CHANGED


def _noise(pair: Pair, column: str) -> ndarray:
    """How much of a column may be rounding: of an error as it was measured, of a drift some roundings of the largest
    variable."""
    what, _, of_class = column.partition("_")
    if what == "drift":
        scales = sorted(c for c in {*pair.old, *pair.new} if c.startswith("scale_"))
        largest = pair.largest(scales) if scales else numpy.zeros(len(pair.new))
        return DRIFT_ROUNDINGS * curve_means.EPSILON * numpy.fmax(0, largest)
    return numpy.fmax(0, pair.largest(["rounding_" + of_class]))


def _accuracy(pair: Pair, column: str, before: ndarray, after: ndarray, tolerance: float) -> ndarray:
    """An error or a drift of a run that went through, and is no longer known, is no longer watched, as a row that is
    gone."""
    through = numpy.array([status in (None, "ok") for status in texts(pair.new, "status")], dtype=bool)
    lost = numpy.isfinite(before) & ~numpy.isfinite(after) & through
    return numpy.where(lost, WORSE, _size(before, after, tolerance, _noise(pair, column)))


def _order(pair: Pair) -> ndarray:
    """It has changed for certain where its intervals have nothing in common."""
    below = numbers(pair.new, "high") < numbers(pair.old, "low")
    above = numbers(pair.new, "low") > numbers(pair.old, "high")
    return numpy.select([below, above], [WORSE, BETTER], CHANGED)


def _judge(pair: Pair, column: str, cells: pandas.DataFrame, tolerance: float) -> ndarray:
    before, after = cells["x"].to_numpy(), cells["y"].to_numpy()
    role = pair.roles[column]
    if role == "accuracy":
        return _accuracy(pair, column, before, after, tolerance)
    kinds = (_order(pair) if role == "order" else _size(before, after, tolerance, numpy.zeros(len(cells)))
             if role == "count" else CHANGED)
    words = [_words(was, now) for was, now in zip(cells["was"], cells["now"])]
    return numpy.where(cells["text"], words, kinds)


# ---- all of them ----


def _sample(pair: Pair, table: Table, column: str) -> Tuple[ndarray, ...]:
    """(median, lower, upper, repeats): quartiles and the number of samples stand behind a time, before the next one; of
    several numbers the last one that is known."""
    columns = list(pair.roles)
    behind = list(itertools.takewhile(lambda c: pair.roles[c] != "time", columns[columns.index(column) + 1:]))
    of = {role: [numbers(table, c) for c in behind if pair.roles[c] == role] for role in ("lower", "upper", "samples")}
    unknown = numpy.full(len(table), numpy.nan)
    last = [functools.reduce(lambda a, b: numpy.where(numpy.isfinite(b), b, a), of[role], unknown) for role in of]
    return (numbers(table, column), *last)


def _cells(pair: Pair, column: str) -> pandas.DataFrame:
    """x, y: numbers of old and new; was, now: texts; text: is one of them?"""
    cells = pandas.DataFrame({"x": numbers(pair.old, column), "y": numbers(pair.new, column)})
    cells["was"], cells["now"] = (pandas.Series(texts(t, column), dtype=object) for t in (pair.old, pair.new))
    cells["text"] = cells["was"].notna() | cells["now"].notna()
    return cells


def _part(pair: Pair, rows: Table, what: str, role: str) -> pandas.DataFrame:
    """A line for each row, not judged yet. Columns of ours begin with _, the others are the settings."""
    part = pandas.DataFrame(rows.reindex(columns=pair.settings).astype(object)).reset_index(drop=True)
    ours = dict.fromkeys(("_x", "_y", "_variance", "_freedom", "_p"), numpy.nan)
    return part.assign(_row=range(len(part)), _table=pair.name, _what=what, _role=role, _lone=False, _kind=SAME, **ours)


def _together(parts: List[pandas.DataFrame], like: pandas.DataFrame) -> pandas.DataFrame:
    return pandas.concat([part for part in parts if len(part)] or [like], ignore_index=True)


class Changes:
    """rows: matched; gone, added: of one result only; found[role][kind]: how many; table: what is not the same, the
    worst first; curves: means of errors; ratio, low, high, level, between: of all times."""

    def __init__(self, old: Result, new: Result, tolerance: float, time_tolerance: float, with_times: bool) -> None:
        self.tolerance, self.time_tolerance, self.with_times = tolerance, time_tolerance, with_times
        self.rows = self.gone = self.added = 0
        self.units: Dict[str, set] = defaultdict(set)
        self.settings: Dict[str, List[str]] = {}
        self.curves = Table()
        pairs = [Pair(name, old.table(name), new.table(name)) for name in dict.fromkeys([*new.tables, *old.tables])]
        if not any(pair.roles for pair in pairs):
            raise NoResult(f"neither {old.name} nor {new.name} says what its columns are, as an older daelab wrote "
                           "both: make one of them again")
        # a table without what is compared repeats what others hold
        parts = [self._compare(pair) for pair in pairs if pair.of_roles(QUANTITIES) or not pair.roles]
        every = _together(parts, parts[0])
        self._judge_times(every)
        counts = every[~every["_lone"].astype(bool)].groupby(["_role", "_kind"]).size()
        self.found = {role: {kind: int(counts.get((role, kind), 0)) for kind in KINDS} for role in QUANTITIES}
        self.table = self._worst_first(every[every["_kind"] != SAME])

    def _compare(self, pair: Pair) -> pandas.DataFrame:
        self.rows += len(pair.new)
        self.gone += len(pair.gone)
        self.added += len(pair.added)
        self.settings[pair.name] = pair.settings
        for column in pair.settings:
            self.units[column] |= {pair.units[column]} - {""}
        parts = [self._compare_column(pair, c) for c in pair.of_roles(QUANTITIES) if len(pair.new)]
        for rows, kind, *was in ((pair.added, CHANGED, "missing", "there"), (pair.gone, WORSE, "there", "missing")):
            lone = _part(pair, rows, "row", "outcome").assign(_kind=kind, _lone=True)
            parts.append(lone.assign(_before=was[0], _after=was[1]))
        if pair.name == RUNS:
            self._mean_errors(pair)
        return _together(parts, parts[-1]).sort_values("_row", kind="stable")

    def _compare_column(self, pair: Pair, column: str) -> pandas.DataFrame:
        cells, role = _cells(pair, column), pair.roles[column]
        same = numpy.where(cells["text"], cells["was"] == cells["now"], cells["x"] == cells["y"])
        part = _part(pair, pair.new, column, role)
        part["_kind"] = numpy.where(same, SAME, _judge(pair, column, cells, self.tolerance))
        part["_x"], part["_y"] = cells["x"], cells["y"]
        part["_before"], part["_after"] = (cells[x].astype(object).where(~cells["text"], cells[word])
                                           for x, word in (("x", "was"), ("y", "now")))
        if role != "time":
            return part[cells["text"] | cells["x"].notna() | cells["y"].notna()]
        part["_variance"], part["_freedom"] = times.within(*(_sample(pair, t, column) for t in (pair.old, pair.new)))
        return part[(cells["x"] > 0) & (cells["y"] > 0) & self.with_times]

    def _mean_errors(self, pair: Pair) -> None:
        fixed = pair.of_roles(("setting",))
        found = [curve_means.errors_of(pair.new, c, numbers(pair.old, c), numbers(pair.new, c))
                 for c in pair.of_roles(("accuracy",)) if c.startswith("error_")]
        self.curves = curve_means.table(pair.new.reindex(columns=fixed), keys_of(pair.new, fixed), found)
        self.curves.units = {c: pair.units.get(c, "") for c in self.curves}

    def _judge_times(self, every: pandas.DataFrame) -> None:
        """Beyond the tolerance, and beyond noise at a level for all together (Bonferroni); the median of all."""
        time = (every["_role"] == "time").to_numpy()
        before, after, variance, freedom = (every.loc[time, c].to_numpy(dtype=float)
                                            for c in ("_x", "_y", "_variance", "_freedom"))
        logarithms = numpy.log(after / before)
        between = times.between(logarithms)
        p = times.p_of(logarithms, times.Variance(variance, freedom), between)
        certain, limit = p < FAMILY / max(1, len(p)), 1 + self.time_tolerance
        every.loc[time, "_p"] = p
        longer, shorter = certain & (after > before * limit), certain & (before > after * limit)
        every.loc[time, "_kind"] = numpy.select([longer, shorter], [WORSE, BETTER], SAME)
        self.between = float(numpy.sqrt(between.value))
        self.ratio, self.low, self.high, self.level = times.median_interval(after / before, 1 - FAMILY)

    def _worst_first(self, changes: pandas.DataFrame) -> Table:
        order = pandas.DataFrame({"kind": -changes["_kind"].map(KINDS.index), "lone": changes["_lone"].astype(bool),
                                  "role": changes["_role"].map(list(QUANTITIES).index)})
        changes = changes.loc[order.sort_values(["kind", "lone", "role"], kind="stable").index]
        x, y = (changes[c].to_numpy(dtype=float) for c in ("_x", "_y"))
        told = pandas.DataFrame({"change": changes["_kind"], "table": changes["_table"], "what": changes["_what"],
                                 "before": changes["_before"], "after": changes["_after"],
                                 "ratio": numpy.divide(y, x, out=numpy.full(len(x), numpy.nan), where=x != 0),
                                 "p": changes["_p"]}, index=changes.index)
        settings = dict.fromkeys(c for name in changes["_table"].unique() for c in self.settings[name])
        table = Table(pandas.concat([told, changes[[*settings]]], axis=1))
        table.units = {c: next(iter(self.units[c])) if len(self.units[c]) == 1 else "" for c in table}
        return table

    @property
    def slower(self) -> bool:
        """Are the times as a whole longer, by more than the tolerance for certain?"""
        return self.low > 1 + self.time_tolerance

    @property
    def worse(self) -> bool:
        """Did anything change for the worse: a number, an outcome, a run that is no longer there?"""
        return self.gone > 0 or self.slower or any(found[WORSE] for found in self.found.values())
