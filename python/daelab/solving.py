"""One run: solve."""
from __future__ import annotations

import ctypes
import operator
import threading
import warnings
from collections.abc import Mapping
from typing import Any, Callable, Dict, Iterable, List, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from . import _abi
from ._abi import text
from ._library import lib
from ._worker import Worker
from .catalogue import Formulation, Method, Problem, find_formulation, find_method, find_problem
from .derivatives import NotAnalytic
from ._names import no_such, refuse_keywords
from .errors import DaelabError, DaelabWarning
from .result import Derivatives, Event, Result, Solution, StartChange
from .written import Written, interval

Condition = Callable[[float, np.ndarray], float]

_JACOBIANS = {"best": 0, "analytic": 1, "dual": 2, "fd": 3}
_LINEAR = {"best": 0, "dense": 1, "klu": 2, "band": 3}
_ERROR_TESTS = {"all": 0, "differential": 1}
_PROJECT = {"position": 1, "velocity": 2, "invariant": 4}
_MOST = 2 ** (8 * ctypes.sizeof(ctypes.c_long) - 1) - 1
_FAR = 0.1                      # of the size of the motion: the start is another than that which was given
_LEAST = 10.0                   # of an absolute tolerance: unknowns that never come to be so large
_INSIDE = 8                     # rows inside a step of dense output: polynomials of degree 9
_WATCH = ctypes.cast(lib.dae_rank_run_observe, ctypes.c_void_p).value     # a function of the library
_START = "start:"               # before the name of an unknown, by whose start is differentiated
_double_p, _int_p = ctypes.POINTER(ctypes.c_double), ctypes.POINTER(ctypes.c_int)


def _choice(table: Mapping[str, int], what: str, name: str) -> int:
    if name not in table:
        raise no_such(what, name, table)
    return table[name]


def _pointer(values: np.ndarray) -> "ctypes._Pointer[ctypes.c_double]":
    return values.ctypes.data_as(_double_p)


