#include "fit/data.h"

#include "host/allocate.h"
#include "host/fnv.h"

#include <daelab/study.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COLUMNS = 1024 };

/* What a column holds: the time, nothing that is used, values of unknown k, and SPREADS + k their deviations. */
enum { TIMES = -1, LEFT_OUT = -2, SPREADS = 1 << 20 };

/* A file as it is read. */
typedef struct {
    fit_data *to;
    const fit_source *from;
    const fit_names *names;
    int file, line, columns;
    int holds[MOST_COLUMNS];
    char *title[MOST_COLUMNS];
    char *cell[MOST_COLUMNS];   /* of the present line */
    double t_last;
    dae_report *report;
} reader;

/* "data.csv, line 3: ", in a column "data.csv, line 3, column x: " */
static dae_status complain(const reader *r, int column, const char *what, const char *value)
{
    const int in_column = column >= 0 && r->title[column];
    return dae_fail(r->report, DAE_BAD_ARGUMENT, "%s, line %d%s%s: %s%s%s%s", r->from->file[r->file], r->line,
                    in_column ? ", column " : "", in_column ? r->title[column] : "", value ? "'" : "",
                    value ? value : "", value ? "' " : "", what);
}

/* ---- cells ---- */

/* The cell that begins at *at, without blanks and quotes around it, in its place; *at moves behind it and a comma, to
 * NULL behind the last. NULL: a quote is not closed. */
static char *next_cell(char **at)
{
    char *from = *at + strspn(*at, " \t"), *cell = from, *to = from;
    const int quoted = *from == '"';
    for (from += quoted; quoted && (*from != '"' || from[1] == '"'); from += 1 + (*from == '"')) {
        if (!*from)
            return NULL;
        *to++ = *from;
    }
    while (!quoted && *from && *from != ',')
        *to++ = *from++;
    while (!quoted && to > cell && (to[-1] == ' ' || to[-1] == '\t'))
        to--;
    from += quoted;
    from += quoted ? strspn(from, " \t") : 0;
    if (*from && *from != ',')
        return NULL;
    *at = *from ? from + 1 : NULL;
    *to = 0;
    return cell;
}

/* r->cell of a line; how many, or -1 having complained. */
static int split(reader *r, char *text)
{
    int count = 0;
    for (char *at = text; at; count++) {
        if (count == MOST_COLUMNS)
            return complain(r, -1, "more columns than a file may have", NULL), -1;
        r->cell[count] = next_cell(&at);
        if (!r->cell[count])
            return complain(r, -1, "a quote (\") is not closed, or text follows it", NULL), -1;
    }
    return count;
}

/* ---- the header ---- */

static int unknown_named(const fit_names *names, const char *name, size_t length)
{
    for (int i = 0; i < names->count; i++)
        if (strlen(names->name[i]) == length && strncmp(names->name[i], name, length) == 0)
            return i;
    return -1;
}

static int is_listed(const char *list, const char *name, size_t length)
{
    for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (strcspn(at, ",") == length && strncmp(at, name, length) == 0)
            return 1;
    return 0;
}

/* The nearest name, else the first ones. */
static dae_status no_unknown(const reader *r, const char *name)
{
    enum { LISTED = 6 };
    const char *near = dae_nearest(name, r->names->name, r->names->count);
    char words[512], list[256] = "";
    for (int i = 0; !near && i < r->names->count && i < LISTED; i++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "", r->names->name[i]);
    snprintf(words, sizeof words, "is no unknown of this formulation%s%s%s; %s names the columns to be used where a "
             "file has others", near ? ": did you mean " : ": it has ", near ? near : list,
             near ? "?" : r->names->count > LISTED ? ", .." : "", front_field(r->from->front, "use").text);
    return complain(r, -1, words, name);
}

/* What a column of this name holds; DAE_BAD_ARGUMENT where nobody knows, and nobody has left it out. */
static dae_status find_column(reader *r, int i)
{
    static const char ending[] = "_sd";
    const char *name = r->cell[i];
    const size_t length = strlen(name), base = length > 3 ? length - 3 : 0;
    const int own = unknown_named(r->names, name, length);
    const int spread = own < 0 && base && strcmp(name + base, ending) == 0 ? unknown_named(r->names, name, base) : -1;
    const int used = !r->from->use || is_listed(r->from->use, name, spread >= 0 ? base : length);
    r->title[i] = allocate_text(name);
    if (strcmp(name, "t") == 0)
        r->holds[i] = TIMES;
    else if (!used)
        r->holds[i] = LEFT_OUT;
    else if (own >= 0 || spread >= 0)
        r->holds[i] = own >= 0 ? own : SPREADS + spread;
    else
        return no_unknown(r, name);
    for (int k = 0; k < i && r->holds[i] != LEFT_OUT; k++)
        if (r->holds[k] == r->holds[i])
            return complain(r, -1, "stands twice in the header", name);
    return DAE_OK;
}

