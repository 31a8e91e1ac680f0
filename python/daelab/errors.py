"""Errors of daelab."""
from __future__ import annotations

from typing import TYPE_CHECKING, Optional, Tuple

if TYPE_CHECKING:
    from .result import Result


class DaelabError(RuntimeError):
    """A failure of the library, with the sentence of its report.

    status: the name of the status, "DAE_SINGULAR" (status.def lists them).
    result: the rows up to the failure, where a run had begun; else None.
    """

    def __init__(self, message: str, status: str = "DAE_BAD_ARGUMENT", result: Optional["Result"] = None) -> None:
        super().__init__(message)
        self.status = status
        self.result = result

    def __reduce__(self) -> Tuple[object, ...]:
        return type(self), (str(self), self.status, self.result)
