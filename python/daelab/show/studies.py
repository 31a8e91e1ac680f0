"""The figures of a part of a result: one function for each kind of study."""
from __future__ import annotations

from dataclasses import replace
from typing import Any, Dict, List, NamedTuple, Sequence, Tuple

import numpy as np
import pandas

from .pictures import Curve, Figure, Panel, columns_for, unit_of_length, unit_title
from .results import Result

CLASSES = ("position", "velocity", "multiplier", "recovered", "differential", "algebraic")
DRIFTS = ("position", "velocity", "acceleration", "energy", "invariant")
AXES = {"time": ("wall", "time [s]"), "cpu": ("cpu", "CPU time [s]"), "steps": ("steps", "steps"),
        "rhs": ("rhs", "evaluations of F"), "jacobians": ("jacobians", "Jacobians"),
        "factorizations": ("factorizations", "factorisations"), "solves": ("solves", "solutions of linear systems"),
        "rtol": ("rtol", "relative tolerance"), "scd": ("scd", "correct digits, relative (scd)"),
        "mescd": ("mescd", "correct digits, mixed (mescd)")}
GOOD, NONE = "ok", "DAE_UNSUPPORTED"                   # runs that went well, and those that do not apply
FEW_PANELS = 6
MANY_RUNS = 24                                          # of drift: then each formulation has a page
MOST_UNKNOWNS = 12                                      # of which several runs are drawn in one figure
REACH = 1e30                                            # drifts of a run that fails are shown so far above the least


class Item(NamedTuple):
    """One study: the runs from first to last of one problem. subject: what tells it from the others of its part;
    drifts: titles of its drifts; axes: of its picture of work; show: unknowns of a solution, empty: all of them."""

    problem: str
    subject: str
    first: int
    last: int
    drifts: Sequence[str]
    axes: Sequence[str]
    show: Sequence[str] = ()

    def of(self, table: pandas.DataFrame) -> pandas.DataFrame:
        """The rows of a table that belong to it."""
        return table[table["run"].between(self.first, self.last)] if "run" in table else table

    def named(self, words: str) -> str:
        return f"{self.subject}, {words}" if self.subject else words

    @property
    def name(self) -> str:
        """ "pendulum, L = 4" """
        return ", ".join(dict.fromkeys([self.problem, *filter(None, self.subject.split(", "))]))


# ---- what tells items apart


def _words(column: str, value: Any) -> str:
    number = f"{value:g}" if isinstance(value, float) else str(value)
    name = column[5:] + " =" if column.startswith("vary_") else column.replace("_", "-")
    return f"{name} {number}"


def _differences(mine: pandas.DataFrame, others: Sequence[pandas.DataFrame], settings: List[str]) -> List[str]:
    """The settings of an item's first runs that the same runs of another item have otherwise. What a study varies
    itself tells its runs apart."""
    words: List[str] = []
    columns = [c for c in mine if c.startswith("vary_") and mine[c].nunique(dropna=False) == 1]
    columns += [c for c in settings if c in mine]
    for column in columns:
        differ = any(not mine[column].reset_index(drop=True).equals(other[column].reset_index(drop=True))
                     for other in others)
        told = mine[column].dropna()
        if differ and len(told) and _words(column, told.iloc[0]) not in words:
            words.append(_words(column, told.iloc[0]))
    return words


def items_of(result: Result, part: str, ranges: Sequence[Dict[str, Any]]) -> List[Item]:
    """The items of a part; ranges say which runs are whose, where nobody says it a problem is an item."""
    runs = result.table("runs")
    settings = runs.settings
    runs = runs[(runs["part"] == part) & runs["run"].notna()] if "run" in runs else runs
    of_part = [one for one in ranges if one["part"] == part and one["count"] > 0] or [
        {"problem": problem, "first": rows["run"].min(), "count": rows["run"].max() - rows["run"].min() + 1}
        for problem, rows in runs.groupby("problem", sort=False)]
    several = len({one["problem"] for one in of_part}) > 1
    spans = [(one, runs[runs["run"].between(one["first"], one["first"] + one["count"] - 1)]) for one in of_part]
    firsts = [rows.groupby(["form", "method"], sort=False).nth(0).reset_index() for _, rows in spans]
    items = []
    for (one, _), mine in zip(spans, firsts):
        alike = [other for (its, _), other in zip(spans, firsts) if its["problem"] == one["problem"]]
        words = ([one["problem"]] if several else []) + _differences(mine, alike, settings)
        items.append(Item(one["problem"], ", ".join(words), one["first"], one["first"] + one["count"] - 1,
                          one.get("drifts") or DRIFTS, one.get("axes") or (),
                          one["show"].split(",") if one.get("show") else ()))
    return items


