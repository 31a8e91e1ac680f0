#include "store/cache.h"

#include "host/allocate.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 1000000 };        /* numbers in a row, events */

/* ---- writing -------------------------------------------------------------------------------- */

static void write_quads(FILE *out, const dae_quad *x, int count)
{
    for (int i = 0; i < count; i++) {
        char text[DAE_QUAD_TEXT];
        dae_quad_text(x[i], 36, text, sizeof text);
        fprintf(out, " %s", text);
    }
}

/* Row i of x[count x n]; first-order problems have no v and no lambda. */
static dae_quad *row(dae_quad *x, int i, int n)
{
    return x ? x + (size_t)i * (size_t)n : NULL;
}

char *reference_text(const dae_reference *r, int count)
{
    char *text = NULL;
    size_t length;
    FILE *out = allocate_stream(&text, &length);
    const int nv = r->v ? r->nq : 0, nl = r->lambda ? r->nl : 0;
    fprintf(out, "source %s\ndigits %.17g\nshape %d %d %d %d", r->source, r->digits, count, r->nq, nv, nl);
    for (int i = 0; i < count; i++) {
        fputs("\nrow", out);
        write_quads(out, row(r->q, i, r->nq), r->nq);
        write_quads(out, row(r->v, i, nv), nv);
        write_quads(out, row(r->lambda, i, nl), nl);
    }
    fputc('\n', out);
    allocate_stream_end(out);
    return text;
}

char *event_reference_text(const dae_event_reference *r)
{
    char *text = NULL;
    size_t length;
    FILE *out = allocate_stream(&text, &length);
    fprintf(out, "source %s\ndigits %.17g\nshape %d %d %d %d %d", r->source, r->digits, r->count, r->size, r->width,
            r->ended, r->events);
    for (int i = 0; i < r->count; i++) {
        fputs("\nrow", out);
        write_quads(out, row(r->x, i, r->width), r->width);
        fprintf(out, "\nmode %d", r->mode[i]);
    }
    for (int i = 0; i < r->events; i++) {
        const dae_reference_event *e = &r->event[i];
        fprintf(out, "\nevent %d %d %d %d %s\nat", e->number, e->direction, e->from, e->to, e->name);
        write_quads(out, &e->t, 1);
        write_quads(out, e->before, r->width);
        write_quads(out, e->after, r->width);
    }
    fputc('\n', out);
    allocate_stream_end(out);
    return text;
}

/* ---- reading -------------------------------------------------------------------------------- */

/* Skip word at *at; 0 where something else stands there. */
static int expect(const char **at, const char *word)
{
    const size_t length = strlen(word);
    if (strncmp(*at, word, length) != 0)
        return 0;
    *at += length;
    return 1;
}

/* x[count], each behind a space; 0 where there are fewer. */
static int read_quads(const char **at, dae_quad *x, int count)
{
    for (int i = 0; i < count; i++) {
        char *end;
        if (!expect(at, " "))
            return 0;
        x[i] = dae_quad_parse(*at, &end);
        if (end == *at)
            return 0;
        *at = end;
    }
    return 1;
}

/* A whole number behind a space; 0 where there is none from least to most. */
static int read_int(const char **at, int least, int most, int *x)
{
    char *end;
    if (!expect(at, " "))
        return 0;
    const long value = strtol(*at, &end, 10);
    const int good = end != *at && value >= least && value <= most;
    *at = end;
    *x = good ? (int)value : least;
    return good;
}

/* "source NAME", which becomes that of the library, and "digits X". */
static int read_head(const char **at, const char **source, double *digits)
{
    char *end;
    if (!expect(at, "source "))
        return 0;
    const size_t length = strcspn(*at, "\n");
    for (int i = 0; (*source = dae_reference_source(i)) != NULL; i++)
        if (strlen(*source) == length && expect(at, *source))
            break;
    if (!*source || !expect(at, "\ndigits "))
        return 0;
    *digits = strtod(*at, &end);
    *at = end;
    return expect(at, "\nshape");
}

