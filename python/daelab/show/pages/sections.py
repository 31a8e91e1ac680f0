"""The sections of a page: figures and tables of each kind of result. One without data is none."""
from __future__ import annotations

import itertools
import math
from dataclasses import replace
from typing import Any, Dict, Iterator, List, Sequence

import numpy
import pandas

from daelab.show.pages import findings, work
from daelab.show.pages.cells import (classes_of, decimal, failed, is_text, level_text, numbers, texts, value_text,
                                     with_unit)
from daelab.show.pages.figures import MOST_CURVES, figures_of
from daelab.show.pages.ladders import Ladder, by_subject
from daelab.show.pages.page import Block, Cell, Column, Figure, Page, Quantity, Row, Section, Table, Tone, Words
from daelab.show.pages.study import Study

X, Y = 1, 2                     # sides that a quantity may lie on
SAME_AXES = "All panels of a row have the same axes."


def columns(*titles: str, **forms: str) -> List[Column]:
    return [Column(title, "", forms.get(title)) for title in titles]


# ---- at the top: sentences, and error against drift where an error stays though the drift falls ----

def _glance(study: Study, orders: List[Ladder]) -> List[Figure]:
    staying = [(ladder.label, order.of) for ladder in orders for order in study.orders_of(ladder) if order.stays]
    runs = [ladder for ladder in study.runs if ladder.subject == orders[0].subject]
    if not staying:
        return []
    if len({ladder.label for ladder in runs}) > MOST_CURVES:    # too many methods for one picture
        runs = [ladder for ladder in runs if ladder.label in dict(staying)]
    of = staying[0][1]
    return figures_of(runs, study.units("runs"), Figure(
        f"{study.subject(orders[0])}: does a small drift mean a small error?",
        "From level to level a curve should fall to the left and down. One that goes to the left alone holds the "
        "constraint better and better, and is as wrong as before.", study.command_of(orders[0]),
        [Quantity("drift_position", "drift off the constraint", True, X), Quantity("error_" + of, f"error of {of}")],
        [Row("", 0, 1)], tells_level=True))


def answer(study: Study) -> List[Block]:
    introduced = [f"{study.title} ({study.file})", study.result.question] if study.number else []
    glances = [figure for orders in by_subject(study.orders).values() for figure in _glance(study, orders)]
    return [Words("text", text) for text in introduced if text] + findings.findings(study) + glances


# ---- orders ----

def _order_cell(study: Study, ladder: Ladder, classes: Sequence[str]) -> Cell:
    orders = {order.of: order for order in study.orders_of(ladder)}
    found = [orders[name] for name in classes if name in orders]
    if not any(math.isfinite(order.observed) for order in found):
        return Cell("-", max((order.tone for order in found), default=Tone.PLAIN))
    return Cell(" · ".join(orders[name].text if name in orders else "-" for name in classes),
                max(order.tone for order in found))


def _order_table(study: Study, ladders: List[Ladder]) -> List[Table]:
    """Method by formulation."""
    classes = list(dict.fromkeys(order.of for ladder in ladders for order in study.orders_of(ladder)
                                 if math.isfinite(order.observed)))
    if not classes:
        return []
    forms = list(dict.fromkeys(ladder.form for ladder in ladders))
    named = " · ".join(classes)
    table = Table(f"{study.subject(ladders[0])}: " + (
        f"slopes of the errors of {named} against the tolerance" if ladders[0].by_rtol
        else f"observed orders of {named} in the step"), columns("method", *forms))
    for label in dict.fromkeys(ladder.label for ladder in ladders):
        cells = {ladder.form: _order_cell(study, ladder, classes) for ladder in reversed(ladders)
                 if ladder.label == label}
        table.add(label, *(cells.get(form, "") for form in forms))
    return [table]


