#include "output/grid_fit.h"

#include "output/sheet.h"
#include "output/words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LONG_TEXT = 40, NARROW_TEXT = 24, MOST_DIGITS = 12, LEAST_DIGITS = 2 };    /* digits behind the point */

/* A table that is being fitted, and what is said of it. */
typedef struct {
    sheet s;
    size_t width;               /* of the terminal */
    char *same, *empty;         /* "form index1, method radau5", "rtol, reason"; or NULL */
    const char **below;         /* [notes] texts below the table; the grid's */
    size_t notes;
    int fewer_digits;
} fitting;

static int fits(const fitting *f) { return sheet_width(&f->s, 0, f->s.columns) <= f->width; }

static int is_text(const sheet_column *c) { return !*c->format; }

static int missing(const fitting *f, size_t row, size_t i)
{
    double x;
    const char *text = grid_value(f->s.grid, row, i, &x);
    return text ? !*text || strcmp(text, "-") == 0 : !isfinite(x);
}

static size_t count_missing(const fitting *f, size_t i)
{
    size_t count = 0;
    for (size_t row = 0; row < f->s.rows; row++)
        count += (size_t)missing(f, row, i);
    return count;
}

static int all_same(const fitting *f, size_t i)
{
    double x, first;
    const char *begins = grid_value(f->s.grid, 0, i, &first);
    for (size_t row = 1; row < f->s.rows; row++) {
        const char *text = grid_value(f->s.grid, row, i, &x);
        if (!text != !begins || (text ? strcmp(text, begins) != 0 : x != first))
            return 0;
    }
    return 1;
}

/* list := list, words; 0 where memory is short */
static int add_words(char **list, const char *title, const char *value)
{
    char *longer = NULL;
    if (asprintf(&longer, "%s%s%s%s%s", *list ? *list : "", *list ? ", " : "", title, *value ? " " : "", value) < 0)
        return 0;
    free(*list);
    *list = longer;
    return 1;
}

static int hide_empty(fitting *f)
{
    for (size_t i = 0; i < f->s.columns; i++) {
        sheet_column *c = &f->s.column[i];
        if (count_missing(f, i) < f->s.rows)
            continue;
        c->hidden = 1;
        if (!add_words(&f->empty, c->title, ""))
            return 0;
    }
    return 1;
}

/* One column stays in any case. */
static int hide_same(fitting *f)
{
    size_t left = 0;
    for (size_t i = 0; i < f->s.columns; i++)
        left += !f->s.column[i].hidden;
    for (size_t i = 0; i < f->s.columns && left > 1; i++) {
        sheet_column *c = &f->s.column[i];
        if (c->hidden || !all_same(f, i))
            continue;
        c->hidden = 1;
        left--;
        if (!add_words(&f->same, c->title, c->cell[0]))
            return 0;
    }
    return 1;
}

/* The number of a text below the table, from 1; a new one where it is not there yet. */
static size_t note_of(fitting *f, const char *text)
{
    for (size_t k = 0; k < f->notes; k++)
        if (strcmp(f->below[k], text) == 0)
            return k + 1;
    f->below[f->notes++] = text;
    return f->notes;
}

/* Texts of column i go below, a mark stays. */
static int move_below(fitting *f, size_t i)
{
    const char **longer = realloc(f->below, (f->notes + f->s.rows) * sizeof *longer);
    if (!longer)
        return 0;
    f->below = longer;
    for (size_t row = 0; row < f->s.rows; row++) {
        double x;
        char mark[32];
        const char *text = grid_value(f->s.grid, row, i, &x);
        if (missing(f, row, i))
            continue;
        snprintf(mark, sizeof mark, "[%zu]", note_of(f, text));
        if (!sheet_replace(&f->s, row, i, mark))
            return 0;
    }
    return 1;
}

static int move_long_texts(fitting *f)
{
    for (size_t i = 0; i < f->s.columns && !fits(f); i++) {
        const sheet_column *c = &f->s.column[i];
        if (!c->hidden && is_text(c) && c->width > LONG_TEXT && count_missing(f, i) > 0 && !move_below(f, i))
            return 0;
    }
    return 1;
}

/* No line of a column can be narrower than its longest word. */
static size_t least_width(const fitting *f, const sheet_column *c)
{
    size_t least = NARROW_TEXT;
    for (size_t row = 0; row < f->s.rows; row++) {
        const size_t n = words_longest(c->cell[row]);
        least = n > least ? n : least;
    }
    const size_t title = words_longest(c->title);
    return title > least ? title : least;
}

/* Column i by so many characters narrower, within what it can be. */
static void narrow(fitting *f, size_t i, size_t by)
{
    sheet_column *c = &f->s.column[i];
    const size_t least = least_width(f, c), room = c->width > by ? c->width - by : 0;
    if (c->width > least)
        c->width = room > least ? room : least;
}

/* The widest texts first, until it fits; 0, and all as it was, where that is not enough. */
static int break_texts(fitting *f)
{
    size_t *was = malloc(f->s.columns * sizeof *was);
    for (size_t i = 0; was && i < f->s.columns; i++)
        was[i] = f->s.column[i].width;
    for (size_t width = 128; was && width >= NARROW_TEXT && !fits(f); width /= 2)
        for (size_t i = f->s.columns; i-- > 0 && !fits(f);) {
            const sheet_column *c = &f->s.column[i];
            const size_t over = sheet_width(&f->s, 0, f->s.columns) - f->width;
            if (!c->hidden && is_text(c) && c->width > width)
                narrow(f, i, over < c->width - width ? over : c->width - width);
        }
    const int good = was && fits(f);
    for (size_t i = 0; was && !good && i < f->s.columns; i++)
        f->s.column[i].width = was[i];
    free(was);
    return good;
}

