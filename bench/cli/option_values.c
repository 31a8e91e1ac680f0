#include "cli/options.h"

#include "tidy/tidy.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const char *const times[] = {"median", "smallest", NULL};

int value_read(const char *text, size_t length, double *x)
{
    char *end;
    *x = strtod(text, &end);
    return length > 0 && end == text + length && isfinite(*x);
}

/* Complain: "--NAME TEXT: sentence", with the first characters of text; 0. */
static __attribute__((format(printf, 4, 5))) int refuse(const option_row *row, const char *text, size_t length,
                                                        const char *format, ...)
{
    char sentence[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    return !cli_error(EXIT_USAGE, "--%s %.*s: %s", row->name, (int)length, text, sentence);
}

/* A finite number above `above` in the first characters of text. */
static int part(const option_row *row, const char *text, size_t length, double above, double *x)
{
    if (value_read(text, length, x) && *x > above)
        return 1;
    return above >= 0 ? refuse(row, text, length, "a finite number above %g is needed", above)
                      : refuse(row, text, length, "a finite number is needed");
}

int value_number(const option_row *row, const char *text, double above, double *x)
{
    return part(row, text, strlen(text), above, x);
}

int value_bytes(const option_row *row, const char *text, double *bytes)
{
    static const char units[] = "kMG";
    static const double LEAST = 1 << 20;
    const size_t length = strlen(text);
    const char *unit = length ? strchr(units, text[length - 1]) : NULL;
    const int good = value_read(text, length - (unit != NULL), bytes);
    for (long i = 0; unit && i <= unit - units; i++)
        *bytes *= 1024;
    return (good && *bytes >= LEAST) || refuse(row, text, length, "a size of 1M at least is needed, as 500M or 2G");
}

static int fraction(const option_row *row, const char *text, double *x)
{
    return value_number(row, text, 0, x)
           && (*x < 1 || refuse(row, text, strlen(text), "a number between 0 and 1 is needed"));
}

/* A length at the begin of text, in mm; what follows it, NULL where there is none. */
static const char *length(const char *text, double *mm)
{
    static const struct { const char *name; double mm; } units[] = {
        {"mm", 1}, {"cm", 10}, {"in", 25.4}, {"pt", 25.4 / 72}};
    char *end;
    const double x = strtod(text, &end);
    for (size_t i = 0; end > text && i < sizeof units / sizeof *units; i++)
        if (strncmp(end, units[i].name, 2) == 0) {
            *mm = x * units[i].mm;
            return *mm >= 10 && *mm <= 5000 ? end + 2 : NULL;
        }
    return NULL;
}

int value_size(const option_row *row, const char *text, double *width, double *height)
{
    const char *rest = length(text, width);
    *height = 0;
    if (rest && *rest == 'x')
        rest = length(rest + 1, height);
    return (rest && !*rest)
           || refuse(row, text, strlen(text), "8cmx6cm or 160mm is needed, lengths from 1cm to 5m in mm, cm, in or "
                     "pt");
}

int value_font(const option_row *row, const char *text, plot_look *look)
{
    const char *comma = strrchr(text, ','), *size = comma ? comma + 1 : text;
    const size_t face = comma ? (size_t)(comma - text) : 0;
    if (comma && (!face || face >= sizeof look->face))
        return refuse(row, text, strlen(text), "NAME,SIZE is needed, a name of up to %d letters", PLOT_FACE - 1);
    if (!value_number(row, size, 0, &look->font))
        return 0;
    snprintf(look->face, sizeof look->face, "%.*s", (int)face, text);
    return (look->font >= 3 && look->font <= 72) || refuse(row, text, strlen(text), "a size from 3 to 72 pt is needed");
}

int value_integer(const option_row *row, const char *text, int least, int most, int *x)
{
    char *end;
    errno = 0;
    const long value = strtol(text, &end, 10);
    if (end == text || *end || errno || value < least || value > most)
        return refuse(row, text, strlen(text), "a whole number from %d to %d is needed", least, most);
    *x = (int)value;
    return 1;
}

int value_numbers(const option_row *row, const char *text, int most, double *x, int *count)
{
    for (*count = 0;; text++) {
        const size_t length = strcspn(text, ",");
        if (*count == most)
            return !cli_error(EXIT_USAGE, "--%s: more than %d numbers", row->name, most);
        if (!part(row, text, length, 0, &x[(*count)++]))
            return 0;
        text += length;
        if (!*text)
            return 1;
    }
}

static int falling(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* From the largest on, each once. */
static int sort_falling(double *x, int count)
{
    int kept = 1;
    qsort(x, (size_t)count, sizeof *x, falling);
    for (int i = 1; i < count; i++)
        if (x[i] < x[kept - 1])
            x[kept++] = x[i];
    return kept;
}

int value_levels(const option_row *row, const char *text, double *first, study_range *rest)
{
    const char *colon = strchr(text, ':');
    *rest = (study_range){.last = NAN};
    if (strchr(text, ',')) {
        if (colon)
            return refuse(row, text, strlen(text), "a range A:B or a list A,B,C is needed, not both");
        if (!value_numbers(row, text, MAX_LEVELS, rest->at, &rest->count))
            return 0;
        rest->count = sort_falling(rest->at, rest->count);
        *first = rest->at[0];
        return 1;
    }
    if (!part(row, text, strcspn(text, ":"), 0, first) || (colon && !value_number(row, colon + 1, 0, &rest->last)))
        return 0;
    const double other = rest->last;
    rest->last = colon ? fmin(*first, other) : NAN;
    *first = colon ? fmax(*first, other) : *first;
    return 1;
}

/* "1e-8" or "1e2*rtol" */
static int tolerance(const option_row *row, const char *text, size_t length, double *x, int *by_rtol)
{
    static const char unit[] = "*rtol";
    const size_t end = sizeof unit - 1;
    *by_rtol = length > end && strncmp(text + length - end, unit, end) == 0;
    return part(row, text, length - (*by_rtol ? end : 0), 0, x);
}

/* "A", for all unknowns, or "NAME=A" */
static int atol_entry(const option_row *row, const char *text, size_t length, run_setting *s)
{
    const char *equals = memchr(text, '=', length);
    const size_t name = equals ? (size_t)(equals - text) : 0;
    if (!equals && !isnan(s->atol))
        return refuse(row, text, length, "it is given twice");
    if (!equals)
        return tolerance(row, text, length, &s->atol, &s->atol_by_rtol);
    if (!name || name >= ATOL_NAME)
        return refuse(row, text, length, "NAME=A is needed");
    if (s->atols == MAX_ATOLS)
        return !cli_error(EXIT_USAGE, "--%s: more than %d names", row->name, (int)MAX_ATOLS);
    run_atol *entry = &s->atol_of[s->atols++];
    snprintf(entry->of, sizeof entry->of, "%.*s", (int)name, text);
    for (int k = 0; entry - s->atol_of > k; k++)
        if (strcmp(s->atol_of[k].of, entry->of) == 0)
            return !cli_error(EXIT_USAGE, "--%s: %s is given twice", row->name, entry->of);
    return tolerance(row, equals + 1, length - name - 1, &entry->value, &entry->by_rtol);
}

int value_atols(const option_row *row, const char *text, run_setting *s)
{
    for (;; text++) {
        const size_t length = strcspn(text, ",");
        if (!atol_entry(row, text, length, s))
            return 0;
        text += length;
        if (!*text)
            return 1;
    }
}

int value_deviations(const option_row *row, const char *text, fit_source *data)
{
    for (;; text++) {
        const size_t length = strcspn(text, ",");
        const char *equals = memchr(text, '=', length);
        const size_t name = equals ? (size_t)(equals - text) : 0;
        if (!name || name >= FIT_NAME)
            return refuse(row, text, length, "NAME=S is needed");
        if (data->deviations == MAX_FITTED)
            return !cli_error(EXIT_USAGE, "--%s: more than %d names", row->name, (int)MAX_FITTED);
        fit_deviation *d = &data->deviation[data->deviations++];
        snprintf(d->of, sizeof d->of, "%.*s", (int)name, text);
        for (int k = 0; d - data->deviation > k; k++)
            if (strcmp(data->deviation[k].of, d->of) == 0)
                return !cli_error(EXIT_USAGE, "--%s: %s is given twice", row->name, d->of);
        if (!part(row, equals + 1, length - name - 1, 0, &d->value))
            return 0;
        text += length;
        if (!*text)
            return 1;
    }
}

/* The place of text in a list of words; -1 with a complaint where it is not there. */
static int place(const option_row *row, const char *text, const char *const *words, int count)
{
    for (int i = 0; i < count; i++)
        if (strcmp(text, words[i]) == 0)
            return i;
    char what[40];
    snprintf(what, sizeof what, "--%s", row->name);
    choice_unknown(what, text, words, count);
    return -1;
}

const char *value_axis(int i)
{
    return i == WORK_RHS ? "F" : i == WORK_JACOBIANS ? "J" : i == WORK_FACTORIZATIONS ? "LU" : work_quantity_names[i];
}

/* The quantity of that name, or column of files, in the first characters of text; -1 having complained. */
static int quantity(const option_row *row, const char *text, size_t length)
{
    char word[32];
    const char *names[WORK_QUANTITIES];
    snprintf(word, sizeof word, "%.*s", (int)length, text);
    for (int i = 0; i < WORK_QUANTITIES; i++) {
        names[i] = value_axis(i);
        if (strcmp(word, work_quantity_names[i]) == 0)
            return i;
    }
    return place(row, word, names, WORK_QUANTITIES);
}

int value_axes(const option_row *row, const char *text, study_specification *spec)
{
    const size_t head = strcspn(text, ":");
    if (!text[head])
        return refuse(row, text, head, "X:Y is needed, as in time:position");
    const int across = quantity(row, text, head);
    const int up = across < 0 ? -1 : quantity(row, text + head + 1, strlen(text + head + 1));
    if (up < 0)
        return 0;
    spec->axes = 1;
    spec->across = (work_quantity)across;
    spec->up = (work_quantity)up;
    return 1;
}

int value_words(option_id id, const char *words[MOST_VALUES])
{
    const int is_setting = (int)id < SETTINGS, best = is_setting && run_settings[id].kind == KIND_BEST;
    const char *const *all = id == O_PROJECT  ? projection_names
                             : is_setting     ? run_settings[id].words
                             : id == O_TIME   ? times
                             : id == O_FORMAT ? format_names : NULL;
    int count = 0;
    if (id == O_TABLE)
        return tidy_table_names(words);
    for (; id == O_OF && count < DAE_AUXILIARY; count++)        /* the last class, which has no errors */
        words[count] = dae_class_name((dae_class)count);
    for (; all && all[count + best]; count++)
        words[count] = all[count + best];
    return count;
}

/* The place of a word among those that the option takes; -1 having complained. */
static int word(const option_row *row, const char *text)
{
    const char *words[MOST_VALUES];
    return place(row, text, words, value_words(row->id, words));
}

int value_word(const option_row *row, const char *text, cli_options *o)
{
    const int choice = word(row, text);
    if (choice < 0)
        return 0;
    switch (row->id) {
    case O_TIME: o->study.smallest = choice; break;
    case O_OF: o->study.of = (dae_class)choice; break;
    default: o->format = (output_format)choice;
    }
    return 1;
}

int value_setting(const option_row *row, const char *text, run_setting *s)
{
    enum { MOST = 1000000000 };
    const setting_row *setting = &run_settings[row->id];
    double x = 1;
    int whole = 0, good = 1;
    if (row->argument)
        switch (setting->kind) {
        case KIND_STEP: case KIND_POSITIVE: good = value_number(row, text, 0, &x); break;
        case KIND_FRACTION: good = fraction(row, text, &x); break;
        case KIND_TIME: case KIND_RATE: good = value_number(row, text, -HUGE_VAL, &x); break;
        case KIND_COUNT:
            good = value_integer(row, text, 1, MOST, &whole);
            x = whole;
            break;
        default:
            x = word(row, text);
            good = x >= 0;
            x += setting->kind == KIND_BEST;
        }
    if (good)
        setting_put(setting, s, x);
    return good;
}
