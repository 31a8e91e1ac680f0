"""Which run reaches an error first, and by how much."""
from __future__ import annotations

import math
from dataclasses import dataclass
from typing import List, Optional

import numpy
import pandas

from daelab.show.pages.cells import classes_of, failed, numbers
from daelab.show.pages.ladders import Ladder
from daelab.show.pages.study import Study

LEVEL = 0.95


@dataclass
class Ratio:
    """The ratio of two times in the same rounds: median and quartiles, NaN where nothing is known; differs: from 1 at
    95 %, by the sign test."""

    ratio: float
    low: float
    high: float
    differs: bool

    @property
    def words(self) -> str:
        """"1.82 (1.79 .. 1.9)"."""
        said = f"{self.ratio:.3g} ({self.low:.3g} .. {self.high:.3g})"
        return "" if math.isnan(self.ratio) else said if self.differs else said + "; not told from 1"


def median_differs(ratios: numpy.ndarray) -> bool:
    """Is the median not 1? How many of n numbers lie on one side of their median is binomial."""
    n, most = len(ratios), max((ratios > 1).sum(), (ratios < 1).sum())
    return n > 0 and 2 * sum(math.comb(n, k) for k in range(n - most + 1)) <= (1 - LEVEL) * 2 ** n


def ratio_of(slow: pandas.Series, fast: pandas.Series) -> Ratio:
    """Of times by rounds."""
    ratios = (slow / fast).replace([0, numpy.inf], numpy.nan).dropna().to_numpy()
    if not len(ratios):
        return Ratio(math.nan, math.nan, math.nan, False)
    low, ratio, high = numpy.quantile(ratios, [0.25, 0.5, 0.75])
    return Ratio(ratio, low, high, median_differs(ratios))


@dataclass
class Winner:
    """The fastest run with an error, and the one of the fastest other ladder with their ratio."""

    row: int
    ladder: Ladder
    seconds: float
    error: float
    other: Optional[Ladder]
    ratio: Ratio


class Contest:
    """The runs of one problem that were timed, by their error of one class."""

    def __init__(self, study: Study, ladders: List[Ladder], of: str) -> None:
        self.study, self.ladders, self.of = study, ladders, of
        self.unit = study.units("work").get("error_" + of, "")
        self.runs = pandas.concat([ladder.rows for ladder in ladders])
        self.error, self.wall = numbers(self.runs, "error_" + of), numbers(self.runs, "wall")
        self.whose = numpy.repeat(numpy.arange(len(ladders)), [len(ladder.rows) for ladder in ladders])

    def exponents(self) -> range:
        """The decades between the smallest and the largest error."""
        errors = self.error[(self.error > 0) & numpy.isfinite(self.error)]
        if not len(errors):
            return range(0)
        return range(math.ceil(math.log10(errors.min())), math.floor(math.log10(errors.max())) + 1)

    def _fastest(self, error: float, without: int = -1) -> Optional[int]:
        good = (self.error <= error) & ~failed(self.runs) & (self.whose != without) & numpy.isfinite(self.wall)
        return int(numpy.where(good, self.wall, numpy.inf).argmin()) if good.any() else None

    def _rounds(self, row: int) -> pandas.Series:
        rounds = self.study.table("rounds")
        mine = rounds[numbers(rounds, "run") == numbers(self.runs, "run")[row]]
        return pandas.Series(numbers(mine, "wall"), index=numbers(mine, "round"))

    def winner(self, exponent: int) -> Optional[Winner]:
        """The fastest run with an error of 10^exponent or less."""
        first = self._fastest(10.0 ** exponent)
        if first is None:
            return None
        second = self._fastest(10.0 ** exponent, without=self.whose[first])
        ratio = Ratio(math.nan, math.nan, math.nan, False)
        if second is not None:
            ratio = ratio_of(self._rounds(second), self._rounds(first))
        return Winner(first, self.ladders[self.whose[first]], self.wall[first], self.error[first],
                      None if second is None else self.ladders[self.whose[second]], ratio)


def contest_of(study: Study, ladders: List[Ladder]) -> Optional[Contest]:
    """Of the first class of which a run that went well has an error."""
    runs = pandas.concat([ladder.rows for ladder in ladders])
    known = classes_of(runs[~failed(runs)])
    return Contest(study, ladders, known[0]) if known else None
