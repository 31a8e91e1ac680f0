"""What a run answers: rows of unknowns against time, events, statistics, and the solution between the rows."""
from __future__ import annotations

from typing import Dict, List, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from . import _abi
from .errors import DaelabError


class Event(NamedTuple):
    """An event of a run. Of several at one time each begins with the state after the one before."""

    t: float
    name: str
    title: str
    number: int                 # k of an entry that stands for many
    direction: int              # -1 falling, 1 rising, 0: by an action, on entry of a mode, a limit
    mode_before: str
    mode_after: str
    before: np.ndarray          # (q, v) or u
    after: np.ndarray
    accumulated: bool           # the limit of accumulating events
    measure: Optional[float]    # a number that the problem reports of it
    measures: str               # what that is
    unit: str


class Steps:
    """The dense output of a run: on each step the polynomial through rows at Chebyshev points.

    t, y: all rows; kind: that of each (rows.h). Barycentric interpolation: Berrut, Trefethen (2004), SIAM
    Rev. 46, 501-517, (4.2) with the weights (5.4).
    """

    def __init__(self, t: np.ndarray, y: np.ndarray, kind: np.ndarray, inside: int) -> None:
        self.t, self.y, self.inside = t, y, inside
        self.ends = np.flatnonzero(kind == _abi.ROW_STEP)       # row of the end of each step
        self.firsts = self.ends - inside - 1
        self.weights = (-1.0) ** np.arange(inside + 2)
        self.weights[[0, -1]] *= 0.5

    def __call__(self, times: np.ndarray) -> np.ndarray:
        if not len(self.ends):
            return np.repeat(self.y[-1:], len(times), axis=0)
        step = np.searchsorted(self.t[self.firsts], times, side="right") - 1
        first = self.firsts[np.clip(step, 0, len(self.firsts) - 1)]
        rows = first[:, None] + np.arange(self.inside + 2)
        away = times[:, None] - self.t[rows]
        hit = away == 0
        with np.errstate(divide="ignore", invalid="ignore"):
            part = self.weights / away
            values = np.einsum("ij,ijk->ik", part, self.y[rows]) / part.sum(axis=1)[:, None]
        exact = hit.any(axis=1)
        values[exact] = self.y[rows[exact, hit[exact].argmax(axis=1)]]
        values[times >= self.t[-1]] = self.y[-1]                # after an event at the end
        return values


class StartChange(NamedTuple):
    """How far a start was moved to be consistent: the largest change of any position, velocity, multiplier; relative:
    beside the size of the motion (dae_start_change of daelab.h). Above 0.1 it is another start than that given."""

    position: float
    velocity: float
    multiplier: float
    relative: float
    open: bool = False
    """Of index 2 and above: derivatives of the constraints could not be solved for the start; they may not hold."""


class Named(NamedTuple):
    """What is left of a problem in another process."""

    name: str
    title: str


