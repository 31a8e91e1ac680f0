"""Figures from ladders of rows: a panel for each formulation, a curve for each method."""
from __future__ import annotations

from dataclasses import replace
from typing import Dict, List, Sequence

import numpy
import pandas

from daelab.show.pages.cells import failed, level_text, numbers, texts
from daelab.show.pages.ladders import Ladder
from daelab.show.pages.page import Curve, Facet, Figure

MOST_CURVES = 10                # in a panel: more are drawn in several figures, each with axes of its own
MOST_POINTS = 160               # that a panel shows of a curve; running maxima lose nothing by it


def _notes(rows: pandas.DataFrame, bad: numpy.ndarray, tell_level: bool) -> List[str]:
    """The level where it is asked for, and the reason of a failure."""
    levels = [level_text(*pair) if tell_level else "" for pair in zip(numbers(rows, "step"), numbers(rows, "rtol"))]
    whys = [(why or status) if is_bad else ""
            for why, status, is_bad in zip(texts(rows, "reason"), texts(rows, "status"), bad)]
    return [": ".join(word for word in pair if word) for pair in zip(levels, whys)]


def _curve(ladder: Ladder, series: int, plan: Figure) -> Curve:
    rows = ladder.rows
    if len(rows) > MOST_POINTS:
        rows = rows.iloc[numpy.linspace(0, len(rows) - 1, MOST_POINTS).astype(int)]
    bad = failed(rows)
    values = [numpy.where(bad & (not of.level), numpy.nan, numbers(rows, of.column)) for of in plan.quantities]
    return Curve(series, numpy.array(values), _notes(rows, bad, plan.tells_level), bad)


def _facets(ladders: Sequence[Ladder], labels: List[str], plan: Figure) -> List[Facet]:
    return [Facet(form, [_curve(ladder, labels.index(ladder.label), plan) for ladder in ladders
                         if ladder.form == form and ladder.label in labels])
            for form in dict.fromkeys(ladder.form for ladder in ladders)]


def _is_there(facets: List[Facet], x: int, y: int) -> bool:
    """Is there a point in two quantities?"""
    return any(numpy.isfinite(curve.values[[x, y]]).all(axis=0).any() for facet in facets for curve in facet.curves)


def _figure(ladders: Sequence[Ladder], labels: List[str], units: Dict[str, str], plan: Figure) -> List[Figure]:
    facets = _facets(ladders, labels, plan)
    quantities = [replace(wanted, unit=units.get(wanted.column, ""), sides=wanted.sides * _is_there(facets, i, i))
                  for i, wanted in enumerate(plan.quantities)]
    rows = [row for row in plan.rows if _is_there(facets, row.x, row.y)]
    return [replace(plan, quantities=quantities, labels=labels, facets=facets, rows=rows)] if rows else []


def figures_of(ladders: Sequence[Ladder], units: Dict[str, str], plan: Figure) -> List[Figure]:
    """The planned figure, or several, of ladders of one part and problem; none where no row of it has a point."""
    labels = list(dict.fromkeys(ladder.label for ladder in ladders))
    parts = numpy.array_split(labels, -(-len(labels) // MOST_CURVES)) if labels else []
    titles = [plan.title if len(parts) == 1 else f"{plan.title}, {i + 1} of {len(parts)}" for i in range(len(parts))]
    return [figure for title, part in zip(titles, parts)
            for figure in _figure(ladders, part.tolist(), units, replace(plan, title=title))]
