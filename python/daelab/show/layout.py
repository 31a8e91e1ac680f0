"""Figures on pages: how large axes are, where words and the key stand; nothing lies over anything else."""
from __future__ import annotations

import math
import textwrap
from dataclasses import replace
from typing import Any, Dict, Iterable, List, NamedTuple, Optional, Sequence, Set, Tuple

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure as Page
from matplotlib.font_manager import FontProperties
from matplotlib.lines import Line2D
from matplotlib.transforms import ScaledTranslation

from . import style
from .pictures import FEW_POINTS, Curve, Figure, Panel

MM = 72 / 25.4
ONE, TWO, HIGH = 85.0, 170.0, 240.0                     # [mm] columns of a journal, and its page
ASPECT, GRID_ASPECT = 0.76, 1.3
LEAST_WIDE, LEAST_HIGH, COMFORT = 8.0, 5.5, 10.5        # axes, in letters
LEAST_CELL = 5.2                                        # of a grid, wide; it may be as high
MOST_NOTES, MOST_KEYS = 10, 80
KEY_PART = 0.2                                          # of a page that a key may take
THIN = 0.004                                            # of the axis, or in decades: less than a line's width
LEAST = 5                                               # [pt] of letters that are made smaller


Box = Tuple[float, float, float, float]                # x0, y0, x1, y1


class NoRoom(Exception):
    """A page that is too small; its text says so."""


class Margins(NamedTuple):
    """[pt] around the axes of a panel; of a grid around all of them, with a gap in between."""

    left: float
    right: float
    top: float
    bottom: float
    gap: float


class Plan(NamedTuple):
    """A figure on pages: so many rows and columns of axes on each, of this size [pt]."""

    width: float
    height: float
    rows: int
    columns: int
    axes_width: float
    axes_height: float


# ---- words


class Words:
    """Measures words."""

    def __init__(self, size: float) -> None:
        self.size = size
        page = Page(dpi=72)
        self.renderer = FigureCanvasAgg(page).get_renderer()

    def width(self, text: str, size: float) -> float:
        """[pt]"""
        formula = text.count("$") - text.count(r"\$") > 1
        font = FontProperties(size=10 * size)
        return float(self.renderer.get_text_width_height_descent(text, font, formula)[0]) / 10

    def fit(self, text: str, room: float, size: float) -> Tuple[str, float]:
        """Smaller letters where the text is too long, down to two thirds; then it is cut."""
        wide = self.width(text, size)
        least = max(size * room / wide, 0.7 * size) if wide > room else size
        if self.width(text, least) <= 1.01 * room:
            return text, least
        fits = max(2, int(len(text) * room / self.width(text, least)) - 1)
        while text[:fits].replace(r"\$", "").count("$") % 2:                # not within a formula
            fits -= 1
        return text[:fits] + "…", least

    def lines(self, texts: Sequence[str], room: float, size: float) -> List[str]:
        """Wrapped, at most MOST_NOTES lines."""
        letters = [max(12, int(room * len(text) / max(self.width(text, size), 1) * 0.96)) for text in texts]
        wrapped = [textwrap.wrap(text, n, subsequent_indent="   ") for text, n in zip(texts, letters)]
        told: List[str] = []
        for i, lines in enumerate(wrapped):
            if len(told) + len(lines) > MOST_NOTES - (i + 1 < len(wrapped)):
                return told + [f"and {len(wrapped) - i} more"]
            told += lines
        return told


# ---- how large


def _margins(figure: Figure, em: float) -> Margins:
    """A first guess, for choosing rows and columns; those that are taken are measured."""
    return Margins(6 * em, 2.5 * em, 1.5 * em, 3.6 * em, 0.7 * em) if figure.rows_are is not None \
        else Margins(5.6 * em, 0.9 * em, 2 * em, 3.4 * em, 0)


def _axes_size(figure: Figure, m: Margins, width: float, height: float, rows: int, columns: int) -> Tuple[float, float]:
    if figure.rows_are is not None:
        return ((width - m.left - m.right - (columns - 1) * m.gap) / columns,
                (height - m.top - m.bottom - (rows - 1) * m.gap) / rows)
    return width / columns - m.left - m.right, height / rows - m.top - m.bottom


def _wide_enough(figure: Figure, m: Margins, width: float, columns: int, least: float) -> bool:
    return _axes_size(figure, m, width, 1e9, 1, columns)[0] >= least


