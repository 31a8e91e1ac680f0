"""How curves and letters look: colours that all eyes and a grey print tell apart, fonts, numbers on axes."""
from __future__ import annotations

import logging
import math
import re
from typing import Any, Dict, List, NamedTuple, Sequence, Tuple

import matplotlib
import numpy as np
from matplotlib import font_manager

# Okabe and Ito (2008), their yellow darker
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#56b4e9", "#000000")
MARKS = ("o", "s", "^", "D", "v", "p", "<", "h", ">")
LINES = ("-", (0, (5, 1.5)), (0, (5, 1.5, 1, 1.5)), (0, (1, 1)))
GREY, PALE, DARK = "#8c8c8c", "#d9d9d9", "#404040"

FACES = {"helvetica": ("Helvetica", "Arial", "Nimbus Sans", "Liberation Sans", "DejaVu Sans"),
         "times": ("Times", "Times New Roman", "Nimbus Roman", "Liberation Serif", "STIXGeneral"),
         "courier": ("Courier", "Courier New", "Nimbus Mono PS", "Liberation Mono", "DejaVu Sans Mono")}
SERIF = ("times", "stix", "serif", "roman", "garamond", "palatino", "georgia")


class Look(NamedTuple):
    """How pictures look. width, height: of a page [mm], 0: as the panels need; font: size of letters [pt]; face: name
    of the font, "": Helvetica; title: in place of the figure's; data: the points of the curves are left as CSV."""

    width: float = 0
    height: float = 0
    font: float = 8
    face: str = ""
    title: Any = None
    transparent: bool = False
    data: bool = False


def choose_fonts(look: Look) -> str:
    """Take the face for all that follows; answers a sentence where there is none of this name, else ""."""
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    there = {font.name for font in font_manager.fontManager.ttflist}
    wanted = FACES.get(look.face.lower().split(" ")[0] if look.face else "helvetica", (look.face,))
    found = [name for name in wanted if name in there]
    serif = any(word in look.face.lower() for word in SERIF)
    matplotlib.rcParams.update({
        "font.family": found[:1] + ["DejaVu Sans"], "font.size": look.font, "svg.fonttype": "path", "pdf.fonttype": 42,
        "mathtext.fontset": "stix" if serif else "dejavusans", "mathtext.default": "regular", "svg.hashsalt": "daelab",
        "axes.linewidth": 0.6, "lines.linewidth": 1.1, "axes.unicode_minus": True})
    return "" if found else f"there is no font {look.face}; DejaVu Sans is taken"


def curve_style(number: int) -> Dict[str, Any]:
    """Colour, line and mark of the label of this number: no two of the first 252 are alike."""
    return {"color": COLOURS[number % len(COLOURS)], "marker": MARKS[number % len(MARKS)],
            "linestyle": LINES[number % len(LINES)]}


def plain(text: str) -> str:
    """Words that are no formula, whatever they hold; but powers, as of units, are raised."""
    return re.sub(r"\^(-?\d+)", r"$^{\1}$", text.replace("$", r"\$"))


# ---- ticks


def _decade(power: int) -> str:
    return f"$10^{{{power}}}$"


def _times_decade(x: float) -> str:
    power = math.floor(math.log10(x) + 1e-9)
    factor = f"{x / 10.0 ** power:.3g}"
    return f"{x:g}" if -3 < power < 4 else _decade(power) if factor == "1" else f"${factor}{{\\cdot}}10^{{{power}}}$"


def log_ticks(low: float, high: float, most: int) -> Tuple[List[float], List[str], List[float]]:
    """Places and words of ticks, places of minor ones: decades, or every second, third, ... for at most so many; with
    fewer than two decades in the range 1, 2, 5 times one, or finer."""
    powers = list(range(math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9) + 1))
    stride = max(1, math.ceil(len(powers) / max(1, most)))
    tenths = [m * 10.0 ** k for k in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
              for m in range(2, 10)] if len(powers) <= 4 else []
    if len(powers) >= 2:
        major = max((powers[-powers[0] % stride:][::stride], powers[::stride]), key=len)
        minor = [x for x in tenths + [10.0 ** k for k in powers if k not in major] if low <= x <= high]
        return [10.0 ** k for k in major], [_decade(k) for k in major], minor
    some: List[float] = []
    for parts in ((1, 2, 5), (1, 2, 3, 4, 5, 6, 8), tuple(np.arange(10, 100) / 10)):
        some = [m * 10.0 ** k for k in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
                for m in parts if low <= m * 10.0 ** k <= high]
        if len(some) >= 2:
            break
    words = [_times_decade(x) for x in some]
    room = most if all(len(word) < 6 for word in words) else 0.6 * most
    stride = max(1, math.ceil(len(some) / max(2, room)))
    first = next((i for i, x in enumerate(some) if any(math.isclose(x, 10.0 ** k) for k in powers)), 0) % stride
    if len(some[first::stride]) < 2:
        first = 0
    shown = some[first::stride]                         # a decade among them
    return shown, words[first::stride], [x for x in tenths if low <= x <= high and x not in shown]


def shared_power(low: float, high: float) -> int:
    """The power of ten that stands beside the axis, not at each tick."""
    size = max(abs(low), abs(high))
    power = math.floor(math.log10(size)) if size > 0 else 0
    return power if power >= 5 or power <= -3 else 0


def linear_ticks(low: float, high: float, most: int) -> Tuple[List[float], List[str], List[float]]:
    step = 10.0 ** math.floor(math.log10((high - low) / max(most, 2)))
    step *= next(m for m in (1, 2, 2.5, 5, 10, 20) if (high - low) / (m * step) <= max(most, 2))
    places = [k * step for k in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]
    unit = 10.0 ** shared_power(low, high)
    words = [f"{0.0 if abs(x) < step / 1e6 else x / unit:.10g}".replace("-", "\N{MINUS SIGN}") for x in places]
    return places, words, []


def limits(values: np.ndarray, log: bool) -> Tuple[float, float]:
    """Ends of an axis: those of the values, with a margin."""
    if not len(values):
        return (0.1, 1.0) if log else (0.0, 1.0)
    if log:
        low, high = np.log10(values.min()), np.log10(values.max())
        margin = max(0.05 * (high - low), 0.08)
        return float(10.0 ** (low - margin)), float(10.0 ** (high + margin))
    low, high = float(values.min()), float(values.max())
    margin = 0.04 * (high - low)
    if margin <= 1e-12 * max(abs(low), abs(high)):
        margin = 0.1 * abs(low) or 1.0
    return low - margin, high + margin


def spread(columns: Sequence[np.ndarray]) -> np.ndarray:
    return np.concatenate([np.asarray(c, float) for c in columns]) if columns else np.array([])