def _explained(study: Study, ladders: List[Ladder]) -> List[Table]:
    """What is below, or not determined, and why."""
    table = Table(f"{study.subject(ladders[0])}: orders that are less than declared, or not determined",
                  columns("form", "method", "class", "observed", "interval", "declared", "verdict", "why",
                          observed=".2f", declared="g"))
    for ladder in ladders:
        for o in study.orders_of(ladder):
            if o.tone >= Tone.NOTE:
                table.add(ladder.form, ladder.label, o.of, o.observed,
                          f"{o.low:.2f} to {o.high:.2f}" if math.isfinite(o.low) else "", o.declared,
                          Cell("does not fall" if o.stays else o.verdict, o.tone), o.reason)
    return [table] if table.rows else []


def _errors(study: Study, ladders: List[Ladder]) -> List[Figure]:
    """The level across, the error of each class up: a row for each class."""
    classes, by_rtol = classes_of(study.table("runs")), ladders[0].by_rtol
    level = Quantity(*(("rtol", "relative tolerance") if by_rtol else ("step", "step")), True, X, True)
    caption = f"Largest error at the end. {SAME_AXES}" + ("" if by_rtol else " Dashed lines have slope 1, 2, 3, 4.")
    return figures_of(ladders, study.units("runs"), Figure(
        f"{study.subject(ladders[0])}: errors against the {'tolerance' if by_rtol else 'step'}", caption,
        study.command_of(ladders[0]), [level] + [Quantity("error_" + of, f"error of {of}") for of in classes],
        [Row(of, 0, i + 1) for i, of in enumerate(classes)], guides=0 if by_rtol else 4))


def _by_level(ladders: List[Ladder]) -> Iterator[List[Ladder]]:
    """Those by steps, and those by tolerances."""
    chosen = ([ladder for ladder in ladders if ladder.by_rtol is by_rtol] for by_rtol in (False, True))
    return (ladders for ladders in chosen if ladders)


def orders(study: Study) -> Iterator[Block]:
    runs = by_subject([ladder for ladder in study.runs if texts(ladder.rows, "kind").iloc[0] == "converge"])
    if study.orders:
        yield Words("text", "✓ the order that the method declares, or more; ✗ less, or an error that does not fall at "
                    "all; ? not determined. The numbers are observed orders, class by class.")
    for subject, ladders in by_subject(study.orders).items():
        yield Words("heading", study.subject(ladders[0]))
        for some in _by_level(ladders):
            yield from _order_table(study, some)
        yield from _explained(study, ladders)
        for some in _by_level(runs.get(subject, [])):
            yield from _errors(study, some)


# ---- curves against time, cost and size ----

def _curves(study: Study, table: str, ladders: List[Ladder], what: str, plan: Figure) -> Iterator[Figure]:
    """A figure for each part and problem."""
    for beside in by_subject(ladders).values():
        yield from figures_of(beside, study.units(table), replace(plan, command=study.command_of(beside[0]),
                                                                  title=f"{study.subject(beside[0])}: {what}"))


def _rows_of(wanted: Sequence[Quantity], titles: Sequence[str], x: int = 0) -> List[Row]:
    """A row for each of the last quantities."""
    return [Row(title, x, len(wanted) - len(titles) + i) for i, title in enumerate(titles)]


def _law(row: pandas.Series) -> Cell:
    """"linear, 2.3e-06 1/s"; "not determined (like t^0.51)"."""
    law, rate, power = row["law"] or "", row.get("rate"), row.get("power")
    if pandas.notna(rate):
        return Cell(f"{law}, {with_unit(rate, row.get('rate_unit'))}", findings.law_tone(law))
    return Cell(f"{law} (like t^{power:.2g})" if pandas.notna(power) else law, findings.law_tone(law))


def _laws(study: Study, ladders: List[Ladder]) -> Table:
    """Runs by quantities."""
    quantities = list(dict.fromkeys(name for ladder in ladders for name in texts(ladder.rows, "quantity")))
    table = Table(f"{study.subject(ladders[0])}: the law by which drifts grow, and its rate",
                  columns("form", "method", *quantities))
    for ladder in ladders:
        laws = {row["quantity"]: _law(row) for _, row in ladder.rows.iterrows()}
        table.add(ladder.form, ladder.label, *(laws.get(name, "") for name in quantities))
    return table


