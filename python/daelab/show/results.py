"""A result of the command as tables: study.json, or what --format json wrote."""
from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Dict, List

import numpy
import pandas

from daelab._renamed import renamed

SCHEMA = 1
FILE = "study.json"
SETTINGS = ("setting", "level", "choice")               # roles of what a run was asked for
BESIDE = {"t", "part", "kind", "problem", "form", "method", "parameters", "class", "levels_by", "quantity", "parameter",
          "value"}                                      # columns of these roles that are no options of a run


class NoResult(Exception):
    """A file that is no result; its text is a sentence that names the file."""


class Table(pandas.DataFrame):
    """Rows of a tidy table; units[column] is "" where a number is pure. roles[column] says what it is in a comparison
    (table.h lists them): empty where an older program wrote the file. settings: the columns of options of a run."""

    _metadata = ["units", "roles", "settings"]

    @property
    def _constructor(self) -> type:
        return Table


def _table(json_table: Dict[str, Any]) -> Table:
    columns = json_table["columns"]
    table = Table(json_table["rows"], columns=columns)
    table.units = dict(zip(columns, json_table["units"]))
    table.roles = dict(zip(columns, json_table.get("roles", ())))
    table.settings = [c for c, role in table.roles.items() if role in SETTINGS and c not in BESIDE]
    if not table.roles and {"t_start", "stop"} <= set(columns):
        table.settings = columns[columns.index("t_start"):columns.index("stop") + 1]
    return table


def numbers(table: pandas.DataFrame, column: str) -> numpy.ndarray:
    """The column, NaN where a cell is a text or missing."""
    cells = table[column] if column in table else [None] * len(table)
    return numpy.array([x if isinstance(x, (int, float)) else numpy.nan for x in cells], dtype=float)


def texts(table: pandas.DataFrame, column: str) -> numpy.ndarray:
    """The column, None where a cell is a number or missing."""
    cells = table[column] if column in table else [None] * len(table)
    return numpy.array([x if isinstance(x, str) else None for x in cells], dtype=object)


class Result:
    """title, question; tables: {name: Table}; remarks: [{"part", "problem", "text"}]; provenance: what made it;
    interrupted: runs are missing; document: all of the file."""

    def __init__(self, document: Dict[str, Any], name: str = "") -> None:
        self.name = name
        self.document = document
        self.title: str = document["title"]
        self.question: str = document["question"]
        self.provenance: Dict[str, Any] = document["provenance"]
        self.tables: Dict[str, Table] = {key: _table(value) for key, value in document["tables"].items()}
        self.remarks: List[Dict[str, str]] = document["remarks"]
        self.interrupted: bool = document["interrupted"]

    def table(self, name: str) -> Table:
        """The table, or an empty one."""
        return self.tables.get(name, _table({"columns": [], "units": [], "rows": []}))


def read(path: str) -> Result:
    """The result in a file, or in study.json of a folder. OSError where it cannot be read; NoResult."""
    place = Path(path)
    text = (place / FILE if place.is_dir() else place).read_text(encoding="utf-8")
    try:
        document = json.loads(text)
    except ValueError as error:
        raise NoResult(f"{path}: it is no JSON: {error}") from None
    if not isinstance(document, dict) or "schema" not in document or "tables" not in document:
        raise NoResult(f"{path}: it is no result of daelab")
    if document["schema"] != SCHEMA:
        raise NoResult(f"{path}: its schema is {document['schema']}, and this program reads {SCHEMA}")
    try:
        return Result(renamed(document), path)
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise NoResult(f"{path}: it is no whole result of daelab: {error!r}") from None
