/* markdown.c - a page for GitHub: words and tables */
#include "page/escape.h"
#include "page/writers.h"

static void table_row(const page_table *t, int first, FILE *out)
{
    char shown[SHOWN_NUMBER];
    fputc('|', out);
    for (int i = 0; i < t->columns; i++) {
        const page_cell *cell = &t->cell[first + i];
        fputc(' ', out);
        if (cell->text && cell->tone)
            fprintf(out, "%s ", page_sign(cell->tone));
        escape_markdown(cell->text ? cell->text : shown_number(&t->column[i], cell->number, shown), out);
        fputs(" |", out);
    }
    fputc('\n', out);
}

static void write_table(const page_table *t, FILE *out)
{
    fputs("**", out);
    escape_markdown(t->caption, out);
    fputs("**\n\n|", out);
    for (int i = 0; i < t->columns; i++) {
        fputc(' ', out);
        escape_markdown(t->column[i].title, out);
        if (*t->column[i].unit) {
            fputs(", ", out);
            escape_markdown(t->column[i].unit, out);
        }
        fputs(" |", out);
    }
    fputs("\n|", out);
    for (int i = 0; i < t->columns; i++)
        fputs(t->column[i].format ? "---:|" : ":---|", out);
    fputc('\n', out);
    for (int i = 0; t->columns && i + t->columns <= t->cells; i += t->columns)
        table_row(t, i, out);
    fputc('\n', out);
}

static void line(const char *before, const char *text, const char *after, FILE *out)
{
    fputs(before, out);
    escape_markdown(text, out);
    fputs(after, out);
}

static void write_block(const page *p, int i, FILE *out)
{
    const page_block *b = &p->block[i];
    if ((b->kind == PAGE_SECTION || b->kind == PAGE_HEADING) && !page_has_words(p, i, 0))
        return;
    switch (b->kind) {
    case PAGE_SECTION: line("## ", b->text, "\n\n", out); break;
    case PAGE_HEADING: line("### ", b->text, "\n\n", out); break;
    case PAGE_TEXT: line("", b->text, "\n\n", out); break;
    case PAGE_FINDING:
        fprintf(out, "- %s%s", page_sign(b->tone), b->tone ? " " : "");
        line("", b->text, "\n", out);
        break;
    case PAGE_CODE: line("", b->other, "\n\n", out); fprintf(out, "    %s\n\n", b->text); break;
    case PAGE_TABLE: if (!b->table->data) write_table(b->table, out); break;
    case PAGE_FIGURE: break;
    }
}

void write_markdown(const page *p, FILE *out)
{
    line("# ", p->title, "\n\n", out);
    if (*p->question)
        line("", p->question, "\n\n", out);
    for (int i = 0; i < p->blocks; i++) {
        if (i > 0 && p->block[i - 1].kind == PAGE_FINDING && p->block[i].kind != PAGE_FINDING)
            fputc('\n', out);
        write_block(p, i, out);
    }
    line("", p->made, "\n", out);
}
