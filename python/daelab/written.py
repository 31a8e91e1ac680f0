"""Problems whose functions are written in Python, for small experiments.

The library asks for values and for dual numbers, a + eps b. A function that is evaluated in complex arithmetic
answers the latter by the complex step, to rounding; whether one can is tried at the start, against differences, by
which the derivatives of the others are made. problem.derivatives says which.
"""
from __future__ import annotations

import ctypes
import types
import warnings
import weakref
from typing import Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from . import _abi
from ._abi import text
from ._library import lib
from .catalogue import Finding, Problem
from .errors import DaelabError
from .taylor import Series, coefficient, curve

Array = np.ndarray
Function = Callable[..., object]
Given = Union[Array, Sequence[float], Callable[..., object]]

_STEP = float(np.finfo(float).eps) ** 0.2       # of differences of order 4, in sizes of the argument
_AGREE = 1e-6                                   # complex step and differences, in sizes of the function


def _view(address: int, n: int, dual: bool) -> Array:
    """The n doubles, or dual numbers as complex ones, at an address."""
    values = np.frombuffer((ctypes.c_double * (2 * n if dual else n)).from_address(address))
    return values.view(complex) if dual else values


def _largest(x: object) -> float:
    values = np.abs(np.atleast_1d(np.asarray(x, dtype=complex)))
    return float(values.max()) if values.size else 0.0


class _Differentiable:
    """A function f(t, x, ..., p) of real numbers with its derivatives along a direction.

    sizes: those of t and the other arguments, for steps of differences where an argument is smaller."""

    def __init__(self, name: str, function: Function, sizes: Sequence[float]) -> None:
        self.name, self.function, self.sizes = name, function, list(sizes)
        self.analytic = False

    def along(self, at: Sequence[object], by: Sequence[object], p: object) -> Array:
        """The derivative in a direction by differences of order 4."""
        ways = [_largest(b) / max(_largest(a), s) for a, b, s in zip(at, by, self.sizes)]
        way = max(ways)
        if way == 0:
            return np.zeros_like(np.asarray(self.function(*at, p), dtype=float))
        h = _STEP / way
        f = {k: np.asarray(self.function(*(a + k * h * b for a, b in zip(at, by)), p), dtype=float)
             for k in (-2, -1, 1, 2)}
        return (8 * (f[1] - f[-1]) - (f[2] - f[-2])) / (12 * h)

    def dual(self, arguments: Sequence[object], p: object) -> Array:
        """The function of dual numbers."""
        if self.analytic:
            return np.asarray(self.function(*arguments, p))
        at = [np.real(a) for a in arguments]
        by = [np.imag(a) / _abi.DUAL_SCALE for a in arguments]
        value = np.asarray(self.function(*at, p), dtype=float)
        return value + 1j * _abi.DUAL_SCALE * self.along(at, by, p)

    def try_complex(self, at: Sequence[object], p: object) -> str:
        """Is it evaluated in complex arithmetic with the derivatives that it has? Says how they are made."""
        random = np.random.default_rng(1)
        agree = True
        for shift in (0.0, 0.01, 0.01, 0.01):
            place = [a + shift * max(_largest(a), s) * random.uniform(-1, 1, np.shape(a))
                     for a, s in zip(at, self.sizes)]
            by = [max(_largest(a), s) * random.uniform(-1, 1, np.shape(a)) for a, s in zip(at, self.sizes)]
            agree = agree and self._agrees(place, by, p)
        self.analytic = agree
        return "complex step" if agree else "differences"

    def _agrees(self, at: Sequence[object], by: Sequence[object], p: object) -> bool:
        with np.errstate(all="ignore"):
            value = np.asarray(self.function(*at, p), dtype=float)
            expected = self.along(at, by, p)
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("error")          # an imaginary part that is cut off
                    dual = np.asarray(self.function(*(a + 1j * _abi.DUAL_SCALE * b for a, b in zip(at, by)), p))
                found = np.imag(dual.astype(complex)) / _abi.DUAL_SCALE
            except (TypeError, ValueError, AttributeError, ArithmeticError, Warning):
                return False
        known = np.isfinite(value) & np.isfinite(expected)
        if found.shape != expected.shape or not known.any():
            return False
        size = np.abs(value[known]).max() + np.abs(expected[known]).max()
        return bool(np.all(np.abs(found - expected)[known] <= _AGREE * size))


