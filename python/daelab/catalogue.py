"""Problems, formulations and methods: what there is, and what files add."""
from __future__ import annotations

import ctypes
import hashlib
import math
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, Set, Tuple, TypeVar, Union

import numpy as np

from . import _abi
from ._abi import text
from ._library import lib, problems_path, run_program
from ._names import no_such
from .errors import DaelabError

_RANGES = ("any", "positive", "nonnegative", "count")


class Parameter(NamedTuple):
    """A parameter of a problem; of an array each element has its own, "k[3]"."""

    name: str
    value: float                        # its default
    unit: str
    description: str
    range: str                          # "any", "positive", "nonnegative", "count"


class Finding(NamedTuple):
    """Something that a check of a problem has found."""

    failed: bool                        # wrong; else worth knowing
    function: str                       # "acceleration", "start", ...
    row: int                            # of that function, from 1; 0: none
    column: int
    sentence: str                       # all of it in words


class Findings(List[Finding]):
    """All that a check has found, shown as its sentences."""

    def __repr__(self) -> str:
        return "\n".join(("" if one.failed else "worth knowing: ") + one.sentence for one in self) or "nothing was found"


class Problem:
    """A system of equations: M v' = f - G^T lambda, 0 = g, or M u' = F(t, u), with its parameters and interval.

    name, title, citation, equations: texts.
    variables, units: of (q, v, lambda) or u, of one copy where a parameter counts copies.
    t0, t_end: the interval of a study. rtol: the relative tolerance of a run where nobody says another.
    parameters: {name: Parameter}.
    positions, multipliers: of a mechanical problem, else 0. unknowns, index: of one of first order, else 0.
    """

    def __init__(self, address: int, source: Optional[str] = None, keep: object = None) -> None:
        info = lib.dae_problem_describe(address)
        self.address = address
        self.source = source            # the file that it came from
        self._keep = keep
        self._consistent: Set[bytes] = set()                # values of parameters that were checked
        self.name = text(info.name)
        self.title = text(info.title)
        self.citation = text(info.citation)
        self.equations = text(info.equations)
        self.variables: Tuple[str, ...] = tuple(text(info.variables).split())
        self.units: Tuple[str, ...] = tuple(text(info.units).split())
        self.t0, self.t_end, self.rtol = info.t0, info.t_end, info.rtol
        self.positions, self.multipliers = info.positions, info.multipliers
        self.unknowns, self.index = info.unknowns, info.index
        self.nonholonomic, self.coordinates = info.nonholonomic, info.coordinates
        self.events, self.modes, self.invariants = info.events, info.modes, info.invariants
        self.parameters = {p.name: p for p in self._list_parameters()}

    def _list_parameters(self) -> Iterator[Parameter]:
        name = ctypes.create_string_buffer(256)
        for i in range(lib.dae_parameter_count(self.address)):
            record = lib.dae_parameter_at(self.address, i).contents
            lib.dae_parameter_name(self.address, i, name, len(name))
            yield Parameter(text(name.value), lib.dae_parameter_default(self.address, i), text(record.unit),
                            text(record.description), _RANGES[record.range])

    @property
    def formulations(self) -> List["Formulation"]:
        """Those that exist for this problem."""
        return [form for form in formulations.values()
                if lib.dae_formulation_applies(form.address, self.address)]

    def named(self, args: Sequence[object], params: Optional[Mapping[str, object]]) -> Dict[str, object]:
        """Values of the first parameters in their order, and of others by name."""
        names = list(dict.fromkeys(name.split("[")[0] for name in self.parameters))
        given = list(args) if isinstance(args, (list, tuple)) else [args]
        if len(given) > len(names):
            raise DaelabError(f"{self.name} has {len(names)} parameters ({', '.join(names) or 'none'}), and args "
                              f"{len(given)}")
        if params is not None and not isinstance(params, Mapping):
            raise DaelabError(f"params = {params!r} is no dictionary, as {{'L': 2.0}}")
        return {**dict(zip(names, given)), **(params or {})}

    def refuse_contradictions(self, params: Mapping[str, object]) -> None:
        """DaelabError with the first finding that a check calls wrong, as the command has it before a run."""
        values = self.parameter_values(params)
        if bytes(values) not in self._consistent:
            wrong = next((one for one in self.check(params, quick=True) if one.failed), None)
            if wrong:
                raise DaelabError(wrong.sentence, "DAE_BAD_MODEL")
            self._consistent.add(bytes(values))

    def parameter_values(self, values: Mapping[str, object]) -> "ctypes.Array[ctypes.c_double]":
        """The values of all parameters: defaults, but for those given; {"k": [..]} of a whole array."""
        count = len(self.parameters)
        p = (ctypes.c_double * max(count, 1))(*(one.value for one in self.parameters.values()))
        for name, value in values.items():
            first = lib.dae_parameter_index(self.address, str(name).encode())
            if first < 0:
                raise no_such(f"parameter of {self.name}", name, self.parameters)
            elements = lib.dae_parameter_at(self.address, first).contents.count or 1
            numbers = self._elements(str(name), value, elements if str(name) not in self.parameters else 1)
            p[first:first + len(numbers)] = numbers
        return p

    def _elements(self, name: str, value: object, count: int) -> List[float]:
        """What is given of a parameter as so many numbers; one number is that of all elements."""
        try:
            numbers = ([float(v) for v in value] if np.ndim(value)          # type: ignore[union-attr,call-overload]
                       else [float(value)] * count)                         # type: ignore[arg-type]
        except (TypeError, ValueError):
            raise DaelabError(f"{self.name}: parameter {name} = {value!r} is not {count} numbers" if count > 1
                              else f"{self.name}: parameter {name} = {value!r} is no number") from None
        if len(numbers) != count:
            raise DaelabError(f"{self.name}: {name} takes {count} values, not {len(numbers)}")
        return numbers

    def _form_options(self, alpha: Optional[float], beta: Optional[float]) -> _abi.dae_formulation_options:
        options = lib.dae_default_formulation_options(self.address)
        options.alpha = options.alpha if alpha is None else alpha
        options.beta = options.beta if beta is None else beta
        return options

    def check(self, params: Optional[Mapping[str, object]] = None, quick: bool = False) -> "Findings":
        """Do the functions of the problem agree with each other (check.h)? At most one finding for each of them."""
        return self._check(params, quick, None)

    def _check(self, params: Optional[Mapping[str, object]], quick: bool, user_data: Optional[int]) -> "Findings":
        found, count, report = (_abi.dae_finding * 64)(), ctypes.c_int(), _abi.dae_report()
        options, how = self._form_options(None, None), _abi.dae_check_options(quick=int(quick))
        options.user_data = user_data
        status = lib.dae_check_model(self.address, self.parameter_values(params or {}), ctypes.byref(options),
                                     ctypes.byref(how), found, len(found), ctypes.byref(count), ctypes.byref(report))
        if status:
            raise DaelabError(text(report.message), text(lib.dae_status_name(status)))
        return Findings(Finding(bool(f.failed), text(f.function), f.row, f.column, text(f.sentence))
                        for f in found[:min(count.value, len(found))])

    def __reduce__(self) -> Tuple[Any, ...]:
        return _find_again, ("problem", self.name, self.source)

    def __copy__(self) -> "Problem":
        return self

    def __deepcopy__(self, _memo: object) -> "Problem":
        return self                     # it is never changed, and holds an address

    def __repr__(self) -> str:
        size = (f"{self.positions} positions, {self.multipliers} multipliers" if self.positions
                else f"{self.unknowns} unknowns, index {self.index}")
        return f"<Problem {self.name}: {self.title or size}>"


