"""Problems whose functions are written in Python: what all have in common, and those of first order.

The library asks for values and for dual numbers, a + eps b (derivatives.py). problem.derivatives says how derivatives
of each function are made.
"""
from __future__ import annotations

import ctypes
import inspect
import weakref
from typing import Callable, Dict, Iterator, List, Mapping, NoReturn, Optional, Sequence, Tuple, Union

import numpy as np

from . import _abi
from ._abi import text
from ._library import lib
from ._names import no_such, refuse_keywords
from .catalogue import Findings, Problem
from .derivatives import Array, Differentiable, Function, NotAnalytic, Watch, largest, numbers, real
from .errors import DaelabError

Given = Union[Array, Sequence[float], Callable[..., object]]


def view(address: int, n: int, dual: bool) -> Array:
    """The n doubles, or dual numbers as complex ones, at an address."""
    values = np.frombuffer((ctypes.c_double * (2 * n if dual else n)).from_address(address))
    return values.view(complex) if dual else values


def given(address: int, n: int, dual: bool) -> Array:
    """A copy of them, which functions may change and keep."""
    return view(address, n, dual).copy()


def scalar(address: int, dual: bool) -> object:
    return view(address, 1, dual)[0].item()


class Parameters(Mapping[str, object]):
    """The parameters of a run by name, p.L or p["L"]; they are not changed."""

    def __init__(self, values: Mapping[str, object]) -> None:
        self.__dict__.update(values)

    def __getitem__(self, name: str) -> object:
        return self.__dict__[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.__dict__)

    def __len__(self) -> int:
        return len(self.__dict__)

    def __getattr__(self, name: str) -> NoReturn:
        raise AttributeError(str(no_such("parameter", name, self)))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"parameter {name} belongs to the run: solve(..., params={{{name!r}: ...}}) "
                             "changes it")

    def __repr__(self) -> str:
        return f"Parameters({dict(self)})"


class _Calls:
    """The functions of a problem as one run calls them: what they raise ends it."""

    def __init__(self, problem: "Written", raised: List[BaseException]) -> None:
        self.problem, self.raised, self.watch = problem, raised, Watch()
        self._named: Tuple[bytes, Parameters] = (b"", Parameters({}))
        self.callback = _abi.dae_callback(self._called)
        self.record = _abi.dae_callbacks.from_buffer_copy(problem.record)
        self.record.call = self.callback

    def _parameters(self, address: int) -> Parameters:
        """The same object as long as the values are the same."""
        problem = self.problem
        values = ctypes.string_at(address, problem.parameter_bytes) if problem.parameter_bytes else b""
        if values != self._named[0]:
            self._named = (values, problem.name_parameters(np.frombuffer(values)))
        return self._named[1]

    def _called(self, _context: object, called: int, dual: int, p: int, t: int, x: int, y: int, z: int,
                out: int) -> int:
        try:
            if self.raised:
                return 1
            self.problem.answers[called](self.watch if dual else None, self._parameters(p), t, x, y, z, out)
            return 0
        except BaseException as error:      # told when the run has ended
            self.raised.append(error)
            return 1

    def finish(self) -> None:
        """Compare the last dual numbers; NotAnalytic where they were wrong."""
        self.watch.finish()

    def free(self) -> None:
        self.watch.last.clear()
        self.callback = None                # type: ignore[assignment]  # no circle is left
        self.record.call = _abi.dae_callback()


