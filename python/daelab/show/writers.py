"""Figures into files: .svg, .png, .pdf, .tex."""
from __future__ import annotations

import os
from typing import Any, Callable, Dict, List, Sequence, TextIO

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_pdf import FigureCanvasPdf, PdfPages
from matplotlib.backends.backend_pgf import RendererPgf
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure as Page

from . import files, style
from .layout import pages_of
from .pictures import Figure

DPI = 300

# ---- LaTeX

HEAD = r"""% \input this into a document that has \usepackage{pgf}, or let LaTeX read it by itself.
\makeatletter
\newif\ifdaelabalone
\ifx\documentclass\@twoclasseserror\daelabalonefalse\else\daelabalonetrue\fi
\makeatother
\ifdaelabalone
\documentclass[multi=pgfpicture]{standalone}
\usepackage{pgf}
\expandafter\begin\expandafter{document}
\fi
"""
TAIL = r"\ifdaelabalone\expandafter\end\expandafter{document}\fi" + "\n"
SPECIAL = str.maketrans({"&": r"\&", "#": r"\#", "_": r"\_", "%": r"\%", "^": r"\^{}", "~": r"\~{}", "{": r"\{",
                         "}": r"\}", "|": r"\ensuremath{|}", "<": r"\ensuremath{<}", ">": r"\ensuremath{>}",
                         "×": r"\ensuremath{\times}", "…": r"\ldots{}", "\N{MINUS SIGN}": r"\ensuremath{-}"})


class LatexRenderer(RendererPgf):
    """PGF in the document's font. Texts are measured as for other pictures, by Agg, so that LaTeX is not run."""

    def __init__(self, page: Page, out: TextIO) -> None:
        super().__init__(page, out)
        self.words = FigureCanvasAgg(Page(dpi=72)).get_renderer()

    def get_text_width_height_descent(self, s: str, prop: Any, ismath: Any) -> Any:
        scale = self.dpi / 72
        return tuple(scale * size for size in self.words.get_text_width_height_descent(s, prop, ismath))

    def draw_text(self, gc: Any, x: float, y: float, s: str, prop: Any, angle: float, ismath: Any = False,
                  mtext: Any = None) -> None:
        """Text by \\pgftext, anchored at the left end of its base line; formulas stand between dollars, where there are any
        (ismath)."""
        parts = s.replace(r"\$", "\0").split("$") if ismath else [s.replace("$", "\0")]
        text = "".join(f"${part}$" if i % 2 else part.replace("\\", r"\textbackslash{}").translate(SPECIAL)
                       for i, part in enumerate(parts)).replace("\0", r"\$")
        red, green, blue = gc.get_rgb()[:3]
        size = prop.get_size_in_points()
        self.fh.write(f"\\begin{{pgfscope}}\\definecolor{{textcolor}}{{rgb}}{{{red:.3f},{green:.3f},{blue:.3f}}}"
                      f"\\pgftext[x={x / self.dpi:.5f}in,y={y / self.dpi:.5f}in,left,base"
                      f"{',rotate=%g' % angle if angle else ''}]{{\\color{{textcolor}}\\fontsize{{{size:.3g}}}"
                      f"{{{1.2 * size:.3g}}}\\selectfont {text}}}\\end{{pgfscope}}\n")


def _write_latex(pages: Sequence[Page], path: str, look: style.Look) -> None:
    with open(path, "w", encoding="utf-8") as out:
        out.write(HEAD)
        for page in pages:
            width, height = page.get_size_inches()
            out.write("\\begingroup\\makeatletter\n\\begin{pgfpicture}\n\\pgfpathrectangle{\\pgfpointorigin}"
                      f"{{\\pgfqpoint{{{width:f}in}}{{{height:f}in}}}}\n\\pgfusepath{{use as bounding box}}\n")
            page.patch.set_visible(not look.transparent)
            page.draw(LatexRenderer(page, out))
            out.write("\\end{pgfpicture}\n\\makeatother\\endgroup\n")
        out.write(TAIL)


# ---- the other kinds


def _write_pdf(pages: Sequence[Page], path: str, look: style.Look) -> None:
    with PdfPages(path, metadata={"CreationDate": None, "Producer": None}) as pdf:
        for page in pages:
            FigureCanvasPdf(page)
            pdf.savefig(page, transparent=look.transparent)


def _write_svg(pages: Sequence[Page], path: str, look: style.Look) -> None:
    FigureCanvasSVG(pages[0]).print_svg(path, metadata={"Date": None})


def _write_png(pages: Sequence[Page], path: str, look: style.Look) -> None:
    FigureCanvasAgg(pages[0])
    pages[0].set_dpi(DPI)
    pages[0].canvas.print_png(path)


WRITERS: Dict[str, Callable[[Sequence[Page], str, style.Look], None]] = {
    ".svg": _write_svg, ".png": _write_png, ".pdf": _write_pdf, ".tex": _write_latex}
APART = (".svg", ".png")                                # a page is a file


# ---- one picture


def _write_data(figures: Sequence[Figure], path: str) -> None:
    """The points of all curves as CSV."""
    import pandas
    rows = [pandas.DataFrame({"figure": number, "panel": i + 1, "title": panel.title, "x_label": panel.xlabel,
                              "y_label": panel.ylabel, "curve": curve.label, "style": curve.style, "x": curve.x,
                              "y": curve.y})
            for number, figure in enumerate(figures, 1) for i, panel in enumerate(figure.panels)
            for curve in panel.curves]
    pandas.concat(rows).to_csv(path, index=False)


def _write_pages(pages: Sequence[Page], path: str, look: style.Look) -> List[str]:
    stem, ending = os.path.splitext(path)
    write = WRITERS[ending]
    if ending not in APART or len(pages) == 1:
        files.replace(path, lambda name: write(pages, name, look))
        return [path]
    names = [f"{stem}-{i}{ending}" for i in range(1, len(pages) + 1)]
    for page, name in zip(pages, names):
        files.replace(name, lambda temporary, page=page: write([page], temporary, look))
    return names


def _say(path: str, names: Sequence[str], pages: int, small: str, look: style.Look) -> str:
    said = []
    if len(names) > 1:
        said.append(f"the picture takes {pages} pages: {names[0]} to {names[-1]}")
    elif pages > 1:
        said.append(f"the picture takes {pages} pages of {path}")
    if look.data:
        said.append(f"{path}.csv has its points")
    return "; ".join(filter(None, [*said, small]))


def draw(figures: Sequence[Figure], path: str, look: style.Look) -> Dict[str, Any]:
    """Draw figures into path; raises NoRoom where a page is too small, and OSError."""
    pages, small = pages_of(figures, look)
    names = _write_pages(pages, path, look)
    if look.data:
        files.replace(path + ".csv", lambda name: _write_data(figures, name))
    return {"files": names, "said": _say(path, names, len(pages), small, look)}
