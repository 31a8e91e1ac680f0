"""A page in words, tables and figures, whatever it is written in later."""
from __future__ import annotations

import enum
import math
from dataclasses import dataclass, field
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Union

import numpy

from daelab.show.pages.cells import shown


class Tone(enum.IntEnum):
    """What a finding or a cell says: as it should be, to be noticed, wrong."""

    PLAIN, GOOD, NOTE, BAD = range(4)

    @property
    def sign(self) -> str:
        return ("", "✓", "?", "✗")[self]

    @property
    def key(self) -> str:
        return self.name.lower()

    @property
    def word(self) -> str:
        return ("", "good: ", "to be noticed: ", "wrong: ")[self]


@dataclass
class Words:
    """kind: text, heading, finding (with a tone), or code (what: what it is)."""

    kind: str
    text: str
    tone: Tone = Tone.PLAIN
    what: str = ""


@dataclass
class Column:
    title: str
    unit: str = ""
    form: Optional[str] = None  # of a number, for people; None: text


@dataclass
class Cell:
    text: str
    tone: Tone = Tone.PLAIN
    exact: Optional[float] = None               # the number where the text is not all of it
    is_number: bool = False


@dataclass
class Table:
    """rows: texts, numbers, or texts with a tone."""

    kind = "table"
    caption: str
    columns: List[Column]
    rows: List[List[Cell]] = field(default_factory=list)
    data: bool = False          # of interest to those who look for a run: in HTML alone

    def add(self, *cells: Any) -> None:
        self.rows.append([self._cell(*pair) for pair in zip(self.columns, cells)])

    @staticmethod
    def _cell(column: Column, cell: Any) -> Cell:
        if isinstance(cell, Cell):
            return cell
        if column.form is None:
            return Cell(cell)
        x = float(cell)
        text = shown(x, column.form)
        return Cell(text, Tone.PLAIN, x if math.isfinite(x) and float(text) != x else None, math.isfinite(x))


@dataclass
class Quantity:
    """A column as a quantity that may lie across (sides 1) or up (2); level: it is also that of runs that failed."""

    column: str
    label: str
    log: bool = True
    sides: int = 2
    level: bool = False
    unit: str = ""

    @property
    def title(self) -> str:
        return f"{self.label}, {self.unit}" if self.unit else self.label


class Curve(NamedTuple):
    """values[quantity][point], NaN where missing; notes: what is said of a point, as why its run failed."""

    series: int
    values: numpy.ndarray
    notes: List[str]
    failed: numpy.ndarray


class Facet(NamedTuple):
    title: str
    curves: List[Curve]


class Row(NamedTuple):
    """Its panel in a facet shows the curves of that in these two quantities; all panels of a row have the same axes."""

    title: str
    x: int
    y: int


@dataclass
class Figure:
    kind = "figure"
    title: str
    caption: str
    command: str                # "": none that makes it again is known
    quantities: List[Quantity]
    rows: List[Row]
    guides: int = 0             # lines of slope 1, 2, ..., so many
    chooses: bool = False       # axes may be chosen by the reader
    steps: bool = False         # a value lasts until the next one
    tells_level: bool = False   # the step or tolerance of each point, under the cursor
    labels: Sequence[str] = ()  # of series
    facets: Sequence[Facet] = ()
    name: str = ""


Block = Union[Words, Table, Figure]


@dataclass
class Section:
    name: str
    title: str
    blocks: List[Block] = field(default_factory=list)

    def without(self, *left_out: str) -> List[Block]:
        """Blocks but those of some kinds, data, and headings that nothing follows."""
        kept = [block for block in self.blocks if block.kind not in left_out and not getattr(block, "data", False)]
        following = kept[1:] + [Words("heading", "")]
        return [block for block, after in zip(kept, following) if (block.kind, after.kind) != ("heading", "heading")]


@dataclass
class Page:
    title: str
    question: str
    made: str
    sections: List[Section] = field(default_factory=list)

    def number_figures(self) -> None:
        figures = [block for section in self.sections for block in section.blocks if block.kind == "figure"]
        for i, figure in enumerate(figures):
            figure.name = f"figure-{i + 1}"


def figure_data(figure: Figure) -> Dict[str, Any]:
    """What the script of the page needs: points with six digits."""
    return {"quantities": [{"label": q.label, "unit": q.unit, "log": int(q.log), "sides": q.sides}
                           for q in figure.quantities], "series": list(figure.labels),
            "facets": [{"title": facet.title, "curves": [_curve_data(curve) for curve in facet.curves]}
                       for facet in figure.facets]}


def _curve_data(curve: Curve) -> Dict[str, Any]:
    values = [[float(f"{x:.6g}") if math.isfinite(x) else None for x in xs] for xs in curve.values.tolist()]
    notes = {"notes": curve.notes, "failed": curve.failed.astype(int).tolist()} if any(curve.notes) else {}
    return {"series": curve.series, "values": values, **notes}
