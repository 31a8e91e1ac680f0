/* sheet.c - figures as they are put together: all that they point to is kept until they are written */
#include "plots/sheet.h"

#include "measure/columns.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 512, UNITS = 48 };

static void *keep(plot_sheet *s, void *new)
{
    void **more = new ? realloc(s->room, (s->rooms + 1) * sizeof *more) : NULL;
    if (more)
        s->room = more;
    if (!more) {
        free(new);
        s->failed = 1;
        return NULL;
    }
    return s->room[s->rooms++] = new;
}

/* list[count] with room for one more, at twice the places where it is full. */
static void *grow(plot_sheet *s, const void *list, int count, size_t size)
{
    if (count && (count & (count - 1)))
        return (void *)list;
    void *more = keep(s, calloc(2 * (size_t)count + 1, size));
    if (more && count)
        memcpy(more, list, (size_t)count * size);
    return more;
}

static plot_figure *last_figure(plot_sheet *s) { return s->figures ? &s->figure[s->figures - 1] : NULL; }

void sheet_figure(plot_sheet *s, const char *title, int columns)
{
    plot_figure *list = grow(s, s->figure, s->figures, sizeof *list);
    if (!list)
        return;
    s->figure = list;
    s->figure[s->figures++] = (plot_figure){.title = title, .columns = columns};
}

void sheet_grid(plot_sheet *s, const char *const *row, const char *const *column)
{
    plot_figure *f = last_figure(s);
    if (f) {
        f->row = row;
        f->column = column;
    }
}

plot_panel *sheet_panel(plot_sheet *s, plot_panel panel)
{
    plot_figure *f = last_figure(s);
    plot_panel *list = f ? grow(s, f->panel, f->count, sizeof *list) : NULL;
    if (!list)
        return NULL;
    list[f->count] = panel;
    f->panel = list;
    return &list[f->count++];
}

void sheet_curve(plot_sheet *s, plot_curve curve)
{
    plot_figure *f = last_figure(s);
    plot_panel *p = f && f->count ? (plot_panel *)&f->panel[f->count - 1] : NULL;
    plot_curve *list = p ? grow(s, p->curve, p->curves, sizeof *list) : NULL;
    if (!list || (curve.count && (!curve.x || !curve.y)))
        return;
    list[p->curves++] = curve;
    p->curve = list;
}

static const char *print(plot_sheet *s, const char *format, va_list arguments)
{
    char text[TEXT];
    vsnprintf(text, sizeof text, format, arguments);
    const char *kept = keep(s, strdup(text));
    return kept ? kept : "";
}

void sheet_note(plot_sheet *s, const char *format, ...)
{
    plot_figure *f = last_figure(s);
    va_list arguments;
    va_start(arguments, format);
    const char *note = print(s, format, arguments);
    va_end(arguments);
    for (int i = 0; f && i < f->notes; i++)
        if (strcmp(f->note[i], note) == 0)
            return;
    const char **list = f ? grow(s, f->note, f->notes, sizeof *list) : NULL;
    if (!list)
        return;
    list[f->notes++] = note;
    f->note = list;
}

void *sheet_room(plot_sheet *s, size_t bytes) { return keep(s, calloc(bytes + 1, 1)); }

double *sheet_numbers(plot_sheet *s, int count)
{
    double *x = keep(s, calloc((size_t)count + 1, sizeof *x));
    for (int i = 0; x && i < count; i++)
        x[i] = NAN;
    return x;
}

const char **sheet_words(plot_sheet *s, int count)
{
    return keep(s, calloc((size_t)count + 1, sizeof(const char *)));
}

const char *sheet_text(plot_sheet *s, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *text = print(s, format, arguments);
    va_end(arguments);
    return text;
}

/* units[UNITS]: each unit once; "..." are those that there is no room for. */
static void add_unit(char *units, const char *unit)
{
    const size_t used = strlen(units), length = strlen(unit);
    for (const char *at = units; *at; at += strspn(at, ", ")) {
        const size_t n = strcspn(at, ",");
        if (n == length && memcmp(at, unit, n) == 0)
            return;
        at += n;
    }
    const char *word = used + length + sizeof ", , ..." < UNITS ? unit : "...";
    if (word == unit || !strstr(units, "...")) {
        strcpy(units + used, used ? ", " : "");
        strcat(units, word);
    }
}

const char *sheet_class(plot_sheet *s, const run_setting *setting, dae_class c)
{
    char units[UNITS] = "";
    int count = 0;
    column_label *label = state_labels(setting->problem, setting->parameters, &count, NULL);
    for (int i = 0; label && i < count; i++)
        if (label[i].kind == (c == DAE_RECOVERED ? DAE_MULTIPLIER : c))
            add_unit(units, label[i].unit);
    free(label);
    const int named = *units && strcmp(units, "-") != 0;
    return sheet_text(s, named ? "%s [%s]" : "%s", run_class_names[c], units);
}

dae_status sheet_write(plot_sheet *s, plot_file *to, dae_report *report)
{
    const dae_status status = s->failed || !s->figures ? dae_fail(report, DAE_NO_MEMORY, "no memory for the plot")
                              : plot_write(to, s->figure, s->figures, report);
    for (size_t i = 0; i < s->rooms; i++)
        free(s->room[i]);
    free(s->room);
    *s = (plot_sheet){0};
    return status;
}
