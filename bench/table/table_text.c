/* table_text.c - a table for a terminal */
#include "table/table_print.h"

#include "host/allocate.h"
#include "table/words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LONG_TEXT = 40, NARROW_TEXT = 24, MOST_DIGITS = 12, LEAST_DIGITS = 2 };    /* digits behind the point */
enum { GAP = 2, FORMAT = 32 };  /* characters: between columns, of a format */

typedef struct {
    char format[FORMAT];        /* of its numbers; "": a column of text */
    char **cell;                /* [rows] as they are shown */
    size_t width;               /* characters of the widest cell, or the title; longer texts are broken */
    int hidden, below;          /* below: of its texts marks are shown */
    const char *rest;           /* what of its text is left to be printed */
} fitted_column;

/* A table that is being fitted, and what is said of it. */
typedef struct {
    const table *t;
    int columns, rows;          /* rows: that are shown */
    fitted_column *column;      /* [columns] */
    size_t width;               /* of the terminal */
    int brief;                  /* 1.2e-5, not 1.2e-05 */
    char *same, *empty, *aside; /* "form index1, method radau5", "rtol, reason"; or NULL */
    const char **note;          /* [notes] texts below the table; the table's */
    size_t notes;
    int fewer_digits;
} fitting;

static int is_text(const fitted_column *c) { return !*c->format; }

/* ---- cells ---- */

/* The table's row that is shown as row k. */
static int place(const fitting *f, int k)
{
    const long all = table_rows(f->t), shown = f->rows;
    return shown == all ? k : (int)((2 * k * (all - 1) + shown - 1) / (2 * (shown - 1)));
}

static int missing(const fitting *f, int row, int i)
{
    const char *text = table_text_at(f->t, place(f, row), i);
    return text ? !*text || strcmp(text, "-") == 0 : !isfinite(table_number_at(f->t, place(f, row), i));
}

/* 1.2e-05 := 1.2e-5, 1.2e+00 := 1.2 */
static void shorten(char *number)
{
    char *e = strchr(number, 'e');
    const long exponent = e ? strtol(e + 1, NULL, 10) : 0;
    if (exponent)
        sprintf(e + 1, "%ld", exponent);                /* no longer than what was there */
    else if (e)
        *e = 0;
}

/* The number of a text below the table, from 1; a new one where it is not there yet. */
static size_t note_of(fitting *f, const char *text)
{
    for (size_t k = 0; k < f->notes; k++)
        if (strcmp(f->note[k], text) == 0)
            return k + 1;
    f->note = allocate_again(f->note, f->notes + 1, sizeof *f->note);
    f->note[f->notes++] = text;
    return f->notes;
}

/* A cell as it is shown, to be freed. */
static char *shown(fitting *f, int row, int i)
{
    const fitted_column *c = &f->column[i];
    const char *text = table_text_at(f->t, place(f, row), i);
    const double x = table_number_at(f->t, place(f, row), i);
    if (text && c->below && !missing(f, row, i))
        return allocate_print("[%zu]", note_of(f, text));
    if (text || !isfinite(x))
        return allocate_text(text ? text : "-");
    char *words = allocate_print(is_text(c) ? "%g" : c->format, x);
    if (f->brief && !is_text(c))
        shorten(words);
    return words;
}

/* The largest of a measure of the title and the cells of column i. */
static size_t widest(const fitting *f, int i, size_t (*measure_of)(const char *text))
{
    size_t most = measure_of(table_title_of(f->t, i));
    for (int row = 0; row < f->rows; row++) {
        const size_t n = measure_of(f->column[i].cell[row]);
        most = n > most ? n : most;
    }
    return most;
}

/* The cells of column i, and its width. */
static void measure(fitting *f, int i)
{
    fitted_column *c = &f->column[i];
    for (int row = 0; row < f->rows; row++) {
        free(c->cell[row]);
        c->cell[row] = shown(f, row, i);
    }
    c->width = widest(f, i, words_length);
}

