#include "output/sheet.h"

#include "output/words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_NUMBER = 400 };          /* %f of the largest double fits */

static int is_text(const sheet_column *c) { return !*c->format; }

/* 1.2e-05 := 1.2e-5, 1.2e+00 := 1.2 */
static void shorten(char *number)
{
    char *e = strchr(number, 'e');
    if (!e)
        return;
    const long exponent = strtol(e + 1, NULL, 10);
    if (exponent)
        sprintf(e + 1, "%ld", exponent);                /* no longer than what was there */
    else
        *e = 0;
}

/* A cell as text, owned. */
static char *shown(const sheet *s, size_t row, size_t column, const char *format)
{
    double x;
    char number[LONGEST_NUMBER] = "-";
    const char *text = grid_value(s->grid, row, column, &x);
    if (!text && isfinite(x))
        snprintf(number, sizeof number, *format ? format : "%g", x);
    if (s->brief)
        shorten(number);
    char *copy = strdup(text ? text : number);
    for (char *c = copy; c && *c; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            *c = ' ';
    return copy;
}

static void measure(const sheet *s, sheet_column *c)
{
    c->width = words_length(c->title);
    for (size_t row = 0; row < s->rows; row++) {
        const size_t n = words_length(c->cell[row]);
        c->width = n > c->width ? n : c->width;
    }
}

int sheet_reformat(sheet *s, size_t i, const char *format)
{
    sheet_column *c = &s->column[i];
    snprintf(c->format, sizeof c->format, "%s", format);
    for (size_t row = 0; row < s->rows; row++) {
        char *text = shown(s, row, i, format);
        if (!text)
            return 0;
        free(c->cell[row]);
        c->cell[row] = text;
    }
    measure(s, c);
    return 1;
}

int sheet_shorten(sheet *s)
{
    char format[SHEET_FORMAT];
    s->brief = 1;
    for (size_t i = 0; i < s->columns; i++) {
        snprintf(format, sizeof format, "%s", s->column[i].format);
        if (!is_text(&s->column[i]) && !sheet_reformat(s, i, format))
            return 0;
    }
    return 1;
}

int sheet_replace(sheet *s, size_t row, size_t i, const char *text)
{
    char *copy = strdup(text);
    if (!copy)
        return 0;
    free(s->column[i].cell[row]);
    s->column[i].cell[row] = copy;
    measure(s, &s->column[i]);
    return 1;
}

int sheet_begin(sheet *s, const grid *g)
{
    *s = (sheet){.grid = g, .rows = grid_rows(g)};
    const size_t room = grid_columns(g) + 1;
    s->column = calloc(room, sizeof *s->column);
    s->shows = calloc(room, sizeof *s->shows);
    s->rest = calloc(room, sizeof *s->rest);
    if (!s->column || !s->shows || !s->rest)
        return 0;
    for (size_t i = 0; i < grid_columns(g); i++) {
        s->column[i].title = grid_title(g, i);
        s->column[i].cell = calloc(s->rows ? s->rows : 1, sizeof *s->column[i].cell);
        s->columns++;
        const char *format = grid_format(g, i);
        if (!s->column[i].cell || !sheet_reformat(s, i, format ? format : ""))
            return 0;
    }
    return 1;
}

void sheet_free(sheet *s)
{
    for (size_t i = 0; s->column && i < s->columns; i++) {
        for (size_t row = 0; s->column[i].cell && row < s->rows; row++)
            free(s->column[i].cell[row]);
        free(s->column[i].cell);
    }
    free(s->column);
    free(s->shows);
    free(s->rest);
    *s = (sheet){.rows = 0};
}

size_t sheet_width(const sheet *s, size_t first, size_t last)
{
    size_t width = 0;
    for (size_t i = first; i < last; i++)
        if (!s->column[i].hidden)
            width += (width ? SHEET_GAP : 0) + s->column[i].width;
    return width;
}

/* ---- printing */

static void put_many(char c, size_t n, FILE *out)
{
    while (n-- > 0)
        fputc(c, out);
}

/* The shown columns of a part into shows; how many. */
static size_t choose(const sheet *s, size_t keys, size_t first, size_t last)
{
    size_t count = 0;
    for (size_t i = 0; i < keys; i++)
        if (!s->column[i].hidden)
            s->shows[count++] = i;
    for (size_t i = first > keys ? first : keys; i < last; i++)
        if (!s->column[i].hidden)
            s->shows[count++] = i;
    return count;
}

static void put_rule(const sheet *s, size_t count, FILE *out)
{
    for (size_t k = 0; k < count; k++) {
        put_many('-', s->column[s->shows[k]].width, out);
        put_many(' ', k + 1 < count ? SHEET_GAP : 0, out);
    }
    fputc('\n', out);
}

/* The next line of a text in its column; what is left of it. */
static const char *put_line(const sheet_column *c, const char *text, int last, FILE *out)
{
    size_t next, n = 0;
    const size_t bytes = words_line(text, c->width, &next);
    for (size_t i = 0; i < bytes; i++)
        n += ((unsigned char)text[i] & 0xc0) != 0x80;
    const size_t space = c->width > n ? c->width - n : 0;
    put_many(' ', is_text(c) ? 0 : space, out);
    fwrite(text, 1, bytes, out);
    put_many(' ', last ? 0 : (is_text(c) ? space : 0) + SHEET_GAP, out);
    return text + next;
}

/* One row: the texts in rest, which are used up. */
static void put_row(const sheet *s, size_t count, FILE *out)
{
    for (int more = 1; more;) {
        more = 0;
        for (size_t k = 0; k < count; k++) {
            s->rest[k] = put_line(&s->column[s->shows[k]], s->rest[k], k + 1 == count, out);
            more |= *s->rest[k] != 0;
        }
        fputc('\n', out);
    }
}

void sheet_print(const sheet *s, size_t keys, size_t first, size_t last, FILE *out)
{
    const size_t count = choose(s, keys, first, last);
    for (size_t k = 0; k < count; k++)
        s->rest[k] = s->column[s->shows[k]].title;
    put_row(s, count, out);
    put_rule(s, count, out);
    for (size_t row = 0; row < s->rows; row++) {
        if (grid_ruled(s->grid, row))
            put_rule(s, count, out);
        for (size_t k = 0; k < count; k++)
            s->rest[k] = s->column[s->shows[k]].cell[row];
        put_row(s, count, out);
    }
}

void sheet_print_upright(const sheet *s, size_t width, FILE *out)
{
    size_t widest = 0;
    for (size_t i = 0; i < s->columns; i++) {
        const size_t n = words_length(s->column[i].title);
        widest = n > widest ? n : widest;
    }
    for (size_t i = 0; i < s->columns && s->rows; i++) {
        const size_t n = words_length(s->column[i].title), from = widest + SHEET_GAP;
        fputs(s->column[i].title, out);
        put_many(' ', from - n, out);
        words_print(s->column[i].cell[0], width, from, from, out);
    }
}