class _Run:
    """A dae_hybrid with all that must stay while it is there."""

    def __init__(self, problem: Problem, form: Formulation, method: Method, parameters: Mapping[str, object],
                 form_options: _abi.dae_formulation_options, options: _abi.dae_options) -> None:
        self.problem, self.form, self.method = problem, form, method
        self.parameters, self.form_options = parameters, form_options
        self.handle = ctypes.c_void_p()
        self.kept: List[object] = [options]
        self.raised: List[BaseException] = []
        self.report = _abi.dae_report()
        self.terminal: Dict[str, bool] = {}
        self.sensitivity, self.gradient = ctypes.c_void_p(), ctypes.c_void_p()
        self.directions: List[str] = []         # of one of them
        self.start_change: Optional[StartChange] = None
        self.options, self.ranks = options, ctypes.c_void_p()
        self.max_events = options.max_events
        self.why = ""                   # it was ended here
        self.stop = ctypes.c_int(0)     # looked at after each step
        self.worker: Optional[Worker] = None
        self.calls = problem.calls(self.raised) if isinstance(problem, Written) else None
        if self.calls:
            form_options.user_data = ctypes.addressof(self.calls.record)
        try:
            status = self.call(lib.dae_hybrid_create, ctypes.byref(self.handle), problem.address, form.address,
                               problem.parameter_values(parameters), ctypes.byref(form_options), method.address,
                               ctypes.byref(options), ctypes.byref(self.report))
            if status:
                self.fail(status, text(self.report.message))
        except BaseException:
            self.free()
            raise

    def call(self, function: Callable[..., int], *arguments: object) -> int:
        """What a function of the library answers that may call functions of Python. These are not interrupted."""
        return self.call_apart(function, *arguments) if self.calls else function(*arguments)

    def call_apart(self, function: Callable[..., int], *arguments: object) -> int:
        """In a thread of its own where this is the main one, in which signals are heard: the run ends after its
        step."""
        if threading.current_thread() is not threading.main_thread():
            return function(*arguments)
        self.worker = Worker(bool(self.calls or self.terminal), function, *arguments)
        self.worker.end(self.stop)
        return self.worker.result()     # type: ignore[no-any-return]

    def free(self) -> None:
        """When nothing works with it any more."""
        try:
            if self.worker:
                self.worker.end(self.stop)
        finally:
            lib.dae_rank_run_end(self.ranks, None, None)
            self.ranks = ctypes.c_void_p()
            lib.dae_hybrid_sensitivity_free(self.sensitivity)
            lib.dae_gradient_free(self.gradient)
            self.sensitivity = self.gradient = ctypes.c_void_p()
            lib.dae_hybrid_free(self.handle)
            self.handle = ctypes.c_void_p()
            self.worker = None
            if self.calls:
                self.calls.free()
            self.kept.clear()

    def fail(self, status: int, message: str, result: Optional[Result] = None) -> None:
        """Raise what a function of Python has raised, or a DaelabError."""
        if self.raised:
            raise self.raised[0]
        name = text(lib.dae_status_name(status))
        raise DaelabError(message or name, name, result)

    def message(self) -> str:
        return self.why or text(lib.dae_hybrid_report(self.handle).contents.message)

    def stop_where(self, name: str, function: Condition, direction: int, terminal: bool) -> None:
        """Hear of the zeros of function(t, x), x = (q, v, lambda) or u."""
        systems = [lib.dae_hybrid_mode_system(self.handle, m) for m in range(lib.dae_hybrid_modes(self.handle))]
        sizes = [self.state_size() + lib.dae_system_multipliers(s) for s in systems]
        self.terminal[name] = terminal

        def value(_context: object, t: float, x: int) -> float:
            try:
                size = sizes[lib.dae_hybrid_mode(self.handle) if len(sizes) > 1 else 0]
                return _one_number(name, function(t, np.array((ctypes.c_double * size).from_address(x))))
            except BaseException as error:      # told when the run has ended
                self.raised.append(error)
                return float("nan")

        callback = _abi.dae_condition(value)
        self.kept.append(callback)
        status = lib.dae_hybrid_stop_where(self.handle, self._keep_name(name), callback, None, direction)
        if status:
            self.fail(status, self.message())

    def _keep_name(self, name: str) -> bytes:
        encoded = name.encode()
        self.kept.append(encoded)
        return encoded

    def unknowns_of_all_modes(self) -> int:
        return sum(lib.dae_hybrid_size(self.handle, m) for m in range(lib.dae_hybrid_modes(self.handle)))

    def state_size(self) -> int:
        return int(lib.dae_hybrid_state_size(self.handle))

    def start(self, start: object, t0: float, as_given: bool) -> None:
        """At the problem's own start, where as_given is not 0 without being made consistent, or at another one."""
        change = _abi.dae_start_change()
        if start is None:
            status = self.call(lib.dae_hybrid_start, self.handle, int(as_given), ctypes.byref(change))
        elif isinstance(start, Mapping):
            status = self._start_with(start, t0, change)
        else:
            x = _numbers(start)
            if x.shape != (self.state_size(),):
                raise DaelabError(f"a start of {self.problem.name} has {self.state_size()} numbers, (q, v) or u, not "
                                  f"{x.shape}")
            status = self.call(lib.dae_hybrid_start_at, self.handle, 0, t0, _pointer(x))
        if status:
            self.fail(status, self.message())
        if change.changed or change.open:
            self.start_change = StartChange(change.position, change.velocity, change.multiplier, change.relative,
                                            bool(change.open))
        if self.problem.multipliers:
            lib.dae_rank_run_create(ctypes.byref(self.ranks), self.handle, ctypes.byref(self.options), None)

    def _start_with(self, start: Mapping[str, object], t0: float, change: _abi.dae_start_change) -> int:
        """At the problem's own start with other values of some unknowns, moved onto the constraints."""
        known = self._names_of_start()
        for name in start:
            if name not in known:
                raise no_such("unknown of the start", name, known)
        which = (ctypes.c_int * len(start))(*(known.index(name) for name in start))
        values = np.array([_one_float(f"start of {name}", value) for name, value in start.items()], dtype=float)
        return self.call(lib.dae_hybrid_start_with, self.handle, t0, which, _pointer(values), len(start),
                         ctypes.byref(change))

    def _names_of_start(self) -> List[str]:
        """Those of (q, v) or u; of a run in minimal coordinates by another one, whose unknowns are (q, v)."""
        names, _, classes = self.unknowns(0)
        size = self.state_size()
        if not self.problem.positions or classes[:size].count("position") == size // 2:
            return names[:size]
        form = next(one for one in self.problem.formulations if one.index in (1, 2))
        other = _Run(self.problem, form, find_method("radau"), self.parameters, self.form_options,
                     lib.dae_default_options())
        try:
            return other._names_of_start()
        finally:
            other.free()

    def differentiate(self, sensitivity: Sequence[str], tested: Optional[bool]) -> None:
        """Follow the derivatives by parameters, "L", and by starts of unknowns, "start:x"."""
        status = self.call(lib.dae_hybrid_sensitivity_create, ctypes.byref(self.sensitivity), self.handle,
                           ctypes.byref(self.directions_of(sensitivity)), ctypes.byref(self.report))
        if not status and tested is not None:
            status = lib.dae_hybrid_sensitivity_test(self.sensitivity, int(tested), ctypes.byref(self.report))
        if status:
            self.fail(status, text(self.report.message))

    def directions_of(self, sensitivity: Sequence[str]) -> _abi.dae_directions:
        """self.directions, their names, and what they are."""
        size = min(self.state_size(), lib.dae_hybrid_size(self.handle, 0))
        starts = [_START + name for name in self.unknowns(0)[0][:size]]
        by_start = [name for name in sensitivity if str(name).startswith(_START)]
        by_parameter: List[str] = []
        for name in sensitivity:
            if name not in by_start:
                by_parameter += self._elements(name, starts)
            elif name not in starts:
                raise no_such("unknown of the start", name, starts)
        self.directions = list(dict.fromkeys(by_parameter + by_start))
        positions = [starts.index(name) if name in by_start else list(self.problem.parameters).index(name)
                     for name in self.directions]
        numbers, count = (ctypes.c_int * len(positions))(*positions), len(positions) - len(set(by_start))
        unknowns = ctypes.cast(ctypes.byref(numbers, count * ctypes.sizeof(ctypes.c_int)), _int_p)
        self.kept.append(numbers)
        return _abi.dae_directions(numbers, unknowns, count, len(positions) - count)

    def _elements(self, name: str, starts: Sequence[str]) -> List[str]:
        """A parameter, or the elements of an array."""
        found = [one for one in self.problem.parameters if name in (one, one.split("[")[0])]
        if not found and f"{_START}{name}" in starts:
            raise DaelabError(f"{name} is an unknown of {self.problem.name} and no parameter: the derivative by its "
                              f"start is that by {_START + name!r}")
        if not found:
            raise no_such(f"parameter of {self.problem.name}", name, [*self.problem.parameters, *starts])
        return found

    def rows(self, t_end: float, times: Optional[np.ndarray], inside: int) -> Tuple[int, List[np.ndarray]]:
        """Advance to t_end, or to a terminal event; its status, and t, u, mode, kind, derivatives of the rows."""
        where = _abi.dae_row_places(_pointer(times) if times is not None else None,
                                    0 if times is None else len(times), inside, ctypes.pointer(self.stop), 1,
                                    self.sensitivity, _WATCH if self.ranks else None, self.ranks)
        rows = ctypes.POINTER(_abi.dae_rows)()
        try:
            status = self.call_apart(lib.dae_hybrid_rows, self.handle, t_end, ctypes.byref(where), ctypes.byref(rows))
        except BaseException:
            lib.dae_rows_free(rows)
            raise
        if not rows:
            self.fail(status, self.message())
        return status, _arrays(rows, len(self.directions))

    def judge(self, result: Result, asked: bool) -> None:
        """What speaks against the numbers (doubt.h), and the unknowns that are wrong. After the run."""
        lost, room = _abi.dae_rank_loss(), ctypes.create_string_buffer(640)
        lib.dae_rank_run_end(self.ranks, ctypes.byref(lost), None)
        self.ranks = ctypes.c_void_p()
        doubt = self.doubt()
        doubt.lost = ctypes.pointer(lost)
        if result.estimates is not None:
            doubt.rtol = self.options.rtol
            doubt.estimate, doubt.estimates = self._estimates(result), len(result.names)
        several = {_abi.SAYS_WRONG: _abi.CLASSES, _abi.SAYS_APART: doubt.estimates}
        for what in range(_abi.SAYINGS):
            if what == _abi.SAYS_FAR and not asked:
                continue
            for i in range(several.get(what, 1)):
                if lib.dae_doubt_says(ctypes.byref(doubt), what, i, room, len(room)):
                    result.remarks.append(text(room.value))
        wrong = [text(lib.dae_class_name(c)) for c in range(_abi.CLASSES)
                 if lib.dae_doubt_wrong(ctypes.byref(doubt), c)]
        result.wrong = tuple(name for name, kind in zip(result.names, result.classes) if kind in wrong)

    def is_slow(self) -> bool:
        return bool(lib.dae_doubt_slow(ctypes.byref(self.doubt())) > 0)

    def _estimates(self, result: Result) -> "ctypes.Array[_abi.dae_estimate]":
        """What doubt.h is told of each unknown."""
        errors, atols = result.estimates or {}, self._atols()
        size = np.max(np.abs(result.y), axis=1, initial=0.0, where=np.isfinite(result.y))
        found = (_abi.dae_estimate * len(result.names))()
        for e, name, unit, largest in zip(found, result.names, result.units, size):
            e.name, e.unit, e.error, e.size = self._keep_name(name), self._keep_name(unit), errors[name], largest
            e.atol = atols.get(name, self.options.atol)
            if name + "_recovered" in result.names and len(result.t) > 1:
                other = result.names.index(name + "_recovered")
                apart = np.abs(result[name] - result.y[other])[1:]
                e.recovered, e.recovered_error = self._keep_name(result.names[other]), errors[result.names[other]]
                e.apart = np.max(apart, initial=0.0, where=np.isfinite(apart))
        return found

    def _atols(self) -> Dict[str, float]:
        """The absolute tolerance of each unknown of the mode that the run ended in."""
        system = lib.dae_hybrid_system(self.handle)
        names = self.unknowns(lib.dae_hybrid_mode(self.handle))[0]
        atols = (ctypes.c_double * len(names))()
        o = self.options
        lib.dae_system_atols(system, o.atol, o.atol_of, o.atol_count, atols, None)
        return dict(zip(names[:lib.dae_system_size(system)], atols))

    def doubt(self) -> _abi.dae_doubt:
        fixed = self.options.step > 0
        return _abi.dae_doubt(self.problem.address, self.form.address, self.method.address, int(not fixed),
                              0 if fixed else self.options.rtol, self._keep_name(f"rtol = {self.options.rtol:g}"))

    def advance(self, t_end: float, times: Optional[np.ndarray], inside: int) -> Tuple[int, List[np.ndarray]]:
        """The same through events of the caller that end nothing."""
        status, parts = self.rows(t_end, times, inside)
        pieces, done = [parts], len(parts[0])
        while status == _abi.EVENT and self._goes_on() and lib.dae_hybrid_time(self.handle) < t_end:
            if lib.dae_hybrid_events(self.handle) > self.max_events:
                self.why = (f"t = {lib.dae_hybrid_time(self.handle):.9g}: more events happened than max_events = "
                            f"{self.max_events} allows")
                status = _abi.MAX_EVENTS
                break
            rest = None if times is None else times[done:]
            status, parts = self.rows(t_end, rest, inside)
            pieces.append(parts)
            done += len(parts[0])
        if status == _abi.EVENT and self._goes_on():
            status = _abi.OK
        return status, pieces[0] if len(pieces) == 1 else [np.concatenate(column) for column in zip(*pieces)]

    def _goes_on(self) -> bool:
        """Was it stopped by conditions of the caller only that are not terminal?"""
        now, i = lib.dae_hybrid_time(self.handle), lib.dae_hybrid_events(self.handle) - 1
        last = lib.dae_hybrid_event(self.handle, i)
        while i >= 0 and last.t == now:
            if last.title is not None or self.terminal.get(text(last.name), True):
                return False
            i -= 1
            last = lib.dae_hybrid_event(self.handle, i)
        return True

    def events(self) -> List[Event]:
        size = self.state_size()
        return [self._event(lib.dae_hybrid_event(self.handle, i), size)
                for i in range(lib.dae_hybrid_events(self.handle))]

    def _event(self, e: _abi.dae_event_record, size: int) -> Event:
        before, after = getattr(e, "from"), e.to
        return Event(e.t, text(e.name), text(e.title), e.number, e.direction, self.mode_name(before),
                     self.mode_name(after), np.array(e.before[:size]), np.array(e.after[:size]),
                     bool(e.accumulated), None if np.isnan(e.measure) else e.measure, text(e.measures), text(e.unit))

    def mode_name(self, mode: int) -> str:
        return text(lib.dae_hybrid_mode_name(self.handle, mode))

    def unknowns(self, mode: int) -> List[List[str]]:
        """Names, units and classes of the unknowns of a mode."""
        system = lib.dae_hybrid_mode_system(self.handle, mode)
        table = ctypes.create_string_buffer(65536)
        length = lib.dae_system_unknowns(system, table, len(table))
        if length >= len(table):
            table = ctypes.create_string_buffer(length + 1)
            lib.dae_system_unknowns(system, table, len(table))
        words = text(table.value).replace("\n", "\t").split("\t")[:-1]
        return [words[i::3] for i in range(3)]

    def statistics(self) -> Dict[str, float]:
        """All that the library counts, by its names (statistics.def)."""
        counts: Dict[str, float] = {}
        name = ctypes.c_char_p()
        while True:
            value = lib.dae_hybrid_statistic(self.handle, len(counts), ctypes.byref(name))
            if name.value is None:
                return counts
            counts[text(name.value)] = int(value) if value.is_integer() else value


