"""Mechanical problems whose functions are written in Python, with what is derived of their constraints."""
from __future__ import annotations

from typing import Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from . import _abi
from .derivatives import Array, Differentiable, Function, Watch, largest, numbers
from ._names import refuse_keywords
from .errors import DaelabError
from .taylor import Series, coefficient, curve
from .written import (DualParameters, Given, Mass, Written, default_values, given, interval, named_arguments, scalar,
                      start_vector, view, with_parameters, words)

_LEVELS = ("rate", "acceleration", "reaction")


class MechanicalProblem(Written):
    """M v' = f(t, q, v) - (G; A)^T lambda, 0 = g(t, q), 0 = A(t, q) v + b(t, q), in Python.

    force(t, q, v) answers f [nq]; constraint(t, q) answers g; nonholonomic(t, q, v) answers A v + b, which is linear in
    v. Each may take p behind these, which has the parameters, p.L or p["L"], or parameters by their names, as
    constraint(t, q, L). q, v: the start, arrays [nq] or functions of p; v = 0 where it is
    left out. mass: a number, a diagonal [nq], a matrix [nq, nq], or a function of (t, q) that answers one of these;
    whether that varies is tried in a few places, unless mass_varies says it. t_span: (t0, t_end).
    params: {"L": 1.0} or {"L": (1.0, "m", "length")}, of arrays too; args: values of those that force takes behind v,
    in place of params. variables, units: words for (q, v, lambda),
    lambda of g before that of A v + b. energy(t, q, v): optional.

    dg/dt, d2g/dt2, d(A v + b)/dt and (G; A)^T lambda are made of constraint and nonholonomic by Taylor series, to
    rounding, where these are written in + - * /, powers and numpy's exp, log, sqrt, sin, cos, tan, sinh, cosh, tanh,
    arctan. If they are not, rate(t, q, v), acceleration(t, q, v, a) and reaction(t, q, lambda), each for all
    constraints, must be given. derivatives says how those of each function are made.

    DaelabError with DAE_BAD_MODEL where functions answer something else than so many numbers, or contradict each
    other near the start; what a function raises comes out as it is."""

    def __init__(self, name: str, *, q: Given, force: Function, constraint: Optional[Function] = None,
                 nonholonomic: Optional[Function] = None, v: Optional[Given] = None, mass: object = 1.0,
                 t_span: Tuple[float, float] = (0.0, 1.0), params: Optional[Mapping[str, object]] = None,
                 args: Sequence[object] = (),
                 variables: Union[str, Sequence[str], None] = None, units: Union[str, Sequence[str], None] = None,
                 title: str = "", energy: Optional[Function] = None, rate: Optional[Function] = None,
                 acceleration: Optional[Function] = None, reaction: Optional[Function] = None,
                 rtol: float = 0.0, mass_varies: Optional[bool] = None, **unknown: object) -> None:
        refuse_keywords(MechanicalProblem.__init__, unknown)
        (t0, t_end), parameters = interval(t_span), {} if params is None else params
        if args:
            parameters = named_arguments(f"{name}: force", force, 3, args, params)
        self._start, self._name = (q, v), name
        p = default_values(parameters)
        own = {"force": (force, "tqv"), "energy": (energy, "tqv"), "rate": (rate, "tqv"),
               "acceleration": (acceleration, "tqva"), "reaction": (reaction, ("t", "q", "lambda")),
               "constraint": (constraint, "tq"), "nonholonomic": (nonholonomic, "tqv")}
        given_ones = {key: (with_parameters(f"{name}: {key}", function, len(of), p), of)
                      for key, (function, of) in own.items() if function is not None}
        mass = with_parameters(f"{name}: mass", mass, 2, p) if callable(mass) else mass
        self._nq = len(start_vector(f"{name}: q", q, p))
        q0, v0 = self._start_values(p)
        self._ng = _count(f"{name}: constraint", given_ones.get("constraint", (None,))[0], t0, q0.copy(), p)
        self._nh = _count(f"{name}: nonholonomic", given_ones.get("nonholonomic", (None,))[0], t0, q0.copy(),
                          v0.copy(), p)
        self._nl = self._ng + self._nh
        length, span = largest(q0) or 1.0, abs(t_end - t0) or 1.0
        speed = max(largest(v0), length / span)
        self._sizes = {"t": span, "q": length, "v": speed, "a": speed / span, "lambda": 1.0}
        self._mass = Mass(f"{name}: mass", mass, self._nq, [span, length])
        answers = {"force": self._nq, "energy": 1, "rate": self._nl, "acceleration": self._nl, "reaction": self._nq,
                   "constraint": self._ng, "nonholonomic": self._nh}
        made = {key: Differentiable(f"{name}: {key}", function, answers[key], [self._sizes[s] for s in arguments])
                for key, (function, arguments) in given_ones.items()}
        self._f = made
        record = _abi.dae_callbacks(title=title.encode(), variables=words(variables), units=words(units),
                                    nq=self._nq, nl=self._nl, nonholonomic=self._nh,
                                    mass_varies=int(self._mass.varies((t0, t_end), q0, p) if mass_varies is None
                                                    else mass_varies),
                                    has_energy=int(energy is not None), t0=t0, t_end=t_end, rtol=rtol)
        super().__init__(name, record, parameters, {
            _abi.CALL_START: self._write_start, _abi.CALL_INERTIA: self._write_inertia,
            _abi.CALL_FORCE: self._of("force", 2), _abi.CALL_ENERGY: self._of("energy", 2),
            _abi.CALL_CONSTRAINT: self._of("constraint", 1),
            _abi.CALL_RATE: self._of("rate", 2) if rate else self._write_rate,
            _abi.CALL_ACCELERATION: self._of("acceleration", 3) if acceleration else self._write_acceleration,
            _abi.CALL_REACTION: self._of("reaction", 2) if reaction else self._write_reaction})
        self._mass.refuse_lopsided(t0, q0, p)
        self.functions = dict(made)
        if self._mass.function is not None:
            self.functions["mass"] = self._mass.function
        self._try(t0, q0, v0, p)

    def _start_values(self, p: object) -> Tuple[Array, Array]:
        q = start_vector(f"{self._name}: q", self._start[0], p, self._nq)
        if self._start[1] is None:
            return q, np.zeros_like(q)
        return q, start_vector(f"{self._name}: v", self._start[1], p, self._nq)

    def _try(self, t: float, q: Array, v: Array, p: object) -> None:
        """Try each function at the start: how derivatives are made, and whether given ones are right."""
        a, ones = np.ones(self._nq), np.ones(self._nl)
        arguments: Dict[str, Tuple[object, ...]] = {
            "energy": (t, q, v), "force": (t, q, v), "rate": (t, q, v), "acceleration": (t, q, v, a),
            "reaction": (t, q, ones), "constraint": (t, q), "nonholonomic": (t, q, v), "mass": (t, q)}
        for name, function in self.functions.items():
            self.derivatives[name] = function.try_complex(arguments[name], p)
        asked = [level for level in _LEVELS if level not in self._f]
        if self._nl and asked:
            self._try_series(t, q, v, p, ", ".join(sorted(asked)))
            of = " and ".join(name for name in ("constraint", "nonholonomic") if name in self._f)
            self.derivatives.update({level: f"Taylor series of {of}" for level in sorted(asked)})
        if self._nh:
            self._try_linear(t, q, v, p)
        self._compare(t, q, v, p)

    def _refuse(self, sentence: str, status: str = "DAE_BAD_MODEL") -> None:
        raise DaelabError(f"{self.name}: {sentence}", status)

    def _try_linear(self, t: float, q: Array, v: Array, p: object) -> None:
        """Is A v + b linear in v?"""
        h, by = self._f["nonholonomic"], self._sizes["v"] * np.random.default_rng(4).uniform(0.5, 1, self._nq)
        b, once, twice = (h.value((t, q, v + k * by), p) for k in (0, 1, 3))
        bent = np.abs(twice - b - 3 * (once - b)) > 1e-9 * (np.abs(twice) + np.abs(once) + np.abs(b))
        if bent.any():
            self._refuse("nonholonomic is not linear in the velocities: its row "
                         f"{int(bent.argmax()) + 1} is not A v + b")

    def _compare(self, t: float, q: Array, v: Array, p: object) -> None:
        """Are rate, acceleration and reaction that are given those of the constraints near the start?"""
        own, random, s = self._f, np.random.default_rng(3), self._sizes
        if not self._nl or not any(level in own for level in _LEVELS):
            return
        v = v + s["v"] * random.uniform(-1, 1, self._nq)
        a = s["a"] * random.uniform(-1, 1, self._nq)
        multipliers = random.uniform(0.5, 1, self._nl)
        known = {"rate": ((t, q, v), lambda: self._rates(t, q, v, p)),
                 "reaction": ((t, q, multipliers), lambda: self._gradients(t, q, v, p) @ multipliers),
                 "acceleration": ((t, q, v, a), lambda: self._rate_function().along((t, q, v), (1.0, v, a), p)[0])}
        for name in [level for level in _LEVELS if level in own]:
            arguments, expect = known[name]
            found, expected = own[name].value(arguments, p), np.atleast_1d(expect())
            apart = np.abs(found - expected) > 1e-5 * (np.abs(found) + np.abs(expected)) + 1e-9 * (
                largest(expected) + largest(found))
            if apart.any():
                i = int(apart.argmax())
                self._refuse(f"{name} contradicts the constraint near the start: its row {i + 1} is {found[i]:.9g}, by "
                             f"differences {expected[i]:.9g}")

    def _rates(self, t: float, q: Array, v: Array, p: object) -> Array:
        """dg/dt by differences, and A v + b."""
        g = self._f["constraint"].along((t, q), (1.0, v), p)[0] if self._ng else np.zeros(0)
        h = self._f["nonholonomic"].value((t, q, v), p) if self._nh else np.zeros(0)
        return np.concatenate([np.atleast_1d(g), np.atleast_1d(h)])

    def _gradients(self, t: float, q: Array, v: Array, p: object) -> Array:
        """(G; A)^T [nq, nl] by differences."""
        length, speed, rows = self._sizes["q"], self._sizes["v"], []
        for e in np.eye(self._nq):
            g = self._f["constraint"].along((t, q), (0.0, length * e), p)[0] / length if self._ng else np.zeros(0)
            h = (self._f["nonholonomic"].along((t, q, v), (0.0, 0 * q, speed * e), p)[0] / speed if self._nh
                 else np.zeros(0))
            rows.append(np.concatenate([g, h]))
        return np.array(rows)

    def _rate_function(self) -> Differentiable:
        """The constraints on the level of velocities, as given or by Taylor series."""
        if "rate" in self._f:
            return self._f["rate"]
        return Differentiable("rate", lambda t, q, v, p: self._rate_series(t, q, v, p), self._nl,
                              [self._sizes[s] for s in "tqv"])

    def _try_series(self, t: float, q: Array, v: Array, p: object, asked: str) -> None:
        """Do the constraints take series, and answer the derivatives that they have?"""
        s = self._sizes
        by = v + largest(v) + s["q"] / s["t"]           # at v = 0 dg/dt would not contain G
        a = s["a"] * np.random.default_rng(5).uniform(0.5, 1, self._nq)
        reason = "its derivatives are wrong"
        try:
            found = self._rate_series(t, q, by, p)
            later = self._acceleration_series(t, q, by, a, p)
            if self._nh:
                expected, off = self._f["nonholonomic"].along((t, q, by), (1.0, by, a), p)
            else:
                expected = off = np.zeros(0)
            first, loose = self._f["constraint"].along((t, q), (1.0, by), p) if self._ng else (np.zeros(0),) * 2
            if _near(found[:self._ng], first, loose) and _near(later[self._ng:], expected, off):
                return
        except (TypeError, ValueError, AttributeError, ArithmeticError) as error:
            reason = str(error)
        which = "constraint" if self._ng else "nonholonomic"
        self._refuse(f"{which} does not take Taylor series ({reason}): give {asked}, too", "DAE_UNSUPPORTED")

    def _coefficients(self, name: str, arguments: Sequence[object], p: object, k: int) -> Array:
        """Coefficient k of what a function answers for series."""
        function = self._f[name]
        try:
            answer = coefficient(function.function(*arguments, p), k)
        except TypeError as error:
            if not isinstance(p, DualParameters):
                raise
            raise DaelabError(f"{function.what} does not take complex parameters, which derivatives along them need "
                              f"({error}): write it with functions of numpy", "DAE_UNSUPPORTED") from error
        return numbers(function.what, answer, function.n or 0, answer.dtype.kind == "c")

    def _rate_series(self, t: object, q: Array, v: Array, p: object) -> Array:
        """dg/dt along t + s, q + s v, and A v + b."""
        parts = []
        if self._ng:
            line = Series([t, 1.0])                                 # type: ignore[list-item]
            parts.append(self._coefficients("constraint", (line, curve(q, v)), p, 1))
        if self._nh:
            fixed = Series([t, 0.0])                                # type: ignore[list-item]
            parts.append(self._coefficients("nonholonomic", (fixed, curve(q, 0 * q), curve(v, 0 * v)), p, 0))
        return np.concatenate(parts)

    def _acceleration_series(self, t: object, q: Array, v: Array, a: Array, p: object) -> Array:
        """d2g/dt2 along t + s, q + s v + s^2 a/2, and d/dt of A v + b."""
        parts = []
        if self._ng:
            line = Series([t, 1.0, 0.0])                            # type: ignore[list-item]
            parts.append(2 * self._coefficients("constraint", (line, curve(q, v, 0.5 * a)), p, 2))
        if self._nh:
            line = Series([t, 1.0])                                 # type: ignore[list-item]
            parts.append(self._coefficients("nonholonomic", (line, curve(q, v), curve(v, a)), p, 1))
        return np.concatenate(parts)

    def _of(self, name: str, vectors: int) -> Callable[..., None]:
        """The callback of a function of t and so many vectors, of nq numbers each, but lambda of reaction."""
        def write(watch: Optional[Watch], p: object, t: int, x: int, y: int, z: int, out: int) -> None:
            function, dual = self._f[name], watch is not None
            sizes = (self._nq, self._nl if name == "reaction" else self._nq, self._nq)
            arguments: List[object] = [scalar(t, dual)]
            arguments += [given(at, size, dual) for at, size in zip((x, y, z)[:vectors], sizes)]
            view(out, function.n or 0, dual)[:] = (function.dual(arguments, p, watch) if dual
                                                   else function.value(arguments, p))
        return write

    def _write_start(self, watch: object, p: object, _t: int, _x: int, _y: int, _z: int, out: int) -> None:
        view(out, 2 * self._nq, watch is not None)[:] = self.start_values(watch, p)

    def _write_inertia(self, watch: Optional[Watch], p: object, t: int, x: int, y: int, _z: int, out: int) -> None:
        self._mass.times(watch, p, t, x, y, out)

    def _write_rate(self, watch: Optional[Watch], p: object, t: int, x: int, y: int, _z: int, out: int) -> None:
        dual = watch is not None
        q, v = given(x, self._nq, dual), given(y, self._nq, dual)
        view(out, self._nl, dual)[:] = self._rate_series(scalar(t, dual), q, v, p)

    def _write_acceleration(self, watch: Optional[Watch], p: object, t: int, x: int, y: int, z: int, out: int) -> None:
        dual = watch is not None
        q, v, a = (given(at, self._nq, dual) for at in (x, y, z))
        view(out, self._nl, dual)[:] = self._acceleration_series(scalar(t, dual), q, v, a, p)

    def _write_reaction(self, watch: Optional[Watch], p: object, t: int, x: int, y: int, _z: int, out: int) -> None:
        """(G; A)^T lambda: in row i the first coefficients of g along q_i, and of A v + b along v_i, times lambda."""
        dual = watch is not None
        time, q, multipliers = scalar(t, dual), given(x, self._nq, dual), given(y, self._nl, dual)
        fixed, none, result = Series([time, 0.0]), np.zeros(self._nq), view(out, self._nq, dual)  # type: ignore
        for i, direction in enumerate(np.eye(self._nq)):
            result[i] = 0
            if self._ng:
                along = (fixed, curve(q, direction))
                result[i] += self._coefficients("constraint", along, p, 1) @ multipliers[:self._ng]
            if self._nh:
                by = (fixed, curve(q, none), curve(none, direction))
                result[i] += self._coefficients("nonholonomic", by, p, 1) @ multipliers[self._ng:]


def _count(what: str, function: Optional[Function], *arguments: object) -> int:
    """How many constraints a function answers; 0 where there is none."""
    if function is None:
        return 0
    found = function(*arguments)
    found = np.atleast_1d(numbers(what, found, 1) if found is None else np.asarray(found))
    if found.ndim != 1:
        raise DaelabError(f"{what} answers an array of shape {found.shape}, not a list of numbers", "DAE_BAD_MODEL")
    return len(numbers(what, found, len(found)))


def _near(found: Array, expected: Array, off: Array) -> bool:
    return found.shape == expected.shape and bool(np.all(
        np.abs(found - expected) <= 1e-6 * (np.abs(found) + np.abs(expected)) + 10 * off))