# ---- words


def class_title(result: Result, problem: str, name: str) -> str:
    """ "position [m]": a class with the units of its variables, each once."""
    about = result.provenance.get("problems", {}).get(problem, {})
    of = "multiplier" if name == "recovered" else name
    units = dict.fromkeys(unit for unit, kind in zip(about.get("units", ()), about.get("classes", ()))
                          if kind == of and unit not in ("", "-"))
    listed = ", ".join(units)
    listed = listed if len(listed) < 40 else ", ".join(list(units)[:4]) + ", ..."
    return f"{name} [{listed}]" if units else name


def _class_label(result: Result, items: Sequence[Item], name: str) -> str:
    """The same label for a class in all panels: without units where problems have others."""
    titles = {class_title(result, item.problem, name) for item in items}
    return titles.pop() if len(titles) == 1 else name


def _failed(rows: pandas.DataFrame) -> pandas.DataFrame:
    """Runs that were tried and failed, without those that do not apply."""
    return rows[~rows["status"].isin([GOOD, NONE])]


def _shown_classes(result: Result, rows: pandas.DataFrame) -> List[str]:
    return [name for name in CLASSES if f"error_{name}" in rows and rows[f"error_{name}"].notna().any()]


# ---- converge: error against step or cost


def _guides(panel: Panel, rows: pandas.DataFrame, orders: pandas.DataFrame) -> None:
    """e = e_0 (h/h_0)^p below the errors of a class of declared order p, each slope once."""
    drawn = set()
    ends = rows["step"].iloc[[0, -1]].to_numpy(float)
    for name, slope in zip(orders["class"], orders["declared"]):
        first = rows[f"error_{name}"].iloc[0]
        if not slope > 0 or slope in drawn or not first > 0 or not ends[0] > 0:
            continue
        drawn.add(slope)
        panel.curves.append(Curve("declared slope", ends, first / 2 * (ends / ends[0]) ** slope, "guide",
                                  [f"{slope:g}", ""]))


def _ladder_panel(result: Result, items: Sequence[Item], figure: Figure, rows: pandas.DataFrame, title: str) -> Panel:
    """The errors of one formulation by one method at its levels."""
    first = rows.iloc[0]
    by_tolerance = bool(pandas.notna(first["rtol"]))
    applies = (rows["status"] != NONE).any()
    step = unit_title("step", result.table("runs").units.get("step", ""))
    panel = Panel(title, "evaluations of F" if by_tolerance else step, "error", "xy",
                  empty="every run failed" if applies else "does not apply", alike=first["problem"])
    x = (rows["rhs"] if by_tolerance and "rhs" in rows else rows["step"]).to_numpy(float)
    good = (rows["status"] == GOOD).to_numpy()
    shown = _shown_classes(result, rows)
    for name in shown:
        errors = np.where(good, rows[f"error_{name}"].to_numpy(float), np.nan)
        panel.curves.append(Curve(_class_label(result, items, name), x, errors))
    failed = _failed(rows)
    if len(failed):
        label = panel.curves[0].label if shown else ""
        panel.curves.append(Curve(label, np.where(rows.index.isin(failed.index), x, np.nan), x * np.nan, "cross"))
        item = next(one for one in items if len(one.of(rows)))
        figure.note(f"× {item.named(first['form'])}, {first['method']}: {failed['reason'].iloc[0]}")
    orders = result.table("orders")
    if not by_tolerance and len(orders) and shown and good[0]:
        panel_orders = orders[(orders["problem"] == first["problem"]) & (orders["form"] == first["form"])
                              & (orders["method"] == first["method"]) & orders["class"].isin(shown)]
        _guides(panel, rows, panel_orders.drop_duplicates("class"))
    return panel


Ladder = Tuple[Item, Tuple[Any, ...], pandas.DataFrame]


