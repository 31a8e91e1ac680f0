#include "page/latex_figure.h"

#include "page/escape.h"
#include "page/figure_axes.h"

#include <math.h>

enum { COLOURS = 8, ACROSS = 4 };       /* panels side by side */

static const char *const colours[COLOURS] = {"0072B2", "D55E00", "009E73", "CC79A7",
                                              "B07C00", "3AA0D8", "444444", "7B4FB5"};
static const char *const marks[COLOURS] = {"*", "square*", "triangle*", "diamond*", "pentagon*", "+", "x", "star"};

void latex_figure_preamble(FILE *out)
{
    fputs("\\usepackage{pgfplots}\n\\pgfplotsset{compat=1.14}\n\\usepgfplotslibrary{groupplots}\n", out);
    for (int i = 0; i < COLOURS; i++)
        fprintf(out, "\\definecolor{series%d}{HTML}{%s}\n", i, colours[i]);
}

static void style(int series, FILE *out)
{
    fprintf(out, "series%d, mark=%s%s", series % COLOURS, marks[(series + 3 * (series / COLOURS)) % COLOURS],
            series >= COLOURS ? ", densely dashed, mark options={solid}" : "");
}

static void text(const char *before, const char *words, const char *after, FILE *out)
{
    fputs(before, out);
    escape_latex(words, out);
    fputs(after, out);
}

static void key(const figure *f, FILE *out)
{
    for (int i = 0; i < f->series; i++) {
        fputs("\\mbox{\\tikz[baseline=-0.5ex]\\draw[", out);
        style(i, out);
        text(", mark size=1.3pt] plot coordinates {(0,0) (0.3,0) (0.6,0)};~", f->label[i], "}\\quad\n", out);
    }
    fputs("\\par\n", out);
}

/* A value on an axis: zeros of a logarithmic one lie at its end. */
static double place(const axis *a, double x)
{
    return a->log && x <= 0 ? pow(10, a->low) : x;
}

static double end_of(const axis *a, double place) { return a->log ? pow(10, place) : place; }

static void limits(const char *name, const axis *a, FILE *out)
{
    fprintf(out, "%smode=%s, %smin=%.6g, %smax=%.6g,\n", name, a->log ? "log" : "linear", name, end_of(a, a->low), name,
            end_of(a, a->high));
}

static void axis_title(const char *name, const figure_quantity *q, FILE *out)
{
    fprintf(out, "%slabel={", name);
    text("", q->label, *q->unit ? ", " : "", out);
    text("", q->unit, "},\n", out);
}

static void options(const figure *f, const figure_row *row, const figure_axes *a, int panels, FILE *out)
{
    const int columns = panels < ACROSS ? panels : ACROSS;
    fprintf(out, "\\begin{groupplot}[group style={group size=%d by %d, horizontal sep=6mm, vertical sep=9mm,\n"
            "x descriptions at=edge bottom, y descriptions at=edge left},\n"
            "scale only axis, width=%dmm, height=30mm, title style={yshift=-1.5ex},\n"
            "tick label style={font=\\tiny}, label style={font=\\scriptsize}, title style={font=\\scriptsize},\n"
            "every axis plot/.append style={mark size=1.1pt}, grid=major, grid style={black!10},\n",
            columns, (panels + columns - 1) / columns, columns < 3 ? 60 : (152 - 6 * (columns - 1)) / columns);
    limits("x", &a->x, out);
    limits("y", &a->y, out);
    axis_title("x", &f->quantity[row->x], out);
    axis_title("y", &f->quantity[row->y], out);
    fputs("]\n", out);
}

/* Coordinates; a point that is missing interrupts the line. */
static void curve(const figure *f, const figure_row *row, const figure_curve *c, const figure_axes *a, FILE *out)
{
    const int every = c->count > 24 ? c->count / 4 : 1;
    fputs("\\addplot[", out);
    style(c->series, out);
    fprintf(out, ", mark repeat=%d%s, unbounded coords=jump] coordinates {", every, f->steps ? ", const plot" : "");
    for (int k = 0; k < c->count; k++)
        if (figure_has_point(row, c, k))
            fprintf(out, "(%.6g,%.6g)", place(&a->x, c->value[row->x][k]), place(&a->y, c->value[row->y][k]));
        else
            fputs("(nan,nan)", out);
    fputs("};\n", out);
}

/* Runs that failed: crosses at the upper edge. */
static void failures(const figure_row *row, const figure_curve *c, const figure_axes *a, FILE *out)
{
    for (int k = 0; k < c->count; k++)
        if (c->failed[k] && isfinite(c->value[row->x][k]))
            fprintf(out, "\\addplot[only marks, mark=x, mark size=2pt, series%d] coordinates {(%.6g,%.6g)};\n",
                    c->series % COLOURS, place(&a->x, c->value[row->x][k]), end_of(&a->y, a->y.high));
}

/* Straight lines of slope 1, 2, ... from the upper right corner. */
static void guides(const figure_axes *a, int count, FILE *out)
{
    for (int slope = 1; slope <= count && a->x.log && a->y.log; slope++) {
        const double fall = fmin(slope * (a->x.high - a->x.low), a->y.high - a->y.low);
        fprintf(out, "\\addplot[black!50, densely dotted, mark=none] coordinates {(%.6g,%.6g) (%.6g,%.6g)};\n",
                pow(10, a->x.high), pow(10, a->y.high), pow(10, a->x.high - fall / slope), pow(10, a->y.high - fall));
    }
}

static void panel(const figure *f, const figure_row *row, const figure_facet *facet, const figure_axes *a, FILE *out)
{
    text("\\nextgroupplot[title={", facet->title, "}]\n", out);
    guides(a, f->guides, out);
    for (int k = 0; k < facet->curves; k++) {
        curve(f, row, &facet->curve[k], a, out);
        failures(row, &facet->curve[k], a, out);
    }
}

static int panels_of(const figure *f, const figure_row *row)
{
    int count = 0;
    for (int i = 0; i < f->facets; i++)
        count += figure_shows(row, &f->facet[i]);
    return count;
}

static void row_of_panels(const figure *f, int r, FILE *out)
{
    const figure_row *row = &f->row[r];
    const figure_axes a = figure_axes_of(f, r);
    const int panels = panels_of(f, row);
    if (!panels)
        return;
    if (*row->title)
        text("\\par\\smallskip{\\small ", row->title, "}\\par\\nopagebreak\n", out);
    fputs("\\begin{tikzpicture}\n", out);
    options(f, row, &a, panels, out);
    for (int i = 0; i < f->facets; i++)
        if (figure_shows(row, &f->facet[i]))
            panel(f, row, &f->facet[i], &a, out);
    fputs("\\end{groupplot}\n\\end{tikzpicture}\n", out);
}

void latex_figure(const figure *f, FILE *out)
{
    text("\\subsubsection*{", f->title, "}\n", out);
    if (*f->caption)
        text("", f->caption, "\n\n", out);
    key(f, out);
    for (int r = 0; r < f->rows; r++)
        row_of_panels(f, r, out);
    if (figure_fails(f))
        fputs("\n\nCrosses at the upper edge are runs that failed.\n", out);
    if (figure_clips(f))
        fputs("\n\nMarks on the lower edge, or the left one, of a logarithmic axis are zeros.\n", out);
    if (*f->command)
        text("\n\nAgain: {\\footnotesize\\ttfamily ", f->command, "}\n", out);
    fputs("\n", out);
}