class _Memory:
    """Numbers of rows for numpy, whose arrays keep this: the rows are freed with the last of them."""

    def __init__(self, owner: "_Owner", pointer: object, kind: str, shape: Tuple[int, ...]) -> None:
        self.owner = owner
        address = ctypes.cast(pointer, ctypes.c_void_p).value           # type: ignore[arg-type]
        self.__array_interface__ = {"data": (address, False), "typestr": kind, "shape": shape, "version": 3}


def _arrays(rows: "ctypes._Pointer[_abi.dae_rows]", directions: int) -> List[np.ndarray]:
    """t, u, mode, kind, derivatives of rows as arrays in their memory."""
    r, owner = rows.contents, _Owner(rows)
    real, whole = np.dtype(ctypes.c_double).str, np.dtype(ctypes.c_int).str
    return [np.asarray(_Memory(owner, pointer, kind, shape)) if pointer else np.empty(shape) for pointer, kind, shape in
            ((r.t, real, (r.count,)), (r.u, real, (r.count, r.width)), (r.mode, whole, (r.count,)),
             (r.kind, whole, (r.count,)), (r.du, real, (r.count, directions, r.width)))]


def _one_number(name: str, value: object) -> float:
    """What a condition answers; a truth value has no zero that is crossed."""
    if isinstance(value, (bool, np.bool_)) or getattr(getattr(value, "dtype", None), "kind", "") == "b":
        raise DaelabError(f"event {name} answers {value}: an event is where a function is 0, as x[0] - 1 for x[0] > 1")
    if value is None or np.size(value) != 1 or np.iscomplexobj(value):    # type: ignore[arg-type]
        raise DaelabError(f"event {name} answers {value!r}, and not a number")
    return float(np.asarray(value).reshape(()))