def _ladders(result: Result, item: Item) -> List[Ladder]:
    rows = item.of(result.table("runs"))
    by = [c for c in rows if c.startswith("vary_")] + ["form", "method"]
    return [(item, key, ladder) for key, ladder in rows.groupby(by, sort=False, dropna=False)]


def _varied(ladder: Ladder, words: str) -> str:
    """With what a study varies itself: "index1, cros, L = 2"."""
    item, _, rows = ladder
    own = [c for c in rows if c.startswith("vary_") and pandas.notna(rows[c].iloc[0])
           and _words(c, rows[c].iloc[0]) not in item.subject]
    return item.named(", ".join([words] + [_words(c, rows[c].iloc[0]) for c in own]))


def _error_title(result: Result, items: Sequence[Item]) -> str:
    runs = items[0].of(result.table("runs"))
    unit = result.table("runs").units.get("t_end", "")
    end = f"{runs['t_end'].iloc[0]:g}{' ' + unit if unit else ''}"
    return f"{items[0].name}: error at t = {end}" if len(items) == 1 else "error at the end of the interval"


def _in_a_row(result: Result, items: Sequence[Item], ladders: Sequence[Ladder]) -> List[Figure]:
    figure = Figure(_error_title(result, items))
    apply = [one for one in ladders if (one[2]["status"] != NONE).any()] or list(ladders)
    for item, key, rows in apply:
        title = _varied((item, key, rows), f"{key[-2]}, {key[-1]}")
        figure.panels.append(_ladder_panel(result, items, figure, rows, title))
    figure.columns = columns_for(len(figure.panels))
    return [figure] if figure.panels else []


def _grid(result: Result, items: Sequence[Item], ladders: Sequence[Ladder], by_tolerance: bool) -> List[Figure]:
    """A column for each formulation, a row for each problem, value and method; steps and tolerances apart."""
    forms = list(dict.fromkeys(key[-2] for _, key, _ in ladders))
    rows: Dict[str, Dict[str, pandas.DataFrame]] = {}
    for item, key, runs in ladders:
        if bool(runs["rtol"].notna().iloc[0]) == by_tolerance:
            rows.setdefault(_varied((item, key, runs), key[-1]), {})[key[-2]] = runs
    rows = {name: cells for name, cells in rows.items()
            if any((runs["status"] != NONE).any() for runs in cells.values())}
    figure = Figure(_error_title(result, items), columns=len(forms), rows_are=list(rows), columns_are=forms)
    for cells in rows.values():
        for form in forms:
            figure.panels.append(_ladder_panel(result, items, figure, cells[form], "") if form in cells
                                 else Panel("", "", "", "xy", empty=""))
    return [figure] if rows else []


def converge(result: Result, items: Sequence[Item]) -> List[Figure]:
    """A few curves have a panel each; many are a grid of those with the same formulations."""
    ladders = [ladder for item in items for ladder in _ladders(result, item)]
    if len(ladders) <= FEW_PANELS:
        return _in_a_row(result, items, ladders)
    alike: Dict[Tuple[str, ...], List[Item]] = {}
    for item in items:
        alike.setdefault(tuple(dict.fromkeys(key[-2] for _, key, _ in _ladders(result, item))), []).append(item)
    figures: List[Figure] = []
    for forms, of in alike.items():
        own = [ladder for item in of for ladder in _ladders(result, item)]
        rows = len(own) // len(forms)
        figures += (_grid(result, of, own, False) + _grid(result, of, own, True)
                    if len(forms) > 1 and rows > 1 and len(own) > FEW_PANELS else _in_a_row(result, of, own))
    return figures


# ---- drift: the largest so far against time


def _drift_curves(panel: Panel, table: pandas.DataFrame, failed: Sequence[int], labels: Dict[int, str],
                  name: str) -> None:
    positive = table[name][table[name] > 0]
    above = REACH * positive.min() if len(positive) else np.inf
    for run, rows in table[table["t"].notna()].groupby("run", sort=False):
        y = rows[name].where(rows[name] <= above).to_numpy(float)
        panel.curves.append(Curve(labels[run], rows["t"], y))
        if run in failed:
            panel.curves.append(Curve(labels[run], rows["t"].iloc[-1:], y[-1:], "cross"))


