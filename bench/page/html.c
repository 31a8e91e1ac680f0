/* html.c - a page as one file of HTML: style, script, pictures and data inside */
#include "page/escape.h"
#include "page/figure_data.h"
#include "page/html_table.h"
#include "page/svg.h"
#include "page/writers.h"

#include <string.h>

static const char style[] =
#include "page_css.def"
;
static const char script[] =
#include "page_js.def"
;

static void element(const char *name, const char *class, const char *text, FILE *out)
{
    fprintf(out, *class ? "<%s class=\"%s\">" : "<%s>", name, class);
    escape_html(text, out);
    fprintf(out, "</%s>\n", name);
}

static void head(const page *p, FILE *out)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
          "script-src 'unsafe-inline'\">\n<meta name=\"color-scheme\" content=\"light dark\">\n", out);
    element("title", "", p->title, out);
    fprintf(out, "<style>\n%s</style>\n</head>\n<body>\n", style);
}

static void contents(const page *p, FILE *out)
{
    fputs("<nav aria-label=\"Contents\">\n", out);
    for (int i = 0; i < p->blocks; i++)
        if (p->block[i].kind == PAGE_SECTION) {
            fprintf(out, "<a href=\"#%s\">", p->block[i].other);
            escape_html(p->block[i].text, out);
            fputs("</a>\n", out);
        }
    fputs("</nav>\n", out);
}

static void begin(const page *p, FILE *out)
{
    head(p, out);
    fputs("<header>\n", out);
    element("h1", "", p->title, out);
    if (*p->question)
        element("p", "question", p->question, out);
    contents(p, out);
    fputs("</header>\n<main>\n", out);
}

static void code(const char *what, const char *text, FILE *out)
{
    fputs("<p class=\"command\">", out);
    escape_html(what, out);
    fputs(" <code>", out);
    escape_html(text, out);
    fputs("</code></p>\n", out);
}

static void legend(const figure *f, FILE *out)
{
    fputs("<ul class=\"legend\" aria-label=\"Curves\">", out);
    for (int i = 0; i < f->series; i++) {
        fprintf(out, "<li class=\"key\" data-series=\"%d\">", i);
        svg_key(i, out);
        escape_html(f->label[i], out);
        fputs("</li>", out);
    }
    fputs("</ul>\n", out);
}

static void panel(const figure *f, int row, int facet, const char *title, FILE *out)
{
    if (!figure_shows(&f->row[row], &f->facet[facet]))
        return;
    fputs("<div class=\"panel\">", out);
    element("h5", "", title, out);
    svg_panel(f, row, facet, out);
    fputs("</div>\n", out);
}

static void row_of_panels(const figure *f, int row, FILE *out)
{
    fputs("<div class=\"row\">", out);
    if (*f->row[row].title)
        element("h4", "", f->row[row].title, out);
    fputs("<div class=\"panels\">\n", out);
    for (int i = 0; i < f->facets; i++)
        panel(f, row, i, f->facet[i].title, out);
    fputs("</div></div>\n", out);
}

/* Of a single facet the rows stand side by side. */
static void panels(const figure *f, FILE *out)
{
    if (f->facets > 1 || f->rows == 1) {
        for (int r = 0; r < f->rows; r++)
            row_of_panels(f, r, out);
        return;
    }
    element("h4", "", f->facet[0].title, out);
    fputs("<div class=\"panels\">\n", out);
    for (int r = 0; r < f->rows; r++)
        panel(f, r, 0, f->row[r].title, out);
    fputs("</div>\n", out);
}

static void signs(const figure *f, FILE *out)
{
    if (figure_fails(f))
        element("p", "sign", "Crosses at the upper edge are runs that failed.", out);
    if (figure_clips(f))
        element("p", "sign", "Marks on the lower edge, or the left one, of a logarithmic axis are zeros.", out);
}

static void write_figure(const figure *f, FILE *out)
{
    fprintf(out, "<figure id=\"%s\"%s>\n<figcaption>", f->id, f->chooses ? " data-chooses=\"1\"" : "");
    element("h3", "", f->title, out);
    if (*f->caption)
        element("p", "", f->caption, out);
    fputs("</figcaption>\n", out);
    legend(f, out);
    panels(f, out);
    signs(f, out);
    if (*f->command)
        code("Again:", f->command, out);
    fputs("<script type=\"application/json\">", out);
    figure_data(f, out);
    fputs("</script>\n</figure>\n", out);
}

static void finding(const page_block *b, FILE *out)
{
    static const char *const names[] = {"plain", "good", "note", "bad"};
    static const char *const words[] = {"", "good: ", "to be noticed: ", "wrong: "};
    fprintf(out, "<p class=\"finding %s\"><span class=\"tone\" aria-hidden=\"true\">%s</span>"
            "<span class=\"aside\">%s</span><span>", names[b->tone], page_sign(b->tone), words[b->tone]);
    escape_html(b->text, out);
    fputs("</span></p>\n", out);
}

static void section(const page_block *b, int first, FILE *out)
{
    if (!first)
        fputs("</section>\n", out);
    fprintf(out, "<section id=\"%s\">\n", b->other);
    element("h2", "", b->text, out);
}

static void write_block(const page_block *b, FILE *out)
{
    switch (b->kind) {
    case PAGE_SECTION: break;
    case PAGE_HEADING: element("h3", "", b->text, out); break;
    case PAGE_TEXT: element("p", "", b->text, out); break;
    case PAGE_FINDING: finding(b, out); break;
    case PAGE_CODE: code(b->other, b->text, out); break;
    case PAGE_TABLE: html_table(b->table, out); break;
    case PAGE_FIGURE: write_figure(b->figure, out); break;
    }
}

void write_html(const page *p, FILE *out)
{
    int sections = 0;
    begin(p, out);
    for (int i = 0; i < p->blocks; i++) {
        if (p->block[i].kind == PAGE_SECTION)
            section(&p->block[i], sections++ == 0, out);
        write_block(&p->block[i], out);
    }
    fputs(sections ? "</section>\n</main>\n" : "</main>\n", out);
    element("footer", "", p->made, out);
    fprintf(out, "<script>\n%s</script>\n</body>\n</html>\n", script);
}
