"""Studies, by the program daelab: converge, drift, bench, each as its tables."""
from __future__ import annotations

import json
import os
import re
import warnings
from pathlib import Path
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from . import _text
from ._library import run_program
from ._names import refuse_old, refuse_words
from ._renamed import renamed
from .catalogue import Formulation, Method, Problem, find_problem
from .errors import DaelabError, DaelabWarning
from .written import interval

_STATUS = {1: "DAE_ERROR_TEST", 2: "DAE_BAD_ARGUMENT", 3: "DAE_FILE"}
_OWN = ("format", "json", "output", "quiet", "help")      # options of the command that are given here
_OPTIONS = {"params": "param", "max_steps": "limit_steps", "t_span": "t_end", "as_given": "start", "start": "set"}
_MAIN = {"converge": "orders", "drift": "drift", "bench": "work", "scale": "scale", "solve": "solution",
         "fit": "fit"}


def _pandas() -> Any:
    """The module, or None; it is looked for where a table is made, as it takes long to load."""
    try:
        import pandas
    except ImportError:
        return None
    return pandas


def main_table(command: str, tables: Mapping[str, Any]) -> str:
    """The name of the table that a result is about; of a file of several studies the first that there is."""
    return _MAIN.get(command) or next((name for name in _MAIN.values() if name in tables), "runs")


class Study:
    """What a study has found: its main table, a pandas DataFrame (a list of dicts where there is no pandas), "orders"
    of converge, "drift", or "work" of bench; with its other tables (docs/results.md). A value that does not exist is
    NaN or None.

    tables: all of them by name. study.runs, study["runs"] are tables["runs"], where no column has that name.
    units: {table: {column: unit}}. remarks: sentences of the study. failures: sentences on runs that did not end.
    document: all of study.json. It is shown with those columns that differ, and with remarks and failures; to_frame()
    is a DataFrame with all columns, as are all that is cut out of it.
    """

    command: str
    tables: Dict[str, Any]
    units: Dict[str, Dict[str, str]]
    remarks: List[str]
    failures: List[str]
    document: Dict[str, Any]

    def _hold_study(self, command: str, document: Dict[str, Any], frames: Any) -> None:
        tables = document["tables"]
        self.command, self.document, self._main = command, document, main_table(command, tables)
        self.tables = {name: _table(table, frames) for name, table in tables.items()}
        self.units = {name: dict(zip(t["columns"], t["units"])) for name, t in tables.items()}
        self.remarks = [_in_python(remark["text"]) for remark in document.get("remarks", [])]
        self.failures = _text.failures(tables["runs"]) if "runs" in tables else []

    def _shown_table(self) -> str:
        """The name of the table that is shown: the runs where the main one has no rows."""
        main = self.document["tables"].get(self._main)
        return self._main if main and main["rows"] else "runs"

    def to_frame(self) -> Any:
        """The main table as a plain pandas DataFrame of its own."""
        return self.tables[self._main].copy()

    def plot(self, file: Union[str, "os.PathLike[str]", None] = None, axes: Optional[str] = None,
             **look: object) -> Any:
        """The picture that the command draws of it: matplotlib's figure, or where it takes several pages a list of
        them. file: it is written there, too, as .svg, .png, .pdf or .tex. axes: of bench, "steps:velocity" as its
        --axes. look: width and height ("8.5cm", or mm), font [pt], face, title, transparent, data, as of Look in
        show/style.py. DaelabError where nothing can be drawn."""
        from .show import studies
        from .show.results import Result
        result, items = Result(self.document), self.document.get("items", ())
        if axes is not None:
            items = [{**item, "axes": _axes(axes)} for item in items]
        parts = dict.fromkeys(result.table("runs")["part"])
        return draw([figure for part in parts for figure in studies.figures_of(result, part, items)], file, look)

    def __repr__(self) -> str:
        name = self._shown_table()
        others = ", ".join(f"{len(t)} {k}" for k, t in self.tables.items() if k != name)
        notes = "".join(f"\n{sentence}" for sentence in [*self.remarks, *self.failures])
        return f"{_text.as_text(name, self.document['tables'][name])}\n<Study {self.command}; tables: {others}>{notes}"

    __str__ = __repr__

    def _repr_html_(self) -> str:
        name = self._shown_table()
        notes = "".join(f"<p>{_text.escape(sentence)}</p>" for sentence in [*self.remarks, *self.failures])
        return _text.as_html(name, self.document["tables"][name]) + notes