def _drift_page(result: Result, item: Item, runs: pandas.DataFrame, form: str) -> Figure:
    """form: of all runs of the page, where each formulation has its own; else ""."""
    figure = Figure(f"{item.name}{', ' + form if form else ''}: drift from the constraints and the energy balance",
                    columns=2)
    projected = runs["project"].where(runs["project"].notna() & (runs["project"] != "none"), "")
    words = runs["method"] + " " + projected if form else runs["form"] + " " + runs["method"] + " " + projected
    labels = dict(zip(runs["run"], words.str.strip()))
    table = result.table("drift")
    unit = table.units.get("t", "")
    table = table[table["run"].isin(runs["run"])] if "run" in table else table
    failed = _failed(runs)
    for name, title in zip(DRIFTS, item.drifts):
        if name in table and table[name].notna().any():
            panel = Panel(title, unit_title("t", unit), "largest so far", "y")
            _drift_curves(panel, table, list(failed["run"]), labels, name)
            figure.panels.append(panel)
    for run, reason in zip(failed["run"], failed["reason"]):
        figure.note(f"× {labels[run]}: {reason}")
    return figure


def drift(result: Result, items: Sequence[Item]) -> List[Figure]:
    figures = []
    for item in items:
        runs = item.of(result.table("runs"))
        forms = list(dict.fromkeys(runs["form"])) if len(runs) > MANY_RUNS else []
        pages = [(form, runs[runs["form"] == form]) for form in forms] if len(forms) > 1 else [("", runs)]
        figures += [_drift_page(result, item, rows, form) for form, rows in pages]
    return [figure for figure in figures if figure.panels]


# ---- bench: error against time, or any pair of axes


def _work_axis(result: Result, item: Item, name: str) -> Tuple[str, str]:
    """The column and the title of an axis."""
    if name in AXES:
        return AXES[name]
    series = DRIFTS.index(name.replace("drift-", "")) if name.replace("drift-", "") in DRIFTS and (
        name.startswith("drift-") or name in DRIFTS[3:]) else -1
    if series >= 0:
        return f"drift_{DRIFTS[series]}", f"largest {item.drifts[series]}"
    return f"error_{name}", f"error, {class_title(result, item.problem, name)}"


def _tags(rtol: np.ndarray) -> List[str]:
    """Tolerances at every third decade, and at both ends: "1e-6"."""
    decade = np.log10(rtol)
    whole = np.round(decade)
    tags = []
    for i, (value, at, near) in enumerate(zip(rtol, decade, whole)):
        is_round = abs(at - near) < 1e-6
        told = np.isfinite(value) and (i in (0, len(rtol) - 1) or (is_round and near % 3 == 0))
        tags.append("" if not told else f"1e{near:.0f}" if is_round else f"{value:.1e}")
    return tags


def _work_points(result: Result, item: Item) -> pandas.DataFrame:
    """The table of work, with the drifts of its runs."""
    work, runs = item.of(result.table("work")), item.of(result.table("runs"))
    more = [c for c in runs if c.startswith("drift_") and c not in work]
    return work.merge(runs[["run"] + more], on="run", how="left") if more else work


def _work_panel(result: Result, figure: Figure, item: Item, rows: pandas.DataFrame, form: str) -> Panel:
    default = [name for name in CLASSES if f"error_{name}" in rows and rows[f"error_{name}"].notna().any()]
    across, up = item.axes or ("time", default[0] if default else "position")
    (x, xlabel), (y, ylabel) = _work_axis(result, item, across), _work_axis(result, item, up)
    log = ("" if x.endswith("scd") else "x") + ("" if y.endswith("scd") else "y")
    panel = Panel(item.named(form), xlabel, ylabel, log)
    for method, points in rows.groupby("method", sort=False):
        good = points["status"] == GOOD
        values = [points[c].where(good) if c in points else np.full(len(points), np.nan) for c in (x, y)]
        panel.curves.append(Curve(method, values[0], values[1], tags=_tags(points["rtol"].to_numpy(float))))
        for row in _failed(points).itertuples():
            level = f"rtol {row.rtol:g}" if row.rtol == row.rtol else f"step {row.step:g}"
            figure.note(f"{item.named(form)}, {method}, {level}: {row.reason}")
    return panel


