#include "page/page.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

const char *page_sign(page_tone tone)
{
    static const char *const signs[] = {"", "✓", "?", "✗"};
    return signs[tone];
}

page *page_new(void)
{
    page *p = calloc(1, sizeof *p);
    if (p)
        p->title = p->question = p->made = "";
    return p;
}

void page_free(page *p)
{
    if (!p)
        return;
    arena_free(&p->memory);
    free(p);
}

static void add(page *p, page_block block)
{
    page_block *blocks = arena_grown(&p->memory, p->block, p->blocks, sizeof *blocks);
    if (!blocks)
        return;
    p->block = blocks;
    blocks[p->blocks++] = block;
}

void page_section(page *p, const char *name, const char *title)
{
    add(p, (page_block){.kind = PAGE_SECTION, .text = title, .other = name});
}

void page_heading(page *p, const char *title)
{
    add(p, (page_block){.kind = PAGE_HEADING, .text = title});
}

void page_text(page *p, const char *text)
{
    add(p, (page_block){.kind = PAGE_TEXT, .text = text});
}

void page_finding(page *p, page_tone tone, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add(p, (page_block){.kind = PAGE_FINDING, .tone = tone, .text = arena_print(&p->memory, format, arguments)});
    va_end(arguments);
}

void page_code(page *p, const char *what, const char *text)
{
    add(p, (page_block){.kind = PAGE_CODE, .text = text, .other = what});
}

void page_figure(page *p, const figure *f)
{
    if (!f)
        return;
    p->figures++;
    add(p, (page_block){.kind = PAGE_FIGURE, .figure = f});
}

int page_has_words(const page *p, int i, int draws)
{
    const page_kind rank = p->block[i].kind;
    for (i++; i < p->blocks; i++) {
        const page_block *b = &p->block[i];
        if (b->kind == PAGE_SECTION || b->kind == rank)
            return 0;
        if (b->kind == PAGE_TABLE ? !b->table->data : b->kind == PAGE_FIGURE ? draws : b->kind != PAGE_HEADING)
            return 1;
    }
    return 0;
}

page_table *page_table_add(page *p, const char *caption)
{
    page_table *t = arena_get(&p->memory, 1, sizeof *t);
    if (!t)
        return NULL;
    t->caption = caption;
    t->memory = &p->memory;
    add(p, (page_block){.kind = PAGE_TABLE, .table = t});
    return t;
}

void page_table_column(page_table *t, const char *title, const char *unit, const char *format)
{
    page_column *columns = t ? arena_grown(t->memory, t->column, t->columns, sizeof *columns) : NULL;
    if (!columns)
        return;
    t->column = columns;
    columns[t->columns++] = (page_column){title, unit, format};
}

static void add_cell(page_table *t, page_cell cell)
{
    page_cell *cells = t ? arena_grown(t->memory, t->cell, t->cells, sizeof *cells) : NULL;
    if (!cells)
        return;
    t->cell = cells;
    cells[t->cells++] = cell;
}

void page_table_text(page_table *t, page_tone tone, const char *text)
{
    add_cell(t, (page_cell){text ? text : "", NAN, tone});
}

void page_table_number(page_table *t, page_tone tone, double x)
{
    add_cell(t, (page_cell){NULL, x, tone});
}