static int column_of(const reader *r, int what)
{
    int i = 0;
    while (i < r->columns && r->holds[i] != what)
        i++;
    return i < r->columns ? i : -1;
}

/* Has an option given one deviation for all data of the unknown? NaN: no. */
static double common_deviation(const reader *r, int unknown)
{
    for (int k = 0; k < r->from->deviations; k++)
        if (strcmp(r->from->deviation[k].of, r->names->name[unknown]) == 0)
            return r->from->deviation[k].value;
    return NAN;
}

static dae_status read_header(reader *r, char *text)
{
    dae_status status = DAE_OK;
    const int count = split(r, text);
    int values = 0;
    if (count < 0)
        return r->report->status;
    if (count == 1 && strpbrk(r->cell[0], ";\t"))
        return complain(r, -1, "is one column: commas separate cells", r->cell[0]);
    for (r->columns = 0; !status && r->columns < count; r->columns++)
        status = find_column(r, r->columns);
    if (status)
        return status;
    if (column_of(r, TIMES) < 0)
        return complain(r, -1, "the header has no column t", NULL);
    for (int i = 0; i < count; i++) {
        const int k = r->holds[i] - SPREADS;
        values += r->holds[i] >= 0 && k < 0;
        if (k >= 0 && column_of(r, k) < 0)
            return complain(r, i, "has deviations of a column that is not there", NULL);
        if (k >= 0 && !isnan(common_deviation(r, k)))
            return complain(r, i, "has deviations, and --sd gives one, too: leave one of them out", NULL);
    }
    return values ? DAE_OK : complain(r, -1, "no column holds data", NULL);
}

/* ---- rows ---- */

/* The number in a cell; NaN of an empty one. */
static dae_status read_number(reader *r, int i, double *x)
{
    char *end;
    *x = NAN;
    if (!*r->cell[i])
        return DAE_OK;
    *x = strtod(r->cell[i], &end);
    return *end || !isfinite(*x) ? complain(r, i, "is no finite number (a value that is missing is an empty cell)",
                                            r->cell[i]) : DAE_OK;
}

static dae_status read_time(reader *r, double *t)
{
    const int i = column_of(r, TIMES);
    const dae_status status = read_number(r, i, t);
    if (status)
        return status;
    if (isnan(*t))
        return complain(r, i, "a row needs its time", NULL);
    if (*t < r->names->t0)
        return complain(r, i, "lies before the run begins", r->cell[i]);
    if (*t < r->t_last)
        return complain(r, i, "is earlier than the row before", r->cell[i]);
    r->t_last = *t;
    return DAE_OK;
}

/* The deviation of the datum in column i; NaN where none is given. */
static dae_status read_deviation(reader *r, int i, double *sd)
{
    const int spread = column_of(r, SPREADS + r->holds[i]);
    *sd = common_deviation(r, r->holds[i]);
    if (spread < 0)
        return DAE_OK;
    const dae_status status = read_number(r, spread, sd);
    return status ? status : *sd > 0 ? DAE_OK : complain(r, spread, *r->cell[spread] ? "is no standard deviation: a "
                                                         "number above 0 is needed" : "a value has no deviation",
                                                         *r->cell[spread] ? r->cell[spread] : NULL);
}

static dae_status read_row(reader *r, char *text)
{
    fit_data *d = r->to;
    double t;
    const int count = split(r, text);
    if (count < 0)
        return r->report->status;
    if (count != r->columns) {
        char words[96];
        snprintf(words, sizeof words, "%d cells, and the header has %d", count, r->columns);
        return complain(r, -1, words, NULL);
    }
    dae_status status = read_time(r, &t);
    for (int i = 0; !status && i < count; i++) {
        fit_datum x = {.t = t, .unknown = r->holds[i], .file = r->file, .line = r->line};
        if (r->holds[i] < 0 || r->holds[i] >= SPREADS)
            continue;
        status = read_number(r, i, &x.value);
        if (status || isnan(x.value))
            continue;
        status = read_deviation(r, i, &x.sd);
        d->datum = allocate_more(d->datum, (size_t)d->count, sizeof *d->datum);
        d->datum[d->count++] = x;
    }
    return status;
}

/* ---- files ---- */

