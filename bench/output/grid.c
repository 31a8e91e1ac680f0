/* grid.c - tables of typed cells, and the four ways to write them */
#include "output/grid.h"

#include "numbers/decimal.h"
#include "output/json_file.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    char *name, *title, *format;        /* format NULL: text */
    size_t widest;                      /* characters of the title or a cell */
} column;

typedef struct {
    char *text;                         /* NULL: a number */
    double x;                           /* not finite: missing */
    int rule;                           /* a rule above; first cell of a row only */
} cell;

struct grid {
    column *columns;
    cell *cells;                        /* row after row */
    size_t width, count;
    int rule, failed;                   /* rule: before the next row */
};

enum { SHOWN = 400 };                   /* %f of the largest double fits */

/* Room for one more than count elements; the array doubles at every power of two. */
static void *grown(void *array, size_t count, size_t size)
{
    if (count & (count - 1))
        return array;
    if (count > SIZE_MAX / 2 / size)
        return NULL;
    return realloc(array, (count ? 2 * count : 1) * size);
}

/* Characters of UTF-8 text. */
static size_t length(const char *s)
{
    size_t n = 0;
    for (; *s; s++)
        n += ((unsigned char)*s & 0xc0) != 0x80;
    return n;
}

/* A cell for people; buffer[SHOWN] may hold it. */
static const char *shown(const column *to, const cell *c, char *buffer)
{
    if (c->text)
        return c->text;
    if (!isfinite(c->x))
        return "-";
    snprintf(buffer, SHOWN, to->format ? to->format : "%g", c->x);
    return buffer;
}

grid *grid_new(void)
{
    return calloc(1, sizeof(grid));
}

void grid_free(grid *g)
{
    if (!g)
        return;
    for (size_t i = 0; i < g->width; i++) {
        free(g->columns[i].name);
        free(g->columns[i].title);
        free(g->columns[i].format);
    }
    for (size_t i = 0; i < g->count; i++)
        free(g->cells[i].text);
    free(g->columns);
    free(g->cells);
    free(g);
}

int grid_failed(const grid *g)
{
    return !g || g->failed;
}

void grid_column(grid *g, const char *name, const char *title, const char *format)
{
    if (grid_failed(g))
        return;
    column *columns = g->count ? NULL : grown(g->columns, g->width, sizeof *columns);
    if (!columns) {
        g->failed = 1;
        return;
    }
    g->columns = columns;
    column *c = &columns[g->width++];
    *c = (column){strdup(name), strdup(title), format ? strdup(format) : NULL,
                  length(title)};
    g->failed = !c->name || !c->title || (format && !c->format);
}

/* text is owned by the grid from here on. */
static void append(grid *g, char *text, double x)
{
    cell *cells = g->width ? grown(g->cells, g->count, sizeof *cells) : NULL;
    if (!cells) {
        free(text);
        g->failed = 1;
        return;
    }
    char buffer[SHOWN];
    column *to = &g->columns[g->count % g->width];
    const int first = to == g->columns;
    g->cells = cells;
    cells[g->count] = (cell){text, x, first && g->rule};
    const size_t n = length(shown(to, &cells[g->count++], buffer));
    to->widest = n > to->widest ? n : to->widest;
    g->rule = first ? 0 : g->rule;
}

void grid_text(grid *g, const char *text)
{
    if (grid_failed(g))
        return;
    char *copy = text ? strdup(text) : NULL;
    if (text && !copy)
        g->failed = 1;
    else
        append(g, copy, NAN);
}

void grid_number(grid *g, double x)
{
    if (!grid_failed(g))
        append(g, NULL, x);
}

void grid_rule(grid *g)
{
    if (g)
        g->rule = 1;
}

/* ---- what the faces share ---- */

static size_t rows(const grid *g)
{
    return g->width ? (g->count + g->width - 1) / g->width : 0;
}

/* A row that was not finished is filled up with missing values. */
static cell cell_at(const grid *g, size_t row, size_t i)
{
    const size_t k = row * g->width + i;
    return k < g->count ? g->cells[k] : (cell){NULL, NAN, 0};
}

static int is_control(char c)
{
    return (unsigned char)c < 0x20 || c == 0x7f;
}

size_t grid_columns(const grid *g) { return g->width; }
size_t grid_rows(const grid *g) { return rows(g); }
const char *grid_title(const grid *g, size_t i) { return g->columns[i].title; }
const char *grid_format(const grid *g, size_t i) { return g->columns[i].format; }
int grid_ruled(const grid *g, size_t row) { return row > 0 && cell_at(g, row, 0).rule; }

const char *grid_value(const grid *g, size_t row, size_t i, double *x)
{
    const cell c = cell_at(g, row, i);
    *x = c.x;
    return c.text;
}

static void copy_row(grid *to, const grid *g, size_t row)
{
    if (grid_ruled(g, row))
        grid_rule(to);
    for (size_t i = 0; i < g->width; i++) {
        const cell c = cell_at(g, row, i);
        if (c.text)
            grid_text(to, c.text);
        else
            grid_number(to, c.x);
    }
}

grid *grid_spread(const grid *g, size_t count)
{
    grid *few = !grid_failed(g) && rows(g) > count ? grid_new() : NULL;
    if (!few)
        return NULL;
    for (size_t i = 0; i < g->width; i++)
        grid_column(few, g->columns[i].name, g->columns[i].title, g->columns[i].format);
    for (size_t k = 0; k < count; k++)
        copy_row(few, g, (2 * k * (rows(g) - 1) + count - 1) / (2 * (count - 1)));
    if (!grid_failed(few))
        return few;
    grid_free(few);
    return NULL;
}

/* ---- terminal ---- */

