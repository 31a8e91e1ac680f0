"""Panels of a figure: axes, and where curves lie on them. The script of the page computes the same axes."""
from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Dict, Iterator, List, Optional, Tuple

import numpy

from daelab.show.pages.page import Curve, Facet, Figure, Quantity, Row

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 300, 216, 50, 10, 10, 38
COLOURS, MANY, SOME, TICKS = 8, 24, 4, 5        # marks are on SOME points of a curve of MANY; about so many ticks
SHAPES = ("m-3 0a3 3 0 1 0 6 0a3 3 0 1 0 -6 0", "m-2.7 -2.7h5.4v5.4h-5.4z", "m0 -3.6l3.4 6h-6.8z",
          "m0 -3.8l3.8 3.8l-3.8 3.8l-3.8 -3.8z", "m0 3.6l3.4 -6h-6.8z",
          "m-3.5 -1.2h2.3v-2.3h2.4v2.3h2.3v2.4h-2.3v2.3h-2.4v-2.3h-2.3z", "m-3.4 -2.4l6.8 4.8v-4.8l-6.8 4.8z",
          "m-2.4 -3.4l4.8 6.8h-4.8l4.8 -6.8z")
MARKS = ("*", "square*", "triangle*", "diamond*", "pentagon*", "+", "x", "star")        # of pgfplots
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def series_style(series: int) -> Dict[str, object]:
    """Series 8, 9, ... have the colours of 0, 1, ... with other marks, and dashes."""
    shape = (series + 3 * (series // COLOURS)) % len(SHAPES)
    return {"colour": series % COLOURS, "more": series >= COLOURS, "shape": SHAPES[shape], "mark": MARKS[shape]}


def nice_step(span: float) -> float:
    """1, 2 or 5 times a power of ten: a span has about TICKS of them."""
    decade = 10.0 ** math.floor(math.log10(span / TICKS))
    return decade * next(times for times in (1, 2, 5, 10) if span / TICKS / decade <= times or times == 10)


class Axis:
    """From low to high; of a logarithmic one these are decimal exponents."""

    def __init__(self, quantity: Quantity, values: numpy.ndarray) -> None:
        self.quantity, self.log = quantity, quantity.log
        there = self._places(values[~(values <= 0)] if self.log else values)
        there = there[numpy.isfinite(there)]
        low, high = (there.min(), there.max()) if there.size else (0.0, 1.0)
        size = max(abs(low), abs(high))
        if high - low <= 1e-12 * size:
            half = 0.5 if self.log or size == 0 else 0.5 * size
            low, high = low - half, high + half
        step = 1 if self.log else nice_step(high - low)
        self.low, self.high = step * math.floor(low / step + 1e-9), step * math.ceil(high / step - 1e-9)
        span = self.high - self.low
        self.step = max(1, math.ceil(span / (TICKS + 1))) if self.log else nice_step(span)

    def _places(self, values: numpy.ndarray) -> numpy.ndarray:
        return numpy.log10(values) if self.log else values

    def place(self, values: numpy.ndarray) -> numpy.ndarray:
        """From 0 to 1; zeros of a logarithmic axis lie on its edge."""
        x = numpy.where(numpy.isfinite(values), values, numpy.nan)
        places = self._places(numpy.where(x <= 0, 10.0 ** self.low, x)) if self.log else x
        return numpy.clip((places - self.low) / (self.high - self.low), 0, 1)

    def value(self, place: float) -> float:
        """That of a tick or an end."""
        return 10.0 ** place if self.log else place

    def clipped(self, values: numpy.ndarray) -> numpy.ndarray:
        return numpy.where(values <= 0, 10.0 ** self.low, values) if self.log else values

    def ticks(self) -> Iterator[Tuple[float, str]]:
        """Place and label."""
        first = math.ceil(self.low / self.step - 1e-9)
        for i in range(first, math.floor(self.high / self.step + 1e-9) + 1):
            x = i * self.step
            label = "10" + str(round(x)).translate(SUPERSCRIPTS) if self.log else f"{x:g}"
            yield (x - self.low) / (self.high - self.low), label


@dataclass
class Drawn:
    """A curve as paths of SVG, and as points of pgfplots."""

    series: int
    line: str
    marks: str
    points: List[Tuple[float, float]]
    fails: List[Tuple[float, float, str]]       # where on the SVG, at which value, and why


class Panel:
    """The curves of a facet in the quantities of a row."""

    width, height, left, right, top, bottom = WIDTH, HEIGHT, LEFT, WIDTH - RIGHT, TOP, HEIGHT - BOTTOM

    def __init__(self, figure: Figure, row: Row, facet: Facet, axes: Tuple[Axis, Axis]) -> None:
        self.figure, self.row, self.facet = figure, row, facet
        self.number, (self.x, self.y) = figure.facets.index(facet), axes
        self.curves = [self._drawn(curve) for curve in facet.curves]

    def across(self, place: float) -> float:
        return LEFT + place * (WIDTH - LEFT - RIGHT)

    def down(self, place: float) -> float:
        return HEIGHT - BOTTOM - place * (HEIGHT - TOP - BOTTOM)

    def shows(self) -> bool:
        return any(curve.marks or curve.fails for curve in self.curves)

    def _drawn(self, curve: Curve) -> Drawn:
        x, y = curve.values[self.row.x], curve.values[self.row.y]
        there = numpy.isfinite(x) & numpy.isfinite(y)
        pixels = self.across(self.x.place(x)), self.down(self.y.place(y))
        x, y = (numpy.where(there, axis.clipped(values), numpy.nan) for axis, values in ((self.x, x), (self.y, y)))
        fails = [(pixels[0][k], self.x.clipped(curve.values[self.row.x])[k], curve.notes[k])
                 for k in numpy.flatnonzero(curve.failed & numpy.isfinite(pixels[0]))]
        return Drawn(curve.series, self._line(*pixels, there), self._marks(curve.series, *pixels, there),
                     list(zip(x, y)), fails)

    def _line(self, x: numpy.ndarray, y: numpy.ndarray, there: numpy.ndarray) -> str:
        """Interrupted where a point is missing."""
        joined = there & numpy.concatenate([[False], there[:-1]])
        join = "H{:.1f}V{:.1f}" if self.figure.steps else "L{:.1f} {:.1f}"
        return "".join((join if joined[k] else "M{:.1f} {:.1f}").format(x[k], y[k]) for k in numpy.flatnonzero(there))

    @staticmethod
    def _marks(series: int, x: numpy.ndarray, y: numpy.ndarray, there: numpy.ndarray) -> str:
        """On every point; of many on some, at other places of each curve."""
        points = numpy.flatnonzero(there)
        if len(points) > MANY:
            every = len(points) // SOME
            points = points[-series * (every // 5) % every::every]
        shape = series_style(series)["shape"]
        return "".join(f"M{x[k]:.1f} {y[k]:.1f}{shape}" for k in points)

    def guides(self) -> Iterator[Tuple[int, Tuple[float, float], Tuple[float, float]]]:
        """Straight lines of slope 1, 2, ... on logarithmic axes, from the upper right corner down to the left or the
        lower end: the slope, where it ends from 0 to 1, and in values."""
        wide, tall = self.x.high - self.x.low, self.y.high - self.y.low
        for slope in range(1, self.figure.guides + 1) if self.x.log and self.y.log else ():
            fall = min(slope * wide, tall)
            yield (slope, (1 - fall / slope / wide, 1 - fall / tall),
                   (10 ** (self.x.high - fall / slope), 10 ** (self.y.high - fall)))


def _axes(figure: Figure, row: Row) -> Tuple[Axis, Axis]:
    """Of points, and of the levels of runs that failed."""
    across, up = [numpy.empty(0)], [numpy.empty(0)]
    for curve in (curve for facet in figure.facets for curve in facet.curves):
        x, y = curve.values[row.x], curve.values[row.y]
        there = numpy.isfinite(x) & numpy.isfinite(y)
        across.append(x[there | curve.failed])
        up.append(y[there])
    return (Axis(figure.quantities[row.x], numpy.concatenate(across)),
            Axis(figure.quantities[row.y], numpy.concatenate(up)))


def panels_of(figure: Figure) -> List[Tuple[Row, List[Panel]]]:
    """The panels of each row that show something."""
    rows = [(row, _axes(figure, row)) for row in figure.rows]
    return [(row, [panel for panel in (Panel(figure, row, facet, axes) for facet in figure.facets) if panel.shows()])
            for row, axes in rows]


def has_zeros(figure: Figure) -> bool:
    """Does a point lie at zero, or below, on a logarithmic axis?"""
    used = {i for row in figure.rows for i in (row.x, row.y) if figure.quantities[i].log}
    return any((curve.values[i] <= 0).any() for facet in figure.facets for curve in facet.curves for i in used)


def notes_of(figure: Figure, panels: Optional[List[Tuple[Row, List[Panel]]]] = None) -> List[str]:
    """What signs of the figure mean."""
    fails = any(curve.fails for _, row in panels or panels_of(figure) for panel in row for curve in panel.curves)
    return (["Crosses at the upper edge are runs that failed."] if fails else []) + (
        ["Marks on the lower edge, or the left one, of a logarithmic axis are zeros."] if has_zeros(figure) else [])