class _Owner:
    """Frees rows when nobody has them any more."""

    def __init__(self, rows: "ctypes._Pointer[_abi.dae_rows]") -> None:
        self.rows, self.free = rows, lib.dae_rows_free      # modules may be gone before it is

    def __del__(self) -> None:
        self.free(self.rows)


def _columns(run: _Run, u: np.ndarray, modes: np.ndarray) -> Tuple[np.ndarray, List[List[str]]]:
    """The unknowns of all modes side by side, those of one name in one column; their names, units, classes."""
    of_mode = [run.unknowns(m) for m in range(lib.dae_hybrid_modes(run.handle))]
    if len(of_mode) == 1:
        return u[:, :len(of_mode[0][0])], of_mode[0]
    columns: Dict[str, Tuple[str, ...]] = {}
    for unknowns in of_mode:
        for one in zip(*unknowns):
            columns.setdefault(one[0], one)
    names = list(columns)
    y = np.full((len(u), len(names)), np.nan)
    for m, unknowns in enumerate(of_mode):
        here = np.flatnonzero(modes == m)
        place = [names.index(name) for name in unknowns[0]]
        y[np.ix_(here, place)] = u[here, :len(place)]
    return y, [list(words) for words in zip(*columns.values())]


def _result(run: _Run, status: int, rows: List[np.ndarray], times: Optional[np.ndarray], dense: bool) -> Result:
    t, u, modes, kind, du = rows
    y, columns = _columns(run, u, modes)
    names, units, classes = columns
    sol = Solution(t, y, kind, _INSIDE) if dense else None
    if sol and times is not None:
        t = times[times <= t[-1]]
        y, modes = sol.rows(t), modes[sol.row_at(t)]
    elif sol:
        ends = np.flatnonzero(kind != _abi.ROW_INSIDE)
        t, y, modes = t[ends], y[ends], modes[ends]
    count = lib.dae_hybrid_modes(run.handle)
    result = Result(t=t, rows=y, modes=modes, names=names, units=units, classes=classes,
                    mode_names=[run.mode_name(m) for m in range(count)], events=run.events(), asked=list(run.terminal),
                    statistics=run.statistics(), code=text(lib.dae_status_name(status)),
                    message=run.message() if status else f"t = {lib.dae_hybrid_time(run.handle):.9g} was reached",
                    problem=run.problem, form=run.form, method=run.method, sol=sol, start_change=run.start_change)
    if run.directions:
        result.sensitivity = Derivatives((name, _columns(run, du[:, i], modes)[0].T)
                                         for i, name in enumerate(run.directions))
    result.remarks += _of_start(result)
    return result


