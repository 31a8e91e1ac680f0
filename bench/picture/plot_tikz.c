/* plot_tikz.c - axes, curves and key of a page as pgfplots code
 *
 * Lengths are in TeX's bp, 72 to an inch; those of a page run upwards there.
 */
#include "picture/plot_tikz.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double BP = 0.75;          /* of a px */

/* ---- words ---- */

/* A character that LaTeX would not print as it is, and what it takes for it. */
static const struct { const char *from, *to; } special[] = {
    {"\\", "\\textbackslash{}"}, {"{", "\\{"}, {"}", "\\}"}, {"$", "\\$"}, {"&", "\\&"}, {"#", "\\#"}, {"%", "\\%"},
    {"_", "\\_"}, {"^", "\\textasciicircum{}"}, {"~", "\\textasciitilde{}"}, {"|", "$|$"}, {"<", "$<$"}, {">", "$>$"},
    {"\"", "''"}, {"`", "\\textasciigrave{}"}, {"·", "$\\cdot$"}, {"…", "\\ldots{}"}, {"×", "$\\times$"},
    {"*", "$\\ast$"},
};

static void put_text(FILE *out, const char *s)
{
    enum { SPECIAL = sizeof special / sizeof *special };
    while (*s) {
        int i = 0;
        while (i < SPECIAL && strncmp(s, special[i].from, strlen(special[i].from)) != 0)
            i++;
        if (i < SPECIAL)
            fputs(special[i].to, out);
        else
            fputc((unsigned char)*s < 0x20 || *s == 0x7f ? ' ' : *s, out);
        s += i < SPECIAL ? strlen(special[i].from) : 1;
    }
}

/* Letters of size px; everything in a document is as large as its em asks for. */
static void put_font(FILE *out, double size)
{
    fprintf(out, "font=\\fontsize{%.3g}{%.3g}\\selectfont", size * BP, 1.2 * size * BP);
}

/* ---- pens ---- */

static const struct { const char *name, *options; } marks[PEN_MARKS] = {
    {"*", ""},        {"square*", ""},   {"triangle*", ""}, {"diamond*", ""}, {"triangle*", ", rotate=180"},
    {"o", ""},        {"square", ""},    {"triangle", ""},  {"diamond", ""},  {"triangle", ", rotate=180"}};

static void put_colour(FILE *out, const plot_pen *pen)
{
    if (pen->colour < 0)
        fprintf(out, "black!%d", 100 - pen->grey * 100 / 255);
    else
        fprintf(out, "daelab%d", pen->colour);
}

static void put_dashes(FILE *out, const plot_pen *pen)
{
    if (!pen->dashes)
        return;
    fputs(", dash pattern=", out);
    for (int i = 0; pen->dashes[i] > 0; i++)
        fprintf(out, "%s%s %.3gbp", i ? " " : "", i % 2 ? "off" : "on", pen->dashes[i] * BP * 0.6);
}

/* ", mark=..., mark size=..." */
static void put_mark(FILE *out, const plot_pen *pen)
{
    fprintf(out, ", mark=%s, mark size=1.6bp, mark options={solid%s}", marks[pen->mark].name, marks[pen->mark].options);
}

static void put_pen(FILE *out, const plot_pen *pen, const plot_curve *c)
{
    put_colour(out, pen);
    if (c->style == PLOT_POINTS || c->style == PLOT_CROSS)
        fputs(", only marks", out);
    else
        fprintf(out, ", line width=%.3gbp", pen->width * BP);
    put_dashes(out, pen);
}

/* ---- axes ---- */

static double value(const plot_axis *a, double z) { return a->log ? pow(10, z) : z; }