/* Without the mark of byte order before the first line, and without its end. */
static char *strip(char *text, int line)
{
    static const char mark[] = "\xef\xbb\xbf";
    text[strcspn(text, "\r\n")] = 0;
    return text + (line == 1 && strncmp(text, mark, 3) == 0 ? 3 : 0);
}

static dae_status read_lines(reader *r, FILE *in)
{
    char *text = NULL;
    size_t room = 0;
    ssize_t length;
    dae_status status = DAE_OK;
    while (!status && (length = getline(&text, &room, in)) >= 0) {
        r->line++;
        char *line = strip(text, r->line);
        if (strlen(text) + 2 < (size_t)length)
            status = complain(r, -1, "a byte of this line is no text", NULL);
        else if (line[strspn(line, " \t")])             /* a line of blanks holds nothing */
            status = r->columns ? read_row(r, line) : read_header(r, line);
    }
    free(text);
    if (!status && ferror(in))
        return dae_fail(r->report, DAE_FILE, "%s: %s", r->from->file[r->file], strerror(errno));
    return status || r->columns ? status : dae_fail(r->report, DAE_BAD_ARGUMENT, "%s: it is empty",
                                                    r->from->file[r->file]);
}

static dae_status read_file(reader *r)
{
    FILE *in = fopen(r->from->file[r->file], "r");
    r->line = r->columns = 0;
    r->t_last = -HUGE_VAL;
    if (!in)
        return dae_fail(r->report, DAE_FILE, "%s: %s", r->from->file[r->file], strerror(errno));
    const dae_status status = read_lines(r, in);
    for (int i = 0; i < MOST_COLUMNS; i++) {
        free(r->title[i]);
        r->title[i] = NULL;
    }
    fclose(in);
    return status;
}

/* ---- all of them ---- */

static int by_time(const void *a, const void *b)
{
    const fit_datum *x = a, *y = b;
    return x->t != y->t ? (x->t > y->t) - (x->t < y->t) : x->file != y->file ? x->file - y->file
           : x->line != y->line ? x->line - y->line : x->unknown - y->unknown;
}

/* Their hash, and which of the times each has. */
static void number_rows(fit_data *d)
{
    qsort(d->datum, (size_t)d->count, sizeof *d->datum, by_time);
    d->t = allocate((size_t)d->count, sizeof *d->t);
    for (int i = 0; i < d->count; i++) {
        if (i == 0 || d->datum[i].t > d->datum[i - 1].t)
            d->t[d->rows++] = d->datum[i].t;
        d->datum[i].row = d->rows - 1;
        const double numbers[] = {d->datum[i].t, d->datum[i].value, d->datum[i].sd, d->datum[i].unknown};
        d->hash = fnv_1a(d->hash, numbers, sizeof numbers);
    }
}

static int has_data(const fit_data *d, int unknown)
{
    int i = 0;
    while (i < d->count && d->datum[i].unknown != unknown)
        i++;
    return i < d->count;
}

/* Columns that options name, and of which there are no data. */
static dae_status check_names(const fit_data *d, const fit_source *from, const fit_names *names, dae_report *report)
{
    for (int k = 0; k < from->deviations; k++) {
        const int i = unknown_named(names, from->deviation[k].of, strlen(from->deviation[k].of));
        if (i < 0 || !has_data(d, i))
            return dae_fail(report, DAE_BAD_ARGUMENT, "a standard deviation is given of %s, of which there are no data",
                            from->deviation[k].of);
    }
    for (const char *at = from->use; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        const int length = (int)strcspn(at, ","), i = unknown_named(names, at, (size_t)length);
        if (i < 0 || !has_data(d, i))
            return dae_fail(report, DAE_BAD_ARGUMENT, "%.*s is to be used: %s", length, at,
                            i < 0 ? "the problem has no unknown of this name in this formulation"
                                  : "there are no data of it");
    }
    return DAE_OK;
}

dae_status fit_data_read(fit_data *d, const fit_source *from, const fit_names *names, dae_report *report)
{
    reader *r = allocate(1, sizeof *r);
    dae_status status = DAE_OK;
    *d = (fit_data){.hash = FNV_START};
    *r = (reader){.to = d, .from = from, .names = names, .report = report};
    for (; !status && r->file < from->files; r->file++)
        status = read_file(r);
    free(r);
    if (!status)
        status = check_names(d, from, names, report);
    if (!status && !d->count)
        status = dae_fail(report, DAE_BAD_ARGUMENT, "%s: there are no data", from->file[0]);
    if (!status)
        number_rows(d);
    return status;
}

void fit_data_free(fit_data *d)
{
    free(d->datum);
    free(d->t);
    *d = (fit_data){.count = 0};
}
