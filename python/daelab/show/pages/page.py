"""A page in words, tables and figures, whatever it is written in later."""
from __future__ import annotations

import enum
import math
from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional, Union

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
class Text:
    kind = "text"
    text: str


@dataclass
class Heading:
    kind = "heading"
    text: str


@dataclass
class Finding:
    kind = "finding"
    tone: Tone
    text: str


@dataclass
class Code:
    kind = "code"
    what: str
    text: str


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
    label: str
    unit: str
    log: bool
    sides: int                  # 1: it may lie across, 2: up

    @property
    def title(self) -> str:
        return f"{self.label}, {self.unit}" if self.unit else self.label


@dataclass
class Curve:
    """values[quantity][point], NaN where missing; notes: what is said of a point, as why its run failed."""

    series: int
    values: numpy.ndarray
    notes: List[str]
    failed: numpy.ndarray


@dataclass
class Facet:
    title: str
    curves: List[Curve]


@dataclass
class Row:
    """The panel in a row and a facet shows the curves of the facet in these two quantities; all panels of a row have
    the same axes."""

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
    labels: List[str]           # of series
    facets: List[Facet]
    rows: List[Row]
    guides: int = 0             # lines of slope 1, 2, ..., so many
    chooses: bool = False       # axes may be chosen by the reader
    steps: bool = False         # a value lasts until the next one
    name: str = ""


Block = Union[Text, Heading, Finding, Code, Table, Figure]


@dataclass
class Section:
    name: str
    title: str
    blocks: List[Block] = field(default_factory=list)

    def without(self, *left_out: str) -> List[Block]:
        """Blocks but those of some kinds, data, and headings that nothing follows."""
        kept = [block for block in self.blocks if block.kind not in left_out and not getattr(block, "data", False)]
        following = kept[1:] + [Heading("")]
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
                           for q in figure.quantities],
            "series": figure.labels,
            "facets": [{"title": facet.title, "curves": [_curve_data(curve) for curve in facet.curves]}
                       for facet in figure.facets]}


def _curve_data(curve: Curve) -> Dict[str, Any]:
    data: Dict[str, Any] = {"series": curve.series, "values": [
        [float(f"{x:.6g}") if math.isfinite(x) else None for x in values] for values in curve.values.tolist()]}
    if any(curve.notes):
        data.update(notes=curve.notes, failed=[int(x) for x in curve.failed])
    return data