class _Mass:
    """M x for a mass that is a number, a diagonal, a matrix, or a function of (t, x, p) with one of these."""

    def __init__(self, mass: object, n: int) -> None:
        self.n = n
        self.function = mass if callable(mass) else None
        self.constant = None if callable(mass) else self._shape(mass)

    def varies(self, t: float, x: Array, p: object) -> bool:
        """Is it seen to change with t or x near the start? Where it does so only elsewhere, a run says so."""
        if self.function is None:
            return False
        random, size = np.random.default_rng(2), _largest(x) or 1.0
        first = self._shape(self.function(t, x, p))
        others = (self.function(t + k, x + size * random.uniform(-k, k, self.n), p) for k in (0.01, 0.1, 0.1))
        return any(not np.array_equal(first, self._shape(other)) for other in others)

    def _shape(self, mass: object) -> Array:
        m = np.asarray(mass)
        if m.shape not in ((), (self.n,), (self.n, self.n)):
            raise DaelabError(f"a mass is a number, {self.n} numbers, or a {self.n} x {self.n} matrix, not {m.shape}")
        return m

    def times(self, t: object, x: object, a: Array, p: object) -> Array:
        m = self.constant if self.function is None else self._shape(self.function(t, x, p))
        return m @ a if m.ndim == 2 else m * a                      # type: ignore[union-attr]


class _Written(Problem):
    """What problems of Python have in common."""

    in_python = True

    def __init__(self, name: str, record: _abi.dae_callbacks, parameters: Mapping[str, object],
                 answers: Dict[int, Callable[..., object]]) -> None:
        self._answers = answers
        self.derivatives: Dict[str, str] = {}
        self._named: Tuple[bytes, object] = (b"", None)
        self._callback = _abi.dae_callback(self._called)
        record.name, record.call = name.encode(), self._callback
        self._records, self._kept = _parameter_records(parameters)
        self._layout = [(key, _count(value)) for key, value in parameters.items()]
        self._bytes = 8 * sum(max(count, 1) for _, count in self._layout)
        record.parameters = self._records
        self._callbacks = record
        handle, report = ctypes.c_void_p(), _abi.dae_report()
        status = lib.dae_callback_problem(ctypes.byref(handle), ctypes.byref(record), ctypes.byref(report))
        if status:
            raise DaelabError(text(report.message), text(lib.dae_status_name(status)))
        super().__init__(handle.value or 0)
        weakref.finalize(self, lib.dae_callback_problem_free, handle)

    def _form_options(self, alpha: Optional[float], beta: Optional[float]) -> _abi.dae_formulation_options:
        self.raised.clear()
        options = super()._form_options(alpha, beta)
        options.user_data = ctypes.addressof(self._callbacks)
        return options

    def check(self, parameters: Optional[Mapping[str, object]] = None, quick: bool = False) -> List[Finding]:
        """Refused: the library compares functions in quad precision, which those of Python do not have."""
        raise DaelabError(f"{self.name}: functions of Python have no quad precision, which checks are made in; rate, "
                          "acceleration and reaction are compared with the constraint when the problem is made",
                          "DAE_UNSUPPORTED")

    def _p(self, address: int) -> object:
        """The parameters by name: p.L; the same object as long as the values are the same."""
        values = ctypes.string_at(address, self._bytes) if self._bytes else b""
        if self._named[1] is None or values != self._named[0]:
            numbers, named, i = np.frombuffer(values), {}, 0
            for key, count in self._layout:
                named[key] = numbers[i:i + count] if count else float(numbers[i])
                i += max(count, 1)
            self._named = (values, types.SimpleNamespace(**named))
        return self._named[1]

    def _defaults(self) -> object:
        return self._p(ctypes.addressof(self.parameter_values({})))

    def _called(self, _context: object, called: int, dual: int, p: int, t: int, x: int, y: int, z: int,
                out: int) -> int:
        if self.raised:                 # what a function has raised ends the run
            return 1
        try:
            self._answers[called](bool(dual), self._p(p), t, x, y, z, out)
            return 0
        except BaseException as error:
            self.raised.append(error)
            return 1