/* xtick={...}, with labels of its own where numbers stand between decades. */
static void put_tics(FILE *out, char name, const plot_axis *a, int most, int labelled)
{
    plot_tic tic[MOST_TICS];
    const int count = plot_tics(a, most, tic);
    const char *comma = "";
    fprintf(out, "    %ctick={", name);
    for (int i = 0; i < count; i++)
        if (tic[i].label != TIC_BARE)
            fprintf(out, "%s%.10g", comma, value(a, tic[i].z)), comma = ",";
    fputs("}", out);
    if (a->log) {
        fprintf(out, ", minor %ctick={", name);
        comma = "";
        for (int i = 0; i < count; i++)
            if (tic[i].label == TIC_BARE)
                fprintf(out, "%s%.10g", comma, value(a, tic[i].z)), comma = ",";
        fprintf(out, "}, %cticklabels={", name);
        for (int i = 0; labelled && i < count; i++) {
            if (tic[i].label == TIC_PLAIN)
                fprintf(out, "{%g},", value(a, tic[i].z));
            else if (tic[i].label == TIC_POWER && tic[i].mantissa > 1)
                fprintf(out, "{$%g{\\cdot}10^{%d}$},", tic[i].mantissa, tic[i].exponent);
            else if (tic[i].label == TIC_POWER)
                fprintf(out, "{$10^{%d}$},", tic[i].exponent);
        }
        fputs("}", out);
    } else if (!labelled) {
        fprintf(out, ", %cticklabels={}", name);
    }
    fputs(",\n", out);
}

static void put_label(FILE *out, const char *what, const char *s)
{
    if (!*s)
        return;
    fprintf(out, "    %s={", what);
    put_text(out, s);
    fputs("},\n", out);
}

static void put_options(FILE *out, const plot_page *p, const plot_place *at)
{
    fprintf(out, "\\begin{axis}[daelab axes, at={(%.5gbp,%.5gbp)}, width=%.5gbp, height=%.5gbp,\n", at->left * BP,
            (p->height - at->top - at->height) * BP, at->width * BP, at->height * BP);
    if (*at->title) {
        fputs("    title={", out);
        put_text(out, at->title);
        fputs("}, title style={at={(0.5,1)}, anchor=base, yshift=8bp, ", out);
        put_font(out, at->title_size);
        fputs("},\n", out);
    }
    put_label(out, "xlabel", at->xlabel);
    put_label(out, "ylabel", at->ylabel);
    fprintf(out, "    %s%sxmin=%.10g, xmax=%.10g, ymin=%.10g, ymax=%.10g,\n", at->x.log ? "xmode=log, " : "",
            at->y.log ? "ymode=log, " : "", value(&at->x, at->x.lo), value(&at->x, at->x.hi), value(&at->y, at->y.lo),
            value(&at->y, at->y.hi));
    put_tics(out, 'x', &at->x, at->most_x, at->labels_x);
    put_tics(out, 'y', &at->y, at->most_y, at->labels_y);
    fputs("]\n", out);
}

/* ---- curves ---- */

static double height_of(const plot_place *at, const plot_curve *c, int i)
{
    if (c->style != PLOT_CROSS || plot_drawable(c->y[i], at->panel->log_y))
        return c->y[i];
    return value(&at->y, at->y.hi - 0.03 * (at->y.hi - at->y.lo));
}

/* Which of the points that are drawn, from 1, have marks. */
static void put_mark_indices(FILE *out, const plot_document *d, const plot_place *at, const plot_curve *c)
{
    int mark[MOST_MARKS];
    const int count = plot_marks(&d->labels, at->panel, c, &at->x, &at->y, at->width / at->height, mark);
    fputs(", mark indices={", out);
    for (int k = 0, i = 0, n = 0; k < count; k++) {
        for (; i <= mark[k]; i++)
            n += plot_point(at->panel, c, i);
        fprintf(out, "%s%d", k ? "," : "", n);
    }
    fputc('}', out);
}