DRIFTS = [Quantity("t", "time", False, X), Quantity("position", "|g|"), Quantity("velocity", "|dg/dt|"),
          Quantity("acceleration", "|d²g/dt²|"), Quantity("energy", "balance of energy"),
          Quantity("invariant", "invariants, relative")]
DRIFT_ROWS = _rows_of(DRIFTS, ["constraint", "its first derivative", "its second derivative", "energy", "invariants"])


def drift(study: Study) -> Iterator[Block]:
    for ladders in by_subject(study.growth).values() if study.drift else ():
        yield _laws(study, ladders)
    yield from _curves(study, "drift", study.drift, "drift against time", Figure(
        "", f"The largest values so far. {SAME_AXES}", "", DRIFTS, DRIFT_ROWS, steps=True))


def _winners(study: Study) -> Table:
    """A run that reaches a smaller one of the errors, too, stands there alone."""
    table = Table("The fastest run that reaches an error", columns(
        "problem", "class", "error at most", "form", "method", "level", "error", "time", "the next",
        "times as fast, in the same rounds", **{"error at most": ".0e", "error": ".2e", "time": ".3g"}))
    table.columns[7].unit = "s"
    for ladders in by_subject(study.work).values():
        contest = work.contest_of(study, ladders)
        found = [(at, contest.winner(at)) for at in contest.exponents()] if contest else []
        last = [win for i, win in enumerate(found) if win[1] and (i == 0 or not found[i - 1][1]
                                                                  or found[i - 1][1].row != win[1].row)]
        for at, win in reversed(last):
            level = [numbers(contest.runs, name)[win.row] for name in ("step", "rtol")]
            table.add(study.subject(win.ladder), contest.of, 10.0 ** at, win.ladder.form, win.ladder.label,
                      level_text(*level), win.error, win.seconds,
                      f"{win.other.form} {win.other.label}" if win.other else "", win.ratio.words)
    return table


COSTS = {"wall": "time of a run", "cpu": "processor time of a run", "steps": "steps", "rejected": "rejected steps",
         "rhs": "evaluations of F", "jacobians": "Jacobians", "factorizations": "factorisations",
         "solves": "linear solves", "scd": "significant correct digits", "mescd": "mixed-error correct digits",
         "drift_position": "drift of |g|", "drift_velocity": "drift of |dg/dt|", "drift_energy": "drift of the energy"}


def _work_figures(study: Study, ladders: List[Ladder]) -> List[Figure]:
    """Errors first, as far as there are any, then costs."""
    table = study.table("work")
    runs = pandas.concat([ladder.rows for ladder in ladders])
    wanted = ([Quantity("error_" + of, f"error of {of}", True, X | Y) for of in classes_of(table)]
              + [Quantity(name, label, "scd" not in name, X | Y) for name, label in COSTS.items() if name in table])
    there = [numpy.isfinite(numbers(runs, quantity.column)).any() for quantity in wanted]
    wall = next((i for i, quantity in enumerate(wanted) if quantity.column == "wall"), 0)
    return figures_of(ladders, study.units("work"), Figure(
        f"{study.subject(ladders[0])}: work against precision", "Lower and further to the left is better. All panels "
        "have the same axes.", study.command_of(ladders[0]), wanted,
        [Row("", there.index(True), wall)] if any(there) else [],
        chooses=True, tells_level=True))


def cost(study: Study) -> Iterator[Block]:
    if study.work:
        yield _winners(study)
    for ladders in by_subject(study.work).values():
        yield from _work_figures(study, ladders)


SIZES = [Quantity("value", "value of the parameter", True, X, True), Quantity("unknowns", "unknowns", True, X, True),
         Quantity("seconds_step", "time of a step"), Quantity("seconds_solve", "time of a solve"),
         Quantity("seconds_setup", "time of the setup"), Quantity("bytes_memory", "memory held"),
         Quantity("bytes_peak", "growth of the process")]
SIZE_ROWS = _rows_of(SIZES, ["a step", "a solve", "the setup", "memory", "peak of memory"])