def _choose_width(figure: Figure, look: style.Look, m: Margins, em: float) -> Tuple[float, int]:
    """[pt] of a page, and the most columns of axes that it has room for."""
    grid = figure.rows_are is not None
    least = LEAST_CELL * em if grid else LEAST_WIDE * em if look.height else COMFORT * em
    many = min(figure.columns, len(figure.panels))
    width = (look.width or (ONE if many == 1 else TWO)) * MM
    if grid and not look.width:
        while not _wide_enough(figure, m, width, many, least) and width < 2 * TWO * MM:
            width *= 1.05
    fits = [n for n in range(1, many + 1) if _wide_enough(figure, m, width, n, least)]
    if not fits and not _wide_enough(figure, m, width, 1, LEAST_CELL * em):
        raise NoRoom(f"a page {width / MM:.4g} mm wide has no room for axes in letters of {em:.3g} pt: make it larger")
    return width, max(fits or [1])


def _plan(figure: Figure, look: style.Look, m: Margins, around: Any, em: float) -> Plan:
    """around(width): the height of title, key and notes. As few pages as can be, and axes of the best form."""
    width, most = _choose_width(figure, look, m, em)
    total, grid = len(figure.panels), figure.rows_are is not None
    other = around(width)
    page = (look.height or max(HIGH, (look.width or 0) * HIGH / TWO)) * MM - other
    plans = []
    for columns in range(1, most + 1) if look.height and not grid else [most]:
        rows_all = len(figure.rows_are or ()) if grid else math.ceil(total / columns)
        wide = _axes_size(figure, m, width, page, 1, columns)[0]
        least = LEAST_HIGH * em if look.height or grid else min(ASPECT * wide, 16 * em)
        fit = [n for n in range(1, rows_all + 1) if _axes_size(figure, m, width, page, n, columns)[1] >= least - 1e-6]
        if not fit:
            continue
        rows = math.ceil(rows_all / math.ceil(rows_all / max(fit)))
        high = _axes_size(figure, m, width, page, rows, columns)[1]
        high = high if look.height else min(high, max((GRID_ASPECT if grid else ASPECT) * wide, LEAST_HIGH * em))
        room = (rows * high + m.top + m.bottom + (rows - 1) * m.gap) if grid else rows * (high + m.top + m.bottom)
        cost = (math.ceil(rows_all / rows), abs(math.log(high / wide / ASPECT)))
        plans.append((cost, Plan(width, look.height * MM if look.height else room + other, rows, columns, wide, high)))
    if not plans:
        raise NoRoom(f"a page of {width / MM:.4g} x {(page + other) / MM:.4g} mm has no room for axes, title and key "
                     f"in letters of {em:.3g} pt: make it larger")
    return min(plans, key=lambda plan: plan[0])[1]


# ---- one panel


def _draw_curve(axes: Any, panel: Panel, curve: Curve) -> None:
    look = style.curve_style(curve.number)
    there = panel.points(curve)
    x, y = np.where(there, curve.x, np.nan), np.where(there, curve.y, np.nan)
    if curve.style == "times":
        for at in curve.x:
            axes.axvline(at, color=style.PALE, linewidth=0.6, zorder=1)
    elif curve.style == "thin":
        axes.plot(x, y, color=style.GREY, linewidth=0.8, zorder=1)
    elif curve.style == "guide":
        axes.plot(x, y, color=style.GREY, linewidth=0.7, linestyle=(0, (4, 2)), zorder=1, scalex=False, scaley=False)
    elif curve.style == "cross":
        cross = {"color": look["color"], "markersize": 5, "markeredgewidth": 1.3, "zorder": 4, "clip_on": False}
        above = curve.x[np.isfinite(curve.x) & ~there]
        if there.any():
            axes.plot(x[there], y[there], "x", **cross)
        if len(above):
            inside = ScaledTranslation(0, -5 / 72, axes.figure.dpi_scale_trans)
            axes.plot(above, np.ones(len(above)), "x", transform=axes.get_xaxis_transform() + inside, **cross)
    elif curve.style == "points":
        bars = None if curve.spread is None else np.asarray(curve.spread, float)[there]
        axes.errorbar(x[there], y[there], bars, fmt="o", color=style.DARK, markersize=2, markeredgewidth=0,
                      elinewidth=0.6, zorder=4)
    elif curve.style in ("trace", "path"):
        axes.plot(x, y, color=look["color"], linestyle=look["linestyle"], zorder=3, label=curve.label)
    else:
        x, y = x[there], y[there]
        every = (0.03 * curve.number % 0.15, 0.15) if len(x) > FEW_POINTS else 1     # parts of the diagonal
        axes.plot(x, y, markersize=3.4, markeredgewidth=0, zorder=3,
                  markevery=every, **look)


