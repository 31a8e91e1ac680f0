"""Tables of studies as they are read: the columns that say something, their numbers short."""
from __future__ import annotations

from html import escape
from typing import Any, Dict, List, Mapping, Sequence, Tuple

_MOST_ROWS = 40                     # of a longer table its first and last ones
_ALWAYS = ("problem", "form", "method")
_NEVER = ("run", "parameters")          # what is varied of these has a column of its own
_ORDERS = ("observed", "low", "high")
_MEASURED = {
    "orders": ("class", "observed", "low", "high", "declared", "verdict", "error_finest", "unit"),
    "drift": ("t", "position", "velocity", "acceleration", "energy", "invariant"),
    "work": ("status", "error_position", "error_velocity", "error_multiplier", "error_differential",
             "error_algebraic", "steps", "wall"),
    "runs": ("step", "rtol", "status", "reason"),
}


def shown_columns(name: str, table: Mapping[str, Any]) -> List[str]:
    """What differs from row to row among the settings, and what was measured, where there is any."""
    columns, rows = table["columns"], table["rows"]
    settings = columns[:columns.index("stop") + 1] if "stop" in columns else []
    values = {column: [row[i] for row in rows] for i, column in enumerate(columns)}
    differ = {c for c in settings if len({v for v in values[c] if v is not None}) > 1}
    chosen = [c for c in settings if c in _ALWAYS or (c in differ and c not in _NEVER)]
    measured = [c for c in _MEASURED.get(name, columns) if c in values and c not in chosen]
    return chosen + [c for c in measured if any(v is not None for v in values[c])]


def _word(column: str, value: object) -> str:
    if value is None:
        return "-"
    if column in _ORDERS and isinstance(value, (int, float)):
        return f"{round(value, 2) + 0.0:.2f}"           # no -0.00
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def cells(name: str, table: Mapping[str, Any]) -> Tuple[List[str], List[List[str]]]:
    """The heads and the words of what is shown of a table."""
    heads = shown_columns(name, table)
    places = [table["columns"].index(head) for head in heads]
    rows = [[_word(head, row[i]) for head, i in zip(heads, places)] for row in table["rows"]]
    if len(rows) > _MOST_ROWS:
        half = _MOST_ROWS // 4
        rows = rows[:half] + [["..."] * len(heads)] + rows[-half:]
    return heads, rows


def as_text(name: str, table: Mapping[str, Any]) -> str:
    """Aligned columns: numbers to the right."""
    heads, rows = cells(name, table)
    lines = [heads, *rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(heads))]
    right = [any(isinstance(row[table["columns"].index(head)], (int, float)) for row in table["rows"])
             for head in heads]
    return "\n".join("  ".join(word.rjust(w) if r else word.ljust(w)
                               for word, w, r in zip(line, widths, right)).rstrip() for line in lines)


def as_html(name: str, table: Mapping[str, Any]) -> str:
    return html_table(*cells(name, table))


def html_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    top = "".join(f"<th>{escape(head)}</th>" for head in heads)
    body = "".join("<tr>" + "".join(f"<td>{escape(word)}</td>" for word in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def failures(runs: Mapping[str, Any]) -> List[str]:
    """A sentence for each kind of failure among runs, with how many there are of it."""
    columns: Sequence[str] = runs["columns"]
    found: Dict[str, int] = {}
    all_runs = [dict(zip(columns, row)) for row in runs["rows"]]
    keys = ("problem",) * (len({one.get("problem") for one in all_runs}) > 1) + ("form", "method")
    for one in all_runs:
        if one.get("status") != "ok":
            who = " ".join(str(one[key]) for key in keys if one.get(key))
            sentence = f"{who}: {one.get('status')}: {one.get('reason') or ''}".rstrip(": ")
            found[sentence] = found.get(sentence, 0) + 1
    return [sentence + (f" ({count} runs)" if count > 1 else "") for sentence, count in found.items()]