class Formulation:
    """How the equations of a mechanical problem are solved: "index3" to "index1", "ggl", "ode"; "native"."""

    def __init__(self, address: int) -> None:
        info = lib.dae_formulation_describe(address)
        self.address = address
        self.name, self.title, self.citation = text(info.name), text(info.title), text(info.citation)
        self.index = info.index         # differential index; -1: that of the problem
        self.stabilised = ("not", "by feedback", "by multipliers")[info.stabilised]

    def __reduce__(self) -> Tuple[Any, ...]:
        return _find_again, ("formulation", self.name, None)

    def __repr__(self) -> str:
        return f"<Formulation {self.name}: {self.title}>"


class Method:
    """An integration method, with what it can do."""

    def __init__(self, address: int, source: Optional[str] = None, keep: object = None) -> None:
        info = lib.dae_method_describe(address)
        self.address = address
        self.source = source
        self._keep = keep
        self.name, self.title, self.citation = text(info.name), text(info.title), text(info.citation)
        self.stages = info.stages
        self.fixed, self.adaptive = bool(info.fixed), bool(info.adaptive)
        self.implicit, self.dense_output = bool(info.implicit), bool(info.dense_output)

    def order(self, form: Union[str, Formulation], index: int, of: str) -> Optional[float]:
        """The declared order of a class of unknowns ("position", "velocity", "multiplier", "recovered",
        "differential", "algebraic") of a system of this index; 0: it does not converge to the solution; None: none
        is declared."""
        classes = [text(lib.dae_class_name(i)) for i in range(_abi.CLASSES)]
        if of not in classes:
            raise no_such("class of unknowns", of, classes)
        order = lib.dae_method_order(self.address, find_formulation(form).address, index, classes.index(of))
        return None if math.isnan(order) else order

    def __reduce__(self) -> Tuple[Any, ...]:
        return _find_again, ("method", self.name, self.source)

    def __repr__(self) -> str:
        return f"<Method {self.name}: {self.title}>"


