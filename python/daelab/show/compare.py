"""daelab compare OLD NEW: what changed from one result to another, and was it for the worse?

Writes a JSON object to standard output: "result", what --format json gives; "title", "sections" [{"heading", "table"}]
and "notes", which the command shows. The exit status is 2 for what is no result, or has no run in common, 3 for what cannot be read.
"""
from __future__ import annotations

import argparse
import json
import math
import sys
from typing import Any, Dict, Iterator, List, Optional

import pandas

from daelab.show.changes import KINDS, QUANTITIES, RUNS, Changes
from daelab.show.curve_means import MUCH, WITHIN
from daelab.show.results import SETTINGS, NoResult, Result, Table, read

MACHINE = ("cpu", "compiler", "flags", "build", "blas", "timed")        # what times depend on
MADE_BY = ("version", "commit", "compiler", "flags", "build", "klu", "blas", "cpu", "system")
WHAT_IS_RUN = ("kind", "problem", "form", "method")
FEW = 5                                                                 # values in a sentence
SHOWN = 40                                                              # rows of a table


def as_json(table: pandas.DataFrame) -> Dict[str, Any]:
    cells = table.astype(object).where(table.notna(), None)
    units = getattr(table, "units", {})
    return {"columns": list(table), "units": [units.get(c, "") for c in table], "rows": cells.to_numpy().tolist()}


def finite(x: float) -> Optional[float]:
    return x if math.isfinite(x) else None


def word_of(result: Result, key: str) -> str:
    word = result.provenance.get(key)
    return word if isinstance(word, str) else ""


def other_machine(old: Result, new: Result) -> Optional[str]:
    """What of the provenance differs and matters for times; None: nothing does."""
    return next((key for key in MACHINE if word_of(old, key) != word_of(new, key)), None)


def provenance(old: Result, new: Result) -> List[Dict[str, str]]:
    return [{"what": key, "before": word_of(old, key), "after": word_of(new, key)} for key in MADE_BY
            if word_of(old, key) != word_of(new, key)]


def changed_files(old: Result, new: Result) -> List[str]:
    before, after = (result.provenance.get("problems", {}) for result in (old, new))
    hashes = {name: (before.get(name, {}).get("file_hash"), of.get("file_hash")) for name, of in after.items()}
    return [f"the file of {name} has changed" for name, (was, now) in hashes.items() if was and now and was != now]


# ---- in words ----


def rows(count: int) -> str:
    return f"{count} row{'' if count == 1 else 's'}"


def of_rows(c: Changes) -> Iterator[str]:
    yield f"{rows(c.rows)} of the same run{'' if c.rows == 1 else 's'}"
    if c.gone:
        yield (f"{rows(c.gone)} only in the old result: that is worse, as nothing is known of "
               f"{'it' if c.gone == 1 else 'them'} any more")
    if c.added:
        yield f"{rows(c.added)} only in the new result"
    yield (f"worse: an error, a drift or a count that has grown by more than {100 * c.tolerance:g} %, and by more than "
           "rounding; an order whose interval lies below the old one, or that is now below the declared one; a run "
           "that fails, or an error that is not known, now")


def of_times(c: Changes, other: Optional[str]) -> Iterator[str]:
    if not c.with_times:
        yield f"times are not compared: {other} is not the same (--time-tolerance compares them all the same)"
    elif sum(c.found["time"].values()):
        yield (f"a time has changed where it differs by more than {100 * c.time_tolerance:g} % and, at a level of "
               "5 % for all of them together, by more than noise: that of the repeats (medians and "
               f"quartiles), and what the ratios of all vary by, {100 * c.between:.2g} % (two-sided t, Bonferroni)")
        sure = (f", within [{c.low:.3g}, {c.high:.3g}] at {100 * c.level:.0f} % (sign test)"
                f"{': that is worse' if c.slower else ''}" if math.isfinite(c.low) else "; too few for an interval")
        yield f"all times: new/old {c.ratio:.3g} in the median{sure}"


def notes(c: Changes, old: Result, new: Result) -> Iterator[str]:
    if len(c.table) > SHOWN:
        yield f"... {len(c.table) - SHOWN} more changes: --format csv or json holds them all"
    if len(changed_curves(c)):
        yield (f"worst: the largest new/old of a single error of the curve above {WITHIN} rtol of the size of its "
               "variables, and so many atol; larger, smaller: how many changed by more than 1 %; much: by more than "
               f"{MUCH}, to or from above that")
    yield from of_rows(c)
    yield from of_times(c, other_machine(old, new))
    yield from changed_files(old, new)
    for made in provenance(old, new):
        yield f"{made['what']}: {made['before'] or 'not known'}, now {made['after'] or 'not known'}"