static void put_many(char c, size_t n, FILE *out)
{
    while (n-- > 0)
        fputc(c, out);
}

/* Text on one line. */
static void put_line(const char *s, FILE *out)
{
    for (; *s; s++)
        fputc(is_control(*s) ? ' ' : *s, out);
}

static void put_rule(const grid *g, FILE *out)
{
    for (size_t i = 0; i < g->width; i++) {
        put_many('-', g->columns[i].widest, out);
        fputs(i + 1 < g->width ? "  " : "\n", out);
    }
}

static void put_padded(const grid *g, size_t i, const char *s, FILE *out)
{
    const column *to = &g->columns[i];
    const size_t n = length(s), space = to->widest > n ? to->widest - n : 0;
    const int last = i + 1 == g->width;
    if (to->format)
        put_many(' ', space, out);
    put_line(s, out);
    if (!to->format && !last)
        put_many(' ', space, out);
    fputs(last ? "\n" : "  ", out);
}

void grid_print_table(const grid *g, FILE *out)
{
    char buffer[SHOWN];
    if (grid_failed(g))
        return;
    for (size_t i = 0; i < g->width; i++)
        put_padded(g, i, g->columns[i].title, out);
    put_rule(g, out);
    for (size_t row = 0; row < rows(g); row++) {
        if (grid_ruled(g, row))
            put_rule(g, out);
        for (size_t i = 0; i < g->width; i++) {
            const cell c = cell_at(g, row, i);
            put_padded(g, i, shown(&g->columns[i], &c, buffer), out);
        }
    }
}

/* ---- Markdown ---- */

/* What Markdown would take for more than a character: emphasis, code, tags, links, of which [m] is none;
 * nor is _ within a word. */
static int is_markup(const char *text, const char *at)
{
    const int within = at > text && isalnum((unsigned char)at[-1]) && isalnum((unsigned char)at[1]);
    return strchr("|\\`*<>&~", *at) != NULL || (*at == '_' && !within) || (*at == ']' && at[1] && strchr("([:", at[1]));
}

static void put_escaped(size_t i, const char *text, FILE *out)
{
    fputs(i ? " " : "| ", out);
    for (const char *s = text; *s; s++) {
        if (is_markup(text, s))
            fputc('\\', out);
        fputc(is_control(*s) ? ' ' : *s, out);
    }
    fputs(" |", out);
}

void grid_print_markdown(const grid *g, FILE *out)
{
    char buffer[SHOWN];
    if (grid_failed(g) || !g->width)
        return;
    for (size_t i = 0; i < g->width; i++)
        put_escaped(i, g->columns[i].title, out);
    fputs("\n|", out);
    for (size_t i = 0; i < g->width; i++)
        fputs(g->columns[i].format ? "---:|" : ":---|", out);
    fputc('\n', out);
    for (size_t row = 0; row < rows(g); row++) {
        for (size_t i = 0; i < g->width; i++) {
            const cell c = cell_at(g, row, i);
            put_escaped(i, shown(&g->columns[i], &c, buffer), out);
        }
        fputc('\n', out);
    }
}

/* ---- CSV: lines end in a plain newline; quoted where RFC 4180 asks, and where a reader might
 * take the cell for a comment or trim it; a text that a spreadsheet would take for a formula has an apostrophe
 * before it ---- */

static void put_quoted(const char *s, FILE *out)
{
    const size_t n = strlen(s);
    const char *before = n > 1 && strchr("=+-@", *s) ? "'" : "";
    if (!strpbrk(s, ",\"\r\n") && *s != '#' && *s != ' ' && (n == 0 || s[n - 1] != ' ')) {
        fprintf(out, "%s%s", before, s);
        return;
    }
    fprintf(out, "\"%s", before);
    for (; *s; s++) {
        if (*s == '"')
            fputc('"', out);
        fputc(*s, out);
    }
    fputc('"', out);
}

static void put_value(cell c, FILE *out)
{
    char buffer[DECIMAL];
    if (c.text)
        put_quoted(c.text, out);
    else if (isfinite(c.x))
        fputs(decimal(c.x, buffer), out);
}

void grid_print_csv(const grid *g, FILE *out)
{
    if (grid_failed(g) || !g->width)
        return;
    for (size_t i = 0; i < g->width; i++) {
        put_quoted(g->columns[i].name, out);
        fputc(i + 1 < g->width ? ',' : '\n', out);
    }
    for (size_t row = 0; row < rows(g); row++) {
        for (size_t i = 0; i < g->width; i++) {
            put_value(cell_at(g, row, i), out);
            fputc(i + 1 < g->width ? ',' : '\n', out);
        }
    }
}

/* ---- JSON ---- */

static json_t *json_cell(cell c)
{
    if (c.text)
        return json_text(c.text);
    return isfinite(c.x) ? json_real(c.x) : json_null();
}

/* 0 where memory is short or a text is no UTF-8. */
static int json_fill(const grid *g, json_t *names, json_t *list)
{
    for (size_t i = 0; i < g->width; i++)
        if (json_array_append_new(names, json_string(g->columns[i].name)))
            return 0;
    for (size_t row = 0; row < rows(g); row++) {
        json_t *line = json_array();
        if (json_array_append_new(list, line))
            return 0;
        for (size_t i = 0; i < g->width; i++)
            if (json_array_append_new(line, json_cell(cell_at(g, row, i))))
                return 0;
    }
    return 1;
}

json_t *grid_json(const grid *g)
{
    if (grid_failed(g))
        return NULL;
    json_t *names = json_array(), *list = json_array();
    if (names && list && json_fill(g, names, list))
        return json_pack("{s:o, s:o}", "columns", names, "rows", list);
    json_decref(names);
    json_decref(list);
    return NULL;
}