def _count(value: object) -> int:
    """Elements of a parameter that is an array; 0 where it is a number, or one with its unit."""
    number = value[0] if isinstance(value, tuple) else value
    return len(number) if np.ndim(number) else 0        # type: ignore[arg-type]


def _default_values(parameters: Mapping[str, object]) -> types.SimpleNamespace:
    """The defaults by name, as functions are given them."""
    wrong = [name for name in parameters if not str(name).isidentifier()]
    if wrong:
        raise DaelabError(f"a parameter is called {wrong[0]!r}: its name must be one in Python")
    given = {name: value[0] if isinstance(value, tuple) else value for name, value in parameters.items()}
    return types.SimpleNamespace(**{name: np.asarray(value, dtype=float) if np.ndim(value) else float(value)
                                    for name, value in given.items()})


def _parameter_records(parameters: Mapping[str, object]) -> Tuple[ctypes.Array, List[object]]:
    """dae_parameter of {name: value}, {name: (value, unit)} or (value, unit, description), and what they point to."""
    records = (_abi.dae_parameter * (len(parameters) + 1))()
    kept: List[object] = []
    for record, (name, given) in zip(records, parameters.items()):
        value, unit, description = (tuple(given) + ("", ""))[:3] if isinstance(given, tuple) else (given, "", "")
        record.name, record.unit = str(name).encode(), (unit or "-").encode()
        record.description = description.encode()
        if np.ndim(value):
            values = (ctypes.c_double * len(value))(*value)
            kept.append(values)
            record.count, record.values = len(value), values
        else:
            record.value = float(value)
    return records, kept


def _words(names: Union[str, Sequence[str], None]) -> Optional[bytes]:
    if names is None:
        return None
    return (names if isinstance(names, str) else " ".join(names)).encode()


def _scalar(address: int, dual: bool) -> object:
    return _view(address, 1, dual)[0].item()