class Mass:
    """M x for a mass that is a number, a diagonal, a matrix, or a function of (t, x, p) with one of these."""

    def __init__(self, what: str, mass: object, n: int, sizes: Sequence[float]) -> None:
        self.what, self.n = what, n
        self.function = Differentiable(what, mass, None, sizes) if callable(mass) else None
        self.constant = None if callable(mass) else real(what, self._shape(mass))

    def varies(self, t: Tuple[float, float], x: Array, p: object) -> bool:
        """Is it seen to change with t, or with x near the start? Where it does so only elsewhere, a run says so."""
        if self.function is None:
            return False
        random, size = np.random.default_rng(2), largest(x) or 1.0
        first = self._shape(self.function.value((t[0], x), p))
        for k in (0.01, 0.1, 0.3, 0.7, 1.0):
            at = (t[0] + k * (t[1] - t[0]), x + size * random.uniform(-1, 1, self.n) * min(k, 0.1))
            try:
                other = self._shape(self.function.value(at, p))
            except Exception:       # pylint: disable=broad-except  # what it raises outside of its domain
                return True
            if not np.array_equal(first, other):
                return True
        return False

    def _shape(self, mass: object) -> Array:
        m = np.asarray(mass)
        if m.shape not in ((), (self.n,), (self.n, self.n)) or m.dtype.kind not in "iufc":
            raise DaelabError(f"{self.what}: a mass is a number, {self.n} numbers, or a {self.n} x {self.n} matrix, "
                              f"not {m.dtype.name} {m.shape}", "DAE_BAD_MODEL")
        return m

    def refuse_lopsided(self, t: float, x: Array, p: object) -> None:
        """A mass matrix of mechanics is symmetric."""
        m = self.constant if self.function is None else self._shape(self.function.value((t, x), p))
        if m.ndim == 2 and np.any(np.abs(m - m.T) > 1e-9 * np.abs(m).max()):        # type: ignore[union-attr]
            raise DaelabError(f"{self.what} is not symmetric", "DAE_BAD_MODEL")

    def times(self, watch: Optional[Watch], p: object, t: int, x: int, y: int, out: int) -> None:
        """out := M y"""
        n, dual = self.n, watch is not None
        m = self.constant
        if self.function is not None:
            at = (scalar(t, dual), given(x, n, dual))
            m = self._shape(self.function.dual(at, p, watch) if dual else self.function.value(at, p))
        a = view(y, n, dual)
        view(out, n, dual)[:] = m @ a if m.ndim == 2 else m * a                     # type: ignore[union-attr]


class Written(Problem):
    """What problems of Python have in common."""

    in_python = True

    def __init__(self, name: str, record: _abi.dae_callbacks, parameters: Mapping[str, object],
                 answers: Dict[int, Callable[..., object]]) -> None:
        self.answers = answers
        self.functions: Dict[str, Differentiable] = {}
        self.derivatives: Dict[str, str] = {}
        if not isinstance(name, str) or not name:
            raise DaelabError(f"a problem has a name, and not {name!r}")
        record.name, record.call = name.encode(), _nobody
        self._records, self._kept = _parameter_records(parameters)
        self._layout = [(key, _count(value)) for key, value in parameters.items()]
        self.parameter_bytes = 8 * sum(max(count, 1) for _, count in self._layout)
        record.parameters = self._records
        self.record = record
        handle, report = ctypes.c_void_p(), _abi.dae_report()
        status = lib.dae_callback_problem(ctypes.byref(handle), ctypes.byref(record), ctypes.byref(report))
        if status:
            raise DaelabError(text(report.message), text(lib.dae_status_name(status)))
        super().__init__(handle.value or 0)
        weakref.finalize(self, lib.dae_callback_problem_free, handle)

    def calls(self, raised: List[BaseException]) -> _Calls:
        return _Calls(self, raised)

    def by_differences(self, function: Differentiable) -> None:
        """Derivatives of a function are made by differences from now on."""
        function.analytic = False
        self.derivatives.update({key: "differences" for key, one in self.functions.items() if one is function})

    def check(self, params: Optional[Mapping[str, object]] = None, quick: bool = False) -> Findings:
        """As of other problems, by doubles: functions of Python have no quad precision."""
        raised: List[BaseException] = []
        calls = self.calls(raised)
        try:
            found = self._check(params, quick, ctypes.addressof(calls.record))
            if raised:
                raise raised[0]
            calls.finish()
        except NotAnalytic as one:
            self.by_differences(one.function)
            return self.check(params, quick)
        finally:
            calls.free()
        return Findings(one._replace(sentence=one.sentence.replace("in C", "in Python")) for one in found)

    def name_parameters(self, values: Array) -> Parameters:
        named, i = {}, 0
        for key, count in self._layout:
            named[key] = values[i:i + count] if count else float(values[i])
            i += max(count, 1)
        return Parameters(named)

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"{self.name} has functions of Python and cannot be pickled; make it anew in the other process")


