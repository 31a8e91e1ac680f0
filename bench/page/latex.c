/* latex.c - a page as a document of LaTeX, with booktabs, longtable, siunitx and pgfplots */
#include "page/escape.h"
#include "page/latex_figure.h"
#include "page/writers.h"

#include <math.h>

static const char preamble[] =
    "\\documentclass[a4paper,10pt]{article}\n"
    "\\usepackage[utf8]{inputenc}\n\\usepackage[T1]{fontenc}\n\\usepackage{textcomp}\n\\usepackage{lmodern}\n"
    "\\usepackage{amssymb}\n\\usepackage{booktabs}\n\\usepackage{longtable}\n\\usepackage{array}\n"
    "\\usepackage{caption}\n\\usepackage{siunitx}\n\\usepackage[margin=20mm]{geometry}\n"
    "\\DeclareUnicodeCharacter{00B2}{\\textsuperscript{2}}\n\\DeclareUnicodeCharacter{00B5}{\\textmu}\n"
    "\\sisetup{output-exponent-marker=\\ensuremath{\\mathrm{e}},group-digits=false}\n"
    "\\setlength{\\parindent}{0pt}\\setlength{\\parskip}{4pt}\n\\sloppy\n";

static void line(const char *before, const char *text, const char *after, FILE *out)
{
    fputs(before, out);
    escape_latex(text, out);
    fputs(after, out);
}

/* ---- tables: numbers by siunitx; columns of long text share what the others leave of the width ---- */

enum { LINE = 100, SHORT = 16, LONG = 70, MOST_COLUMNS = 64 };         /* characters */

static int characters(const char *text)
{
    int count = 0;
    for (; *text; text++)
        count += ((unsigned char)*text & 0xc0) != 0x80;
    return count;
}

/* The longest cell of a column, its title included. */
static int longest(const page_table *t, int column)
{
    char shown[SHOWN_NUMBER];
    const page_column *of = &t->column[column];
    int most = characters(of->title) + (*of->unit ? 2 + characters(of->unit) : 0);
    for (int i = column; i < t->cells; i += t->columns) {
        const page_cell *c = &t->cell[i];
        const int length = characters(c->text ? c->text : shown_number(of, c->number, shown))
                           + (c->tone ? 3 : 0);
        most = length > most ? length : most;
    }
    return most;
}

static void columns(const page_table *t, FILE *out)
{
    int length[MOST_COLUMNS] = {0}, total = 0, fixed = 0, shared = 0;
    for (int i = 0; i < t->columns && i < MOST_COLUMNS; i++) {
        const int most = longest(t, i) + 2;
        total += most;
        length[i] = most < LONG ? most : LONG;
        *(length[i] > SHORT + 2 && !t->column[i].format ? &shared : &fixed) += length[i];
    }
    fputs("{@{}", out);
    for (int i = 0; i < t->columns && i < MOST_COLUMNS; i++)
        if (t->column[i].format)
            fputc('r', out);
        else if (total <= LINE || length[i] <= SHORT + 2)
            fputc('l', out);
        else
            fprintf(out, ">{\\raggedright\\arraybackslash}p{%.3f\\linewidth}",
                    fmax(0.08, fmax(LINE - fixed, 0.3 * LINE) / LINE * length[i] / shared) - 0.027);
    fputs("@{}}", out);
}

static void head(const page_table *t, FILE *out)
{
    fputs("\\toprule\n", out);
    for (int i = 0; i < t->columns; i++) {
        line(i ? " & " : "", t->column[i].title, "", out);
        if (*t->column[i].unit)
            line(", ", t->column[i].unit, "", out);
    }
    fputs(" \\\\\n\\midrule\n", out);
}

static void cell(const page_column *column, const page_cell *c, FILE *out)
{
    char shown[SHOWN_NUMBER];
    if (!c->text && isfinite(c->number))
        fprintf(out, "\\num{%s}", shown_number(column, c->number, shown));
    else if (!c->text)
        fputs("--", out);
    else {
        if (c->tone)
            line("", page_sign(c->tone), " ", out);
        escape_latex(c->text, out);
    }
}

static void write_table(const page_table *t, FILE *out)
{
    if (!t->columns || t->columns > MOST_COLUMNS || !t->cells)
        return;
    fputs("{\\footnotesize\n\\begin{longtable}", out);
    columns(t, out);
    line("\n\\caption*{", t->caption, "}\\\\\n", out);
    head(t, out);
    fputs("\\endfirsthead\n", out);
    head(t, out);
    fputs("\\endhead\n\\bottomrule\n\\endfoot\n", out);
    for (int i = 0; i + t->columns <= t->cells; i += t->columns)
        for (int k = 0; k < t->columns; k++) {
            cell(&t->column[k], &t->cell[i + k], out);
            fputs(k + 1 < t->columns ? " & " : " \\\\\n", out);
        }
    fputs("\\end{longtable}}\n\n", out);
}

static void finding(const page_block *b, FILE *out)
{
    line("\\par\\hangindent=1.5em\\makebox[1.5em][l]{", page_sign(b->tone), "}", out);
    line("", b->text, "\n\n", out);
}

static void write_block(const page *p, int i, FILE *out)
{
    const page_block *b = &p->block[i];
    if ((b->kind == PAGE_SECTION || b->kind == PAGE_HEADING) && !page_has_words(p, i, 1))
        return;
    switch (b->kind) {
    case PAGE_SECTION: line("\\section*{", b->text, "}\n", out); break;
    case PAGE_HEADING: line("\\subsection*{", b->text, "}\n", out); break;
    case PAGE_TEXT: line("", b->text, "\n\n", out); break;
    case PAGE_FINDING: finding(b, out); break;
    case PAGE_CODE:
        line("", b->other, "\n\n", out);
        line("{\\footnotesize\\ttfamily ", b->text, "\\par}\n\n", out);
        break;
    case PAGE_TABLE: if (!b->table->data) write_table(b->table, out); break;
    case PAGE_FIGURE: latex_figure(b->figure, out); break;
    }
}

void write_latex(const page *p, FILE *out)
{
    fputs(preamble, out);
    latex_figure_preamble(out);
    fputs("\\begin{document}\n", out);
    line("{\\LARGE ", p->title, "\\par}\n\n", out);
    if (*p->question)
        line("\\emph{", p->question, "}\n\n", out);
    for (int i = 0; i < p->blocks; i++)
        write_block(p, i, out);
    line("\\medskip{\\footnotesize ", p->made, "}\n\\end{document}\n", out);
}