def bench(result: Result, items: Sequence[Item]) -> List[Figure]:
    runs = result.table("runs")
    unit = runs.units.get("t_end", "")
    end = f"{items[0].of(runs)['t_end'].iloc[0]:g}{' ' + unit if unit else ''}"
    figure = Figure(f"{items[0].problem}: work and precision at t = {end}" if len(items) == 1
                    else "work and precision at the end of the interval")
    for item in items:
        points = _work_points(result, item)
        if len(points) and points["rtol"].notna().any():
            figure.note("the small numbers are relative tolerances")
        for form, rows in points.groupby("form", sort=False):
            figure.panels.append(_work_panel(result, figure, item, rows, form))
    figure.columns = columns_for(len(figure.panels))
    return [figure] if figure.panels else []


# ---- scale: a step, a solve, memory against size


def _scale_label(row: Any, forms: int) -> str:
    return f"{row['form']} {row['method']}" if forms > 1 else row["method"]


def _scale_panel(item: Item, rows: pandas.DataFrame, title: str, ylabel: str, column: str, unit: float) -> Panel:
    panel = Panel(item.named(title), rows["parameter"].iloc[0], ylabel, "xy")
    least = np.nan
    for _, pair in rows.groupby(["form", "method"], sort=False):
        x, y = pair["value"].to_numpy(float), pair[column].to_numpy(float) / unit
        panel.curves.append(Curve(_scale_label(pair.iloc[0], rows["form"].nunique()), x, y))
        least = np.nanmin(np.append(y[y > 0] / x[y > 0], least))
    ends = np.array([rows["value"].min(), rows["value"].max()], dtype=float)
    panel.curves.append(Curve("proportional to the size", ends, least * ends / 2, "guide", ["", ""]))
    return panel


def scale(result: Result, items: Sequence[Item]) -> List[Figure]:
    shown = (("one step", "time [s]", "seconds_step", 1), ("one solve", "time [s]", "seconds_solve", 1),
             ("memory held after the solve", "memory [MB]", "bytes_memory", 1e6))
    figure = Figure("cost against size", columns=3)
    for item in items:
        rows = item.of(result.table("scale"))
        if not len(rows):
            continue
        if len(items) == 1:
            figure.title = f"{item.problem}: cost against {rows['parameter'].iloc[0]}"
        figure.panels += [_scale_panel(item, rows, *panel) for panel in shown]
        for _, row in rows[rows["reason"].notna()].iterrows():
            label = _scale_label(row, rows["form"].nunique())
            figure.note(f"{label}, {row['parameter']} = {row['value']:g}: {row['reason']}")
    return [figure] if figure.panels else []


# ---- solve: unknowns against time, the path in the plane


def _unknowns(result: Result, item: Item, trajectory: pandas.DataFrame) -> List[Tuple[str, str, str, str]]:
    """Column, name, unit and class of each unknown of a run."""
    told = item.of(result.table("unknowns"))
    if len(told):
        return list(told[["column", "name", "unit", "class"]].fillna("").itertuples(index=False, name=None))
    about = result.provenance["problems"][item.problem]
    return [(name, name, "" if unit == "-" else unit, kind)
            for name, unit, kind in zip(about["variables"], about["units"], about["classes"]) if name in trajectory]


def _in_plane(result: Result, item: Item, rows: pandas.DataFrame, alone: bool) -> List[Panel]:
    """The ways of bodies, by mode where there are several; walls at the end, links at the start and at the end."""
    bodies = [c[2:] for c in rows if c.startswith("x.") and rows[c].notna().any()]
    if not bodies:
        return []
    unit = unit_of_length([unit for *_, unit, kind in _unknowns(result, item, rows) if kind == "position"])
    panel = Panel("path", unit_title("x", unit), unit_title("y", unit))
    lines = item.of(result.table("shapes"))
    if len(lines):
        gap = lines["x0"] * np.nan
        x, y = (np.column_stack([lines[c + "0"], lines[c + "1"], gap]).ravel() for c in "xy")
        panel.curves.append(Curve("", x, y, "thin"))
    modes = list(dict.fromkeys(rows["mode"].dropna())) if alone and "mode" in rows else []
    for mode in modes or [None]:
        here = rows["mode"] == mode if mode is not None else pandas.Series(True, rows.index)
        for body in bodies:
            x, y = rows["x." + body].where(here), rows["y." + body].where(here)
            panel.curves.append(Curve((mode or body) if alone else item.subject, x, y, "path"))
    return [panel]


