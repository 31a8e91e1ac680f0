"""Names that results had in an earlier version."""
from __future__ import annotations

from typing import Any, Dict

OLD, NEW = "multiplier_recovered", "recovered"          # the class of recovered multipliers


def renamed(document: Dict[str, Any]) -> Dict[str, Any]:
    """The document of a result with the names of this version: columns of its tables, and cells of "class"."""
    for table in document["tables"].values():
        table["columns"] = [column.replace(OLD, NEW) for column in table["columns"]]
        place = table["columns"].index("class") if "class" in table["columns"] else None
        for row in table["rows"] if place is not None else ():
            row[place] = row[place].replace(OLD, NEW) if isinstance(row[place], str) else row[place]
    return document
