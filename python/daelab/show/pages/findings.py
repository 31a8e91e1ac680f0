"""What results say, in sentences."""
from __future__ import annotations

import math
from typing import Dict, List, Optional, Tuple


from daelab.show.pages import work
from daelab.show.pages.cells import classes_of, failed, numbers, percent, texts, time_text, with_unit
from daelab.show.pages.ladders import Ladder, by_subject
from daelab.show.pages.orders import quantity_of
from daelab.show.pages.page import Tone, Words
from daelab.show.pages.study import Study

MOST_SENTENCES, MOST_NAMED = 8, 6


def _finding(tone: Tone, text: str) -> Words:
    return Words("finding", text, tone)


def findings(study: Study) -> List[Words]:
    """All sentences, the worst first."""
    kinds = (_interrupted, _orders, _small_drifts, _growth, _fastest, _runs)
    return sorted((said for kind in kinds for said in kind(study)), key=lambda finding: -finding.tone)


def _interrupted(study: Study) -> List[Words]:
    return [_finding(Tone.BAD, "The study was interrupted: runs are missing. The same command goes on with it.")
            ] if study.result.interrupted else []


def _runs(study: Study) -> List[Words]:
    runs = study.table("runs")
    statuses = texts(runs, "status")[failed(runs)]
    if len(statuses):
        counts = ", ".join(f"{count} {status}" for status, count in statuses.value_counts(sort=False).items())
        return [_finding(Tone.NOTE, f"{len(statuses)} of {len(runs)} runs failed, or were not made ({counts}): each "
                                   "with its reason below.")]
    went = "The 1 run went through." if len(runs) == 1 else f"All {len(runs)} runs went through."
    return [_finding(Tone.GOOD, went)] if len(runs) else []


# ---- orders: errors that do not fall, orders below the declared ones, how many agree ----

def _size_of_error(order) -> str:
    if not math.isfinite(order.error):
        return ""
    said = f": {with_unit(order.error, order.unit)} at the finest level"
    return f"{said}, {percent(order.error / order.scale)} of its size" if order.scale > 0 else said


def _drift_beside(study: Study, ladder: Ladder) -> str:
    """Where the constraint itself is better held from level to level: what would make one believe the run."""
    runs = next((other for other in study.runs if other.is_like(ladder)), None)
    if runs is None or not len(runs.finest()):
        return ""
    coarse, fine = (numbers(rows, "drift_position")[0] for rows in (runs.rows, runs.finest()))
    return (f", while the drift off the constraint falls from {coarse:.2g} to {fine:.2g}: a small drift does not make "
            "it right") if fine < 0.5 * coarse else ""


def _better_class(orders, bad) -> str:
    """Another class by which the same quantity is had with an order."""
    better = [o for o in orders if o.tone == Tone.GOOD and quantity_of(o.of).startswith(quantity_of(bad.of))]
    return f"; {better[0].of} has order {better[0].text}" if better else ""


def _say_stays(study: Study, ladder: Ladder, orders) -> Words:
    bad = next(order for order in orders if order.stays)
    level = "tolerance" if bad.by_rtol else "step"
    return _finding(Tone.BAD, f"{ladder.pair}: the error of {bad.of} does not fall with the {level} (order {bad.text})"
                             f"{_size_of_error(bad)}{_drift_beside(study, ladder)}{_better_class(orders, bad)}.")


def _say_below(pairs) -> List[Words]:
    named = [f"{ladder.pair}, {order.of}: {order.text}, declared {order.declared:g}" for ladder, order in pairs]
    if len(named) > MOST_SENTENCES:
        named[MOST_SENTENCES:] = ["and others"]
    return [_finding(Tone.BAD, f"Below the declared order: {'; '.join(named)}.")] if named else []


def _count(tone: Tone, count: int, words: str) -> List[Words]:
    return [_finding(tone, words)] if count else []


def _orders(study: Study) -> List[Words]:
    pairs = [(ladder, study.orders_of(ladder)) for ladder in study.orders]
    stay = [pair for pair in pairs if any(order.stays for order in pair[1])]
    below = [(ladder, next(o for o in orders if o.tone == Tone.BAD and not o.stays)) for ladder, orders in pairs
             if any(o.tone == Tone.BAD and not o.stays for o in orders)]
    worst = [max(order.tone for order in orders) for _, orders in pairs]
    judged, good, unclear = len(worst) - worst.count(Tone.PLAIN), worst.count(Tone.GOOD), worst.count(Tone.NOTE)
    return ([_say_stays(study, *pair) for pair in stay[:MOST_SENTENCES]]
            + _count(Tone.BAD, len(stay) > MOST_SENTENCES, f"Some error does not fall in {len(stay)} pairs of "
                     "formulation and method: the tables of orders name them all.")
            + _say_below(below)
            + _count(Tone.NOTE, unclear, f"In {unclear} of {judged} pairs of formulation and method some order is not "
                     "determined, for the reasons below.")
            + _count(Tone.GOOD, good, f"{good} of {judged} pairs of formulation and method converge with the declared "
                     "order, or a higher one, in all classes of unknowns."))


