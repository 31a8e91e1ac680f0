"""Studies, by the program daelab: converge, drift, bench, each as its tables."""
from __future__ import annotations

import json
import subprocess
from typing import Any, Dict, List, Mapping, Sequence, Union

from ._library import program_path
from .catalogue import Formulation, Method, Problem
from .errors import DaelabError

try:
    import pandas
except ImportError:
    pandas = None                       # type: ignore[assignment]

_STATUS = {1: "DAE_ERROR_TEST", 2: "DAE_BAD_ARGUMENT", 3: "DAE_FILE"}
_MAIN = {"converge": "orders", "drift": "drift", "bench": "work"}


class Study(Dict[str, Any]):
    """The tables of a study by name (docs/results.md): study["orders"], study.orders; each a pandas DataFrame, or a
    list of dicts where there is no pandas. A value that does not exist is NaN or None.

    main: the table of the command: "orders" of converge, "drift", or "work" of bench.
    units: {table: {column: unit}}. remarks: sentences. document: all of study.json.
    """

    def __init__(self, command: str, document: Dict[str, Any]) -> None:
        super().__init__({name: _table(t) for name, t in document["tables"].items()})
        self.command, self.document = command, document
        self.units = {name: dict(zip(t["columns"], t["units"])) for name, t in document["tables"].items()}
        self.remarks: List[str] = [remark["text"] for remark in document.get("remarks", [])]

    @property
    def main(self) -> Any:
        return self[_MAIN[self.command]]

    def __getattr__(self, name: str) -> Any:
        if name in self:
            return self[name]
        raise AttributeError(f"this study has no table {name}; it has {', '.join(self)}")

    def __repr__(self) -> str:
        return f"<Study {self.command}: " + ", ".join(f"{len(t)} {name}" for name, t in self.items()) + ">"


def _table(table: Mapping[str, Any]) -> Any:
    if pandas is not None:
        return pandas.DataFrame(table["rows"], columns=table["columns"])
    return [dict(zip(table["columns"], row)) for row in table["rows"]]


def _name(item: Union[str, Problem, Formulation, Method]) -> str:
    """As the command takes it: a name, or the path of a file."""
    if isinstance(item, str):
        return item
    if getattr(item, "in_python", False):
        raise DaelabError(f"{item.name}: a study is made by the program daelab, which has no functions of Python; "
                          "solve it, or write the problem as a file (daelab new)", "DAE_UNSUPPORTED")
    return getattr(item, "source", None) or item.name


def _names(items: object) -> str:
    """One or several, separated by commas."""
    if isinstance(items, (str, Problem, Formulation, Method)):
        return _name(items)
    return ",".join(_name(item) for item in items)          # type: ignore[attr-defined]


def _value(value: object) -> str:
    if isinstance(value, (list, tuple)) or hasattr(value, "tolist"):
        return ",".join(_value(v) for v in value)           # type: ignore[attr-defined]
    return repr(float(value)) if isinstance(value, float) else str(value)


def _arguments(options: Mapping[str, object]) -> List[str]:
    """Options of the command: max_step=0.1 is --max-step 0.1, True an option without value."""
    arguments: List[str] = []
    for key, value in options.items():
        option = "--" + key.replace("_", "-")
        if key in ("parameters", "vary"):
            for name, number in dict(value or {}).items():  # type: ignore[call-overload]
                arguments += ["--param" if key == "parameters" else option, f"{name}={_value(number)}"]
        elif key in ("form", "method") and value is not None:
            arguments += [option, _names(value)]
        elif isinstance(value, Mapping):                    # atol={"T": 1e-3}
            arguments += [option, ",".join(f"{name}={_value(v)}" if name is not None else _value(v)
                                           for name, v in value.items())]
        elif value is True:
            arguments.append(option)
        elif value is not None and value is not False:
            arguments += [option, _value(value)]
    return arguments


def _study(command: str, problem: object, options: Mapping[str, object]) -> Study:
    done = subprocess.run([program_path(), command, _names(problem), *_arguments(options), "--format", "json",
                           "--quiet"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    try:
        document = json.loads(done.stdout)
    except ValueError:
        raise DaelabError(done.stderr.strip() or f"daelab {command} ended with {done.returncode}",
                          _STATUS.get(done.returncode, "DAE_BACKEND")) from None
    return Study(command, document)


Problems = Union[str, Problem, Sequence[Union[str, Problem]]]


def converge(problem: Problems, **options: object) -> Study:
    """Errors and observed orders: tables "runs" and "orders".

    problem, form, method: one or several; other options as of the command: step=0.01, rtol=1e-4, levels=5, ratio=2,
    t_end=1, parameters={"L": 2}, vary={"L": [1, 2]}, atol={"T": 1e-3}, no_events=True (daelab converge --help).
    A run that fails is a row of "runs" with its status and reason. DaelabError with the program's sentence for
    options that are wrong."""
    return _study("converge", problem, options)


def drift(problem: Problems, **options: object) -> Study:
    """How far runs leave constraints, energy and invariants: tables "drift", "growth", "runs"; options as those of
    converge and of daelab drift --help."""
    return _study("drift", problem, options)


def bench(problem: Problems, **options: object) -> Study:
    """What accuracy costs: tables "work", "runs", "rounds"; options as those of converge and of daelab bench
    --help. Times are of the machine as it is now."""
    return _study("bench", problem, options)