class MechanicalProblem(_Written):
    """M v' = f(t, q, v) - G^T lambda, 0 = g(t, q), in Python.

    force(t, q, v, p) answers f [nq], constraint(t, q, p) answers g [nl]; p has the parameters as attributes. q, v:
    the start, arrays [nq] or functions of p; v = 0 where it is left out. mass: a number, a diagonal [nq], a matrix
    [nq, nq], or a function of (t, q, p) with one of these. t: the interval (t0, t_end).
    parameters: {"L": 1.0} or {"L": (1.0, "m", "length")}, of arrays too. variables, units: words for (q, v, lambda).
    energy(t, q, v, p): optional.

    dg/dt, d2g/dt2 and G^T lambda are made of constraint by Taylor series, to rounding, where it is written in + - * /,
    powers and numpy's exp, log, sqrt, sin, cos, tan, sinh, cosh, tanh, arctan; else rate(t, q, v, p),
    acceleration(t, q, v, a, p) and reaction(t, q, lambda, p) must be given. derivatives says how those of each
    function are made."""

    def __init__(self, name: str, *, q: Given, force: Function, constraint: Optional[Function] = None,
                 v: Optional[Given] = None, mass: object = 1.0, t: Tuple[float, float] = (0.0, 1.0),
                 parameters: Optional[Mapping[str, object]] = None, variables: Union[str, Sequence[str], None] = None,
                 units: Union[str, Sequence[str], None] = None, title: str = "", energy: Optional[Function] = None,
                 rate: Optional[Function] = None, acceleration: Optional[Function] = None,
                 reaction: Optional[Function] = None, rtol: float = 0.0) -> None:
        parameters = parameters or {}
        self._start = (q, v)
        defaults = _default_values(parameters)
        q0, v0 = self._start_values(defaults)
        g0 = [] if constraint is None else np.atleast_1d(np.asarray(constraint(t[0], q0, defaults), dtype=float))
        self._nq, self._nl = len(q0), len(g0)
        self._mass = _Mass(mass, self._nq)
        span = abs(t[1] - t[0]) or 1.0
        length = _largest(q0) or 1.0
        speed = max(_largest(v0), length / span)
        sizes = {"t": span, "q": length, "v": speed, "a": speed / span}
        self._functions = {
            key: _Differentiable(key, function, [sizes.get(s, 1.0) for s in arguments])
            for key, function, arguments in (
                ("force", force, "tqv"), ("energy", energy, "tqv"), ("rate", rate, "tqv"),
                ("acceleration", acceleration, "tqva"), ("reaction", reaction, ("t", "q", "lambda")),
                ("constraint", constraint, "tq"), ("mass", mass if callable(mass) else None, "tq"))
            if function is not None}
        record = _abi.dae_callbacks(title=title.encode(), variables=_words(variables), units=_words(units),
                                    nq=self._nq, nl=self._nl, mass_varies=int(self._mass.varies(t[0], q0, defaults)),
                                    has_energy=int(energy is not None), t0=t[0], t_end=t[1], rtol=rtol)
        super().__init__(name, record, parameters, {
            _abi.CALL_START: self._write_start, _abi.CALL_INERTIA: self._write_inertia,
            _abi.CALL_FORCE: self._of("force", 2, self._nq), _abi.CALL_ENERGY: self._of("energy", 2, 1),
            _abi.CALL_CONSTRAINT: self._of("constraint", 1, self._nl),
            _abi.CALL_RATE: self._of("rate", 2, self._nl) if rate else self._write_rate,
            _abi.CALL_ACCELERATION: (self._of("acceleration", 3, self._nl) if acceleration
                                     else self._write_acceleration),
            _abi.CALL_REACTION: self._of("reaction", 2, self._nq) if reaction else self._write_reaction})
        self._try(t[0], q0, v0)

    def _start_values(self, p: object) -> Tuple[Array, Array]:
        q, v = ((x(p) if callable(x) else x) for x in self._start)
        q = np.atleast_1d(np.asarray(q, dtype=float))
        v = np.zeros_like(q) if v is None else np.atleast_1d(np.asarray(v, dtype=float))
        if q.shape != v.shape or q.ndim != 1:
            raise DaelabError(f"a start has as many velocities as positions, not {v.shape} and {q.shape}")
        return q, v

    def _try(self, t: float, q: Array, v: Array) -> None:
        """Find out how derivatives of each function are made."""
        p = self._defaults()
        a, ones = np.ones(self._nq), np.ones(self._nl)
        arguments = {"force": (t, q, v), "energy": (t, q, v), "rate": (t, q, v), "acceleration": (t, q, v, a),
                     "reaction": (t, q, ones), "constraint": (t, q), "mass": (t, q)}
        for name, function in self._functions.items():
            self.derivatives[name] = function.try_complex(arguments[name], p)
        asked = {"rate", "acceleration", "reaction"} - self._functions.keys()
        if self._nl and asked:
            self._try_series(t, q, v, p, ", ".join(sorted(asked)))
            self.derivatives.update(dict.fromkeys(sorted(asked), "Taylor series of constraint"))
        self._compare(t, q, v, p)

    def _compare(self, t: float, q: Array, v: Array, p: object) -> None:
        """Are rate, acceleration and reaction that are given derivatives of the constraint near the start?"""
        given, random = self._functions, np.random.default_rng(3)
        if "constraint" not in given:
            return
        length, speed = given["constraint"].sizes[1], given["force"].sizes[2]
        v = v + speed * random.uniform(-1, 1, self._nq)
        a = speed**2 / length * random.uniform(-1, 1, self._nq)
        multipliers = random.uniform(0.5, 1, self._nl)
        gradients = np.array([given["constraint"].along((t, q), (0.0, e), p) for e in length * np.eye(self._nq)])
        known = {"rate": ((t, q, v), lambda: given["constraint"].along((t, q), (1.0, v), p)),
                 "reaction": ((t, q, multipliers), lambda: gradients @ multipliers / length),
                 "acceleration": ((t, q, v, a), lambda: self._rate_function().along((t, q, v), (1.0, v, a), p))}
        for name in known.keys() & given.keys():
            arguments, expected = known[name][0], np.atleast_1d(known[name][1]())
            found = np.atleast_1d(np.asarray(given[name].function(*arguments, p), dtype=float))
            if found.shape != expected.shape:
                raise DaelabError(f"{self.name}: {name} answers {found.shape}, not {expected.shape}", "DAE_BAD_MODEL")
            size = _largest(expected) + _largest(found)
            apart = np.abs(found - expected) > 1e-5 * size
            if apart.any():
                i = int(apart.argmax())
                raise DaelabError(f"{self.name}: {name} contradicts the constraint near the start: its row {i + 1} is "
                                  f"{found[i]:.9g}, by differences {expected[i]:.9g}", "DAE_BAD_MODEL")

    def _rate_function(self) -> _Differentiable:
        """dg/dt, as given or by Taylor series."""
        if "rate" in self._functions:
            return self._functions["rate"]
        return _Differentiable("rate", lambda t, q, v, p: self._series(t, np.asarray(q), np.asarray(v), None, p, 1),
                               self._functions["force"].sizes)

    def _try_series(self, t: float, q: Array, v: Array, p: object, asked: str) -> None:
        constraint = self._functions["constraint"]
        by = v + _largest(v) + constraint.sizes[1] / constraint.sizes[0]    # some way that is not along zeros
        reason = "its derivatives are wrong"
        try:
            found = np.asarray(self._series(t, q, by, None, p, 1), dtype=float)
            expected = np.atleast_1d(constraint.along((t, q), (1.0, by), p))
            size = _largest(expected) + _largest(constraint.function(t, q, p)) + _largest(found)
            if found.shape == expected.shape and np.all(np.abs(found - expected) <= _AGREE * size):
                return
        except (TypeError, ValueError, AttributeError, ArithmeticError) as error:
            reason = str(error)
        raise DaelabError(f"{self.name}: constraint does not take Taylor series ({reason}): give {asked}, too",
                          "DAE_UNSUPPORTED")

    def _series(self, t: object, q: Array, v: Array, a: Optional[Array], p: object, k: int) -> Array:
        """The k-th coefficient of g along t + s, q + s v + s^2 a/2."""
        line = Series([t, 1.0, 0.0] if k == 2 else [t, 1.0])        # type: ignore[list-item]
        way = curve(q, v) if k == 1 else curve(q, v, 0.5 * a)       # type: ignore[operator]
        return coefficient(self._functions["constraint"].function(line, way, p), k)

    def _of(self, name: str, vectors: int, n: int) -> Callable[..., None]:
        """What answers for a function of t and so many vectors, of nq numbers but lambda."""
        def write(dual: bool, p: object, t: int, x: int, y: int, z: int, out: int) -> None:
            function = self._functions[name]
            sizes = (self._nq, self._nl if name == "reaction" else self._nq, self._nq)
            arguments = [_scalar(t, dual)]
            arguments += [_view(at, size, dual) for at, size in zip((x, y, z)[:vectors], sizes)]
            _view(out, n, dual)[:] = (function.dual(arguments, p) if dual else function.function(*arguments, p))
        return write

    def _write_start(self, _dual: bool, p: object, _t: int, _x: int, _y: int, _z: int, out: int) -> None:
        u = _view(out, 2 * self._nq + self._nl, False)
        u[:self._nq], u[self._nq:2 * self._nq] = self._start_values(p)

    def _write_inertia(self, dual: bool, p: object, t: int, x: int, y: int, _z: int, out: int) -> None:
        nq = self._nq
        _write_mass(self._mass, self._functions.get("mass"), dual, p, _scalar(t, dual), _view(x, nq, dual),
                    _view(y, nq, dual), _view(out, nq, dual))

    def _write_rate(self, dual: bool, p: object, t: int, x: int, y: int, _z: int, out: int) -> None:
        q, v = _view(x, self._nq, dual), _view(y, self._nq, dual)
        _view(out, self._nl, dual)[:] = self._series(_scalar(t, dual), q, v, None, p, 1)

    def _write_acceleration(self, dual: bool, p: object, t: int, x: int, y: int, z: int, out: int) -> None:
        q, v, a = (_view(at, self._nq, dual) for at in (x, y, z))
        _view(out, self._nl, dual)[:] = 2 * self._series(_scalar(t, dual), q, v, a, p, 2)

    def _write_reaction(self, dual: bool, p: object, t: int, x: int, y: int, _z: int, out: int) -> None:
        time, q, multipliers = _scalar(t, dual), _view(x, self._nq, dual), _view(y, self._nl, dual)
        constraint, result = self._functions["constraint"].function, _view(out, self._nq, dual)
        fixed = Series([time, 0.0])                                 # type: ignore[list-item]
        for i, direction in enumerate(np.eye(self._nq)):
            result[i] = coefficient(constraint(fixed, curve(q, direction), p), 1) @ multipliers