_nobody = _abi.dae_callback(lambda *_arguments: 1)


def _count(value: object) -> int:
    """Elements of a parameter that is an array; 0 where it is a number, or one with its unit."""
    number = value[0] if isinstance(value, tuple) else value
    return len(number) if np.ndim(number) else 0        # type: ignore[arg-type]


def default_values(parameters: Mapping[str, object]) -> Parameters:
    """The defaults by name, as functions are given them."""
    taken = dir(Parameters)
    if not isinstance(parameters, Mapping):
        raise DaelabError(f"params = {parameters!r} is no dictionary, as {{'L': 1.0}}")
    for name in parameters:
        if not str(name).isidentifier() or name in taken:
            raise DaelabError(f"a parameter is called {name!r}: its name must be one in Python" +
                              (", and not that of a method of mappings" if name in taken else ""))
    return Parameters({name: _default(name, value[0] if isinstance(value, tuple) and value else value)
                       for name, value in parameters.items()})


def _default(name: str, value: object) -> object:
    try:
        array = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        array = np.zeros((0, 0))
    if array.ndim > 1 or not array.size or not np.all(np.isfinite(array)):
        raise DaelabError(f"parameter {name} = {value!r} is no number, no list of numbers, and no tuple that begins "
                          "with one: (value, unit, description)")
    return array if array.ndim else float(array)


def _parameter_records(parameters: Mapping[str, object]) -> Tuple[ctypes.Array, List[object]]:
    """dae_parameter of {name: value}, {name: (value, unit)} or (value, unit, description), and what they point to."""
    records = (_abi.dae_parameter * (len(parameters) + 1))()
    kept: List[object] = []
    for record, (name, one) in zip(records, parameters.items()):
        value, unit, description = (tuple(one) + ("", ""))[:3] if isinstance(one, tuple) else (one, "", "")
        record.name, record.unit = str(name).encode(), (unit or "-").encode()
        record.description = description.encode()
        if np.ndim(value):
            values = (ctypes.c_double * len(value))(*value)
            kept.append(values)
            record.count, record.values = len(value), values
        else:
            record.value = float(value)
    return records, kept


def _behind(function: Callable[..., object], count: int) -> Optional[List[inspect.Parameter]]:
    """What a function takes behind so many arguments; None where nobody knows, or it takes any number."""
    try:
        found = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return None
    if any(one.kind is one.VAR_POSITIONAL for one in found):
        return None
    return [one for one in found if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)][count:]


def with_parameters(what: str, function: Function, count: int, p: Parameters) -> Function:
    """The function as it is called, with p behind so many arguments: it may take p, parameters by their names, or
    none."""
    behind = _behind(function, count)
    if behind is None or [one.name for one in behind] == ["p"]:
        return function
    names = [one.name for one in behind if one.name in p or one.default is one.empty]
    if len(names) == 1 and names[0] not in p:
        return function
    if not names:
        return lambda *arguments: function(*arguments[:-1])
    for name in names:
        if name not in p:
            raise no_such(f"parameter of {what}", name, p)
    return lambda *arguments: function(*arguments[:-1], *(arguments[-1][name] for name in names))


def named_arguments(what: str, function: Function, count: int, args: Sequence[object],
                    params: Optional[Mapping[str, object]]) -> Dict[str, object]:
    """Values of the parameters that a function takes behind so many arguments, and further ones."""
    names = [one.name for one in _behind(function, count) or []]
    if len(names) != len(args):
        raise DaelabError(f"{what} takes {len(names)} arguments behind {count} ({', '.join(names) or 'none'}), and args "
                          f"has {len(args)}")
    return {**dict(zip(names, args)), **(params or {})}


def words(names: Union[str, Sequence[str], None]) -> Optional[bytes]:
    if names is None:
        return None
    return (names if isinstance(names, str) else " ".join(names)).encode()


def interval(t: Sequence[float]) -> Tuple[float, float]:
    """(t0, t_end), which are finite and go forwards."""
    try:
        values = np.asarray(t, dtype=float)
    except (TypeError, ValueError):
        values = np.zeros(0)
    if values.shape != (2,) or not np.all(np.isfinite(values)) or values[1] < values[0]:
        raise DaelabError(f"t_span = {t!r} is no pair (t0, t_end) with t0 <= t_end")
    return float(values[0]), float(values[1])


