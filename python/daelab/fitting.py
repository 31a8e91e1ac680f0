"""Parameters and initial values fitted to measured data, by the program: `daelab fit`."""
from __future__ import annotations

import csv
import os
import tempfile
from contextlib import contextmanager
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from . import _text
from .catalogue import Problem
from .errors import DaelabError
from .study import Study, study_by

Path = Union[str, "os.PathLike[str]"]
Bounds = Mapping[str, Tuple[Optional[float], Optional[float]]]


class Fit:
    """What was fitted, with its errors.

    params: {"L": 5.0, "start:x": 3.0}. stderr: standard errors by name, NaN of what the data do not determine, and of
    what a bound holds. cov, correlation: matrices in the order of names, NaN likewise. at_bound: {"L": "upper"}.
    undetermined: [{"m": 0.71, "k": 0.71}], combinations of relative changes that do not move the model. chi2: the sum
    of squares in units of the deviations; freedom: its degrees of freedom. success: the fit has converged, and all is
    determined; message: else why not. remarks: what speaks against the numbers. residuals: a row for each datum.
    study: all tables of the command (docs/results.md).
    """

    def __init__(self, study: Study) -> None:
        tables = {name: [dict(zip(table["columns"], row)) for row in table["rows"]]
                  for name, table in study.document["tables"].items()}
        rows, run = tables["fit"], tables["runs"][0]
        self.study, self.remarks = study, study.remarks
        self.names: Tuple[str, ...] = tuple(row["fitted"] for row in rows)
        self.params: Dict[str, float] = {row["fitted"]: row["value"] for row in rows}
        self.stderr: Dict[str, float] = {row["fitted"]: _number(row["error"]) for row in rows}
        self.at_bound: Dict[str, str] = {row["fitted"]: row["at_bound"] for row in rows if row["at_bound"]}
        self.cov, self.correlation = (_matrix(self.names, tables["correlations"], of)
                                      for of in ("covariance", "correlation"))
        self.chi2, self.freedom = float(run["chi2"]), int(run["freedom"])
        self.success, self.message = run["status"] == "ok", run["reason"] or "the fit has converged"
        self.undetermined = _undetermined(tables.get("directions", []))
        self.residuals = study.tables["residuals"]

    def plot(self, file: Optional[Path] = None, **look: object) -> Any:
        """Data as points with their deviations, and the run that was found; file, look: as of Study.plot."""
        return self.study.plot(file, **look)

    def _words(self) -> List[List[str]]:
        return [[name, f"{self.params[name]:.9g}", "-" if np.isnan(error) else f"{error:.3g}"]
                for name, error in self.stderr.items()]

    def __repr__(self) -> str:
        lines = [f"{name} = {value} +- {error}" for name, value, error in self._words()]
        return "\n".join([*lines, f"<Fit chi2 = {self.chi2:.6g}, {self.freedom} degrees of freedom: {self.message}>",
                          *self.remarks])

    def _repr_html_(self) -> str:
        notes = "".join(f"<p>{_text.escape(sentence)}</p>" for sentence in [self.message, *self.remarks])
        return _text.html_table(["fitted", "value", "standard error"], self._words()) + notes


def _number(value: Optional[float]) -> float:
    return float("nan") if value is None else float(value)


def _matrix(names: Sequence[str], rows: Sequence[Mapping[str, Any]], of: str) -> np.ndarray:
    found = np.full((len(names), len(names)), np.nan)
    for row in rows:
        i, j = names.index(row["fitted"]), names.index(row["other"])
        found[i, j] = found[j, i] = _number(row[of])
    return found


def _undetermined(rows: Sequence[Mapping[str, Any]]) -> List[Dict[str, float]]:
    numbers = dict.fromkeys(row["direction"] for row in rows if row["determined"] == "no")
    return [{row["fitted"]: row["part"] for row in rows if row["direction"] == number} for number in numbers]


def _columns(data: Any) -> Dict[str, np.ndarray]:
    """Columns of one length, of a dictionary or of a DataFrame."""
    names = list(data.columns) if hasattr(data, "columns") else list(data)
    columns = {str(name): np.atleast_1d(np.asarray(data[name], dtype=float)) for name in names}
    lengths = {name: len(column) for name, column in columns.items()}
    if len(set(lengths.values())) != 1 or any(column.ndim != 1 for column in columns.values()):
        raise DaelabError(f"data: columns of one length are needed, and these have {lengths}")
    return columns


def _write(data: Any, path: str) -> None:
    """NaN is a value that is missing."""
    columns = _columns(data)
    with open(path, "w", encoding="utf-8", newline="") as out:
        rows = csv.writer(out)
        rows.writerow(columns)
        for row in zip(*columns.values()):
            rows.writerow(["" if np.isnan(x) else repr(float(x)) for x in row])


@contextmanager
def _files(data: Any) -> Iterator[List[str]]:
    """Files of data: those that are named, one that is written here for what is not."""
    several = data if isinstance(data, (list, tuple)) else [data]
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for i, one in enumerate(several):
            if isinstance(one, (str, os.PathLike)):
                paths.append(os.fspath(one))
            else:
                paths.append(os.path.join(folder, f"data[{i}]" if len(several) > 1 else "data"))
                _write(one, paths[-1])
        try:
            yield paths
        except DaelabError as error:                    # of a file that nobody else knows
            raise DaelabError(str(error).replace(folder + os.sep, ""), error.code) from None


def _bounds(bounds: Optional[Bounds]) -> Optional[str]:
    """{"L": (0.5, None)}: "L=0.5:" """
    try:
        return ",".join(f"{name}={':'.join('' if x is None or np.isinf(x) else repr(float(x)) for x in (low, high))}"
                        for name, (low, high) in bounds.items()) if bounds else None
    except (AttributeError, TypeError, ValueError):
        raise DaelabError(f"bounds = {bounds!r}: {{\"L\": (0.5, 2)}} is needed, None where there is none") from None


def fit(problem: Union[str, Problem], data: Any, fit: Union[str, Sequence[str]],  # pylint: disable=redefined-outer-name
        bounds: Optional[Bounds] = None, form: object = None, method: object = None, **options: object) -> Fit:
    """The least sum of ((model - datum)/deviation)^2, by Levenberg and Marquardt with the derivatives of the run.

    data: {"t": [..], "x": [..], "x_sd": [..]}, a DataFrame, the path of a CSV, or a list of such, which hold one
    motion. Columns are unknowns; NaN, in a file an empty cell, is a value that is missing. fit: parameters, and
    "start:x" for the initial value of x. sd={"x": 0.01}: deviations where columns x_sd have none; without any they are
    estimated. params, start: where the fit begins. use=["x"]: columns that are data. Others as of the command (daelab
    fit --help).
    A fit that has not converged, or does not determine all, is answered, too, with a DaelabWarning."""
    with _files(data) as paths:
        names = [fit] if isinstance(fit, str) else list(fit)
        listed = [("data", path) for path in paths]
        return Fit(study_by("fit", problem, {"form": form, "method": method, "fit": names, "bounds": _bounds(bounds),
                                             **options}, listed))
