"""A study as a DataFrame of pandas."""
from __future__ import annotations

from typing import Any, Dict

import pandas

from .study import Study, main_table


class FrameStudy(Study, pandas.DataFrame):
    """The main table of a study; what pandas makes of it is a plain DataFrame, and where it was changed it is shown as
    one."""

    _metadata = ["command", "document", "tables", "units", "remarks", "failures", "_main"]

    @classmethod
    def of_document(cls, command: str, document: Dict[str, Any]) -> "FrameStudy":
        main = document["tables"].get(main_table(command, document["tables"]), {"rows": [], "columns": []})
        study = cls(main["rows"], columns=main["columns"])
        study._hold_study(command, document, pandas)
        return study

    @property
    def _constructor(self) -> Any:
        return pandas.DataFrame

    def __finalize__(self, _other: Any, method: Any = None, **_options: Any) -> Any:
        return pandas.DataFrame(self)

    def _is_as_found(self) -> bool:
        return self.equals(self.tables.get(self._main))

    def __repr__(self) -> str:
        return Study.__repr__(self) if self._is_as_found() else pandas.DataFrame.__repr__(self)

    __str__ = __repr__

    def _repr_html_(self) -> Any:
        return Study._repr_html_(self) if self._is_as_found() else pandas.DataFrame._repr_html_(self)

    def _study_table(self, name: object) -> Any:
        tables = self.__dict__.get("tables", {})
        return tables[name] if isinstance(name, str) and name in tables and name not in self.columns else None

    def __getitem__(self, key: Any) -> Any:
        table = self._study_table(key)
        return pandas.DataFrame.__getitem__(self, key) if table is None else table

    def __getattr__(self, name: str) -> Any:
        table = None if name.startswith("_") else self._study_table(name)
        return pandas.DataFrame.__getattr__(self, name) if table is None else table
