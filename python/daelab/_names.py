"""Words that are wrong: the nearest right one in the sentence."""
from __future__ import annotations

import ctypes
import inspect
from typing import Any, Callable, Iterable, Mapping

from ._abi import text
from ._library import lib
from .errors import DaelabError

_OLD = {
    "t": "t is now t_span=(t0, t_end), and t_eval=[..] for the times of rows",
    "t0": "t0 is now the first of t_span=(t0, t_end)",
    "t_end": "t_end is now the second of t_span=(t0, t_end)",
    "dense": "dense is now dense_output",
    "parameters": "parameters is now params",
    "param": "param is called params",
    "limit_steps": "limit_steps is called max_steps",
    "y0": "y0 is called start",
    "jac": "jac is called jacobian",
}


def nearest(name: str, names: Iterable[str]) -> str:
    """The name nearest to a mistyped one, "" where none is near."""
    encoded = [one.encode() for one in names]
    return text(lib.dae_nearest(name.encode(), (ctypes.c_char_p * len(encoded))(*encoded), len(encoded)))


def no_such(what: str, name: object, names: Iterable[str]) -> DaelabError:
    """There is no such thing; did you mean another?"""
    names = list(names)
    near = nearest(str(name), names)
    return DaelabError(f"there is no {what} {name!r}; " + (f"did you mean {near}?" if near else
                                                          f"there are {', '.join(names) or 'none'}"))


def refuse_keywords(function: Callable[..., Any], unknown: Mapping[str, object]) -> None:
    """The keywords that a function has taken as **unknown: old spellings, and wrong ones."""
    if not unknown:
        return
    kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    known = [p.name for p in inspect.signature(function).parameters.values() if p.kind in kinds and p.name != "self"]
    for name in unknown:
        refuse_old(name)
    refuse_words("keyword", unknown, known)


def refuse_words(what: str, given: Iterable[str], known: Iterable[str]) -> None:
    """The first of the words that is none of the known ones."""
    known = list(known)
    for name in given:
        if name not in known:
            raise no_such(what, name, known)


def refuse_old(name: str) -> None:
    if name in _OLD:
        raise DaelabError(_OLD[name])