/* The column's format with at most so many digits behind the point; 0: it has no more. */
static int shorter_format(const sheet_column *c, int digits, char *format)
{
    int has;
    char kind;
    if (sscanf(c->format, "%%.%d%c", &has, &kind) != 2 || !strchr("ef", kind) || has <= digits)
        return 0;
    snprintf(format, SHEET_FORMAT, "%%.%d%c", digits, kind);
    return 1;
}

static int take_digits(fitting *f)
{
    char format[SHEET_FORMAT];
    for (int digits = MOST_DIGITS; digits >= LEAST_DIGITS && !fits(f); digits--)
        for (size_t i = 0; i < f->s.columns; i++) {
            if (f->s.column[i].hidden || !shorter_format(&f->s.column[i], digits, format))
                continue;
            f->fewer_digits = 1;
            if (!sheet_reformat(&f->s, i, format))
                return 0;
        }
    return 1;
}

/* As little as needed; 0 where memory is short. */
static int fit(fitting *f)
{
    if (!fits(f) && !hide_empty(f))
        return 0;
    if (!fits(f) && !hide_same(f))
        return 0;
    if (!fits(f) && !move_long_texts(f))
        return 0;
    if (fits(f) || break_texts(f))
        return 1;
    if (!sheet_shorten(&f->s) || !take_digits(f))
        return 0;
    break_texts(f);
    return 1;
}

/* ---- parts */

static int same_keys(const sheet *s, size_t keys, size_t a, size_t b)
{
    for (size_t i = 0; i < keys; i++)
        if (!s->column[i].hidden && strcmp(s->column[i].cell[a], s->column[i].cell[b]) != 0)
            return 0;
    return 1;
}

/* Do the first columns tell each row from the one above? */
static int tell_rows(const sheet *s, size_t keys)
{
    for (size_t row = 1; row < s->rows; row++)
        if (same_keys(s, keys, row - 1, row))
            return 0;
    return 1;
}

/* So many columns stand in each part: those that tell rows apart, in half of the width. */
static size_t key_columns(const fitting *f)
{
    size_t keys = 0;
    while (keys + 1 < f->s.columns && !(keys && tell_rows(&f->s, keys))
           && sheet_width(&f->s, 0, keys + 1) <= f->width / 2)
        keys++;
    return keys;
}

/* No column wider than what the keys leave, if it can be broken. */
static void narrow_beside(fitting *f, size_t keys)
{
    const size_t width = sheet_width(&f->s, 0, keys), taken = keys ? width + SHEET_GAP : 0;
    const size_t room = f->width > taken ? f->width - taken : 1;
    for (size_t i = keys; i < f->s.columns; i++) {
        const sheet_column *c = &f->s.column[i];
        if (!c->hidden && is_text(c) && c->width > room)
            narrow(f, i, c->width - room);
    }
}

/* Behind the last column that stands beside the keys in a part that begins with `first`. */
static size_t end_of_part(const fitting *f, size_t keys, size_t first)
{
    size_t last = first, width = sheet_width(&f->s, 0, keys);
    for (; last < f->s.columns; last++) {
        const sheet_column *c = &f->s.column[last];
        const size_t more = c->hidden ? 0 : c->width + SHEET_GAP;
        if (last > first && width + more > f->width)
            break;
        width += more;
    }
    return last;
}

static void print_parts(fitting *f, FILE *out)
{
    const size_t keys = key_columns(f);
    narrow_beside(f, keys);
    for (size_t first = keys, last; first < f->s.columns; first = last) {
        last = end_of_part(f, keys, first);
        if (first > keys)
            fputc('\n', out);
        sheet_print(&f->s, keys, first, last, out);
    }
}

static void say(const fitting *f, const char *before, const char *words, FILE *out)
{
    char *sentence = NULL;
    if (words && asprintf(&sentence, "%s%s", before, words) >= 0)
        words_print(sentence, f->width, 0, 0, out);
    free(sentence);
}

static void print(fitting *f, FILE *out)
{
    say(f, "in all rows: ", f->same, out);
    if (fits(f))
        sheet_print(&f->s, 0, 0, f->s.columns, out);
    else
        print_parts(f, out);
    for (size_t k = 0; k < f->notes; k++) {
        char mark[32];
        snprintf(mark, sizeof mark, "[%zu] ", k + 1);
        say(f, mark, f->below[k], out);
    }
    say(f, "without a value: ", f->empty, out);
    if (f->fewer_digits)
        fprintf(out, "with fewer digits, to fit %zu columns\n", f->width);
}

void grid_print_fitted(const grid *g, size_t width, FILE *out)
{
    fitting f = {.width = width};
    const int good = !grid_failed(g) && width && sheet_begin(&f.s, g);
    if (good && f.s.rows == 1 && !fits(&f))
        sheet_print_upright(&f.s, width, out);
    else if (good && f.s.rows && fit(&f))
        print(&f, out);
    else
        grid_print_table(g, out);
    sheet_free(&f.s);
    free(f.same);
    free(f.empty);
    free(f.below);
}