class ListStudy(Study, List[Dict[str, Any]]):
    """A study where there is no pandas: the main table is a list of dicts."""

    def __init__(self, command: str, document: Dict[str, Any]) -> None:
        self._hold_study(command, document, None)
        super().__init__(self.tables.get(self._main, []))

    def to_frame(self) -> Any:
        raise DaelabError("there is no pandas: the study itself is a list of dicts", "DAE_UNSUPPORTED")

    def __getitem__(self, key: Any) -> Any:
        return self.tables[key] if isinstance(key, str) else super().__getitem__(key)

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_") and name in self.__dict__.get("tables", {}):
            return self.tables[name]
        raise AttributeError(f"this study has no table {name}; it has {', '.join(self.__dict__.get('tables', {}))}")


def _table(table: Mapping[str, Any], frames: Any) -> Any:
    if frames is not None:
        return frames.DataFrame(table["rows"], columns=table["columns"])
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
    kinds = (str, os.PathLike, Problem, Formulation, Method)
    several = list(items) if isinstance(items, Iterable) and not isinstance(items, kinds) else [items]
    wrong = [item for item in several if not isinstance(item, kinds)]
    if wrong or not several:
        raise DaelabError(f"{(wrong or [items])[0]!r} is no name, no path, and nothing of daelab's")
    return ",".join(_name(os.fspath(item) if isinstance(item, os.PathLike) else item) for item in several)


def _value(value: object) -> str:
    """Numbers of Python and numpy, lists of them, words."""
    value = value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value
    if isinstance(value, (list, tuple)):
        return ",".join(_value(v) for v in value)
    return repr(float(value)) if isinstance(value, float) else str(value)


def _by_name(key: str, value: object) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        raise DaelabError(f"{key} = {value!r} is no dictionary, as {{'L': 2.0}}")
    return value


def _millimetres(length: object) -> float:
    """A number of them, or "8.5cm" as --plot-size has it."""
    units = {"mm": 1, "cm": 10, "in": 25.4, "pt": 25.4 / 72}
    try:
        return float(length[:-2]) * units[length[-2:]] if isinstance(length, str) else float(length)   # type: ignore
    except (KeyError, TypeError, ValueError):
        raise DaelabError(f"{length!r} is no length, as \"8.5cm\" (in {', '.join(units)}), or a number of mm") from None


def draw(figures: Sequence[Any], file: Union[str, "os.PathLike[str]", None], look: Mapping[str, Any]) -> Any:
    """Figures of daelab.show as matplotlib's, in the file, too; several pages are a list."""
    from .show import layout, style, writers
    refuse_words("look", look, style.Look._fields)
    sizes = {key: _millimetres(look[key]) for key in ("width", "height") if key in look}
    drawn, path = style.Look(**{**look, **sizes}), None if file is None else os.fspath(file)
    style.choose_fonts(drawn)
    if not figures:
        raise DaelabError("there is nothing to draw", "DAE_UNSUPPORTED")
    if path is not None and os.path.splitext(path)[1] not in writers.WRITERS:
        raise DaelabError(f"{path}: a picture is one of {', '.join(writers.WRITERS)}")
    try:
        if path is not None:
            said = writers.draw(figures, path, drawn)["said"]
            if said:
                warnings.warn(said, DaelabWarning, stacklevel=3)
        pages, _ = layout.pages_of(figures, drawn)
    except layout.NoRoom as why:
        raise DaelabError(str(why)) from None
    return pages[0] if len(pages) == 1 else pages


def _axes(axes: str) -> List[str]:
    """Both of "steps:velocity": names of what is drawn of a run."""
    from .show.studies import AXES, CLASSES, DRIFTS
    known = [*AXES, *CLASSES, *(f"drift-{name}" for name in DRIFTS[:3]), *DRIFTS[3:]]
    both = axes.split(":")
    if len(both) != 2:
        raise DaelabError(f"axes = {axes!r} is no pair, as \"steps:velocity\"")
    refuse_words("axis", both, known)
    return both


def _end(t_span: Any, problem: object) -> float:
    """The end of an interval, which begins where the problem does."""
    t0, t_end = interval(t_span)
    one = find_problem(problem) if isinstance(problem, (str, Problem)) and "," not in str(problem) else None
    if one and t0 != one.t0:
        raise DaelabError(f"t_span begins at {t0:.9g}, and {one.name} at {one.t0:.9g}: a study begins there")
    return t_end