def _options(problem: Problem, rtol: Optional[float], atol: object, step: Optional[float],
             others: Mapping[str, object]) -> Tuple[_abi.dae_options, List[object]]:
    """dae_options, and what they point to."""
    o = lib.dae_default_options()
    kept: List[object] = []
    o.step = 0.0 if step is None else float(step)
    o.rtol = problem.rtol if rtol is None else float(rtol)
    o.atol = o.rtol
    if isinstance(atol, Mapping):
        some = {name: value for name, value in atol.items() if name is not None}
        o.atol = float(atol.get(None, o.rtol))
        records = (_abi.dae_atol * max(len(some), 1))(*((name.encode(), float(v)) for name, v in some.items()))
        kept.append(records)
        o.atol_of, o.atol_count = records, len(some)
    elif atol is not None and not np.ndim(atol):        # type: ignore[call-overload]
        o.atol = float(atol)        # type: ignore[arg-type]
    for name, value in others.items():
        if value is not None:
            setattr(o, name, value if name not in _COUNTS else _whole(name, value))
    return o, kept


_COUNTS = ("max_steps", "max_events")


def _whole(name: str, value: object) -> int:
    """A whole number, 1e6 too; one that is larger than any count is the largest."""
    try:
        number = int(value) if isinstance(value, float) and value == int(value) else operator.index(value)
    except (TypeError, ValueError, OverflowError):
        raise DaelabError(f"{name} = {value!r} is no whole number") from None
    return max(min(number, _MOST), -_MOST)