def _drawn(panel: Panel, which: int) -> np.ndarray:
    """Coordinates that the axes are to hold."""
    columns = []
    for curve in panel.curves:
        there = panel.points(curve)
        if curve.style in ("cross", "times"):
            there = np.isfinite(curve.x) & ((curve.x > 0) | ("x" not in panel.log)) if which == 0 else there
        if curve.style != "guide":
            columns.append((curve.y if which else curve.x)[there])
        if which and curve.spread is not None:
            columns += [(curve.y + side * np.asarray(curve.spread, float))[there] for side in (-1, 1)]
    return style.spread(columns)


def _equal(x: Tuple[float, float], y: Tuple[float, float], wide: float, high: float) -> List[Tuple[float, float]]:
    """The shorter range grows, so that both scales are the same."""
    unit = max((x[1] - x[0]) / wide, (y[1] - y[0]) / high)
    return [((a + b - unit * size) / 2, (a + b + unit * size) / 2) for (a, b), size in ((x, wide), (y, high))]


def _set_axis(axis: Any, ticks: Tuple[List[float], List[str], List[float]]) -> None:
    places, words, minor = ticks
    axis.set_ticks(places)
    axis.set_ticklabels(words)
    axis.set_ticks(minor, minor=True)
    axis.set_tick_params(which="minor", length=1.5, width=0.4, direction="in", labelbottom=False, labelleft=False)
    axis.set_tick_params(which="major", length=3, width=0.6, direction="in")


def _axis_words(label: str, log: bool, low: float, high: float) -> str:
    """With the power of ten that the ticks leave out."""
    power = 0 if log else style.shared_power(low, high)
    label = style.plain(label)
    if not power:
        return label
    decade = f"$10^{{{power}}}$"
    return label.replace("[", f"[{decade} ", 1) if "[" in label else f"{label} / {decade}" if label else decade


def _set_axes(axes: Any, panel: Panel, ranges: Sequence[Tuple[float, float]], plan: Plan, em: float) -> None:
    most = (max(2, int(plan.axes_width / (3.6 * em))), max(2, int(plan.axes_height / (1.9 * em))))
    for which, (axis, (low, high)) in enumerate(zip((axes.xaxis, axes.yaxis), ranges)):
        log = "xy"[which] in panel.log
        (axes.set_yscale if which else axes.set_xscale)("log" if log else "linear")
        (axes.set_ylim if which else axes.set_xlim)(low, high)
        places, texts, minor = (style.log_ticks if log else style.linear_ticks)(low, high, most[which])
        if (low, high) == style.limits(np.array([]), log):                      # there are no numbers
            places, texts, minor = [], [], []
        _set_axis(axis, (places, texts, minor if plan.axes_width > COMFORT * em else []))
    axes.tick_params(which="both", top=True, right=True)
    axes.tick_params(axis="x", pad=0.65 * em)           # below the words of a tick in the corner
    for spine in axes.spines.values():
        spine.set_color(style.DARK)


# ---- one page


