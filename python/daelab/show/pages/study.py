"""A result as the sections of a page look at it."""
from __future__ import annotations

import shlex
from functools import cached_property
from typing import Any, Dict, List

import pandas

from daelab.show.pages.cells import texts
from daelab.show.pages.ladders import Ladder, ladders_of
from daelab.show.pages.orders import judged
from daelab.show.results import Result

MOST_NAMES = 12
WHERE_TO = ("--output", "--plot", "--format")   # the reader's own, with the word that follows


def _names(table: pandas.DataFrame, column: str) -> str:
    """Different texts of a column, "a, b and others"."""
    names = [name for name in texts(table, column).unique() if name]
    return ", ".join(names[:MOST_NAMES]) + (" and others" if len(names) > MOST_NAMES else "")


class Study:
    """file: the name of the result; number: which one it is on a page of several, or 0."""

    def __init__(self, result: Result, file: str, number: int) -> None:
        self.result, self.file, self.number = result, file, number

    def table(self, name: str) -> pandas.DataFrame:
        return self.result.table(name)

    def units(self, name: str) -> Dict[str, str]:
        return self.result.table(name).units

    runs: List[Ladder] = cached_property(lambda self: ladders_of(self.table("runs")))
    orders: List[Ladder] = cached_property(lambda self: ladders_of(self.table("orders")))
    work: List[Ladder] = cached_property(lambda self: ladders_of(self.table("work")))
    scale: List[Ladder] = cached_property(lambda self: ladders_of(self.table("scale")))
    drift: List[Ladder] = cached_property(lambda self: ladders_of(self.table("drift"), levels=False))
    growth: List[Ladder] = cached_property(lambda self: ladders_of(self.table("growth"), levels=False))
    solution: List[Ladder] = cached_property(lambda self: ladders_of(self.table("solution"), levels=False))
    _judged: List[Any] = cached_property(lambda self: list(
        judged(self.table("orders")).rename(columns={"class": "of"}).itertuples(index=False)))

    def orders_of(self, ladder: Ladder) -> List[Any]:
        """Its rows as they are judged: of (the class), observed, low, high, declared, error, stays, tone, text, ..."""
        return [self._judged[row] for row in ladder.rows.index]

    @cached_property
    def parts(self) -> List[str]:
        return list(texts(self.table("runs"), "part").unique())

    @property
    def title(self) -> str:
        """That of the study; else "converge: pendulum, bead"; else the name of the file."""
        kinds, problems = _names(self.table("runs"), "kind"), _names(self.table("runs"), "problem")
        return self.result.title or (f"{kinds}: {problems}" if kinds and problems else self.file)

    def subject_of(self, part: str, problem: str) -> str:
        """The problem, with the name of the part where the study has several: "orders: bead"."""
        return f"{part}: {problem}" if any(other != part for other in self.parts) else problem

    def subject(self, ladder: Ladder) -> str:
        return self.subject_of(ladder.part, ladder.problem)

    @cached_property
    def command(self) -> str:
        """The whole command without where its results went; "" where it is not known."""
        words = self.result.provenance.get("command") or []
        kept = [word for before, word in zip([""] + words, words)
                if word not in WHERE_TO + ("--quiet", "-q") and before not in WHERE_TO]
        return " ".join(shlex.quote(word) for word in kept)

    def command_of(self, ladder: Ladder) -> str:
        """The command that makes the part of a ladder: a study of several parts runs one of them alone."""
        words = self.result.provenance.get("command") or []
        alone = words[1:2] == ["study"] and any(other != ladder.part for other in self.parts)
        return f"{self.command} --part {shlex.quote(ladder.part)}" if alone else self.command
