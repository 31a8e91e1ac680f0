"""What stands in a picture, before anybody knows where: curves in panels, panels in figures."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import List, Optional, Sequence, Tuple

import numpy as np

FEW_POINTS = 24                                         # of a line: each has a mark
MANY_EVENTS = 50                                        # that are not drawn
GROUPS = {"position": "positions", "velocity": "velocities", "multiplier": "multipliers",
          "recovered": "multipliers"}                   # classes of one panel; others stand by themselves


def unit_title(what: str, unit: str) -> str:
    return f"{what} [{unit}]" if unit else what


def unit_of_length(positions: Sequence[str]) -> str:
    """The unit of places: of a position that is no angle; of a problem without any unit none."""
    units = [unit for unit in positions if unit not in ("", "-")]
    return next((unit for unit in units if unit not in ("rad", "deg")), "m" if units else "")


@dataclass
class Curve:
    """A label has the same colour in all panels. The styles: line, with marks; trace, without them and interrupted
    where a point is missing; points, marks without a line, with bars of a spread; path, a trace in the plane, whose
    panel has equal scales; cross, where a run failed, at the upper edge where y is missing; guide, thin, grey, dashed,
    and not looked at for the axes; thin, grey; times, thin vertical lines at x."""

    label: str
    x: np.ndarray
    y: np.ndarray
    style: str = "line"
    tags: Sequence[str] = ()                            # a word beside each point, or ""
    number: int = 0                                     # of its label, which chooses its look
    spread: Optional[np.ndarray] = None                 # half the length of a bar at each of the points

    def __post_init__(self) -> None:
        self.x = np.asarray(self.x, dtype=float)
        self.y = np.asarray(self.y, dtype=float)


@dataclass
class Panel:
    """log: the axes, of "x" and "y", that are logarithmic; empty: what stands where nothing can be drawn; alike: panels
    of a grid in which this is the same have the same range of y."""

    title: str
    xlabel: str
    ylabel: str
    log: str = ""
    curves: List[Curve] = field(default_factory=list)
    empty: str = "nothing to draw"
    alike: str = ""
    unit: str = ""                                      # of y, of traces

    def points(self, curve: Curve) -> np.ndarray:
        """Which points of a curve can be drawn."""
        there = np.isfinite(curve.x) & (np.abs(curve.x) < 1e200) & np.isfinite(curve.y) & (np.abs(curve.y) < 1e200)
        if "x" in self.log:
            there &= curve.x > 0
        if "y" in self.log:
            there &= curve.y > 0
        return there

    def drawn(self, styles: Sequence[str] = ("line", "trace", "path")) -> List[Curve]:
        """Curves with a label and points."""
        return [c for c in self.curves if c.label and c.style in styles and self.points(c).any()]

    @property
    def in_plane(self) -> bool:
        return any(curve.style == "path" for curve in self.curves)


@dataclass
class Figure:
    """Panels row by row, at best so many columns. A grid has titles of its rows and columns, and common axes. apart:
    each panel has curves of its own, which look as they do in no other."""

    title: str
    panels: List[Panel] = field(default_factory=list)
    columns: int = 1
    rows_are: Optional[List[str]] = None
    columns_are: Optional[List[str]] = None
    notes: List[str] = field(default_factory=list)      # lines below the panels
    apart: bool = False

    def note(self, text: str) -> None:
        """A line that stands there already is left out."""
        if text not in self.notes:
            self.notes.append(text)

    def add_traces(self, unknowns: Sequence[Tuple[str, str, str]], t: np.ndarray, values: Sequence[np.ndarray],
                   xlabel: str, run: str = "") -> None:
        """Curves against time of unknowns (name, unit, class): a panel for each class and unit; of one of several runs
        the curve of an unknown stands in a panel of its own, and is called as the run."""
        for (name, unit, kind), own in zip(unknowns, values):
            title, unit = name if run else GROUPS.get(kind, kind), unit if unit != "-" else ""
            if not np.isfinite(own).any():
                continue
            if (title, unit) not in [(panel.title, panel.unit) for panel in self.panels]:
                self.panels.append(Panel(title, xlabel, "", unit=unit))
            panel = next(one for one in self.panels if (one.title, one.unit) == (title, unit))
            panel.curves.append(Curve(run or name, t, own, "trace"))
            panel.ylabel = _names_of([name] if run else [curve.label for curve in panel.curves], unit)

    def add_times(self, times: Sequence[float]) -> None:
        """Thin lines at the times of events, where these are few."""
        for panel in self.panels if 0 < len(times) < MANY_EVENTS else []:
            panel.curves.append(Curve("event", np.asarray(times), np.full(len(times), np.nan), "times"))


def columns_for(panels: int) -> int:
    return 2 if panels == 4 else min(panels, 3)


def _names_of(names: Sequence[str], unit: str) -> str:
    """What an axis shows: "x, y [m]"; of many the unit alone."""
    words = ", ".join(names) if len(names) <= 3 else ""
    return f"{words} [{unit}]".strip() if unit else words
