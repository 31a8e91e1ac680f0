"""Figures from ladders of rows: a panel for each formulation, a curve for each method."""
from __future__ import annotations

from dataclasses import dataclass, replace
from typing import List, Sequence

import numpy

from daelab.show.pages.cells import failed, level_text, numbers, texts
from daelab.show.pages.ladders import Ladder
from daelab.show.pages.page import Curve, Facet, Figure, Quantity, Row

X, Y = 1, 2                     # the axes that a quantity may lie on
MOST_CURVES = 10                # in a panel: more are drawn in several figures, each with axes of its own
MOST_POINTS = 160               # that a panel shows of a curve; running maxima lose nothing by it


@dataclass
class Wanted:
    """A column as a quantity; level: it is also that of runs that failed."""

    column: str
    label: str
    log: bool = True
    sides: int = Y
    level: bool = False


@dataclass
class Plan:
    title: str
    caption: str
    command: str
    wanted: Sequence[Wanted]
    rows: Sequence[Row]
    guides: int = 0
    chooses: bool = False
    steps: bool = False
    tell_level: bool = False    # the step or tolerance of each point, under the cursor


def _notes(rows, bad: numpy.ndarray, tell_level: bool) -> List[str]:
    """The level where it is asked for, and the reason of a failure."""
    levels = [level_text(*pair) if tell_level else "" for pair in zip(numbers(rows, "step"), numbers(rows, "rtol"))]
    whys = [(why or status) if is_bad else ""
            for why, status, is_bad in zip(texts(rows, "reason"), texts(rows, "status"), bad)]
    return [": ".join(word for word in pair if word) for pair in zip(levels, whys)]


def _curve(ladder: Ladder, series: int, plan: Plan) -> Curve:
    rows = ladder.rows
    if len(rows) > MOST_POINTS:
        rows = rows.iloc[numpy.linspace(0, len(rows) - 1, MOST_POINTS).astype(int)]
    bad = failed(rows)
    values = [numpy.where(bad & (not wanted.level), numpy.nan, numbers(rows, wanted.column)) for wanted in plan.wanted]
    return Curve(series, numpy.array(values), _notes(rows, bad, plan.tell_level), bad)


def _facets(ladders: Sequence[Ladder], labels: List[str], plan: Plan) -> List[Facet]:
    return [Facet(form, [_curve(ladder, labels.index(ladder.label), plan) for ladder in ladders
                         if ladder.form == form and ladder.label in labels])
            for form in dict.fromkeys(ladder.form for ladder in ladders)]


def _is_there(facets: List[Facet], x: int, y: int) -> bool:
    """Is there a point in two quantities?"""
    return any(numpy.isfinite(curve.values[[x, y]]).all(axis=0).any() for facet in facets for curve in facet.curves)


def _figure(ladders: Sequence[Ladder], labels: List[str], units, plan: Plan) -> List[Figure]:
    facets = _facets(ladders, labels, plan)
    rows = [row for row in plan.rows if _is_there(facets, row.x, row.y)]
    quantities = [Quantity(wanted.label, units.get(wanted.column, ""), wanted.log,
                           wanted.sides if _is_there(facets, i, i) else 0) for i, wanted in enumerate(plan.wanted)]
    return [Figure(plan.title, plan.caption, plan.command, quantities, labels, facets, rows, plan.guides, plan.chooses,
                   plan.steps)] if rows else []


def figures_of(ladders: Sequence[Ladder], units, plan: Plan) -> List[Figure]:
    """Figures of ladders of one part and problem; none where no row of the plan has a point."""
    labels = list(dict.fromkeys(ladder.label for ladder in ladders))
    parts = numpy.array_split(labels, -(-len(labels) // MOST_CURVES)) if labels else []
    titles = [plan.title if len(parts) == 1 else f"{plan.title}, {i + 1} of {len(parts)}" for i in range(len(parts))]
    return [figure for title, part in zip(titles, parts)
            for figure in _figure(ladders, part.tolist(), units, replace(plan, title=title))]