class Sheet:
    """A page as it is drawn."""

    def __init__(self, figure: Figure, look: style.Look, plan: Plan, words: Words) -> None:
        self.figure, self.look, self.plan, self.words = figure, look, plan, words
        self.em = look.font
        self.page = Page(figsize=(plan.width / 72, plan.height / 72), dpi=72)
        self.canvas = FigureCanvasAgg(self.page)
        self.page.patch.set_facecolor("none" if look.transparent else "white")
        self.grid = figure.rows_are is not None
        self.axes: List[Tuple[Any, Panel, int, int]] = []

    def add(self, panel: Panel, row: int, column: int, ranges: Sequence[Tuple[float, float]]) -> None:
        plan, em = self.plan, self.em
        axes = self.page.add_axes([0.1, 0.1, plan.axes_width / plan.width, plan.axes_height / plan.height],
                                  label=str(len(self.axes)), facecolor="none")
        self.axes.append((axes, panel, row, column))
        if not any(panel.points(curve).any() or curve.style == "cross" for curve in panel.curves):
            axes.text(0.5, 0.5, self.words.fit(style.plain(panel.empty), plan.axes_width, em)[0], color=style.GREY,
                      ha="center", va="center", transform=axes.transAxes, size=0.85 * em)
        for curve in panel.curves:
            _draw_curve(axes, panel, curve)
        _set_axes(axes, panel, ranges, plan, em)
        if not self.grid:
            title, size = self.words.fit(style.plain(panel.title), plan.axes_width + 2 * em, em)
            axes.set_title(title, size=size, pad=0.35 * em)

    def label(self, lowest: Dict[int, int], across: int, down: int) -> None:
        """Labels of axes: of a grid at its left and lower edge; across, down: the first column and row of the page."""
        for axes, panel, row, column in self.axes:
            left, bottom = column == 0 or not self.grid, lowest[column] == row or not self.grid
            axes.tick_params(labelleft=left, labelbottom=bottom)
            for which, (shown, set_label, size) in enumerate(((bottom, axes.set_xlabel, self.plan.axes_width),
                                                              (left, axes.set_ylabel, self.plan.axes_height))):
                low, high = axes.get_ylim() if which else axes.get_xlim()
                text = _axis_words(panel.ylabel if which else panel.xlabel, "xy"[which] in panel.log, low, high)
                text, letters = self.words.fit(text, size + (0.5 if self.grid else 2) * self.em, self.em)
                set_label(text if shown else "", size=letters, labelpad=0.45 * self.em)
            if self.grid and row == 0:
                self._outer(axes, (self.figure.columns_are or [])[across + column], 0.5, 1, "bottom", 0)
            if self.grid and column == max(lowest):
                self._outer(axes, (self.figure.rows_are or [])[down + row], 1, 0.5, "center", -90)

    def _outer(self, axes: Any, text: str, x: float, y: float, va: str, angle: float) -> None:
        """Across in one line; down, where one is too short, in two."""
        room = (self.plan.axes_height if angle else self.plan.axes_width + 0.6 * self.em)
        lines = [style.plain(text)]
        if angle and self.words.width(lines[0], self.em) > room:
            lines = lines[0].split(", ", 1)
        fitted = [self.words.fit(line, room, self.em) for line in lines]
        text, size = "\n".join(line for line, _ in fitted), min(letters for _, letters in fitted)
        axes.annotate(text, (x, y), xytext=(0.4 * self.em * (angle != 0), 0.4 * self.em * (angle == 0)),
                      xycoords="axes fraction", textcoords="offset points", va=va, rotation=angle,
                      ha="left" if angle else "center", size=size, annotation_clip=False)

    def measure(self) -> Margins:
        """What stands around the axes."""
        renderer = self.canvas.get_renderer()
        sides = []
        for axes, *_ in self.axes:
            box, around = axes.bbox, axes.get_tightbbox(renderer)
            sides.append((box.x0 - around.x0, around.x1 - box.x1, around.y1 - box.y1, box.y0 - around.y0))
        edge = 0.35 * self.em
        left, right, top, bottom = (max(0.0, side) + edge for side in np.max(sides, axis=0))
        return Margins(left, right, top, bottom, 0.7 * self.em if self.grid else 0)

    def place(self, m: Margins, top: float, bottom: float) -> None:
        """Axes between what stands above and below [pt]."""
        plan, (rows, columns) = self.plan, (max(a[2] for a in self.axes) + 1, max(a[3] for a in self.axes) + 1)
        columns = max(columns, plan.columns if not self.grid else columns)
        room = plan.height - top - bottom
        rows = max(rows, plan.rows) if self.look.height else rows
        wide, high = _axes_size(self.figure, m, plan.width, room, rows, columns)
        pitch = ((wide + m.gap, high + m.gap) if self.grid else (wide + m.left + m.right, high + m.top + m.bottom))
        for axes, panel, row, column in self.axes:
            x, y = m.left + column * pitch[0], plan.height - top - m.top - row * pitch[1] - high
            axes.set_position([x / plan.width, y / plan.height, wide / plan.width, high / plan.height])
            if panel.in_plane:
                for set_limits, limit in zip((axes.set_xlim, axes.set_ylim),
                                             _equal(axes.get_xlim(), axes.get_ylim(), wide, high)):
                    set_limits(limit)
                its = plan._replace(axes_width=wide, axes_height=high)
                _set_axes(axes, panel, [axes.get_xlim(), axes.get_ylim()], its, self.em)

    # -- words beside points

    def tag(self) -> None:
        """A word beside each point that has one, where it hides nothing; else it is left out."""
        for axes, panel, *_ in self.axes:
            paths = [axes.transData.transform(np.column_stack([c.x, c.y])[panel.points(c)]) for c in panel.curves
                     if c.style == "line"]
            taken = np.concatenate([_densely(path) for path in paths]) if paths else np.empty((0, 2))
            boxes: List[Box] = []
            for curve in panel.curves:
                for x, y, there, tag in zip(curve.x, curve.y, panel.points(curve), curve.tags):
                    if tag and there and curve.style == "guide":
                        self._put(axes, tag, 0.8 * self.em, self._along(axes, curve), (2, 3), taken, boxes)
                    elif tag and there:
                        at = axes.transData.transform((x, y))
                        self._put(axes, tag, 0.75 * self.em, [at], range(8), taken, boxes)

    @staticmethod
    def _along(axes: Any, curve: Curve) -> List[np.ndarray]:
        """Places on a guide, from its middle."""
        ends = axes.transData.transform(np.column_stack([curve.x, curve.y]))
        parts = sorted(np.linspace(0.04, 0.96, 47), key=lambda part: abs(part - 0.5))
        return [ends[0] + part * (ends[1] - ends[0]) for part in parts]

    def _put(self, axes: Any, tag: str, size: float, places: Sequence[np.ndarray], sides: Iterable[int],
             taken: np.ndarray, boxes: List[Box]) -> None:
        """At the first place, on the first of its sides, where nothing is."""
        wide, high, gap = self.words.width(tag, size), 0.75 * size, 0.45 * size
        offsets = ((gap, gap), (-gap - wide, gap), (gap, -gap - high), (-gap - wide, -gap - high),
                   (1.4 * gap, -high / 2), (-1.4 * gap - wide, -high / 2), (-wide / 2, 1.4 * gap),
                   (-wide / 2, -1.4 * gap - high))
        edge = axes.bbox
        for x, y in places:
            for dx, dy in (offsets[side] for side in sides):
                box = (x + dx, y + dy, x + dx + wide, y + dy + high)
                inside = edge.x0 + 1 < box[0] and box[2] < edge.x1 - 1 and edge.y0 + 1 < box[1] and box[3] < edge.y1 - 1
                hides = ((taken[:, 0] > box[0] - 1) & (taken[:, 0] < box[2] + 1)
                         & (taken[:, 1] > box[1] - 1) & (taken[:, 1] < box[3] + 1)).any()
                if inside and not hides and not any(a[0] < box[2] + 2 and box[0] < a[2] + 2 and a[1] < box[3] + 1
                                                    and box[1] < a[3] + 1 for a in boxes):
                    boxes.append(box)
                    axes.annotate(tag, axes.transData.inverted().transform((x, y)), xytext=(dx, dy), size=size,
                                  textcoords="offset points", color=style.DARK, va="baseline")
                    return


