"""A page as one file of HTML, as Markdown for GitHub, or as a document of LaTeX: by templates of Jinja2, which escape
all text that is put into them. What a template writes as code of its own is markupsafe.Markup, and is left as it is."""
from __future__ import annotations

import math
import re
from functools import partial
from pathlib import Path
from typing import Any, Callable, Dict, List

import jinja2
from markupsafe import Markup

from daelab.show.pages.page import Page, Table, figure_data
from daelab.show.pages.panels import notes_of, panels_of, series_style

TEMPLATES = Path(__file__).parent / "templates"
CONTROLS = dict.fromkeys([*range(32), 127], " ")

LATEX = {"\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%",
         "_": r"\_\allowbreak{}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": r"\textless{}",
         ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"\textquotedbl{}", "'": r"\textquotesingle{}",
         "`": r"\textasciigrave{}", "✓": r"$\checkmark$", "✗": r"$\times$", "…": r"\dots{}", "·": r"$\cdot$", "–": "--",
         "−": "$-$", "×": r"$\times$", "≤": r"$\leq$", "≥": r"$\geq$", "²": r"\textsuperscript{2}", "µ": r"\textmu{}"}


def escape_latex(text: str) -> str:
    """Words as LaTeX sets them; letters that it has not by itself are told by their code."""
    return "".join(LATEX.get(c, c) if c in LATEX or c < "\u0180" else f"[U+{ord(c):04X}]"
                   for c in text).replace("--", "-{}-")


def escape_markdown(text: str) -> str:
    """Words as Markdown shows them; a number with a point, or a sign, at the beginning makes no list."""
    text = re.sub(r"([\\|*_`\[\]#~$])", r"\\\1", text)
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return re.sub(r"\A(\s*\d*)([-+.)])(?=\s)", r"\1\\\2", text)


def _finalize(escape: Callable[[str], str], value: Any) -> str:
    return value if isinstance(value, Markup) else escape(str(value).translate(CONTROLS))


def _environment(escape: Callable[[str], str], **settings: Any) -> jinja2.Environment:
    env = jinja2.Environment(loader=jinja2.FileSystemLoader(TEMPLATES), autoescape=True, trim_blocks=True,
                             lstrip_blocks=True, undefined=jinja2.StrictUndefined, keep_trailing_newline=True,
                             finalize=partial(_finalize, escape), **settings)
    env.globals.update(notes_of=notes_of, panels_of=panels_of, style_of=series_style)
    return env


def as_html(page: Page) -> str:
    """Escaped by Jinja2 itself."""
    env = _environment(str)
    env.filters["data_of"] = figure_data
    parts = {name: Markup((TEMPLATES / f"page.{name}").read_text(encoding="utf-8")) for name in ("css", "js")}
    return env.get_template("page.html").render(page=page, **parts)


def as_markdown(page: Page) -> str:
    env = _environment(lambda text: Markup(escape_markdown(text)))
    env.filters["code"] = lambda text: Markup(text.translate(CONTROLS))        # in a block of code all is plain
    return env.get_template("page.md").render(page=page)


# ---- LaTeX: columns of long text share what the others leave of the width ----

LINE, SHORT, LONG, MOST_COLUMNS = 100, 16, 70, 64               # in characters


def _widths(table: Table) -> List[int]:
    """The longest cell of each column, its title included, and the space between columns."""
    titles = [len(column.title) + (2 + len(column.unit) if column.unit else 0) for column in table.columns]
    cells = [max((len(row[i].text) + (3 if row[i].tone else 0) for row in table.rows), default=0)
             for i in range(len(table.columns))]
    return [max(pair) + 2 for pair in zip(titles, cells)]


def column_types(table: Table) -> Markup:
    widths = _widths(table)
    fits = sum(widths) <= LINE
    long = [width > SHORT + 2 and column.form is None for width, column in zip(widths, table.columns)]
    shared = sum(min(width, LONG) for width, is_long in zip(widths, long) if is_long)
    room = max(LINE - sum(width for width, is_long in zip(widths, long) if not is_long), 0.3 * LINE) / LINE
    kinds = []
    for column, width, is_long in zip(table.columns, widths, long):
        share = max(0.08, room * min(width, LONG) / shared) - 0.027 if is_long and not fits else 0
        kinds.append(f">{{\\raggedright\\arraybackslash}}p{{{share:.3f}\\linewidth}}" if share
                     else "r" if column.form else "l")
    return Markup("@{}" + "".join(kinds) + "@{}")


def _coordinate(x: float, y: float) -> str:
    return f"({x:.6g},{y:.6g})" if math.isfinite(x) and math.isfinite(y) else "(nan,nan)"


def as_latex(page: Page) -> str:
    env = _environment(lambda text: Markup(escape_latex(text)), block_start_string="<%", block_end_string="%>",
                       variable_start_string="<<", variable_end_string=">>", comment_start_string="<#",
                       comment_end_string="#>")
    env.globals.update(column_types=column_types, most_columns=MOST_COLUMNS)
    env.filters["coordinates"] = lambda points: Markup("".join(_coordinate(*point) for point in points))
    return env.get_template("page.tex").render(page=page)


WRITERS: Dict[str, Callable[[Page], str]] = {"html": as_html, "md": as_markdown, "tex": as_latex}