def scale(study: Study) -> Iterator[Block]:
    yield from _curves(study, "scale", study.scale, "cost against size", Figure(
        "", "Straight lines are powers of the size.", "", SIZES, SIZE_ROWS))


MOST_VARIABLES = 24


def solution(study: Study) -> Iterator[Block]:
    """Variables stand before the column of runs."""
    names = list(study.table("solution"))
    names = [name for name in names[:names.index("run") if "run" in names else None] if name != "t"][:MOST_VARIABLES]
    wanted = [Quantity("t", "time", False, X)] + [Quantity(name, name, False) for name in names]
    yield from _curves(study, "solution", study.solution, "the solution",
                       Figure("", "", "", wanted, _rows_of(wanted, names)))


def fits(study: Study) -> Iterator[Block]:
    """Numbers with their errors, of each fit."""
    whole = pandas.DataFrame(study.table("fit"))
    for subject, rows in whole.groupby([texts(whole, "part"), texts(whole, "problem"), numbers(whole, "run")],
                                       sort=False):
        table = Table(f"{study.subject_of(*subject[:2])}: what was fitted",
                      columns("fitted", "value", "standard error", "unit", "began at", "at its bound",
                              **{"value": ".9g", "standard error": ".3g", "began at": ".6g"}))
        for row in rows.to_dict("records"):
            table.add(*(row[name] if row[name] is not None else "" for name in
                        ("fitted", "value", "error", "fitted_unit", "begin", "at_bound")))
        yield table


# ---- failures and remarks ----

def failures(study: Study) -> Iterator[Block]:
    """Levels that failed one after the other for the same reason are one row."""
    table = Table("Runs that failed, or were not made, and why",
                  columns("problem", "form", "method", "levels", "status", "reason"))
    for ladder in study.runs:
        rows, bad = ladder.rows, failed(ladder.rows)
        ends = pandas.Series(list(zip(texts(rows, "status"), texts(rows, "reason"))))
        for _, some in ends[bad].groupby((ends != ends.shift()).cumsum()[bad]):
            levels = numbers(rows, "rtol" if ladder.by_rtol else "step")[some.index]
            named = ", ".join(decimal(x) for x in levels if math.isfinite(x))
            table.add(study.subject(ladder), ladder.form, ladder.label,
                      f"{'rtol' if ladder.by_rtol else 'step'} {named}" if named else "",
                      Cell(some.iloc[0][0], Tone.NOTE), some.iloc[0][1])
    if table.rows:
        yield table


MOST_REMARKS = 100


def remarks(study: Study) -> Iterator[Block]:
    """What the study itself has said against its numbers."""
    said = study.result.remarks
    for remark in said[:MOST_REMARKS]:
        yield Words("finding", ", ".join(filter(None, (remark.get("problem"), remark.get("text")))))
    if len(said) > MOST_REMARKS:
        yield Words("text", f"And {len(said) - MOST_REMARKS} others.")


# ---- rows as they were measured, without columns that say nothing ----

MOST_CELLS = 36000                              # of a page, which is to open fast
TABLES = {"runs": "runs", "orders": "orders", "growth": "growth of drift", "work": "runs that were timed",
          "scale": "sizes", "exponents": "powers of the size", "targets": "times to reach an error", "events": "events",
          "correlations": "covariances and correlations"}
# Columns that a reader of a page does not miss: names, or how they begin. The files have them.
LEFT_OUT = ("path_", "rounding_", "scale_", "slope_", "estimated_", "atol", "newton_failures", "explicit_steps",
            "switches", "projections", "too_far", "correction", "wall_", "step_", "solve_", "kind", "part", "problem")


def _caption(title: str, rows: pandas.DataFrame, common: List[str], units: Dict[str, str], room: int) -> str:
    """With what is the same in all rows: "t_start = 0 s, start = consistent"."""
    if len(rows) > room:
        title = f"{title}: the first {room} of {len(rows)} rows, as the page would be too long"
    said = [f"{name} = {value_text(rows[name].iloc[0])}{'' if is_text(rows[name]) else ' ' + units[name]}".rstrip()
            for name in common]
    return f"{title}. In all rows: {', '.join(said)}" if said else title