/* Points, eight to a line. */
static void put_points(FILE *out, const plot_place *at, const plot_curve *c)
{
    int n = 0;
    fputs(" coordinates {", out);
    for (int i = 0; i < c->count; i++)
        if (plot_point(at->panel, c, i))
            fprintf(out, "%s(%.10g,%.10g)", n++ % 6 ? " " : "\n    ", c->x[i], height_of(at, c, i));
        else if (plot_interrupted(c) && i > 0 && plot_point(at->panel, c, i - 1))
            fputs("\n\n    ", out), n = 1;
    fputs("\n};", out);
    if (c->label && *c->label) {
        fputs(" % ", out);
        for (const char *s = c->label; *s; s++)
            fputc((unsigned char)*s < 0x20 ? ' ' : *s, out);
    }
    fputc('\n', out);
}

static void put_tags(FILE *out, const plot_document *d, const plot_place *at, int k)
{
    const plot_curve *c = &at->panel->curve[k];
    for (int i = 0; c->tag && i < c->count; i++) {
        if (!plot_tagged(at, d->em, k, i))
            continue;
        fprintf(out, "\\node[anchor=south %s, inner sep=0.5bp, outer sep=1.5bp, black!60, fill=white, fill "
                     "opacity=0.7, text opacity=1, ", plot_tag_left(at, d->em, c, i) ? "east" : "west");
        put_font(out, PLOT_TAG * d->em);
        fprintf(out, "] at (axis cs:%.10g,%.10g) {", c->x[i], c->y[i]);
        put_text(out, c->tag[i]);
        fputs("};\n", out);
    }
}

static void put_times(FILE *out, const plot_place *at, const plot_curve *c)
{
    for (int i = 0; i < c->count; i++)
        if (plot_point(at->panel, c, i) && c->x[i] >= value(&at->x, at->x.lo) && c->x[i] <= value(&at->x, at->x.hi))
            fprintf(out, "\\draw[black!30, line width=0.5bp] ({axis cs:%.10g,0}|-{rel axis cs:0,0}) -- "
                    "({axis cs:%.10g,0}|-{rel axis cs:0,1});\n", c->x[i], c->x[i]);
}

static void put_curve(FILE *out, const plot_document *d, const plot_place *at, int k)
{
    const plot_curve *c = &at->panel->curve[k];
    const plot_pen pen = plot_choose_pen(&d->labels, c);
    fputs("\\addplot[", out);
    put_pen(out, &pen, c);
    if (c->style == PLOT_CROSS)
        fputs(", mark=x, mark size=3bp, line width=1.4bp", out);
    else if (c->style == PLOT_LINE || c->style == PLOT_POINTS)
        put_mark(out, &pen);
    if (c->style == PLOT_LINE)
        put_mark_indices(out, d, at, c);
    fputs("]", out);
    put_points(out, at, c);
    put_tags(out, d, at, k);
}

static void put_place(FILE *out, const plot_document *d, const plot_page *p, const plot_place *at)
{
    const plot_panel *panel = at->panel;
    put_options(out, p, at);
    for (int guides = 1; guides >= 0; guides--)
        for (int k = 0; k < panel->curves; k++) {
            const plot_curve *c = &panel->curve[k];
            if (plot_guides(c) != guides || !plot_points(panel, c))
                continue;
            if (c->style == PLOT_TIMES)
                put_times(out, at, c);
            else
                put_curve(out, d, at, k);
        }
    if (!plot_panel_points(panel)) {
        fputs("\\node[black!45] at (rel axis cs:0.5,0.5) {", out);
        put_text(out, panel->empty ? panel->empty : "nothing to draw");
        fputs("};\n", out);
    }
    fputs("\\end{axis}\n", out);
}

/* ---- words and key ---- */

static void put_words(FILE *out, const plot_page *p, const plot_words *w)
{
    static const char *const how[] = {"anchor=mid west, ", "anchor=mid, ", "rotate=270, anchor=mid, "};
    fprintf(out, "\\node[inner sep=0pt, %s%s", how[w->how], w->grey ? "black!60, " : "");
    put_font(out, w->size);
    fprintf(out, "] at (%.5gbp,%.5gbp) {", w->x * BP, (p->height - w->y) * BP);
    put_text(out, w->text);
    fputs("};\n", out);
}