static size_t width_of(const fitting *f, int first, int last)
{
    size_t width = 0;
    for (int i = first; i < last; i++)
        if (!f->column[i].hidden)
            width += (width ? GAP : 0) + f->column[i].width;
    return width;
}

static int fits(const fitting *f) { return !f->width || width_of(f, 0, f->columns) <= f->width; }

/* ---- what is left out ---- */

static int count_missing(const fitting *f, int i)
{
    int count = 0;
    for (int row = 0; row < f->rows; row++)
        count += missing(f, row, i);
    return count;
}

static int all_same(const fitting *f, int i)
{
    for (int row = 1; row < f->rows; row++)
        if (!table_same(f->t, place(f, 0), place(f, row), i))
            return 0;
    return 1;
}

/* Column i is left out, and list := list, its title, and this value. */
static void hide(fitting *f, int i, char **list, const char *value)
{
    char *shorter = *list;
    *list = allocate_print("%s%s%s%s%s", shorter ? shorter : "", shorter ? ", " : "", table_title_of(f->t, i),
                           *value ? " " : "", value);
    free(shorter);
    f->column[i].hidden = 1;
}

static void hide_empty(fitting *f)
{
    for (int i = 0; i < f->columns; i++)
        if (count_missing(f, i) == f->rows)
            hide(f, i, &f->empty, "");
}

/* One column stays in any case. */
static void hide_same(fitting *f)
{
    int left = 0;
    for (int i = 0; i < f->columns; i++)
        left += !f->column[i].hidden;
    for (int i = 0; i < f->columns && left > 1; i++)
        if (!f->column[i].hidden && all_same(f, i)) {
            hide(f, i, &f->same, f->column[i].cell[0]);
            left--;
        }
}

/* Those that say least first. */
static void hide_aside(fitting *f)
{
    enum { MOST = 3 };
    for (int aside = MOST; aside > 0 && !fits(f); aside--)
        for (int i = 0; i < f->columns; i++)
            if (!f->column[i].hidden && table_aside_of(f->t, i) == aside)
                hide(f, i, &f->aside, "");
}

/* Texts that only some rows have go below, a mark stays. */
static void move_long_texts(fitting *f)
{
    for (int i = 0; i < f->columns && !fits(f); i++) {
        fitted_column *c = &f->column[i];
        c->below = !c->hidden && is_text(c) && c->width > LONG_TEXT && count_missing(f, i);
        if (c->below)
            measure(f, i);
    }
}

/* Column i by so many characters narrower, but no narrower than its longest word. */
static void narrow(fitting *f, int i, size_t by)
{
    fitted_column *c = &f->column[i];
    const size_t word = widest(f, i, words_longest), least = word > NARROW_TEXT ? word : NARROW_TEXT;
    const size_t room = c->width > by ? c->width - by : 0;
    if (c->width > least)
        c->width = room > least ? room : least;
}

/* The widest texts first, until it fits; 0, and all as it was, where that is not enough. */
static int break_texts(fitting *f)
{
    for (size_t width = 128; width >= NARROW_TEXT && !fits(f); width /= 2)
        for (int i = f->columns; i-- > 0 && !fits(f);) {
            const fitted_column *c = &f->column[i];
            const size_t over = width_of(f, 0, f->columns) - f->width;
            if (!c->hidden && is_text(c) && c->width > width)
                narrow(f, i, over < c->width - width ? over : c->width - width);
        }
    const int good = fits(f);
    for (int i = 0; !good && i < f->columns; i++)
        measure(f, i);
    return good;
}

/* The column's format with at most so many digits behind the point; 0: it has no more. */
static int take_digits_of(fitted_column *c, int digits)
{
    int has;
    char kind;
    if (c->hidden || sscanf(c->format, "%%.%d%c", &has, &kind) != 2 || !strchr("ef", kind) || has <= digits)
        return 0;
    snprintf(c->format, FORMAT, "%%.%d%c", digits, kind);
    return 1;
}

