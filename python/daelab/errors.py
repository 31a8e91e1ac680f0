"""Errors and warnings of daelab."""
from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn, Optional, Tuple

if TYPE_CHECKING:
    from .result import Result


class DaelabWarning(RuntimeWarning):
    """What speaks against the numbers of a run: the remarks of the command."""


class DaelabError(RuntimeError):
    """A failure of the library, with the sentence of its report.

    code: the name of the status, "DAE_SINGULAR" (status.def lists them), as that of a result.
    result: the rows up to the failure, where a run had begun; else None.
    """

    def __init__(self, message: str, code: str = "DAE_BAD_ARGUMENT", result: Optional["Result"] = None) -> None:
        super().__init__(message)
        self.code = code
        self.result = result

    @property
    def status(self) -> NoReturn:
        raise AttributeError("error.status is now error.code")

    def __reduce__(self) -> Tuple[object, ...]:
        return type(self), (str(self), self.code, self.result)