static int read_reference(const char *at, int count, dae_reference *r)
{
    int rows, nv;
    if (!read_head(&at, &r->source, &r->digits) || !read_int(&at, count, count, &rows)
        || !read_int(&at, 1, MOST, &r->nq) || !read_int(&at, 0, r->nq, &nv) || !read_int(&at, 0, MOST, &r->nl)
        || (nv != 0 && nv != r->nq))
        return 0;
    r->q = allocate((size_t)count * (size_t)r->nq, sizeof *r->q);
    r->v = nv ? allocate((size_t)count * (size_t)nv, sizeof *r->v) : NULL;
    r->lambda = nv ? allocate((size_t)count * (size_t)r->nl, sizeof *r->lambda) : NULL;
    for (int i = 0; i < count; i++)
        if (!expect(&at, "\nrow") || !read_quads(&at, row(r->q, i, r->nq), r->nq)
            || !read_quads(&at, row(r->v, i, nv), nv) || !read_quads(&at, row(r->lambda, i, r->nl), nv ? r->nl : 0))
            return 0;
    return strcmp(at, "\n") == 0;
}

int reference_read(const char *text, int count, dae_reference *r)
{
    memset(r, 0, sizeof *r);
    if (read_reference(text, count, r))
        return 1;
    dae_reference_free(r);
    return 0;
}

static void allocate_events(dae_event_reference *r)
{
    const size_t rows = (size_t)r->count, events = (size_t)r->events, width = (size_t)r->width;
    r->mode = allocate(rows, sizeof *r->mode);
    r->x = allocate(rows * width, sizeof *r->x);
    r->event = allocate(events, sizeof *r->event);
    r->states = allocate(2 * events * width, sizeof *r->states);
}

/* One event; its name goes behind the names that there are. */
static int read_event(const char **at, dae_event_reference *r, int i, size_t *named)
{
    dae_reference_event *e = &r->event[i];
    dae_quad *before = row(r->states, i, r->width), *after = row(before, r->events, r->width);
    if (!expect(at, "\nevent") || !read_int(at, 0, MOST, &e->number) || !read_int(at, -1, 1, &e->direction)
        || !read_int(at, 0, MOST, &e->from) || !read_int(at, 0, MOST, &e->to) || !expect(at, " "))
        return 0;
    const size_t length = strcspn(*at, "\n");
    r->names = allocate_again(r->names, *named + length + 1, 1);
    memcpy(r->names + *named, *at, length);
    r->names[*named + length] = 0;
    *named += length + 1;
    *at += length;
    e->before = before;
    e->after = after;
    return expect(at, "\nat") && read_quads(at, &e->t, 1) && read_quads(at, before, r->width)
           && read_quads(at, after, r->width);
}

static int read_event_reference(const char *at, int count, dae_event_reference *r)
{
    size_t named = 0;
    if (!read_head(&at, &r->source, &r->digits) || !read_int(&at, 0, count, &r->count)
        || !read_int(&at, 1, MOST, &r->size) || !read_int(&at, r->size, MOST, &r->width)
        || !read_int(&at, 0, 1, &r->ended) || !read_int(&at, 0, MOST, &r->events))
        return 0;
    allocate_events(r);
    for (int i = 0; i < r->count; i++)
        if (!expect(&at, "\nrow") || !read_quads(&at, row(r->x, i, r->width), r->width) || !expect(&at, "\nmode")
            || !read_int(&at, 0, MOST, &r->mode[i]))
            return 0;
    for (int i = 0; i < r->events; i++)
        if (!read_event(&at, r, i, &named))
            return 0;
    const char *name = r->names;
    for (int i = 0; i < r->events; i++, name += strlen(name) + 1)
        r->event[i].name = name;
    return strcmp(at, "\n") == 0;
}

int event_reference_read(const char *text, int count, dae_event_reference *r)
{
    memset(r, 0, sizeof *r);
    if (read_event_reference(text, count, r))
        return 1;
    dae_event_reference_free(r);
    return 0;
}