static void take_digits(fitting *f)
{
    for (int digits = MOST_DIGITS; digits >= LEAST_DIGITS && !fits(f); digits--)
        for (int i = 0; i < f->columns; i++)
            if (take_digits_of(&f->column[i], digits)) {
                f->fewer_digits = 1;
                measure(f, i);
            }
}

static void write_briefly(fitting *f)
{
    f->brief = 1;
    for (int i = 0; i < f->columns; i++)
        if (!is_text(&f->column[i]))
            measure(f, i);
}

/* Each step only where the ones before it do not suffice. */
static void fit(fitting *f)
{
    static void (*const steps[])(fitting *) = {hide_empty, hide_same, move_long_texts, write_briefly, hide_aside};
    for (size_t k = 0; k < sizeof steps / sizeof *steps && !fits(f); k++)
        steps[k](f);
    if (fits(f) || break_texts(f))
        return;
    take_digits(f);
    break_texts(f);
}

/* ---- printing ---- */

static void put_many(char c, size_t n, FILE *out)
{
    while (n-- > 0)
        fputc(c, out);
}

/* Is column i shown in the part with the first `keys` columns and [first, last)? */
static int in_part(const fitting *f, int i, int keys, int first, int last)
{
    return !f->column[i].hidden && (i < keys || (i >= first && i < last));
}

/* The next line of a text in its column. */
static void put_line(fitted_column *c, int last, FILE *out)
{
    size_t next;
    const size_t bytes = words_line(c->rest, c->width, &next), n = words_length_of(c->rest, bytes);
    const size_t space = c->width > n ? c->width - n : 0;
    put_many(' ', is_text(c) ? 0 : space, out);
    words_put(c->rest, bytes, out);
    put_many(' ', last ? 0 : (is_text(c) ? space : 0) + GAP, out);
    c->rest += next;
}

/* One row of a part: -1 the titles. Several lines where a text is broken. */
static void put_row(fitting *f, int row, int keys, int first, int last, FILE *out)
{
    int end = -1;
    for (int i = 0; i < f->columns; i++)
        if (in_part(f, i, keys, first, last)) {
            f->column[i].rest = row < 0 ? table_title_of(f->t, i) : f->column[i].cell[row];
            end = i;
        }
    for (int more = 1; more;) {
        more = 0;
        for (int i = 0; i <= end; i++)
            if (in_part(f, i, keys, first, last)) {
                put_line(&f->column[i], i == end, out);
                more |= *f->column[i].rest != 0;
            }
        fputc('\n', out);
    }
}

static void put_rule(const fitting *f, int keys, int first, int last, FILE *out)
{
    int some = 0;
    for (int i = 0; i < f->columns; i++)
        if (in_part(f, i, keys, first, last)) {
            put_many(' ', some++ ? GAP : 0, out);
            put_many('-', f->column[i].width, out);
        }
    fputc('\n', out);
}

static void print_part(fitting *f, int keys, int first, int last, FILE *out)
{
    put_row(f, -1, keys, first, last, out);
    put_rule(f, keys, first, last, out);
    for (int row = 0; row < f->rows; row++) {
        if (row > 0 && table_ruled(f->t, place(f, row)))
            put_rule(f, keys, first, last, out);
        put_row(f, row, keys, first, last, out);
    }
}

/* A line for each column: of a table of one row. */
static void print_upright(const fitting *f, FILE *out)
{
    size_t widest = 0;
    for (int i = 0; i < f->columns; i++) {
        const size_t n = words_length(table_title_of(f->t, i));
        widest = n > widest ? n : widest;
    }
    for (int i = 0; i < f->columns; i++) {
        const char *title = table_title_of(f->t, i);
        fputs(title, out);
        put_many(' ', widest + GAP - words_length(title), out);
        words_print(f->column[i].cell[0], f->width, widest + GAP, widest + GAP, out);
    }
}

/* ---- parts ---- */

static int same_keys(const fitting *f, int keys, int a, int b)
{
    for (int i = 0; i < keys; i++)
        if (!f->column[i].hidden && strcmp(f->column[i].cell[a], f->column[i].cell[b]) != 0)
            return 0;
    return 1;
}

