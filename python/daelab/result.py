"""What a run answers: rows of unknowns against time, events, statistics, and the solution between the rows."""
from __future__ import annotations

from html import escape
from os import PathLike
from typing import Any, Callable, Dict, List, NamedTuple, NoReturn, Optional, Sequence, Tuple, Union

import numpy as np

from . import _abi
from ._names import no_such
from ._text import html_table
from .errors import DaelabError

_SHOWN = 5                      # first and last times of a table
_POINTS = 1001                  # of a picture


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


class Solution:
    """The dense output of a run: on each step the polynomial through rows at Chebyshev points.

    sol(t): the unknowns at one or many times, [unknowns] or [unknowns, times]; at the time of an event those after it.
    t_min, t_max: where there is a solution; DaelabError outside.
    t, y: all rows; kind: that of each (rows.h). Barycentric interpolation: Berrut, Trefethen (2004), SIAM
    Rev. 46, 501-517, (4.2) with the weights (5.4).
    """

    def __init__(self, t: np.ndarray, y: np.ndarray, kind: np.ndarray, inside: int) -> None:
        self._t, self._y, self._inside = t, y, inside
        self._ends = np.flatnonzero(kind == _abi.ROW_STEP)      # row of the end of each step
        self._firsts = self._ends - inside - 1
        self._weights = (-1.0) ** np.arange(inside + 2)
        self._weights[[0, -1]] *= 0.5
        self.t_min, self.t_max = float(t[0]), float(t[-1])

    def __call__(self, t: Union[float, Sequence[float], np.ndarray]) -> np.ndarray:
        times = np.asarray(t, dtype=float)
        if not np.all((times >= self.t_min) & (times <= self.t_max)):
            raise DaelabError(f"the run is from t = {self.t_min:.9g} to {self.t_max:.9g}: there is no solution outside")
        values = self.rows(times.ravel())
        return values.T.reshape(values.shape[1:] + times.shape)

    def rows(self, times: np.ndarray) -> np.ndarray:
        """A row for each time."""
        if not len(self._ends):
            return np.repeat(self._y[-1:], len(times), axis=0)
        step = np.searchsorted(self._t[self._firsts], times, side="right") - 1
        first = self._firsts[np.clip(step, 0, len(self._firsts) - 1)]
        rows = first[:, None] + np.arange(self._inside + 2)
        away = times[:, None] - self._t[rows]
        hit = away == 0
        with np.errstate(divide="ignore", invalid="ignore"):
            part = self._weights / away
            values = np.einsum("ij,ijk->ik", part, self._y[rows]) / part.sum(axis=1)[:, None]
        exact = hit.any(axis=1)
        values[exact] = self._y[rows[exact, hit[exact].argmax(axis=1)]]
        values[times >= self._t[-1]] = self._y[-1]              # after an event at the end
        return values

    def row_at(self, times: np.ndarray) -> np.ndarray:
        """The number of the last row at or before each time."""
        return np.searchsorted(self._t, times, side="right") - 1


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
    """A solution against time. Names are those of scipy where it has them.

    t: array [times]. y: array [unknowns, times], and behind the unknowns multipliers that are recovered from the
    acceleration level, "T_recovered"; NaN where a mode has no such unknown. result["x"] is a row of y.
    names, units, classes: of the rows of y ("x", "m", "position").
    sol: sol(t) is the solution at any t, of a run with dense_output=True; else None.
    status: 0 at the end of t_span, 1 where an event ended the run, -1 where it failed; success: it did not fail.
    code: the same by the library's name, "DAE_OK", "DAE_EVENT", "DAE_ACCUMULATION". message: a sentence on it.
    estimates: {"T": 1e-5}, the errors as a finer run shows them, where there was one; else None.
    remarks: what speaks against these numbers, each told as a DaelabWarning, too. wrong: names of rows of y that
    converge to something else than the solution.
    t_events, y_events: times and states (q, v) or u of the events of each function that was given, in their order, and
    behind them of each event of the problem's own that happened; event_names: what these are. events: all of them, in
    time, as Event.
    modes: the mode of each time, as an index of mode_names. statistics: {"steps": .., "rhs": ..}; nfev, njev, nlu of
    them. problem, form, method: what was solved. start_change: how far the start was moved onto its constraints; None
    where it was not.
    """

    def __init__(self, *, t: np.ndarray, rows: np.ndarray, modes: np.ndarray, names: Sequence[str],
                 units: Sequence[str], classes: Sequence[str], mode_names: Sequence[str], events: List[Event],
                 asked: Sequence[str], statistics: Dict[str, float], code: str, message: str, problem: object,
                 form: object, method: object, sol: Optional[Solution] = None,
                 start_change: Optional[StartChange] = None) -> None:
        self.t, self.y, self.modes, self.sol = t, rows.T, modes, sol
        self.names, self.units, self.classes = tuple(names), tuple(units), tuple(classes)
        self.mode_names: Tuple[str, ...] = tuple(mode_names)
        self.statistics, self.code, self.message = statistics, code, message
        self.status = {"DAE_OK": 0, "DAE_EVENT": 1, "DAE_ACCUMULATION": 1}.get(code, -1)
        self.success = self.status >= 0
        self.problem, self.form, self.method = problem, form, method
        self.start_change = start_change
        self.remarks: List[str] = []
        self.estimates: Optional[Dict[str, float]] = None
        self.wrong: Tuple[str, ...] = ()
        self.events = events
        self.event_names = tuple(dict.fromkeys([*asked, *(event.name for event in events)]))
        of = [[event for event in events if event.name == name] for name in self.event_names]
        self.t_events = [np.array([event.t for event in some]) for some in of]
        self.y_events = [np.array([event.before for event in some]) for some in of]
        self.again: Optional[Callable[[], "Result"]] = None     # the same run with dense output

    @property
    def nfev(self) -> float:
        return self.statistics["rhs"]

    @property
    def njev(self) -> float:
        return self.statistics["jacobians"]

    @property
    def nlu(self) -> float:
        return self.statistics["factorizations"]

    def __getstate__(self) -> Dict[str, object]:
        """For pickle: a problem with functions of Python stays where it is, its name and title go."""
        state = dict(self.__dict__, again=None)
        if getattr(self.problem, "in_python", False):
            state["problem"] = Named(self.problem.name, self.problem.title)     # type: ignore[attr-defined]
        return state

    def __copy__(self) -> "Result":
        other = Result.__new__(Result)
        other.__dict__.update(self.__dict__)
        return other

    def _row(self, name: str) -> int:
        if name not in self.names:
            raise KeyError(str(no_such("unknown", name, self.names)))
        return self.names.index(name)

    def __getitem__(self, name: str) -> np.ndarray:
        """The values of an unknown, or "t"."""
        return self.t if name == "t" and "t" not in self.names else self.y[self._row(name)]

    def __call__(self, _t: object) -> NoReturn:
        raise DaelabError("result(t) is now result.sol(t), of a run with dense_output=True")

    def __len__(self) -> int:
        return len(self.t)

    def _title(self) -> str:
        ended = "" if not self.status else f", {self.message or self.code}"
        events = f", {len(self.events)} events" if self.events else ""
        return (f"{self.problem.name} {self.form.name} {self.method.name}: "     # type: ignore[attr-defined]
                f"{len(self.t)} times, {' '.join(self.names)}, t = {self.t[0]:.9g} ... {self.t[-1]:.9g}{events}{ended}")

    def __repr__(self) -> str:
        return f"<Result {self._title()}>" + "".join(f"\n{sentence}" for sentence in self.remarks)

    def label(self, name: str) -> str:
        """The name, and where it is wrong, that."""
        return name + (", wrong" if name in self.wrong else "")

    def _repr_html_(self) -> str:
        """The first and the last times as a table, and the remarks, for notebooks."""
        units = [f" [{unit}]" if unit != "-" else "" for unit in self.units]
        heads = ["t", *(self.label(name) + unit for name, unit in zip(self.names, units))]
        shown = range(len(self.t)) if len(self.t) <= 2 * _SHOWN else [*range(_SHOWN), -1, *range(-_SHOWN, 0)]
        rows = [["..."] * len(heads) if len(self.t) > 2 * _SHOWN and place == _SHOWN else
                [f"{value:.6g}" for value in (self.t[i], *self.y[:, i])] for place, i in enumerate(shown)]
        return html_table(heads, rows) + "".join(f"<p>{escape(text)}</p>" for text in [self._title(), *self.remarks])

    def to_frame(self):
        """A pandas DataFrame with the column t and one for each unknown."""
        import pandas
        data = {"t": self.t}
        data.update({name: self.y[i] for i, name in enumerate(self.names)})
        return pandas.DataFrame(data)

    def _curves(self) -> Tuple[np.ndarray, np.ndarray]:
        """Times and values that are dense enough for a picture; NaN at events, where curves may jump."""
        sol = self.sol or (self.again and self.again().sol)
        if not sol:
            return self.t, self.y
        gaps = [event.t for event in self.events]
        t = np.unique(np.concatenate([np.linspace(self.t[0], self.t[-1], _POINTS), self.t, gaps]))
        y = sol(t)
        before = np.searchsorted(t, gaps)
        return np.insert(t, before, gaps), np.insert(y, before, np.nan, axis=1)

    def _time_unit(self) -> str:
        """What the unit of the first velocity divides that of its coordinate by; else "s" where there are units."""
        units = [next((unit for unit, of in zip(self.units, self.classes) if of == kind), "")
                 for kind in ("position", "velocity")]
        if units[0] and units[1].startswith(units[0] + "/"):
            return units[1][len(units[0]) + 1:]
        return "s" if any(unit != "-" for unit in self.units) else ""

    def plot(self, show: Union[str, Sequence[str], None] = None, axes: Any = None,
             file: Union[str, "PathLike[str]", None] = None, **look: object) -> Any:
        """Draw unknowns against time by the method's dense output, as the command draws a solution: those of one class
        and unit in one panel; events are thin lines.

        show: those to draw, "T" or ["T", "T_recovered"] (all). file, look: as of Study.plot, width="8.5cm". axes: one
        of matplotlib's, into which all of them are drawn instead. Returns matplotlib's figure, or a list where it takes
        several pages."""
        rows = [self._row(name) for name in ([show] if isinstance(show, str) else show or self.names)]
        unknowns = [(self.label(self.names[i]), self.units[i], self.classes[i]) for i in rows]
        t, y = self._curves()
        if axes is not None:
            for (name, *_), i in zip(unknowns, rows):
                axes.plot(t, y[i], label=name)
            for event in self.events:
                axes.axvline(event.t, linestyle=":", linewidth=0.7, color="0.5")
            axes.legend()
            return axes.figure
        from .show.pictures import Figure, columns_for
        from .study import draw
        unit = self._time_unit()
        names = [one.name for one in (self.problem, self.form, self.method)]    # type: ignore[attr-defined]
        figure = Figure(", ".join(names), apart=True)
        figure.add_traces(unknowns, t, [y[i] for i in rows], f"t [{unit}]" if unit else "t")
        figure.add_times([event.t for event in self.events])
        figure.columns = columns_for(len(figure.panels))
        return draw([figure], file, look)
