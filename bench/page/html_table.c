#include "page/html_table.h"

#include "numbers/decimal.h"
#include "page/escape.h"
#include "page/writers.h"

#include <math.h>
#include <string.h>

static const char *const tones[] = {"", "good", "note", "bad"};

static void column(const page_column *c, FILE *out)
{
    fprintf(out, "<th scope=\"col\"%s>", c->format ? " class=\"n\"" : "");
    escape_html(c->title, out);
    if (*c->unit) {
        fputs(" <span class=\"unit\">", out);
        escape_html(c->unit, out);
        fputs("</span>", out);
    }
    fputs("</th>", out);
}

/* The exact number where it is not what is shown. */
static void number(const page_column *c, const page_cell *cell, FILE *out)
{
    char buffer[SHOWN_NUMBER], exact[DECIMAL];
    const char *shown = shown_number(c, cell->number, buffer);
    fprintf(out, "<td class=\"n%s%s\"", cell->tone ? " " : "", tones[cell->tone]);
    if (isfinite(cell->number) && strcmp(decimal(cell->number, exact), shown))
        fprintf(out, " data-v=\"%s\"", exact);
    fprintf(out, ">%s</td>", shown);
}

static void text(const page_cell *cell, FILE *out)
{
    if (cell->tone == TONE_PLAIN)
        fputs("<td>", out);
    else
        fprintf(out, "<td class=\"%s\"><span aria-hidden=\"true\">%s</span> ", tones[cell->tone],
                page_sign(cell->tone));
    escape_html(cell->text, out);
    fputs("</td>", out);
}

static void row(const page_table *t, int first, FILE *out)
{
    fputs("<tr>", out);
    for (int i = 0; i < t->columns; i++) {
        const page_cell *cell = &t->cell[first + i];
        if (cell->text)
            text(cell, out);
        else
            number(&t->column[i], cell, out);
    }
    fputs("</tr>\n", out);
}

void html_table(const page_table *t, FILE *out)
{
    fprintf(out, "<div class=\"scroll%s\" role=\"region\" tabindex=\"0\" aria-label=\"", t->data ? " data" : "");
    escape_html(t->caption, out);
    fputs("\"><table>\n<caption>", out);
    escape_html(t->caption, out);
    fputs("</caption>\n<thead><tr>", out);
    for (int i = 0; i < t->columns; i++)
        column(&t->column[i], out);
    fputs("</tr></thead>\n<tbody>\n", out);
    for (int i = 0; t->columns && i + t->columns <= t->cells; i += t->columns)
        row(t, i, out);
    fputs("</tbody></table></div>\n", out);
}