def _data_table(title: str, rows: pandas.DataFrame, units: Dict[str, str], budget: int) -> Table:
    kept = rows[[name for name in rows if not name.startswith(LEFT_OUT) and rows[name].notna().any()]]
    varies = kept.nunique(dropna=False) > 1
    shown = [name for name in kept if varies[name] or len(rows) == 1]
    room = min(len(rows), budget // max(1, len(shown)))
    table = Table(_caption(title, rows, [name for name in kept if name not in shown], units, room),
                  [Column(name, units[name], None if is_text(rows[name]) else ".4g") for name in shown], data=True)
    parts = [texts(kept[:room], column.title) if column.form is None else numbers(kept[:room], column.title)
             for column in table.columns]
    for cells in zip(*parts):
        table.add(*cells)
    return table


def data(study: Study) -> Iterator[Block]:
    """All rows, by part and problem, as long as there is room."""
    budget = MOST_CELLS
    for name, title in TABLES.items():
        whole = pandas.DataFrame(study.table(name))
        for subject, rows in whole.groupby([texts(whole, "part"), texts(whole, "problem")], sort=False):
            table = _data_table(f"{study.subject_of(*subject)}: {title}", rows, study.units(name), budget)
            budget -= len(table.rows) * len(table.columns)
            yield table


# ---- by what, when and of what the result was made ----

def _words(value: Any) -> str:
    """Any value of JSON in words; objects as "name = value, ..."."""
    if isinstance(value, dict):
        return ", ".join(f"{name} = {_words(member)}" for name, member in value.items() if _words(member))
    if isinstance(value, list):
        return " ".join(map(_words, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else decimal(value) if isinstance(value, float) else str(value)


MOST_NAMED = 40


def _variables(problem: Dict[str, Any]) -> str:
    """"x [m, position], y [m, position]"."""
    columns_of = [problem.get(key) or [] for key in ("variables", "units", "classes")]
    said = [f"{name} [{', '.join(str(word) for word in (unit, of) if word is not None)}]"
            for name, unit, of in itertools.zip_longest(*columns_of)]
    others = len(said) - MOST_NAMED
    return ", ".join(said[:MOST_NAMED]) + (f" and {others} others" if others > 0 else "")


def provenance(study: Study) -> Iterator[Block]:
    if study.command:
        yield Words("code", study.command, what="All of this again:")
    facts = Table("How it was made", columns("what", "is"))
    known = study.result.provenance
    for key, value in known.items():
        said = study.command if key == "command" else _words(value)
        if key != "problems" and said:
            facts.add(key, said)
    yield facts
    problems = Table("Problems", columns("problem", "file", "hash", "variables"))
    for name, problem in (known.get("problems") or {}).items():
        problems.add(name, problem.get("file") or "", problem.get("hash") or "", _variables(problem))
    if problems.rows:
        yield problems


# ---- the page ----

SECTIONS = {"answer": ("What the data say", answer), "orders": ("Orders of convergence", orders),
            "drift": ("Drift", drift), "work": ("Work and precision", cost), "scale": ("Cost against size", scale),
            "solution": ("Solutions", solution), "fit": ("What was fitted", fits),
            "failures": ("Failures", failures), "remarks": ("Remarks", remarks),
            "data": ("All rows, with four digits", data), "provenance": ("Provenance", provenance)}


def _section(study: Study, name: str) -> List[Section]:
    title, blocks_of = SECTIONS[name]
    blocks = list(blocks_of(study))
    if study.number:
        name, title = f"{study.number}-{name}", f"{study.number}. {title}"
    return [Section(name, title, blocks)] if blocks else []


def page_of(studies: List[Study], made: str) -> Page:
    """What all of them say stands first."""
    one = studies[0] if len(studies) == 1 else None
    page = Page(one.title if one else f"{len(studies)} results", one.result.question if one else "", made)
    for study in studies:
        page.sections += _section(study, "answer")
    for study in studies:
        page.sections += [section for name in list(SECTIONS)[1:] for section in _section(study, name)]
    page.number_figures()
    return page