def _arguments(problem: object, options: Mapping[str, object]) -> List[str]:
    """Options of the command: max_step=0.1 is --max-step 0.1, True an option without value."""
    arguments: List[str] = []
    for key, value in options.items():
        option = "--" + _OPTIONS.get(key, key).replace("_", "-")
        refuse_old(key)
        if key in _OWN:
            raise DaelabError(f"{key} is no option here: the tables are what is returned")
        if key == "t_span":
            arguments += [] if value is None else [option, _value(_end(value, problem))]
        elif key == "as_given":
            arguments += [option, "as-given"] if value else []
        elif key in ("params", "vary") or key == "start" and isinstance(value, Mapping):
            for name, number in _by_name(key, value or {}).items():
                arguments += [option, f"{name}={_value(number)}"]
        elif key in ("form", "method") and value is not None:
            arguments += [option, _names(value)]
        elif isinstance(value, Mapping):                    # atol={"T": 1e-3}
            arguments += [option, ",".join(f"{name}={_value(v)}" if name is not None else _value(v)
                                           for name, v in value.items())]
        elif isinstance(value, (bool, np.bool_)):
            arguments += [option] if value else []
        elif value is not None:
            arguments += [option, _value(value)]
    return arguments


def _in_python(said: str) -> str:
    """The program's sentence with options as keywords: "max_steps" for "--limit-steps", "start={'x': 1}" for
    "--set x=1"."""
    back = {option: key for key, option in _OPTIONS.items()}

    def keyword(found: "re.Match[str]") -> str:
        option, pairs, number = found.groups()
        name = option.replace("-", "_")
        key = back.get(name, name)
        if pairs:
            return key + "={" + ", ".join("'{}': {}".format(*pair.split("=")) for pair in pairs.split(",")) + "}"
        return f"{key}={number}" if number else key
    pair, number = r"[^\s=,;]+=[^\s=,;]+", r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?"
    said = said.replace("--start as-given", "as_given=True").replace("no option", "no keyword")
    return re.sub(rf"--([a-z][a-z-]*)(?: ({pair}(?:,{pair})*)| ({number})\b)?", keyword, said)


def study_by(command: str, problem: object, options: Mapping[str, object],
             listed: Iterable[Tuple[str, str]] = ()) -> Study:
    """What the command finds. listed: options that are given more than once."""
    more = [word for name, value in listed for word in ("--" + name, value)]
    status, answer, said = run_program([command, _names(problem), *_arguments(problem, options), *more, "--format",
                                        "json", "--quiet"])
    said = _in_python(said)
    try:
        document = json.loads(answer)
    except ValueError:
        raise DaelabError(said or f"daelab {command} ended with {status}", _STATUS.get(status, "DAE_BACKEND")) from None
    study = study_of(command, document)
    for sentence in filter(None, [said, *study.remarks]):
        warnings.warn(sentence, DaelabWarning, stacklevel=3)
    return study


def open(folder: Union[str, "os.PathLike[str]"]) -> Study:      # pylint: disable=redefined-builtin
    """The result that a command has written: its folder, or the file of --format json."""
    path = Path(folder)
    try:
        document = json.loads((path / "study.json" if path.is_dir() else path).read_text(encoding="utf-8"))
        return study_of(document["command"], renamed(document))
    except OSError as error:
        raise DaelabError(f"{folder}: {error.strerror}", "DAE_FILE") from None
    except (ValueError, LookupError, TypeError, AttributeError):
        raise DaelabError(f"{folder}: it is no result of daelab", "DAE_FILE") from None


def study_of(command: str, document: Dict[str, Any]) -> Study:
    frames = _pandas()
    if frames is None:
        return ListStudy(command, document)
    from ._frames import FrameStudy
    return FrameStudy.of_document(command, document)


Problems = Union[str, Problem, Sequence[Union[str, Problem]]]


def converge(problem: Problems, form: object = None, method: object = None, t_span: object = None,
             **options: object) -> Study:
    """Errors and observed orders: the table "orders", with "runs".

    problem, form, method: one or several. t_span, params, start, as_given, max_steps and others are those of solve;
    further ones those of the command with _ for -: levels=5, ratio=2, vary={"L": [1, 2]}, no_events=True
    (daelab converge --help). A run that fails is a row of "runs" with its status and reason. DaelabError with the
    program's sentence for options that are wrong."""
    return study_by("converge", problem, {"form": form, "method": method, "t_span": t_span, **options})


def drift(problem: Problems, form: object = None, method: object = None, t_span: object = None,
          **options: object) -> Study:
    """How far runs leave constraints, energy and invariants: the table "drift", with "growth" and "runs"; options as
    those of converge and of daelab drift --help."""
    return study_by("drift", problem, {"form": form, "method": method, "t_span": t_span, **options})


def bench(problem: Problems, form: object = None, method: object = None, t_span: object = None,
          **options: object) -> Study:
    """What accuracy costs: the table "work", with "runs", "orders", "rounds"; options as those of converge and of
    daelab bench --help. Times are of the machine as it is now."""
    return study_by("bench", problem, {"form": form, "method": method, "t_span": t_span, **options})