# ---- runs without orders: an error that the drift says nothing of ----

def _wrong_class(ladder: Ladder) -> Optional[Tuple[str, float, float]]:
    """The first class with an error of a hundredth of its size, and a thousand times what the constraint is off by; its
    relative error and the drift."""
    finest = ladder.finest()
    for name in classes_of(finest):
        error, scale, drift, size = (numbers(finest, column)[0] for column in (
            "error_" + name, "scale_" + name, "drift_position", "scale_position"))
        if 0.01 * scale <= error and 0 < scale and drift * scale <= 1e-3 * error * size:
            return name, error / scale, drift
    return None


def _small_drifts(study: Study) -> List[Words]:
    judged = [ladder for ladder in study.runs if not any(other.is_like(ladder) for other in study.orders)]
    wrong = [(ladder, found) for ladder, found in ((ladder, _wrong_class(ladder)) for ladder in judged) if found]
    said = [_finding(Tone.BAD, f"{ladder.pair}: {name} is wrong by {percent(error)} of its size at the end, though the "
                              f"drift off the constraint is {drift:.2g}: a small drift does not make it right.")
            for ladder, (name, error, drift) in wrong[:MOST_SENTENCES]]
    return said + _count(Tone.BAD, len(wrong) > MOST_SENTENCES, f"So it is in {len(wrong)} runs.")


# ---- laws of growth: of the first quantity of each problem ----

def law_tone(law: str) -> Tone:
    return Tone.BAD if law == "exponential" else Tone.PLAIN


def _named(names: List[str]) -> str:
    return ", ".join(names[:MOST_NAMED]) + (" and others" if len(names) > MOST_NAMED else "")


def _say_laws(study: Study, ladders: List[Ladder]) -> Words:
    firsts = [(ladder, ladder.rows.iloc[0]) for ladder in ladders]
    quantity = firsts[0][1]["quantity"]
    laws: Dict[str, List[str]] = {}
    for ladder, first in firsts:
        if first["quantity"] == quantity:
            laws.setdefault(first["law"] or "", []).append(f"{ladder.form} by {ladder.label}")
    said = "; ".join(f"{law} in {len(names)} run{'' if len(names) == 1 else 's'} ({_named(names)})"
                     for law, names in laws.items())
    return _finding(max(map(law_tone, laws)), f"{study.subject(ladders[0])}: the drift of {quantity} is {said}.")


def _growth(study: Study) -> List[Words]:
    return [_say_laws(study, ladders) for ladders in by_subject(study.growth).values()]


# ---- the fastest run with a middling error ----

def _beside_next(ratio: work.Ratio, other: Ladder) -> str:
    """", 1.8 (1.7 .. 1.9) times as fast as the next, index1 by radau"."""
    name = f"{other.form} by {other.label}"
    if math.isnan(ratio.ratio):
        return ""
    if ratio.differs:
        return f", {ratio.words} times as fast as the next, {name}"
    return f", which cannot be told from {name}: {ratio.ratio:.3g} ({ratio.low:.3g} .. {ratio.high:.3g}) times"


def _fastest(study: Study) -> List[Words]:
    said = []
    for ladders in by_subject(study.work).values():
        contest = work.contest_of(study, ladders)
        exponents = contest.exponents() if contest else range(0)
        winner = contest.winner(exponents[(len(exponents) - 1) // 2]) if len(exponents) else None
        if winner is None:
            continue
        at = with_unit(10.0 ** exponents[(len(exponents) - 1) // 2], contest.unit, ".0e")
        beside = _beside_next(winner.ratio, winner.other) if winner.other else ""
        said.append(_finding(Tone.PLAIN, (
            f"{study.subject(ladders[0])}: the fastest run with an error of {contest.of} of {at} or less is "
            f"{winner.ladder.form} by {winner.ladder.label}, in {time_text(winner.seconds)}{beside}.")))
    return said