/* Do the first columns tell each row from the one above? */
static int tell_rows(const fitting *f, int keys)
{
    for (int row = 1; row < f->rows; row++)
        if (same_keys(f, keys, row - 1, row))
            return 0;
    return 1;
}

/* So many columns stand in each part: those that tell rows apart, in half of the width. */
static int key_columns(const fitting *f)
{
    int keys = 0;
    while (keys + 1 < f->columns && !(keys && tell_rows(f, keys)) && width_of(f, 0, keys + 1) <= f->width / 2)
        keys++;
    return keys;
}

/* No column wider than what the keys leave, if it can be broken. */
static void narrow_beside(fitting *f, int keys)
{
    const size_t width = width_of(f, 0, keys), taken = keys ? width + GAP : 0;
    const size_t room = f->width > taken ? f->width - taken : 1;
    for (int i = keys; i < f->columns; i++) {
        const fitted_column *c = &f->column[i];
        if (!c->hidden && is_text(c) && c->width > room)
            narrow(f, i, c->width - room);
    }
}

/* Behind the last column that stands beside the keys in a part that begins with `first`. */
static int end_of_part(const fitting *f, int keys, int first)
{
    int last = first;
    size_t width = width_of(f, 0, keys);
    for (; last < f->columns; last++) {
        const fitted_column *c = &f->column[last];
        const size_t more = c->hidden ? 0 : c->width + GAP;
        if (last > first && width + more > f->width)
            break;
        width += more;
    }
    return last;
}

static void print_parts(fitting *f, FILE *out)
{
    const int keys = key_columns(f);
    narrow_beside(f, keys);
    for (int first = keys, last; first < f->columns; first = last) {
        last = end_of_part(f, keys, first);
        if (first > keys)
            fputc('\n', out);
        print_part(f, keys, first, last, out);
    }
}

/* ---- all of it ---- */

static void say(const fitting *f, const char *before, const char *words, FILE *out)
{
    char *sentence = allocate_print("%s%s", before, words ? words : "");
    if (words)
        words_print(sentence, f->width, 0, 0, out);
    free(sentence);
}

static void print(fitting *f, FILE *out)
{
    say(f, "in all rows: ", f->same, out);
    if (!f->rows || fits(f))
        print_part(f, 0, 0, f->columns, out);
    else
        print_parts(f, out);
    for (size_t k = 0; k < f->notes; k++) {
        char mark[32];
        snprintf(mark, sizeof mark, "[%zu] ", k + 1);
        say(f, mark, f->note[k], out);
    }
    say(f, "without a value: ", f->empty, out);
    say(f, "for a wider terminal or a file: ", f->aside, out);
    if (f->fewer_digits)
        fprintf(out, "with fewer digits, to fit %zu columns\n", f->width);
}

static void begin(fitting *f, const table *t, size_t width, int rows)
{
    *f = (fitting){.t = t, .width = width, .columns = table_columns(t)};
    f->rows = !f->columns ? 0 : rows && rows < table_rows(t) ? rows : table_rows(t);
    f->column = allocate((size_t)f->columns, sizeof *f->column);
    for (int i = 0; i < f->columns; i++) {
        const char *format = table_format_of(t, i);
        snprintf(f->column[i].format, FORMAT, "%s", format ? format : "");
        f->column[i].cell = allocate((size_t)f->rows, sizeof *f->column[i].cell);
        measure(f, i);
    }
}

static void end(fitting *f)
{
    for (int i = 0; i < f->columns; i++) {
        for (int row = 0; row < f->rows; row++)
            free(f->column[i].cell[row]);
        free(f->column[i].cell);
    }
    free(f->column);
    free(f->same);
    free(f->empty);
    free(f->aside);
    free(f->note);
}

void table_print(const table *t, size_t width, int rows, FILE *out)
{
    fitting f;
    begin(&f, t, width, rows);
    if (f.rows > 1)
        fit(&f);
    if (f.rows == 1 && !fits(&f))
        print_upright(&f, out);
    else if (f.columns)
        print(&f, out);
    end(&f);
}