static void put_sample(FILE *out, const plot_document *d, const plot_page *p, const plot_sample *s)
{
    const plot_pen pen = plot_choose_pen(&d->labels, s->curve);
    const double y = (p->height - s->y) * BP;
    if (s->curve->style != PLOT_POINTS) {
        fputs("\\draw[", out);
        put_pen(out, &pen, s->curve);
        fprintf(out, "] (%.5gbp,%.5gbp) -- (%.5gbp,%.5gbp);\n", s->x * BP, y, (s->x + s->length) * BP, y);
    }
    if (s->curve->style == PLOT_POINTS || s->curve->style == PLOT_LINE) {
        fputs("\\draw[", out);
        put_colour(out, &pen);
        fputs(", fill] plot[only marks", out);
        put_mark(out, &pen);
        fprintf(out, "] coordinates {(%.5gbp,%.5gbp)};\n", (s->x + s->length / 2) * BP, y);
    }
}

static void put_page(FILE *out, const plot_document *d, const plot_page *p)
{
    fputs("\\begin{tikzpicture}[", out);
    put_font(out, d->em);
    fprintf(out, "]\n\\%s (0,0) rectangle (%.5gbp,%.5gbp);\n", d->look.transparent ? "path[use as bounding box]"
            : "fill[white, use as bounding box]", p->width * BP, p->height * BP);
    for (int i = 0; i < p->places; i++)
        put_place(out, d, p, &p->place[i]);
    for (int i = 0; i < p->samples; i++)
        put_sample(out, d, p, &p->sample[i]);
    for (int i = 0; i < p->words; i++)
        put_words(out, p, &p->word[i]);
    fputs("\\end{tikzpicture}\n", out);
}

/* After \documentclass this is \@twoclasseserror: the file is being read by another one. */
static const char head[] =
    "% A picture by daelab. LaTeX makes a page of each; a document with \\usepackage{pgfplots} and\n"
    "% \\pgfplotsset{compat=1.16} may \\input it.\n"
    "\\makeatletter\n"
    "\\newif\\ifdaelabalone\n"
    "\\ifx\\documentclass\\@twoclasseserror\\daelabalonefalse\\else\\daelabalonetrue\\fi\n"
    "\\makeatother\n"
    "\\ifdaelabalone\n"
    "\\documentclass[multi=tikzpicture]{standalone}\n"
    "\\usepackage[T1]{fontenc}\n"
    "\\usepackage[utf8]{inputenc}\n"
    "\\usepackage{lmodern}\n"
    "\\renewcommand{\\familydefault}{\\sfdefault}\n"
    "\\usepackage{pgfplots}\n"
    "\\pgfplotsset{compat=1.16}\n"
    "\\begin{document}\n"
    "\\fi\n";

static const char axes[] =
    "\\pgfplotsset{daelab axes/.style={scale only axis, axis lines*=left, axis line style={black!70},\n"
    "    tick align=outside, tick style={black!70}, grid=major, grid style={black!12},\n"
    "    major tick length=3bp, minor tick length=1.5bp, clip mode=individual, scaled ticks=false,\n"
    "    every tick label/.append style={/pgf/number format/1000 sep={}}}}\n";

static const char tail[] =
    "\\ifdaelabalone\\def\\daelabend{\\end{document}}\\else\\let\\daelabend\\relax\\fi\n"
    "\\daelabend\n";

void plot_tikz(const plot_document *d, FILE *out)
{
    fputs(head, out);
    for (int i = 0; i < PEN_COLOURS; i++) {
        fprintf(out, "\\definecolor{daelab%d}{HTML}{", i);
        for (const char *c = plot_colours[i]; *c; c++)
            fputc(toupper((unsigned char)*c), out);
        fputs("}\n", out);
    }
    fputs(axes, out);
    for (int i = 0; i < d->count; i++)
        put_page(out, d, &d->page[i]);
    fputs(tail, out);
}