Item = TypeVar("Item", Problem, Formulation, Method)


class Catalogue(Mapping[str, Item]):
    """Objects by their names, in the order of the library: catalogue["pendulum"], catalogue.pendulum."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._items: Dict[str, Item] = {}

    def __getitem__(self, name: str) -> Item:
        if name in self._items:
            return self._items[name]
        raise no_such(self._what, name, self._items)

    def __contains__(self, name: object) -> bool:
        return name in self._items

    def __getattr__(self, name: str) -> Item:
        if name.startswith("_") or name not in self._items:
            raise AttributeError(str(no_such(self._what, name, self._items)))
        return self._items[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __dir__(self) -> List[str]:
        return [*super().__dir__(), *self._items]

    def __repr__(self) -> str:
        return f"<{len(self)} {self._what}s: {', '.join(self._items)}>"

    def __reduce__(self) -> str:
        return self._what + "s"

    def _add(self, item: Item) -> None:
        self._items[item.name] = item


problems: Catalogue[Problem] = Catalogue("problem")
formulations: Catalogue[Formulation] = Catalogue("formulation")
methods: Catalogue[Method] = Catalogue("method")


def _find_again(what: str, name: str, source: Optional[str]) -> object:
    """What was pickled, by its name in this process, where its file is loaded first."""
    table: Catalogue[Any] = {"problem": problems, "formulation": formulations, "method": methods}[what]
    if name not in table and source:
        load(source)
    return table[name]


def _check_plugin(path: str, plugin: _abi.dae_plugin) -> None:
    if plugin.version != _abi.PLUGIN_VERSION or plugin.size != ctypes.sizeof(_abi.dae_plugin):
        raise DaelabError(f"{path}: compiled for another daelab (plug-in version {plugin.version}, here "
                          f"{_abi.PLUGIN_VERSION})", "DAE_UNSUPPORTED")
    if text(plugin.daelab) != _abi.VERSION:
        raise DaelabError(f"{path}: compiled for daelab {text(plugin.daelab)}, this is {_abi.VERSION}",
                          "DAE_UNSUPPORTED")
    for what, count, size in (("dae_problem", plugin.problems, plugin.problem_size),
                              ("dae_event", plugin.problems, plugin.event_size),
                              ("dae_method", plugin.methods, plugin.method_size),
                              ("dae_solver", plugin.methods, plugin.solver_size)):
        if count and size != lib.dae_size_of(what.encode()):
            raise DaelabError(f"{path}: its {what} has another size than the library's", "DAE_UNSUPPORTED")


def _plugins(path: str, loaded: ctypes.CDLL) -> Iterator[_abi.dae_plugin]:
    """The descriptors of a shared object (plugin.h)."""
    for symbol in ("dae_problem_plugins", "dae_method_plugins"):
        try:
            where = _abi.dae_plugin_range.in_dll(loaded, symbol)
        except ValueError:
            continue
        first = ctypes.cast(where.first, ctypes.c_void_p).value or 0
        last = ctypes.cast(where.last, ctypes.c_void_p).value or 0
        for i in range((last - first) // ctypes.sizeof(ctypes.c_void_p)):
            plugin = where.first[i].contents
            _check_plugin(path, plugin)
            yield plugin


def _load_object(path: str, source: Optional[str]) -> List[Union[Problem, Method]]:
    try:
        loaded = ctypes.CDLL(path)
    except OSError as error:
        raise DaelabError(f"{source or path}: {error}", "DAE_FILE") from None
    found: List[Union[Problem, Method]] = []
    for plugin in _plugins(source or path, loaded):
        found += [Problem(plugin.problem[i], source, loaded) for i in range(plugin.problems)]
        found += [Method(plugin.method[i], source, loaded) for i in range(plugin.methods)]
    if not found:
        raise DaelabError(f"{source or path}: it has no line DAE_PLUGIN_PROBLEMS or DAE_PLUGIN_METHODS",
                          "DAE_UNSUPPORTED")
    return found


_compiled: Dict[Tuple[str, bytes], List[Union[Problem, Method]]] = {}    # by the file and by what it was compiled to


def _compile_and_load(path: str) -> List[Union[Problem, Method]]:
    """By the program, which leaves the object in a folder; one that was loaded already is not loaded again."""
    with tempfile.TemporaryDirectory(prefix="daelab-") as folder:
        environment = {key: value for key, value in os.environ.items() if key != "DAELAB_PLUGINS"}
        status, _, said = run_program(["list", path, "--quiet"], {**environment, "DAELAB_OBJECTS": folder})
        objects = list(Path(folder).glob("*.so"))
        if status or len(objects) != 1:
            raise DaelabError(said or f"{path}: nothing was compiled", "DAE_FILE")
        key = path, hashlib.sha256(objects[0].read_bytes()).digest()
        if key not in _compiled:
            _compiled[key] = _load_object(str(objects[0]), path)
        return _compiled[key]


def load(path: Union[str, "os.PathLike[str]"]) -> Union[Problem, Method]:
    """Load problems and methods of a file: .so, or .c or .yaml, which the program daelab compiles.

    All that it offers is then found by its name in daelab.problems and daelab.methods; the first is answered.
    DaelabError where it cannot be compiled or loaded, or is of another version."""
    name = os.path.abspath(os.fspath(path))
    if not os.path.exists(name):
        raise DaelabError(f"{os.fspath(path)}: there is no such file", "DAE_FILE")
    found = _load_object(name, name) if name.endswith(".so") else _compile_and_load(name)
    known = [_as_known(item) for item in found]
    for item in known:
        (problems if isinstance(item, Problem) else methods)._add(item)     # type: ignore[arg-type]
    return known[0]


def _as_known(item: Union[Problem, Method]) -> Union[Problem, Method]:
    """The object that stands for the same record already, where a file was loaded again and has not changed."""
    table: Catalogue[Any] = problems if isinstance(item, Problem) else methods
    there = table[item.name] if item.name in table else None
    return there if there is not None and (there.address, there.source) == (item.address, item.source) else item


def find_problem(problem: Union[str, "os.PathLike[str]", Problem]) -> Problem:
    """A problem by its name, or by the path of its file."""
    if isinstance(problem, Problem):
        return problem
    if isinstance(problem, os.PathLike):
        problem = os.fspath(problem)
        problem = problem if "/" in problem else "./" + problem
    if not isinstance(problem, str):
        raise DaelabError(f"{problem!r} is no problem, and no name of one" +
                          ("; FirstOrderProblem makes one of a function" if callable(problem) else ""))
    if "/" in problem or problem.endswith((".c", ".so", ".yaml")):
        loaded = load(problem)
        if isinstance(loaded, Problem):
            return loaded
        raise DaelabError(f"{problem}: it offers methods only")
    return problems[problem]


def find_formulation(form: Union[str, Formulation]) -> Formulation:
    """A formulation by its name."""
    return form if isinstance(form, Formulation) else formulations[form]


def find_method(method: Union[str, Method]) -> Method:
    """A method by its name."""
    return method if isinstance(method, Method) else methods[method]


def check(problem: Union[str, "os.PathLike[str]", Problem], params: Optional[Mapping[str, object]] = None,
          quick: bool = False) -> Findings:
    """Do the functions of a problem agree with each other? What is wrong, and what is worth knowing."""
    return find_problem(problem).check(params, quick)


def _fill() -> None:
    for table, at, make in ((formulations, lib.dae_formulation_at, Formulation), (methods, lib.dae_method_at, Method)):
        i = 0
        while True:
            address = at(i)
            if not address:
                break
            table._add(make(address))   # type: ignore[attr-defined]
            i += 1
    shipped = problems_path()
    for item in _load_object(str(shipped), None) if shipped else []:
        problems._add(item)             # type: ignore[arg-type]


_fill()
