"""A run as a film: a GIF, an mp4, or a photograph under a stroboscope.

On standard input: {"path", "title", "unit" of t, "fps", "trail", "units" of positions, "frames": [[t, bodies, links,
walls]], "samples": [[t, points]]}; a body is [x, y, radius], a link or wall [x0, y0, x1, y1], a point [x, y] of what
leaves a trail.
"""
from __future__ import annotations

import json
import math
import signal
import subprocess
import sys
import tempfile
from typing import Any, Dict, Iterator, List, Sequence, Tuple

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import EllipseCollection, LineCollection
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure as Page
from PIL import Image

from . import files, style
from .pictures import unit_of_length, unit_title

FAULT = 3
LARGEST, NARROWEST, LOWEST = 440, 280, 140              # the area of the axes, pixels
LEFT, RIGHT, TOP, BOTTOM = 58, 16, 30, 42
LEAST_RADIUS = 3
TRAIL_POINTS, FLASHES, COLOURS = 120, 12, 6
LINK, WALL = "#505050", "#707070"
ZOOM = {".gif": 1.0, ".mp4": 1.25, ".png": 2.0}


class CannotWrite(Exception):
    """Its text is a sentence."""


def _shade(colour: str, part: Any) -> np.ndarray:
    """part = 1: the colour itself, 0: white."""
    return 1 - np.multiply.outer(np.asarray(part, float), 1 - np.array(to_rgb(colour)))


# ---- layout


def _covered(film: Dict[str, Any]) -> np.ndarray:
    """x_low, x_high, y_low, y_high of all that is drawn."""
    boxes: List[Sequence[float]] = []
    for _, bodies, links, walls in film["frames"]:
        boxes += [(x - abs(r), x + abs(r), y - abs(r), y + abs(r)) for x, y, r in bodies]
        boxes += [(min(a, c), max(a, c), min(b, d), max(b, d)) for a, b, c, d in [*links, *walls]]
    boxes += [(x, x, y, y) for _, points in film["samples"] for x, y in points]
    all_of = np.array(boxes or [(0, 0, 0, 0)], dtype=float)
    return np.array([all_of[:, 0].min(), all_of[:, 1].max(), all_of[:, 2].min(), all_of[:, 3].max()])


