/* cache.c - references kept for later runs: smooth ones, and those through events
 *
 * The key is everything that the numbers depend on, doubles in hexadecimal:
 *
 *     daelab reference 4
 *     version 0.1.0
 *     problem pendulum
 *     code 93b1...                     the functions of its model, and the program or plug-in that holds them
 *     parameter m 0x1p+0 ...
 *     t0 0x0p+0
 *     start x 0x1.8p+1 ...             of a smooth one, with what is left of it where it is no double; the other
 *                                      begins where the problem does
 *     time 0x1p+1 ...
 */
#include "store/cache.h"

#include <daelab/study.h>

#include "host/allocate.h"
#include "store/identity.h"
#include "store/store.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FORMAT = 4 };            /* raised with the texts and with how references are computed */

/* u0 NULL: through events, from the problem's start. */
typedef struct {
    dae_system *sys;
    double t0;
    const dae_quad *u0;
    const double *times;
    int count;
    const dae_reference_watch *watch;
    dae_report *report;
} request;

/* ---- the key ------------------------------------------------------------------------------ */

/* What (q, v) determine is no part of it; a reference with events begins where the problem does. */
static void write_start(FILE *out, const request *r)
{
    double *u = allocate((size_t)dae_system_size(r->sys), sizeof *u);
    const int begins = r->u0 || !dae_system_start(r->sys, u, NULL);
    for (int i = 0; i < dae_system_size(r->sys); i++) {
        char name[64], unit[64];
        const dae_class c = dae_system_class(r->sys, i);
        if (!begins || c == DAE_MULTIPLIER || c == DAE_AUXILIARY)
            continue;
        dae_system_unknown(r->sys, i, name, unit, sizeof name);
        const dae_quad x = r->u0 ? r->u0[i] : u[i];
        const double low = (double)(x - (double)x);
        fprintf(out, low != 0 ? "start %s %a %a\n" : "start %s %a\n", name, (double)x, low);
    }
    free(u);
}

static void write_key(FILE *out, const request *r, uint64_t code)
{
    const dae_problem *problem = dae_system_problem(r->sys);
    fprintf(out, "daelab reference %d\nversion %s\nproblem %s\ncode %016" PRIx64 "\n", FORMAT, DAELAB_VERSION,
            problem->name, code);
    for (int i = 0; i < dae_parameter_count(problem); i++) {
        char name[64];
        dae_parameter_name(problem, i, name, sizeof name);
        fprintf(out, "parameter %s %a\n", name, dae_system_parameters(r->sys)[i]);
    }
    fprintf(out, "t0 %a\n", r->t0);
    write_start(out, r);
    for (int i = 0; i < r->count; i++)
        fprintf(out, "time %a\n", r->times[i]);
}

/* To be freed; NULL where it cannot be made: a key says nothing of a user's data. */
static char *make_key(const request *r)
{
    uint64_t code;
    char *text = NULL;
    size_t length;
    if (r->count < 1 || dae_system_user_data(r->sys) || !model_identity(dae_system_problem(r->sys), &code))
        return NULL;
    FILE *out = allocate_stream(&text, &length);
    write_key(out, r, code);
    allocate_stream_end(out);
    return text;
}

/* ---- both kinds --------------------------------------------------------------------------- */

static const char *kind_of(const request *r) { return r->u0 ? "reference" : "events"; }

static int look_up(const request *r, const char *key, void *reference)
{
    char *text = kept_get(kind_of(r), dae_system_problem(r->sys)->name, key);
    const int found = text && (r->u0 ? reference_read(text, r->count, reference)
                                     : event_reference_read(text, r->count, reference));
    free(text);
    return found;
}

static dae_status solve(const request *r, void *reference)
{
    return r->u0 ? dae_reference_solve_quad(reference, r->sys, r->t0, r->u0, r->times, r->count, r->watch, r->report)
                 : dae_event_reference_solve(reference, dae_system_problem(r->sys), dae_system_parameters(r->sys), NULL,
                                             r->times, r->count, r->watch, r->report);
}

static dae_status compute(const request *r, const char *key, void *reference)
{
    const dae_status status = solve(r, reference);
    char *text = !key || status ? NULL : r->u0 ? reference_text(reference, r->count) : event_reference_text(reference);
    if (text)
        kept_put(kind_of(r), dae_system_problem(r->sys)->name, key, text);
    free(text);
    return status;
}

/* Where it is not kept another process may be at it: that is waited for. */
static dae_status look_up_or_compute(const request *r, void *reference, int *from_cache)
{
    char *key = make_key(r);
    int found = key && look_up(r, key, reference), lock = -1;
    dae_status status = DAE_OK;
    if (!found && key) {
        lock = kept_lock(key);
        found = lock >= 0 && look_up(r, key, reference);
    }
    if (!found)
        status = compute(r, key, reference);
    kept_unlock(lock);
    if (from_cache)
        *from_cache = found;
    free(key);
    return status;
}

dae_status dae_cached_reference_quad(dae_reference *reference, dae_system *sys, double t0, const dae_quad *u0,
                                     const double *times, int count, const dae_reference_watch *watch,
                                     int *from_cache, dae_report *report)
{
    memset(reference, 0, sizeof *reference);
    return look_up_or_compute(&(request){sys, t0, u0, times, count, watch, report}, reference, from_cache);
}

dae_status dae_cached_reference(dae_reference *reference, dae_system *sys, double t0,
                                const double *u0, const double *times, int count,
                                const dae_reference_watch *watch, int *from_cache,
                                dae_report *report)
{
    const size_t n = (size_t)dae_system_size(sys);
    dae_quad *start = allocate(n, sizeof *start);
    for (size_t i = 0; i < n; i++)
        start[i] = u0[i];
    const dae_status status = dae_cached_reference_quad(reference, sys, t0, start, times, count, watch, from_cache,
                                                        report);
    free(start);
    return status;
}

dae_status dae_cached_event_reference(dae_event_reference *reference, dae_system *sys, const double *times,
                                      int count, const dae_reference_watch *watch, int *from_cache,
                                      dae_report *report)
{
    const request r = {sys, dae_system_problem(sys)->t0, NULL, times, count, watch, report};
    memset(reference, 0, sizeof *reference);
    return look_up_or_compute(&r, reference, from_cache);
}