def _densely(path: np.ndarray) -> np.ndarray:
    """Points of a curve, and 32 of each line between two of them."""
    if len(path) < 2:
        return path
    parts = np.linspace(0, 1, 33)[:, None, None]
    return np.concatenate([(path[:-1] + parts * (path[1:] - path[:-1])).reshape(-1, 2), path[-1:]])


# ---- curves that are alike


def _coincide(panel: Panel, a: Curve, b: Curve) -> bool:
    """Nobody sees which of them is drawn."""
    there = panel.points(a)
    if len(a.x) != len(b.x) or a.style != b.style or not np.array_equal(there, panel.points(b)) \
            or not np.allclose(a.x[there], b.x[there], rtol=1e-9, atol=0):
        return False
    one, other = a.y[there], b.y[there]
    if "y" in panel.log:
        return bool(np.all(np.abs(np.log10(one / other)) < THIN))
    return bool(np.all(np.abs(one - other) <= THIN * np.ptp(_drawn(panel, 1))))


def _pairs(panel: Panel) -> List[Tuple[str, str]]:
    """Labels of curves, and those of curves that lie on them."""
    leaders: List[Curve] = []
    pairs = []
    for curve in panel.drawn(("line", "trace")):
        leader = next((one for one in leaders if _coincide(panel, one, curve)), None)
        if leader:
            pairs.append((leader.label, curve.label))
        else:
            leaders.append(curve)
    return pairs