class Stage:
    """The page of a film: both axes have the same scale, and the same range in all frames."""

    def __init__(self, film: Dict[str, Any], zoom: float) -> None:
        x0, x1, y0, y1 = _covered(film)
        middle = (x0 + x1) / 2, (y0 + y1) / 2
        span, far = max(x1 - x0, y1 - y0), max(abs(middle[0]), abs(middle[1]))
        span = span if span > 1e-12 * far else far + 1
        self.unit = LARGEST / (1.06 * span)             # pixels of 1
        sizes = [2 * math.ceil(max(least, self.unit * (length + 0.06 * span)) / 2)
                 for least, length in ((NARROWEST, x1 - x0), (LOWEST, y1 - y0))]
        wide, high = sizes[0] + LEFT + RIGHT, sizes[1] + TOP + BOTTOM
        pixels = [2 * math.ceil(zoom * size / 2) for size in (wide, high)]
        self.page = Page(figsize=(pixels[0] / 100 / zoom, pixels[1] / 100 / zoom), dpi=100 * zoom, facecolor="white")
        self.canvas = FigureCanvasAgg(self.page)
        self.axes = self.page.add_axes([LEFT / wide, BOTTOM / high, sizes[0] / wide, sizes[1] / high])
        for limit, at, size in ((self.axes.set_xlim, middle[0], sizes[0]), (self.axes.set_ylim, middle[1], sizes[1])):
            limit(at - size / self.unit / 2, at + size / self.unit / 2)
        self._dress(film["title"], unit_of_length(film["units"]), sizes)
        step = (film["frames"][-1][0] - film["frames"][0][0]) / (len(film["frames"]) - 1)
        self.digits = int(min(max(math.ceil(-math.log10(step)), 0), 12))
        self.time_unit = f" {film['unit']}" if film["unit"] else ""
        self.time = self.axes.text(1, 1 + 0.35 * TOP / sizes[1], "", transform=self.axes.transAxes, ha="right", size=8,
                                   animated=True)

    def _dress(self, title: str, unit: str, sizes: Sequence[int]) -> None:
        self.axes.text(0, 1 + 0.35 * TOP / sizes[1], style.plain(title), transform=self.axes.transAxes, size=8)
        for side in ("top", "right"):
            self.axes.spines[side].set_visible(False)
        for name, axis, (low, high), size in zip("xy", (self.axes.xaxis, self.axes.yaxis),
                                                 (self.axes.get_xlim(), self.axes.get_ylim()), sizes):
            places, words, _ = style.linear_ticks(low, high, max(2, size // 64))
            axis.set_ticks(places)
            axis.set_ticklabels(words)
            axis.set_label_text(unit_title(name, unit), size=8)
        self.axes.tick_params(labelsize=7, color=style.GREY, labelcolor=style.DARK, length=3)

    def lines(self, segments: Any, colours: Any, width: float) -> LineCollection:
        lines = LineCollection(np.reshape(segments, (-1, 2, 2)), colors=colours, linewidths=width, animated=True,
                               capstyle="round")
        return self.axes.add_collection(lines, autolim=False)

    def discs(self, bodies: Sequence[Tuple[float, float, float]], colours: Any) -> EllipseCollection:
        """Of a radius, or as small as can be seen."""
        sizes = [2 * max(radius, LEAST_RADIUS / self.unit) for _, _, radius in bodies]
        places = np.reshape([(x, y) for x, y, _ in bodies], (-1, 2))
        return self.axes.add_collection(
            EllipseCollection(sizes, sizes, np.zeros(len(sizes)), units="x", offsets=places, facecolors=colours,
                              transOffset=self.axes.transData, animated=True), autolim=False)


# ---- what is drawn


def _colours(bodies: Sequence[Sequence[float]], part: float) -> List[np.ndarray]:
    """Discs have the colour of their number, dots that of links."""
    discs, colours = 0, []
    for _, _, radius in bodies:
        colours.append(_shade(style.COLOURS[discs % COLOURS] if radius > 0 else LINK, part))
        discs += radius > 0
    return colours


def _ways(samples: Sequence[Any], which: int, weak: float, strong: float) -> Tuple[np.ndarray, np.ndarray]:
    """Segments of the way of a body through samples, and their colours, from weak to strong."""
    there = [(t, points[which]) for t, points in samples if which < len(points)]
    places = np.array([at for _, at in there], dtype=float)
    times = np.array([t for t, _ in there], dtype=float)
    if len(places) < 2:
        return np.empty((0, 2, 2)), np.empty((0, 3))
    part = strong + (times[-1] - times[1:]) / max(times[-1] - times[0], 1e-300) * (weak - strong)
    return np.stack([places[:-1], places[1:]], axis=1), _shade(style.COLOURS[which % COLOURS], part)


def _trails(stage: Stage, samples: Sequence[Any], weak: float, strong: float, width: float) -> List[Any]:
    most = max((len(points) for _, points in samples), default=0)
    return [stage.lines(*_ways(samples, which, weak, strong), width) for which in range(most)]


def _bodies(stage: Stage, frame: Sequence[Any], part: float, width: float) -> List[Any]:
    _, bodies, links, _ = frame
    return [stage.lines(links, [_shade(LINK, part)], width), stage.discs(bodies, _colours(bodies, part))]


def _walls(stage: Stage, frame: Sequence[Any]) -> List[Any]:
    return [stage.lines(frame[3], WALL, 2.5)]


def _in_trail(film: Dict[str, Any], times: np.ndarray, at: float) -> Sequence[Any]:
    """Some of the samples of the trail at a time, the last one always."""
    first, last = np.searchsorted(times, [at - film["trail"], at], side="right")
    some = film["samples"][max(first - 1, 0) if times[max(first - 1, 0)] >= at - film["trail"] else first:last]
    return some[::-1][::1 + len(some) // TRAIL_POINTS][::-1]


def _pictures(film: Dict[str, Any], stage: Stage) -> Iterator[np.ndarray]:
    """Each frame as rows of pixels, red, green, blue."""
    times = np.array([t for t, _ in film["samples"]], dtype=float)
    stage.canvas.draw()
    ground = stage.canvas.copy_from_bbox(stage.page.bbox)
    for frame in film["frames"]:
        stage.canvas.restore_region(ground)
        stage.time.set_text(f"t = {frame[0]:.{stage.digits}f}{stage.time_unit}")
        parts = _walls(stage, frame) + _trails(stage, _in_trail(film, times, frame[0]), 0.15, 0.75, 1.0)
        parts += _bodies(stage, frame, 1, 1.7)
        for artist in [*parts, stage.time]:
            stage.axes.draw_artist(artist)
        for artist in parts:
            artist.remove()
        yield np.asarray(stage.canvas.buffer_rgba())[:, :, :3].copy()


# ---- files


def _photograph(film: Dict[str, Any], path: str) -> None:
    """The whole way, and what moves at some times, the last one strongest."""
    stage, frames = Stage(film, ZOOM[".png"]), film["frames"]
    flashes = min(len(frames) - 1, FLASHES)
    parts = _walls(stage, frames[-1]) + _trails(stage, film["samples"], 0.4, 0.4, 0.8)
    for k in range(flashes + 1):
        part = 0.2 + 0.35 * k / flashes if k < flashes else 1.0
        parts += _bodies(stage, frames[k * (len(frames) - 1) // flashes], part, 1.7 if k == flashes else 1.0)
    stage.time.set_text(f"t = {frames[-1][0]:.{stage.digits}f}{stage.time_unit}")
    for order, artist in enumerate([*parts, stage.time]):
        artist.set(animated=False, zorder=2 + order)
    stage.canvas.print_png(path)


def _gif(film: Dict[str, Any], path: str) -> None:
    """All frames in the colours of the last one's and the first one's, whose trails are longest and shortest."""
    pictures = [Image.fromarray(picture) for picture in _pictures(film, Stage(film, ZOOM[".gif"]))]
    some = [pictures[k * (len(pictures) - 1) // 8] for k in range(9)]
    sheet = Image.new("RGB", (some[0].width, some[0].height * len(some)))
    for k, picture in enumerate(some):
        sheet.paste(picture, (0, k * picture.height))
    palette = sheet.quantize(256)
    colours = np.reshape(palette.getpalette(), (-1, 3))
    colours[(colours > 247).all(axis=1)] = 255          # the ground is white
    palette.putpalette(colours.ravel().tolist())
    first, *others = [picture.quantize(palette=palette, dither=0) for picture in pictures]
    first.save(path, format="GIF", save_all=True, append_images=others, duration=10 * round(100 / film["fps"]), loop=0,
               optimize=False, disposal=1)


def _mp4(film: Dict[str, Any], path: str) -> None:
    stage = Stage(film, ZOOM[".mp4"])
    wide, high = stage.canvas.get_width_height()
    command = ["ffmpeg", "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{wide}x{high}",
               "-framerate", f"{film['fps']:.6g}", "-i", "pipe:0", "-pix_fmt", "yuv420p", "-movflags", "+faststart",
               "-f", "mp4", path]
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)       # it says itself why it ends
    with tempfile.TemporaryFile() as words:
        try:
            child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=words)
        except FileNotFoundError:
            raise CannotWrite("ffmpeg is not installed; it writes .mp4 (Debian: ffmpeg; .gif and .png do "
                              "without)") from None
        try:
            for picture in _pictures(film, stage):
                child.stdin.write(picture.tobytes())
            child.stdin.close()
        except BrokenPipeError:
            pass
        if child.wait():
            words.seek(0)
            said = " ".join(words.read(400).decode(errors="replace").split())
            raise CannotWrite(f"ffmpeg failed: {said or 'without a word'}")


WRITERS = {".gif": _gif, ".mp4": _mp4, ".png": _photograph}


def main(arguments: Sequence[str]) -> int:
    film = json.load(sys.stdin)
    path = film["path"]
    style.choose_fonts(style.Look())
    try:
        files.replace(path, lambda name: WRITERS[path[path.rindex("."):]](film, name))
    except CannotWrite as why:
        sys.stderr.write(f"{why}\n")
        return FAULT
    except OSError as why:
        sys.stderr.write(f"{path}: {why.strerror}\n")
        return FAULT
    return 0