class Result:
    """A solution against time.

    t: array [rows]. y: array [rows, unknowns]; NaN where a mode has no such unknown.
    names, units, classes: of the columns of y ("x", "m", "position"). result["x"] is a column.
    result(t): the unknowns at one or many times, of a run with dense=True.
    modes: the mode of each row, as an index of mode_names. events: list of Event.
    statistics: {"steps": .., "rejected": .., "rhs": .., ..}. status, message: how the run ended: "DAE_OK", or
    "DAE_EVENT" at a terminal event, "DAE_ACCUMULATION". problem, form, method: what was solved. start_change: how far
    the problem's start was moved onto its constraints; None where it was not.
    """

    def __init__(self, *, t: np.ndarray, y: np.ndarray, modes: np.ndarray, names: Sequence[str],
                 units: Sequence[str], classes: Sequence[str], mode_names: Sequence[str], events: List[Event],
                 statistics: Dict[str, float], status: str, message: str, problem: object, form: object,
                 method: object, steps: Optional[Steps] = None,
                 start_change: Optional[StartChange] = None) -> None:
        self.t, self.y, self.modes = t, y, modes
        self.names, self.units, self.classes = tuple(names), tuple(units), tuple(classes)
        self.mode_names: Tuple[str, ...] = tuple(mode_names)
        self.events, self.statistics = events, statistics
        self.status, self.message = status, message
        self.problem, self.form, self.method = problem, form, method
        self._steps, self.start_change = steps, start_change

    def __getstate__(self) -> Dict[str, object]:
        """For pickle: a problem with functions of Python stays where it is, its name and title go."""
        state = dict(self.__dict__)
        if getattr(self.problem, "in_python", False):
            state["problem"] = Named(self.problem.name, self.problem.title)     # type: ignore[attr-defined]
        return state

    def __copy__(self) -> "Result":
        other = Result.__new__(Result)
        other.__dict__.update(self.__dict__)
        return other

    def _column(self, name: str) -> int:
        if name not in self.names:
            raise KeyError(f"there is no unknown {name}; there are {', '.join(self.names)}")
        return self.names.index(name)

    def __getitem__(self, name: str) -> np.ndarray:
        """The column of an unknown, or "t"."""
        return self.t if name == "t" and "t" not in self.names else self.y[:, self._column(name)]

    def __call__(self, t: Union[float, Sequence[float], np.ndarray]) -> np.ndarray:
        """The unknowns at t: [unknowns] for a number, [times, unknowns] for an array; at the time of an event
        those after it. DaelabError without dense=True, or for times outside the run."""
        if self._steps is None:
            raise DaelabError("this run kept no dense output: solve(..., dense=True)")
        times = np.atleast_1d(np.asarray(t, dtype=float))
        first, last = self._steps.t[0], self._steps.t[-1]
        if not np.all((times >= first) & (times <= last)):
            raise DaelabError(f"the run is from t = {first:.9g} to {last:.9g}: there is no solution outside")
        values = self._steps(times.ravel()).reshape(times.shape + (len(self.names),))
        return values[0] if np.ndim(t) == 0 else values

    def __len__(self) -> int:
        return len(self.t)

    def __repr__(self) -> str:
        ended = "" if self.status == "DAE_OK" else f", {self.message or self.status}"
        events = f", {len(self.events)} events" if self.events else ""
        return (f"<Result {self.problem.name} {self.form.name} {self.method.name}: "     # type: ignore[attr-defined]
                f"{len(self.t)} rows of {' '.join(self.names)}, t = {self.t[0]:.9g} ... {self.t[-1]:.9g}"
                f"{events}{ended}>")

    def to_frame(self):
        """The rows as a pandas DataFrame with the column t and one for each unknown."""
        import pandas
        data = {"t": self.t}
        data.update({name: self.y[:, i] for i, name in enumerate(self.names)})
        return pandas.DataFrame(data)

    def plot(self, names: Optional[Sequence[str]] = None, axes=None):
        """Draw unknowns against time with matplotlib, those of one unit in one panel; events are dotted lines.

        names: those to draw (all). axes: one of matplotlib's for all of them. Returns the figure."""
        import matplotlib.pyplot as plt
        columns = [self._column(name) for name in (names or self.names)]
        units = list(dict.fromkeys(self.units[i] for i in columns))
        if axes is None:
            figure, grid = plt.subplots(len(units), 1, sharex=True, squeeze=False)
            panels = dict(zip(units, grid[:, 0]))
            grid[-1, 0].set_xlabel("t")
        else:
            figure, panels = axes.figure, {unit: axes for unit in units}
        for i in columns:
            panels[self.units[i]].plot(self.t, self.y[:, i], label=self.names[i])
        for unit, panel in panels.items():
            panel.set_ylabel(unit if unit != "-" else "")
            panel.legend()
            for event in self.events:
                panel.axvline(event.t, linestyle=":", linewidth=0.7, color="0.5")
        return figure