def _place(figure: Figure, i: int) -> str:
    if figure.rows_are is None:
        return figure.panels[i].title
    row, column = divmod(i, figure.columns)
    return f"{figure.rows_are[row]}, {(figure.columns_are or [])[column]}"


def merged(figure: Figure) -> Figure:
    """Curves that are the same wherever they are drawn are one with both labels; where they are in some panels only, a
    note says so."""
    there: Dict[str, List[int]] = {}
    alike: Dict[Tuple[str, str], List[int]] = {}
    for i, panel in enumerate(figure.panels):
        for curve in panel.drawn():
            there.setdefault(curve.label, []).append(i)
        for pair in _pairs(panel):
            alike.setdefault(pair, []).append(i)
    label, gone, notes = {}, set(), list(figure.notes)
    for (first, second), where in alike.items():
        if where == there[first] == there[second]:
            label[first] = f"{label.get(first, first)}, {second}"
            gone.add(second)
        else:
            notes.append(f"{'; '.join(_place(figure, i) for i in where)}: {second} lies on {first}")
    panels = [replace(panel, curves=[replace(curve, label=label.get(curve.label, curve.label))
                                     for curve in panel.curves if curve.label not in gone or curve.style == "cross"])
              for panel in figure.panels]
    return replace(figure, panels=panels, notes=notes)


# ---- key, title, notes


class Cell(NamedTuple):
    """Of a key: words, and the curve that they are of, or None of a panel's title. width [em]"""

    text: str
    curve: Optional[Curve]
    width: float


class Key:
    """An entry for each label that is drawn, once, in rows; where panels have curves of their own, behind the title of
    the panel. A panel of a single curve says what it is beside its axis."""

    def __init__(self, figure: Figure, panels: Sequence[Panel], em: float, words: Words) -> None:
        self.em, self.words, self.in_columns = em, words, not figure.apart
        self.units: List[List[Cell]] = []               # what stands in one row
        told: Set[str] = set()
        for panel in panels:
            curves = {c.label: c for c in panel.drawn() if figure.apart or c.label not in told}
            told.update(curves)
            if figure.apart and len(curves) <= 1:
                continue
            cells = [[self._cell(c.label, c)] for c in curves.values()]
            if figure.apart and len(panels) > 1:
                cells[0].insert(0, self._cell(self._title(panel, panels) + ":", None))
            self.units += cells
        for panel in panels:
            for c in panel.curves:
                if c.label and c.style in ("guide", "times") and c.label not in told and len(c.x):
                    told.add(c.label)
                    self.units.append([self._cell(c.label, c)])
        self.count = len(self.units)

    @staticmethod
    def _title(panel: Panel, panels: Sequence[Panel]) -> str:
        alone = sum(other.title == panel.title for other in panels) == 1
        return panel.title if alone else f"{panel.title} {panel.ylabel[panel.ylabel.rfind('['):]}"

    def _cell(self, text: str, curve: Optional[Curve]) -> Cell:
        text = style.plain(text)
        return Cell(text, curve, self.words.width(text, self.em) / self.em + (3.9 if curve else 0.7))

    def _fill(self, widths: Sequence[float], room: float) -> List[List[int]]:
        rows: List[List[int]] = []
        left = 0.0
        for i, wide in enumerate(widths):
            if wide > left or not rows:
                rows.append([])
                left = room
            rows[-1].append(i)
            left -= wide
        return rows

    def rows(self, room: float) -> Tuple[List[List[int]], List[float]]:
        """Units of each row, and the width of each unit [em]: in columns where these take no more rows."""
        widths = [sum(cell.width for cell in unit) for unit in self.units]
        even = [max(widths, default=0.0)] * len(widths)
        least = len(self._fill(widths, room))
        widths = even if self.in_columns and 1 < least == len(self._fill(even, room)) else widths
        while room > 4 and len(self._fill(widths, 0.97 * room)) == least:     # rows of about one length
            room *= 0.97
        return self._fill(widths, room), widths

    def height(self, room: float, size: float) -> float:
        """[pt] in letters of so many pt, in a room of as many."""
        return (1.35 * len(self.rows(room / size)[0]) + 0.5) * size if self.units else 0.0

    def draw(self, page: Page, size: float, bottom: float, width: float, height: float) -> None:
        rows, widths = self.rows((width - self.em) / size)
        left = (width - size * max(sum(widths[i] for i in row) for row in rows) + 1.1 * size) / 2
        for k, row in enumerate(rows):
            y, x = bottom + self.height(width - self.em, size) - (1.35 * k + 1.0) * size, left
            for i in row:
                at = x
                for cell in self.units[i]:
                    _draw_cell(page, cell, size, at, y, width, height)
                    at += size * cell.width
                x += size * widths[i]


