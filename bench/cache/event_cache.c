/* event_cache.c - references through events kept on disk
 *
 * One file for each, PROBLEM-HASH.events.txt, as those of cache.c:
 *
 *     daelab reference through events 1        the key, with parameters and times
 *     ...
 *     source Cartesian coordinates             the reference
 *     digits 26.1
 *     shape 2 3 0 1 21                         size, width, ended, rows, events
 *     row 0 0x... ...                          its mode, (q, v, lambda) or u
 *     event 0 -1 0 1 floor                     number, direction, modes before and after, name
 *     at 4.5e-1 ...                            t, before, after
 *     end 1c0a...
 */
#include "cache/event_cache.h"

#include <daelab/study.h>

#include "cache/fingerprint.h"
#include "cache/kept_file.h"
#include "cache/kept_text.h"
#include "cache/object_hash.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FORMAT = 1, MOST_EVENTS = 1000000, MOST_WIDTH = 1000000 };

/* ---- the key ------------------------------------------------------------------------------ */

static void write_key(FILE *out, const dae_system *sys, const double *times, int count, uint64_t model,
                      uint64_t code)
{
    const dae_problem *problem = dae_system_problem(sys);
    fprintf(out, "daelab reference through events %d\nversion %s\nproblem %s\nmodel %016" PRIx64
            "\ncode %016" PRIx64 "\nt0 %a\n", FORMAT, DAELAB_VERSION, problem->name, model, code, problem->t0);
    for (int i = 0; i < dae_parameter_count(problem); i++)
        fprintf(out, "parameter %a\n", dae_system_parameters(sys)[i]);
    for (int i = 0; i < count; i++)
        fprintf(out, "time %a\n", times[i]);
}

/* To be freed; NULL where it cannot be made. */
static char *make_key(dae_system *sys, const double *times, int count)
{
    uint64_t model, code;
    char *text = NULL;
    size_t length;
    if (count < 1 || dae_system_user_data(sys) || model_fingerprint(sys, &model) != DAE_OK
        || !model_object_hash(dae_system_problem(sys), &code))
        return NULL;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        return NULL;
    write_key(out, sys, times, count, model, code);
    const int bad = ferror(out);
    if (fclose(out) == 0 && !bad)
        return text;
    free(text);
    return NULL;
}

/* ---- reading ------------------------------------------------------------------------------ */

static int allocate(dae_event_reference *r)
{
    const size_t rows = (size_t)r->count, events = (size_t)r->events, width = (size_t)r->width;
    r->mode = calloc(rows + 1, sizeof *r->mode);
    r->x = calloc(rows * width + 1, sizeof *r->x);
    r->event = calloc(events + 1, sizeof *r->event);
    r->states = calloc(2 * events * width + 1, sizeof *r->states);
    return r->mode && r->x && r->event && r->states;
}

static int read_shape(const char **at, dae_event_reference *r, int count)
{
    char *end;
    if (!kept_read_source(at, &r->source) || !kept_expect(at, "digits "))
        return 0;
    r->digits = strtod(*at, &end);
    *at = end;
    return kept_expect(at, "\nshape") && kept_read_int(at, 1, MOST_WIDTH, &r->size)
           && kept_read_int(at, r->size, MOST_WIDTH, &r->width) && kept_read_int(at, 0, 1, &r->ended)
           && kept_read_int(at, 0, count, &r->count) && kept_read_int(at, 0, MOST_EVENTS, &r->events)
           && allocate(r);
}

static int read_rows(const char **at, dae_event_reference *r)
{
    for (int i = 0; i < r->count; i++)
        if (!kept_expect(at, "\nrow") || !kept_read_int(at, 0, MOST_EVENTS, &r->mode[i])
            || !kept_read_quads(at, r->x + (size_t)i * (size_t)r->width, r->width))
            return 0;
    return 1;
}

/* One event; its name goes behind the names that there are. */
static int read_event(const char **at, dae_event_reference *r, int i, size_t *named)
{
    dae_reference_event *e = &r->event[i];
    dae_quad *before = r->states + (size_t)i * (size_t)r->width;
    dae_quad *after = before + (size_t)r->events * (size_t)r->width;
    if (!kept_expect(at, "\nevent") || !kept_read_int(at, 0, MOST_EVENTS, &e->number)
        || !kept_read_int(at, -1, 1, &e->direction) || !kept_read_int(at, 0, MOST_EVENTS, &e->from)
        || !kept_read_int(at, 0, MOST_EVENTS, &e->to) || !kept_expect(at, " "))
        return 0;
    const size_t length = strcspn(*at, "\n");
    char *names = realloc(r->names, *named + length + 1);
    if (!names)
        return 0;
    r->names = names;
    memcpy(names + *named, *at, length);
    names[*named + length] = 0;
    *named += length + 1;
    *at += length;
    e->before = before;
    e->after = after;
    return kept_expect(at, "\nat") && kept_read_quads(at, &e->t, 1) && kept_read_quads(at, before, r->width)
           && kept_read_quads(at, after, r->width);
}

static int read_events(const char **at, dae_event_reference *r)
{
    size_t named = 0;
    for (int i = 0; i < r->events; i++)
        if (!read_event(at, r, i, &named))
            return 0;
    const char *name = r->names;
    for (int i = 0; i < r->events; i++, name += strlen(name) + 1)
        r->event[i].name = name;
    return kept_expect(at, "\n");
}

/* 1 where the file at path is whole, has this key and was read. */
static int read_reference(const char *path, const char *key, dae_event_reference *r, int count)
{
    char *text = kept_text(path);
    const char *at = text;
    const int good = text && kept_expect(&at, key) && read_shape(&at, r, count) && read_rows(&at, r)
                     && read_events(&at, r) && kept_is_whole(text, at);
    free(text);
    return good;
}

/* ---- writing ------------------------------------------------------------------------------ */

static void write_body(FILE *out, const void *reference)
{
    const dae_event_reference *r = reference;
    fprintf(out, "source %s\ndigits %.17g\nshape %d %d %d %d %d", r->source, r->digits, r->size, r->width, r->ended,
            r->count, r->events);
    for (int i = 0; i < r->count; i++) {
        fprintf(out, "\nrow %d", r->mode[i]);
        kept_write_quads(out, r->x + (size_t)i * (size_t)r->width, r->width);
    }
    for (int i = 0; i < r->events; i++) {
        const dae_reference_event *e = &r->event[i];
        fprintf(out, "\nevent %d %d %d %d %s\nat", e->number, e->direction, e->from, e->to, e->name);
        kept_write_quads(out, &e->t, 1);
        kept_write_quads(out, e->before, r->width);
        kept_write_quads(out, e->after, r->width);
    }
    fputc('\n', out);
}

dae_status dae_cached_event_reference(dae_event_reference *reference, dae_system *sys, const double *times,
                                      int count, const dae_reference_watch *watch, int *from_cache,
                                      dae_report *report)
{
    const dae_problem *problem = dae_system_problem(sys);
    char *key = make_key(sys, times, count);
    char *path = key ? kept_path(problem->name, fnv_1a(FNV_START, key, strlen(key)), ".events.txt") : NULL;
    dae_status status = DAE_OK;
    memset(reference, 0, sizeof *reference);
    const int found = path && read_reference(path, key, reference, count);
    if (!found) {
        dae_event_reference_free(reference);
        status = dae_event_reference_solve(reference, problem, dae_system_parameters(sys), NULL, times, count, watch,
                                           report);
        if (status == DAE_OK && path)
            kept_write(path, key, write_body, reference);
    }
    if (from_cache)
        *from_cache = found;
    free(path);
    free(key);
    return status;
}