def _write_mass(mass: _Mass, function: Optional[_Differentiable], dual: bool, p: object, t: object, x: Array,
                a: Array, out: Array) -> None:
    """out := M a, of dual numbers by the derivative of M where it is not analytic."""
    if function is None or not dual or function.analytic:
        out[:] = mass.times(t, x, a, p)
        return
    m = function.dual((t, x), p)
    out[:] = m @ a if m.ndim == 2 else m * a


class FirstOrderProblem(_Written):
    """M u' = F(t, u) in Python.

    rhs(t, u, p) answers F [n]; u: the start, an array [n] or a function of p. mass: none for the identity, a diagonal
    [n], a matrix, or a function of (t, u, p); index: the differential index of the system, by default 0 without a
    mass, else 1. Others as for MechanicalProblem; variables, units: words for u."""

    def __init__(self, name: str, *, u: Given, rhs: Function, mass: object = None, index: Optional[int] = None,
                 t: Tuple[float, float] = (0.0, 1.0), parameters: Optional[Mapping[str, object]] = None,
                 variables: Union[str, Sequence[str], None] = None, units: Union[str, Sequence[str], None] = None,
                 title: str = "", rtol: float = 0.0) -> None:
        parameters = parameters or {}
        self._start = u
        defaults = _default_values(parameters)
        u0 = self._start_values(defaults)
        self._n = len(u0)
        self._mass = _Mass(1.0 if mass is None else mass, self._n)
        sizes = [abs(t[1] - t[0]) or 1.0, _largest(u0) or 1.0]
        self._functions = {"rhs": _Differentiable("rhs", rhs, sizes)}
        if callable(mass):
            self._functions["mass"] = _Differentiable("mass", mass, sizes)
        record = _abi.dae_callbacks(title=title.encode(), variables=_words(variables), units=_words(units),
                                    n=self._n, index=(0 if mass is None else 1) if index is None else index,
                                    has_mass=int(mass is not None),
                                    mass_varies=int(self._mass.varies(t[0], u0, defaults)), t0=t[0], t_end=t[1],
                                    rtol=rtol)
        super().__init__(name, record, parameters, {
            _abi.CALL_START: self._write_start, _abi.CALL_RHS: self._write_rhs, _abi.CALL_MASS: self._write_mass})
        p = self._defaults()
        for key, function in self._functions.items():
            self.derivatives[key] = function.try_complex((t[0], u0), p)

    def _start_values(self, p: object) -> Array:
        return np.atleast_1d(np.asarray(self._start(p) if callable(self._start) else self._start, dtype=float))

    def _write_start(self, _dual: bool, p: object, _t: int, _x: int, _y: int, _z: int, out: int) -> None:
        _view(out, self._n, False)[:] = self._start_values(p)

    def _write_rhs(self, dual: bool, p: object, t: int, x: int, _y: int, _z: int, out: int) -> None:
        function, arguments = self._functions["rhs"], (_scalar(t, dual), _view(x, self._n, dual))
        _view(out, self._n, dual)[:] = function.dual(arguments, p) if dual else function.function(*arguments, p)

    def _write_mass(self, dual: bool, p: object, t: int, x: int, y: int, _z: int, out: int) -> None:
        n = self._n
        _write_mass(self._mass, self._functions.get("mass"), dual, p, _scalar(t, dual), _view(x, n, dual),
                    _view(y, n, dual), _view(out, n, dual))