def _rows_of(result: Result, item: Item) -> pandas.DataFrame:
    rows = item.of(result.table("trajectory"))
    return rows if len(rows) else item.of(result.table("solution"))


def _shown(result: Result, item: Item, rows: pandas.DataFrame) -> List[Tuple[str, str, str, str]]:
    unknowns = _unknowns(result, item, rows)
    return [one for name in item.show for one in unknowns if one[1] == name] if item.show else unknowns


def _solutions(result: Result, items: Sequence[Item]) -> Figure:
    """Of one run; or of several of one problem, with a curve for each in each panel."""
    alone, first = len(items) == 1, items[0].of(result.table("runs")).iloc[0]
    name = items[0].name if alone else items[0].problem
    figure = Figure(f"{name}, {first['form']}, {first['method']}", apart=alone)
    label = unit_title("t", result.table("solution").units.get("t", ""))
    planes: List[Panel] = []
    for item in items:
        rows = _rows_of(result, item)
        unknowns = _shown(result, item, rows)
        figure.add_traces([one[1:] for one in unknowns], rows["t"], [rows[one[0]].to_numpy(float) for one in unknowns],
                          label, "" if alone else item.subject)
        planes += [] if item.show else _in_plane(result, item, rows, alone)
        failed = _failed(item.of(result.table("runs")))
        if len(failed):
            figure.note(f"{'' if alone else item.subject + ': '}ended early: {failed['reason'].iloc[0]}")
    events = items[0].of(result.table("events"))
    figure.add_times(events["t"] if alone and len(events) else [])
    if planes:
        figure.panels.append(replace(planes[0], curves=[curve for panel in planes for curve in panel.curves]))
    figure.columns = columns_for(len(figure.panels))
    return figure


def solve(result: Result, items: Sequence[Item]) -> List[Figure]:
    """Runs of one problem in one figure, where their unknowns are few."""
    figures = []
    for problem in dict.fromkeys(item.problem for item in items):
        own = [item for item in items if item.problem == problem]
        names = {one[1] for item in own for one in _shown(result, item, _rows_of(result, item))}
        several = 1 < len(own) and len(names) <= MOST_UNKNOWNS and len({item.subject for item in own}) == len(own)
        figures += [_solutions(result, some) for some in ([own] if several else [[item] for item in own])]
    return [figure for figure in figures if figure.panels]


# ---- fit: data as points, the run that was found as a line


def _fit_figure(result: Result, item: Item) -> Figure:
    first = item.of(result.table("runs")).iloc[0]
    figure = Figure(f"{item.name}, {first['form']}, {first['method']}: data with their deviations, and the fit",
                    apart=True)
    data, curve = item.of(result.table("residuals")), item.of(result.table("curve"))
    time = unit_title("t", result.table("residuals").units.get("t", ""))
    for unknown, rows in data.groupby("unknown", sort=False):
        unit = rows["unknown_unit"].iloc[0]
        panel = Panel("", time, unit_title(unknown, unit if isinstance(unit, str) else ""))
        fitted = curve[curve["unknown"] == unknown] if len(curve) else curve
        if len(fitted):
            panel.curves.append(Curve("fit", fitted["t"], fitted["model"], "trace"))
        panel.curves.append(Curve("", rows["t"], rows["datum"], "points", spread=rows["deviation"].to_numpy(float)))
        figure.panels.append(panel)
    if first["status"] != GOOD:
        figure.note(str(first["reason"]))
    figure.columns = columns_for(len(figure.panels))
    return figure


def fit(result: Result, items: Sequence[Item]) -> List[Figure]:
    return [figure for figure in (_fit_figure(result, item) for item in items) if figure.panels]


KINDS = {"solve": solve, "converge": converge, "drift": drift, "bench": bench, "scale": scale, "fit": fit}


def figures_of(result: Result, part: str, ranges: Sequence[Dict[str, Any]]) -> List[Figure]:
    """The figures of a part; none where there is nothing to draw."""
    items = items_of(result, part, ranges)
    runs = result.table("runs")
    return KINDS[runs.loc[runs["part"] == part, "kind"].iloc[0]](result, items) if items else []