def _create(problem: Problem, form: Formulation, method: Method, parameters: Mapping[str, object],
            form_options: _abi.dae_formulation_options, options: _abi.dae_options, atols: Optional[np.ndarray]) -> _Run:
    """A run; where it has an atol for each unknown, after these have been counted."""
    run = _Run(problem, form, method, parameters, form_options, options)
    if atols is None:
        return run
    wanted = run.unknowns_of_all_modes()
    run.free()
    if atols.shape != (wanted,):
        raise DaelabError(f"atol has the shape {atols.shape}; {problem.name} in {form.name} has {wanted} unknowns")
    options.atols = _pointer(atols)
    return _Run(problem, form, method, parameters, form_options, options)


def _span(problem: Problem, t_span: object, start: object) -> Tuple[float, float]:
    """Where the run begins and ends. At another time than the problem's it has another start."""
    if t_span is None:
        return problem.t0, problem.t_end
    if np.ndim(t_span) == 0:        # type: ignore[call-overload]
        raise DaelabError(f"t_span = {t_span!r} is no pair (t0, t_end); that of {problem.name} begins at "
                          f"{problem.t0:g}")
    if np.shape(t_span) != (2,):    # type: ignore[arg-type]
        raise DaelabError(f"t_span is a pair (t0, t_end), and not of shape {np.shape(t_span)}; times of rows are "
                          "t_eval")
    t0, t_end = interval(t_span)    # type: ignore[arg-type]
    if t0 != problem.t0 and start is None:
        raise DaelabError(f"t_span begins at {t0:.9g}, and {problem.name} at {problem.t0:.9g}: give the start there, "
                          "too")
    return t0, t_end


def _times(problem: Problem, t_eval: object, span: Tuple[float, float]) -> Optional[np.ndarray]:
    """The times of rows, or None for a row a step."""
    if t_eval is None:
        return None
    times = np.atleast_1d(np.asarray(t_eval, dtype=float))
    if times.ndim != 1 or not len(times) or not np.isfinite(times).all() or (times[1:] < times[:-1]).any():
        raise DaelabError("t_eval has times of rows, which are finite and do not decrease")
    if times[0] < span[0] or times[-1] > span[1]:
        raise DaelabError(f"t_eval goes from {times[0]:.9g} to {times[-1]:.9g}, the run of {problem.name} from "
                          f"{span[0]:.9g} to {span[1]:.9g}")
    return np.ascontiguousarray(times)


def _conditions(events: object) -> Iterable[Tuple[str, Condition]]:
    if events is None:
        return []
    if isinstance(events, Mapping):
        return list(events.items())
    functions = [events] if callable(events) else list(events)     # type: ignore[call-overload]
    names = [getattr(f, "__name__", "event") for f in functions]
    return [(f"{name}_{i}" if names.count(name) > 1 else name, f)
            for i, (name, f) in enumerate(zip(names, functions))]


def _numbers(start: object) -> np.ndarray:
    try:
        return np.ascontiguousarray(start, dtype=float)     # type: ignore[call-overload]
    except (TypeError, ValueError):
        raise DaelabError(f"start = {start!r} is not a list of numbers; as_given=True takes the problem's own "
                          "start as it is") from None


def _one_float(what: str, value: object) -> float:
    try:
        return float(value)         # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise DaelabError(f"{what} = {value!r} is no number") from None