def values(result: Result, column: str) -> List[str]:
    runs = result.table(RUNS)
    cells = runs[column].dropna().unique() if column in runs else ()
    return [f"{cell:g}" if isinstance(cell, float) else str(cell) for cell in cells]


def some(words: List[str]) -> str:
    return ", ".join(words[:FEW]) + (f" and {len(words) - FEW} more" if len(words) > FEW else "")


def apart(old: Result, new: Result) -> str:
    """Settings of which no value is in both: those that say what is run, else those of a run, else its level."""
    roles = {column: role for column, role in old.table(RUNS).roles.items() if role in SETTINGS and column != "part"}
    lone = [c for c in roles if values(old, c) and values(new, c) and not {*values(old, c)} & {*values(new, c)}]
    first = ([c for c in lone if c in WHAT_IS_RUN] or [c for c in lone if roles[c] == SETTINGS[0]] or lone)
    if not first:
        return "each value of a setting is in both, but beside other ones"
    return "; ".join(f"the {which} one has " + ", ".join(f"{c} {some(values(result, c))}" for c in first)
                     for which, result in (("old", old), ("new", new)))


# ---- all of it ----


def changed_curves(c: Changes) -> Table:
    curves = c.curves
    return curves if curves.empty else curves[(curves["mean"] != 1) | (curves["worst"].fillna(1) != 1)]


def summary(c: Changes) -> pandas.DataFrame:
    return pandas.DataFrame([{"what": name, "compared": sum(c.found[role].values()), **c.found[role]}
                             for role, name in QUANTITIES.items()], columns=["what", "compared", *KINDS])


def sections(c: Changes) -> Iterator[Dict[str, Any]]:
    yield {"heading": None, "table": as_json(summary(c))}
    for heading, table in (("what changed, the worst first", c.table),
                           ("errors of each curve, over its levels: geometric mean of new/old, the largest first",
                            changed_curves(c))):
        if len(table):
            yield {"heading": heading, "table": as_json(table.head(SHOWN))}


def result_of(c: Changes, old: Result, new: Result) -> Dict[str, Any]:
    return {
        "remarks": [{"part": "compare", "problem": "", "text": text} for text in changed_files(old, new)],
        "before": old.name, "after": new.name, "worse": c.worse,
        "tolerance": c.tolerance, "time_tolerance": c.time_tolerance,
        "rows": {"matched": c.rows, "gone": c.gone, "added": c.added},
        "times": {"compared": c.with_times, "count": sum(c.found["time"].values()), "between": c.between,
                  **{name: finite(getattr(c, name)) for name in ("ratio", "low", "high", "level")}},
        "summary": as_json(summary(c)), "changes": as_json(c.table), "curves": as_json(c.curves),
        "provenance": provenance(old, new)}


def document(old: Result, new: Result, tolerance: float, time_tolerance: Optional[float]) -> Dict[str, Any]:
    with_times = time_tolerance is not None or other_machine(old, new) is None
    c = Changes(old, new, tolerance, 0.1 if time_tolerance is None else time_tolerance, with_times)
    if not c.rows:
        raise NoResult(f"{old.name} and {new.name} have no run in common: {apart(old, new)}")
    title = f"from {old.name} to {new.name}: {'changed for the worse' if c.worse else 'nothing is worse'}"
    return {"title": title, "result": result_of(c, old, new), "sections": list(sections(c)),
            "notes": list(notes(c, old, new))}


def main(arguments: List[str]) -> int:
    parser = argparse.ArgumentParser(prog="compare")
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--tolerance", type=float, default=0.01)
    parser.add_argument("--time-tolerance", type=float)
    given = parser.parse_args(arguments)
    try:
        found = document(read(given.old), read(given.new), given.tolerance, given.time_tolerance)
    except NoResult as mistake:
        sys.stderr.write(f"{mistake}\n")
        return 2
    except OSError as fault:
        sys.stderr.write(f"{fault.filename}: {fault.strerror}\n")
        return 3
    json.dump(found, sys.stdout, allow_nan=False)
    return 0