def start_vector(what: str, start: object, p: object, n: Optional[int] = None) -> Array:
    """A start [n], an array or a function of p, as doubles; n None: as many as there are."""
    found = np.asarray(start(p) if callable(start) else start)
    if found.ndim > 1 or found.size == 0 and n is None:
        raise DaelabError(f"{what}: a start is a list of numbers, not an array of shape {found.shape}")
    found = numbers(f"{what}: the start", np.atleast_1d(found), found.size if n is None else n).astype(float)
    if not np.all(np.isfinite(found)):
        raise DaelabError(f"{what}: the start is not finite, {found}")
    return found


class FirstOrderProblem(Written):
    """M u' = F(t, u) in Python.

    rhs(t, u) answers F [n]; behind u it may take p, which has the parameters, or parameters by their names, as
    rhs(t, u, k). u: the start, an array [n] or a function of p. mass: none for the identity, a diagonal
    [n], a matrix, or a function like rhs, tried in a few places for whether it varies unless mass_varies says it;
    index: the differential index of the system, by default 0 without a mass, else 1. args: values of the parameters
    that rhs takes behind u, in place of params. Others as for MechanicalProblem; variables, units: words for u."""

    def __init__(self, name: str, *, u: Given, rhs: Function, mass: object = None, index: Optional[int] = None,
                 t_span: Tuple[float, float] = (0.0, 1.0), params: Optional[Mapping[str, object]] = None,
                 args: Sequence[object] = (),
                 variables: Union[str, Sequence[str], None] = None, units: Union[str, Sequence[str], None] = None,
                 title: str = "", rtol: float = 0.0, mass_varies: Optional[bool] = None, **unknown: object) -> None:
        refuse_keywords(FirstOrderProblem.__init__, unknown)
        (t0, t_end), parameters = interval(t_span), {} if params is None else params
        if args:
            parameters = named_arguments(f"{name}: rhs", rhs, 2, args, params)
        self._start, self._name = u, name
        p = default_values(parameters)
        u0 = start_vector(name, u, p)
        rhs = with_parameters(f"{name}: rhs", rhs, 2, p)
        mass = with_parameters(f"{name}: mass", mass, 2, p) if callable(mass) else mass
        self._n = len(u0)
        sizes = [abs(t_end - t0) or 1.0, largest(u0) or 1.0]
        self._mass = Mass(f"{name}: mass", 1.0 if mass is None else mass, self._n, sizes)
        self._rhs = Differentiable(f"{name}: rhs", rhs, self._n, sizes)
        varies = self._mass.varies((t0, t_end), u0, p) if mass_varies is None else mass_varies
        record = _abi.dae_callbacks(title=title.encode(), variables=words(variables), units=words(units), n=self._n,
                                    index=(0 if mass is None else 1) if index is None else index,
                                    has_mass=int(mass is not None), mass_varies=int(varies), t0=t0, t_end=t_end,
                                    rtol=rtol)
        super().__init__(name, record, parameters, {
            _abi.CALL_START: self._write_start, _abi.CALL_RHS: self._write_rhs, _abi.CALL_MASS: self._write_mass})
        self.functions = {"rhs": self._rhs}
        if self._mass.function is not None:
            self.functions["mass"] = self._mass.function
        for key, function in self.functions.items():
            self.derivatives[key] = function.try_complex((t0, u0), p)

    def _write_start(self, _watch: object, p: object, _t: int, _x: int, _y: int, _z: int, out: int) -> None:
        view(out, self._n, False)[:] = start_vector(self._name, self._start, p, self._n)

    def _write_rhs(self, watch: Optional[Watch], p: object, t: int, x: int, _y: int, _z: int, out: int) -> None:
        dual = watch is not None
        arguments = (scalar(t, dual), given(x, self._n, dual))
        view(out, self._n, dual)[:] = self._rhs.dual(arguments, p, watch) if dual else self._rhs.value(arguments, p)

    def _write_mass(self, watch: Optional[Watch], p: object, t: int, x: int, y: int, _z: int, out: int) -> None:
        self._mass.times(watch, p, t, x, y, out)