def _key_look(curve: Curve) -> Dict[str, Any]:
    if curve.style == "guide":
        return {"color": style.GREY, "linewidth": 0.7, "linestyle": (0, (4, 2))}
    if curve.style == "times":
        return {"color": style.PALE, "linewidth": 0.8}
    look = {"markersize": 3.4, "markeredgewidth": 0, **style.curve_style(curve.number)}
    return {**look, "marker": ""} if curve.style != "line" else look


def _draw_cell(page: Page, cell: Cell, size: float, x: float, y: float, width: float, height: float) -> None:
    """x, y: where its words stand, or the line before them [pt]."""
    if cell.curve:
        middle = y + 0.33 * size
        line = Line2D([x / width, (x + 1.15 * size) / width, (x + 2.3 * size) / width], [middle / height] * 3,
                      transform=page.transFigure, markevery=[1], **_key_look(cell.curve))
        page.add_artist(line)
        x += 2.8 * size
    page.text(x / width, y / height, cell.text, size=size, va="baseline",
              color="black" if cell.curve else style.DARK)


class Rim:
    """What stands around the panels of a page: a title above, key and notes below."""

    def __init__(self, figure: Figure, panels: Sequence[Panel], look: style.Look, words: Words, noted: bool) -> None:
        self.title = style.plain(figure.title if look.title is None else look.title)
        self.em, self.words, self.page = look.font, words, look.height * MM
        self.key = Key(figure, panels, look.font, words)
        self.notes = [style.plain(note) for note in figure.notes if noted]
        if self.key.count > MOST_KEYS:
            self.notes.append(f"{self.key.count} curves, too many for a key")
            self.key.units = []

    def lines(self, width: float) -> List[str]:
        return self.words.lines(self.notes, width - self.em, 0.85 * self.em) if self.notes else []

    def above(self) -> float:
        return 2.0 * self.em if self.title else 0.3 * self.em

    def key_size(self, width: float) -> float:
        """[pt] of letters: smaller where the key took more than a fifth of a page of a given height."""
        sizes = [scale * self.em for scale in (1, 0.9, 0.8, 0.7, 0.63)]
        return next((size for size in sizes if not self.page
                     or self.key.height(width - self.em, size) < KEY_PART * self.page), sizes[-1])

    def key_height(self, width: float) -> float:
        return self.key.height(width - self.em, self.key_size(width))

    def below(self, width: float) -> float:
        return self.key_height(width) + self._notes_height(width)

    def _notes_height(self, width: float) -> float:
        lines = len(self.lines(width))
        return (1.1 * lines + 0.4) * self.em * (lines > 0)

    def draw(self, page: Page, width: float, height: float) -> None:
        em, lines, notes = self.em, self.lines(width), self._notes_height(width)
        if self.title:
            text, size = self.words.fit(self.title, width - em, 1.1 * em)
            page.text(0.5, 1 - 0.5 * em / height, text, size=size, ha="center", va="top")
        for i, line in enumerate(lines):
            page.text(0.5 * em / width, (notes - 0.2 * em - 1.1 * i * em) / height, line, size=0.85 * em, va="top",
                      color=style.DARK)
        if self.key.units:
            self.key.draw(page, self.key_size(width), notes, width, height)


# ---- all pages


def _common(figure: Figure) -> List[List[Tuple[float, float]]]:
    """The ranges of each panel: its own, or of a grid that of all in x, and in y of all that are alike."""
    own = [[_drawn(panel, which) for which in range(2)] for panel in figure.panels]
    if figure.rows_are is not None:
        x = style.spread([one[0] for one in own])
        own = [[x, style.spread([one[1] for one, its in zip(own, figure.panels) if its.alike == panel.alike])]
               for panel in figure.panels]
    return [[style.limits(values, "xy"[which] in panel.log) for which, values in enumerate(one)]
            for panel, one in zip(figure.panels, own)]


