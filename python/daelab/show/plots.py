"""Pictures of a result: a request on standard input, the files that were written on standard output.

{"study": study.json, "tables": further ones, "items": [{"part", "problem", "first", "count", "drifts", "axes"}],
 "look": {...}, "plots": [{"part", "path"}]}
The answer: {"plots": [{"files": [...], "said": "...", "error": "", "empty": false}]}, one for each that was asked for.
"""
from __future__ import annotations

import json
import sys
from typing import Any, Dict, Sequence

from . import style
from .layout import NoRoom
from .results import Result
from .studies import figures_of
from .writers import draw


def _answer(request: Dict[str, Any], result: Result, look: style.Look, plot: Dict[str, str]) -> Dict[str, Any]:
    figures = figures_of(result, plot["part"], request.get("items", ()))
    if not figures:
        return {"error": f"{plot['path']}: there is nothing to draw", "empty": True}
    try:
        return draw(figures, plot["path"], look)
    except NoRoom as why:
        return {"error": f"{plot['path']}: {why}"}
    except OSError as why:
        return {"error": f"{plot['path']}: {why.strerror}"}


def result_of(request: Dict[str, Any]) -> Result:
    document = dict(request["study"])
    document["tables"] = {**document["tables"], **request.get("tables", {})}
    return Result(document)


def main(arguments: Sequence[str]) -> int:
    request = json.load(sys.stdin)
    look = style.Look(**request.get("look", {}))
    result = result_of(request)
    unknown = style.choose_fonts(look)
    answers = [_answer(request, result, look, plot) for plot in request["plots"]]
    if unknown and answers:
        answers[0]["said"] = "; ".join(filter(None, [answers[0].get("said", ""), unknown]))
    json.dump({"plots": answers}, sys.stdout)
    return 0
