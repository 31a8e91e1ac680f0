"""The derivative of one number of a run by many parameters and starts, backwards."""
from __future__ import annotations

import ctypes
import inspect
from typing import Callable, Dict, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from . import _abi
from ._abi import text
from ._library import lib
from ._names import refuse_keywords
from .catalogue import Formulation, Method, Problem, find_problem
from .derivatives import Differentiable, numbers
from .errors import DaelabError
from .solving import _Run, _Task, _create, _one_number, _pointer, _task, solve

Cost = Callable[[float, np.ndarray], float]


class Gradient(NamedTuple):
    """A sum of costs, and its derivatives by name: g["L"], np.array(g) as they were asked for."""

    value: float
    derivatives: Dict[str, float]

    def __getitem__(self, name: object) -> float:          # type: ignore[override]
        return self.derivatives[name]                       # type: ignore[index]

    def __array__(self, dtype: object = None, copy: object = None) -> np.ndarray:
        return np.array(list(self.derivatives.values()), dtype=dtype)       # type: ignore[call-overload]


def gradient(problem: Union[str, Problem], form: Union[str, Formulation, None] = None,
             method: Union[str, Method] = "radau", *, cost: Cost, times: Union[float, Sequence[float]],
             by: Union[str, Sequence[str]], cost_u: Optional[Callable[[float, np.ndarray], Sequence[float]]] = None,
             checkpoints: int = 0, **options: object) -> Gradient:
    """The sum of cost(t, u) over times, and its derivatives by parameters and starts of unknowns, by as in
    solve(sensitivity=...): ["L", "start:x"], by the steps of one run backwards. It takes little more for many than for
    one.

    cost: a function of the time and the unknowns u of the formulation, in the order of Result.names. cost_u answers its
    derivatives by u; without it they are found by the complex step, or by differences where cost is not analytic.
    checkpoints: states that are kept on the way, 0: all; fewer take less memory, and more time. options: those of solve
    for one run without events: params, start, rtol, step, ...

    DaelabError as in solve, and behind an event that changes the run: there solve(sensitivity=...) has derivatives."""
    wrong = [name for name in ("t_eval", "dense_output", "events", "sensitivity", "estimate") if name in options]
    if wrong:
        raise DaelabError(f"{wrong[0]} is an argument of solve, and none of gradient")
    at = np.atleast_1d(np.asarray(times, dtype=float))
    if at.ndim != 1 or not len(at) or not np.isfinite(at).all() or (at[1:] < at[:-1]).any():
        raise DaelabError("times are those of costs: finite, and not decreasing")
    if "t_span" not in options:
        first = find_problem(problem).t0
        options["t_span"] = (first, max(float(at[-1]), first))
    given = inspect.signature(solve).bind(problem, form, method, t_eval=at, sensitivity=by, **options)
    given.apply_defaults()
    if given.arguments["unknown"]:
        refuse_keywords(solve, given.arguments["unknown"])
    return _back(_task(given.arguments), cost, cost_u, checkpoints)


def _back(task: _Task, cost: Cost, cost_u: Optional[Callable[[float, np.ndarray], Sequence[float]]],
          checkpoints: int) -> Gradient:
    run = _create(task.problem, task.form, task.method, task.params, task.problem._form_options(*task.feedback),
                  task.options, task.kept[1])
    run.kept.append(task.kept)
    try:
        _checked(run, run.call(lib.dae_hybrid_gradient_create, ctypes.byref(run.gradient), run.handle,
                               ctypes.byref(run.directions_of(task.sensitivity)), checkpoints,
                               ctypes.byref(run.report)))
        run.start(*task.start)
        _checked(run, lib.dae_hybrid_gradient_start(run.gradient, run.handle, ctypes.byref(run.report)))
        assert task.times is not None
        value, slope = 0.0, _Slope(cost, cost_u)
        for t in task.times:
            status = run.call_apart(lib.dae_hybrid_advance, run.handle, t)
            if status:
                run.fail(status, run.message())
            u = np.array(lib.dae_hybrid_unknowns(run.handle)[:lib.dae_hybrid_size(run.handle, 0)])
            one, by_u = slope.at(float(t), u)
            value += one
            _checked(run, run.call(lib.dae_gradient_add, run.gradient, _pointer(by_u), ctypes.byref(run.report)))
        dJ = np.zeros(len(run.directions))
        _checked(run, run.call_apart(lib.dae_gradient_at, run.gradient, _pointer(dJ), ctypes.byref(run.report)))
        if run.calls:
            run.calls.finish()
        return Gradient(value, dict(zip(run.directions, dJ.tolist())))
    finally:
        run.free()


def _checked(run: _Run, status: int) -> None:
    if status:
        run.fail(status, text(run.report.message))


class _Slope:
    """A cost with its derivatives by u."""

    def __init__(self, cost: Cost, cost_u: Optional[Callable[[float, np.ndarray], Sequence[float]]]) -> None:
        self.cost, self.cost_u = cost, cost_u
        self.function: Optional[Differentiable] = None

    def at(self, t: float, u: np.ndarray) -> Tuple[float, np.ndarray]:
        value = _one_number("cost", self.cost(t, u.copy()))
        if self.cost_u:
            return value, numbers("cost_u", self.cost_u(t, u.copy()), len(u))
        if self.function is None:
            size = float(np.max(np.abs(u), initial=0.0)) or 1.0
            self.function = Differentiable("cost", lambda x, _: [self.cost(t, x)], 1, [size])
        self.function.function = lambda x, _: [self.cost(t, x)]
        self.function.try_complex([u], None)
        unit = np.eye(len(u))
        if self.function.analytic:
            slopes = [self.function.dual([u + 1j * _abi.DUAL_SCALE * e], None)[0].imag / _abi.DUAL_SCALE for e in unit]
        else:
            slopes = [self.function.along([u], [e], None)[0][0] for e in unit]
        return value, np.array(slopes, dtype=float)