def _pages(figure: Figure, plan: Plan) -> List[List[Tuple[int, int, int]]]:
    """Of each page the panels, with row and column there; a grid goes on across and down."""
    width = figure.columns if figure.rows_are is not None else plan.columns
    pages: Dict[Tuple[int, int], List[Tuple[int, int, int]]] = {}
    for i in range(len(figure.panels)):
        row, column = divmod(i, width)
        pages.setdefault((row // plan.rows, column // plan.columns), []).append(
            (i, row % plan.rows, column % plan.columns))
    return [pages[key] for key in sorted(pages)]


def _draw_page(figure: Figure, look: style.Look, plan: Plan, words: Words, rim: Rim, ranges: Sequence[Any],
               cells: Sequence[Tuple[int, int, int]]) -> Page:
    rows = max(row for _, row, _ in cells) + 1
    if rows < plan.rows and not look.height:            # a last page is as high as it needs
        step = plan.axes_height + _margins(figure, look.font).gap if figure.rows_are is not None \
            else plan.axes_height + sum(_margins(figure, look.font)[2:4])
        plan = plan._replace(height=plan.height - (plan.rows - rows) * step)
    sheet = Sheet(figure, look, plan, words)
    for i, row, column in cells:
        sheet.add(figure.panels[i], row, column, ranges[i])
    down, across = divmod(cells[0][0], figure.columns if figure.rows_are is not None else plan.columns)
    sheet.label({column: max(r for _, r, c in cells if c == column) for _, _, column in cells}, across, down)
    sheet.place(sheet.measure(), rim.above(), rim.below(plan.width))
    sheet.tag()
    rim.draw(sheet.page, plan.width, plan.height)
    return sheet.page


def _number(figures: Sequence[Figure]) -> None:
    """A number for each label, in the order in which they come; where panels have curves of their own, in each anew."""
    common: Dict[str, int] = {}
    for figure in figures:
        for panel in figure.panels:
            numbers = {} if figure.apart else common
            for curve in panel.curves:
                if curve.label and curve.style not in ("guide", "times", "thin"):
                    curve.number = numbers.setdefault(curve.label, len(numbers))


Cells = List[Tuple[int, int, int]]


def _planned(figure: Figure, look: style.Look, words: Words, noted: bool) -> Tuple[Plan, List[Cells], List[Rim]]:
    """Pages, each with the key of its own panels: planned with room for all of it, then for what the pages need."""
    tallest = Rim(figure, figure.panels, look, words, noted)
    taken: Any = None
    for _ in range(3):
        plan = _plan(figure, look, _margins(figure, look.font), lambda width: tallest.above() + tallest.below(width),
                     look.font)
        pages = _pages(figure, plan)
        rims = [Rim(figure, [figure.panels[i] for i, _, _ in cells], look, words, noted) for cells in pages]
        highest = max(rims, key=lambda rim: rim.key_height(plan.width))
        if taken and highest.key_height(plan.width) > tallest.key_height(plan.width):
            break
        settled = len(pages) == (len(taken[1]) if taken else 1)
        taken, tallest = (plan, pages, rims), highest
        if settled:
            break
    return taken


def _pages_of_figure(figure: Figure, look: style.Look, noted: bool) -> List[Page]:
    words = Words(look.font)
    plan, pages, rims = _planned(figure, look, words, noted)
    ranges = _common(figure)
    return [_draw_page(figure, look, plan, words, rim, ranges, cells) for cells, rim in zip(pages, rims)]


def pages_of(figures: Sequence[Figure], look: style.Look) -> Tuple[List[Page], str]:
    """All figures on pages, and a sentence on what there was no room for: notes, then larger letters. NoRoom."""
    figures = [merged(figure) for figure in figures]
    _number(figures)
    pages: List[Page] = []
    said = ""
    scales = [scale for scale in (1, 0.85, 0.7) if scale == 1 or scale * look.font >= LEAST]
    tries = [(scale, noted) for scale in scales for noted in (True, False)]
    for figure in figures:
        for last, (scale, noted) in enumerate(tries, 1 - len(tries)):
            try:
                pages += _pages_of_figure(figure, look._replace(font=scale * look.font), noted)
            except NoRoom:
                if last == 0:
                    raise
                continue
            said = said or ("its letters are of %.3g pt, as there is no room for larger ones" % (scale * look.font)
                            if scale < 1 else "" if noted else "there is no room for the notes below")
            break
    return pages, said