class _Task(NamedTuple):
    """What a run is made of."""

    problem: Problem
    form: Formulation
    method: Method
    params: Mapping[str, object]
    feedback: Tuple[Optional[float], Optional[float]]       # alpha, beta
    options: _abi.dae_options
    kept: Tuple[List[object], Optional[np.ndarray]]         # what options points to; atol of each unknown
    events: object
    start: Tuple[object, float, bool]
    t_end: float
    times: Optional[np.ndarray]
    dense: bool
    atol_is_default: bool
    forced: bool
    estimate: Optional[bool]                                # None: where the method is slow, as the command does
    sensitivity: Sequence[str]
    sensitivity_test: Optional[bool]

    def run(self) -> Result:
        """The rows; DaelabError, or what a function of Python has raised."""
        run = _create(self.problem, self.form, self.method, self.params,
                      self.problem._form_options(*self.feedback), self.options, self.kept[1])
        run.kept.append(self.kept)
        try:
            if not self.forced and lib.dae_doubt_refuse(ctypes.byref(run.doubt()), b"method", b"force",
                                                        ctypes.byref(run.report)):
                raise DaelabError(text(run.report.message))
            for name, function in _conditions(self.events):
                run.stop_where(name, function, int(getattr(function, "direction", 0)),
                               bool(getattr(function, "terminal", False)))
            if self.sensitivity:
                run.differentiate(self.sensitivity, self.sensitivity_test)
            run.start(*self.start)
            status, rows = run.advance(self.t_end, None if self.dense else self.times, _INSIDE if self.dense else 0)
            result = _result(run, status, rows, self.times, self.dense)
            if status < 0 or run.raised:
                run.judge(result, False)
                run.fail(status, run.message(), result)
            if run.calls:
                run.calls.finish()
            if self.estimate or self.estimate is None and run.is_slow():
                self._estimate(result)
            run.judge(result, bool(self.estimate))
        finally:
            run.free()
        if self.atol_is_default and not self.options.step:
            result.remarks += _of_tolerance(result, self.options.atol)
        if self.method.dense_output and not self.dense:
            result.again = self._replace(dense=True, estimate=False, sensitivity=()).run
        return result

    def finer(self) -> "_Task":
        """With half the step, or a tenth of all tolerances."""
        o = _abi.dae_options.from_buffer_copy(self.options)
        o.step, o.rtol, o.atol = o.step / 2, o.rtol / 10, o.atol / 10
        records = (_abi.dae_atol * max(o.atol_count, 1))(*((o.atol_of[i].of, o.atol_of[i].atol / 10)
                                                           for i in range(o.atol_count)))
        if o.atol_count:
            o.atol_of = records
        atols = self.kept[1]
        return self._replace(options=o, kept=([self.kept, records], None if atols is None else atols / 10), dense=False,
                             atol_is_default=False, estimate=False, sensitivity=())

    def _estimate(self, result: Result) -> None:
        """result.estimates: the largest differences from a finer run at the same times, where modes are the same; not
        at events, which are at other times there."""
        times = np.setdiff1d(result.t, [event.t for event in result.events])
        try:
            other = self.finer()._replace(times=times).run()
        except DaelabError as why:
            result.remarks.append(f"no estimate of the error: the finer run failed: {why}")
            return
        times = other.t
        here = np.searchsorted(result.t, times, side="right") - 1
        same = result.modes[here] == other.modes
        y = {name: row[same] for name, row in zip(other.names, other.y)}
        none = np.full(int(same.sum()), np.nan)
        away = [np.abs(row[here][same] - y.get(name, none)) for name, row in zip(result.names, result.y)]
        result.estimates = {name: float(np.max(one, initial=0.0, where=np.isfinite(one))) for name, one
                            in zip(result.names, away)}


def _of_tolerance(result: Result, atol: float) -> List[str]:
    """Unknowns in another unit than that which an absolute tolerance stands for: a tenth of them is not controlled."""
    said = []
    for kind in ("position", "differential"):
        if kind not in result.classes or abs(result.y[result.classes.index(kind), -1]) >= _LEAST * atol:
            continue                    # mostly no more than one has to be looked at
        values = np.abs(result.y[[i for i, one in enumerate(result.classes) if one == kind]])
        largest = np.max(values, where=np.isfinite(values), initial=0.0)
        if 0 < largest < _LEAST * atol:
            said.append(f"the largest {kind} is {largest:.3g}, and atol = {atol:g}, which is rtol, where none is "
                        "given: so large errors are allowed; give atol in the unit of the unknowns")
    return said


def _of_start(result: Result) -> List[str]:
    change, said = result.start_change, []
    if change and change.relative > _FAR:
        said.append(f"the start of {result.problem.name} was not consistent, and the nearest consistent state is far "
                    f"from it: positions {change.position:.3g}, velocities {change.velocity:.3g}")
    if change and change.open:
        said.append(f"the start of {result.problem.name}: derivatives of the constraints were not solved for it, and "
                    "may not hold: unknowns may jump at t0")
    return said


def _default_form(problem: Problem) -> str:
    return "index1" if problem.positions else "native"


def solve(problem: Union[str, Problem], form: Union[str, Formulation, None] = None,
          method: Union[str, Method] = "radau", t_span: Optional[Sequence[float]] = None, *,
          t_eval: Union[Sequence[float], np.ndarray, None] = None, dense_output: bool = False,
          rtol: Optional[float] = None, atol: object = None, step: Optional[float] = None,
          params: Optional[Mapping[str, object]] = None, args: Sequence[object] = (), events: object = None,
          start: Union[Sequence[float], Mapping[str, float], None] = None, as_given: bool = False,
          alpha: Optional[float] = None, beta: Optional[float] = None, jacobian: str = "best", linear: str = "best",
          error_test: str = "all", project: Union[str, Sequence[str]] = (), max_step: Optional[float] = None,
          first_step: Optional[float] = None, max_steps: Optional[int] = None, max_events: Optional[int] = None,
          accumulation: Optional[float] = None, estimate: Optional[bool] = None,
          sensitivity: Union[str, Sequence[str]] = (), sensitivity_test: Optional[bool] = None, no_check: bool = False,
          force: bool = False, **unknown: object) -> Result:
    """Solve a problem from its start and return its solution against time (Result).

    problem: a Problem, the name of one, or the path of a file. form: "index3", "index2", "index1", "baumgarte",
    "ggl", "ode"; default "index1" of a mechanical problem, else "native". method: a Method or its name.
    t_span: (t0, t_end), default the problem's. t_eval: the times that are answered; without it the start, the end of
    each step, and before and after each event. dense_output: result.sol(t) is the solution at any t.
    rtol, atol: tolerances (default: the problem's own rtol, or 1e-6; atol = rtol, with a warning where all unknowns
    are smaller than ten times that). atol is a number, an array [n]
    (of a problem with modes those of all modes, one behind the other), or
    {"T": 1e-3, "velocity": 1e-8, None: 1e-6}, of unknowns and classes, None for all others.
    step: fixed steps of this size instead.
    params: {"L": 2, "k[3]": 1, "k": [..]}: what differs from the defaults. args: the first parameters, in their order.
    events: functions f(t, x), or {name: f}, whose zeros are events; x = (q, v, lambda) or u. As attributes of f
    direction -1, 1 or 0 (any), terminal: True ends the run there. At most 8. Those of the problem are always heard.
    start: (q, v) or u at t0 instead of the problem's, refused where it is far from the constraints; or {"x": 0}, what
    differs from the problem's. That and the problem's own are moved onto the constraints as far as they must be, which
    result.start_change says, with a warning where it is far; as_given: the problem's own is not.
    alpha, beta: of "baumgarte". jacobian: "best", "analytic", "dual", "fd". linear: "best", "dense", "klu", "band".
    error_test: "all", "differential". project: of "position", "velocity", "invariant", after each step.
    max_step, first_step, max_steps, max_events, accumulation: as dae_options of daelab.h. estimate: result.estimates
    has the error of each unknown, by a run with a tenth of the tolerances or half the step; without it where the
    method's order is low in index 3; False: never. sensitivity: "L", or names like ["L", "k[3]", "start:x"]:
    result.sensitivity["L"] is then dy/dL, an array like result.y, and ["start:x"] that by the start of the unknown x;
    the derivatives of the steps, which end at t_eval; NaN at the time of an event of the problem. Not by the methods of
    SUNDIALS. sensitivity_test: steps are chosen by their errors, too; None: of explicit methods, whose tolerance does
    not hold them on stiff problems. no_check: a model of a file whose functions contradict each other, too. force: a
    method for which no order is known here, too.

    DaelabWarning for all that speaks against the numbers, which result.remarks holds.
    DaelabError where it fails, with the rows until then as its result; what a function of Python raised."""
    refuse_keywords(solve, unknown)
    task = _task(locals())
    if task.sensitivity and dense_output:
        raise DaelabError("sensitivities are at t_eval, or at the ends of steps: there is no dense output of them")
    result, more = _run_analytic(task)
    result.remarks += more
    for sentence in result.remarks:
        warnings.warn(sentence, DaelabWarning, stacklevel=2)
    return result


def _task(given: Mapping[str, Any]) -> _Task:
    """From the arguments of solve."""
    problem, method = find_problem(given["problem"]), find_method(given["method"])
    form, project, atol, sensitivity = given["form"], given["project"], given["atol"], given["sensitivity"]
    formulation = find_formulation(form if form is not None else _default_form(problem))
    others = {name: given[name] for name in ("max_step", "first_step", "max_steps", "max_events", "accumulation")}
    others.update(jacobian=_choice(_JACOBIANS, "jacobian", given["jacobian"]),
                  linear=_choice(_LINEAR, "linear", given["linear"]),
                  error_test=_choice(_ERROR_TESTS, "error_test", given["error_test"]),
                  project=sum(_choice(_PROJECT, "project", name)
                              for name in ([project] if isinstance(project, str) else project)))
    values = problem.named(given["args"], given["params"])
    if problem.source and not given["no_check"]:
        problem.refuse_contradictions(values)
    span = _span(problem, given["t_span"], given["start"])
    options, kept = _options(problem, given["rtol"], atol, given["step"], others)
    atols = np.ascontiguousarray(atol, dtype=float) if np.ndim(atol) else None
    return _Task(problem, formulation, method, values, (given["alpha"], given["beta"]), options, (kept, atols),
                 given["events"], (given["start"], span[0], given["as_given"]), span[1],
                 _times(problem, given["t_eval"], span), given["dense_output"], atol is None, given["force"],
                 given["estimate"], [sensitivity] if isinstance(sensitivity, str) else list(sensitivity),
                 given["sensitivity_test"])


def _run_analytic(task: _Task) -> Tuple[Result, List[str]]:
    """The result; anew where a function of Python was found not to be analytic, and sentences on that."""
    said: List[str] = []
    while True:
        try:
            return task.run(), said
        except NotAnalytic as found:        # once for each function at most
            task.problem.by_differences(found.function)      # type: ignore[attr-defined]
            said.append(f"{found.function.what} is not analytic: {found}. The run is made anew with derivatives by "
                        "differences")
