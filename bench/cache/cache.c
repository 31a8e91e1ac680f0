/* cache.c - reference solutions kept on disk
 *
 * One file for each reference, PROBLEM-HASH.txt:
 *
 *     daelab reference 2               the key: everything that the numbers depend on,
 *     version 0.1.0                    doubles in hexadecimal
 *     problem pendulum
 *     model 5f0c...                    what the model's functions answer at two points
 *     code 93b1...                     the program or plug-in that holds them: a law for t > 1.9 shows
 *                                      at neither point
 *     parameter m 0x1p+0 ...
 *     t0 0x0p+0
 *     start x 0x1.8p+1 ...
 *     time 0x1p+1 ...
 *     source minimal coordinates       the reference: 36 digits bring a quad number back exactly
 *     digits 29.4
 *     row -2.78... ...                 (q, v, lambda) or u, one row for each time
 *     end 1c0a...                      FNV-1a of all before it
 *
 * HASH is the FNV-1a of the key. A file with another key or another end is as good as none, and so is
 * one that is a link, that another user owns or that others may write. A file is written under another
 * name and renamed, which replaces a link, too.
 */
#include "cache/cache.h"

#include <daelab/study.h>

#include "cache/fingerprint.h"
#include "cache/kept_file.h"
#include "cache/kept_text.h"
#include "cache/object_hash.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FORMAT = 2 };            /* raised with the file and with how references are computed */

typedef struct {
    dae_system *sys;
    double t0;
    const double *u0, *times;
    int count, nq, nv, nl;      /* numbers in a row: nq + nv + nl */
} request;

/* Row i of x[count x n]; first-order problems have no v and no lambda. */
static dae_quad *row(dae_quad *x, int i, int n)
{
    return x ? x + (size_t)i * (size_t)n : NULL;
}

/* ---- the key ------------------------------------------------------------------------------ */

static void write_key(FILE *out, const request *r, uint64_t model, uint64_t code)
{
    const dae_problem *problem = dae_system_problem(r->sys);
    const double *p = dae_system_parameters(r->sys);
    fprintf(out, "daelab reference %d\nversion %s\nproblem %s\nmodel %016" PRIx64
            "\ncode %016" PRIx64 "\n", FORMAT, DAELAB_VERSION, problem->name, model, code);
    for (int i = 0; i < dae_parameter_count(problem); i++) {
        char name[64];
        dae_parameter_name(problem, i, name, sizeof name);
        fprintf(out, "parameter %s %a\n", name, p[i]);
    }
    fprintf(out, "t0 %a\n", r->t0);
    for (int i = 0; i < dae_system_size(r->sys); i++) {
        char name[64], unit[64];
        const dae_class c = dae_system_class(r->sys, i);
        if (c == DAE_MULTIPLIER || c == DAE_AUXILIARY)
            continue;                       /* (q, v) determine them */
        dae_system_unknown(r->sys, i, name, unit, sizeof name);
        fprintf(out, "start %s %a\n", name, r->u0[i]);
    }
    for (int i = 0; i < r->count; i++)
        fprintf(out, "time %a\n", r->times[i]);
}

/* The key as text, to be freed; NULL where it cannot be made. */
static char *make_key(const request *r)
{
    uint64_t model, code;
    char *text = NULL;
    size_t length;
    if (model_fingerprint(r->sys, &model) != DAE_OK
        || !model_object_hash(dae_system_problem(r->sys), &code))
        return NULL;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        return NULL;
    write_key(out, r, model, code);
    const int bad = ferror(out);
    if (fclose(out) == 0 && !bad)
        return text;
    free(text);
    return NULL;
}

/* ---- its place ---------------------------------------------------------------------------- */

/* The file of a key, to be freed; NULL where there is no place for it. */
static char *cache_path(const request *r, const char *key)
{
    return kept_path(dae_system_problem(r->sys)->name, fnv_1a(FNV_START, key, strlen(key)), ".txt");
}

/* ---- reading ------------------------------------------------------------------------------ */

static int parse_rows(const char **at, const request *r, dae_reference *reference)
{
    char *end;
    if (!kept_expect(at, "digits "))
        return 0;
    reference->digits = strtod(*at, &end);
    *at = end;
    for (int i = 0; i < r->count; i++)
        if (!kept_expect(at, "\nrow") || !kept_read_quads(at, row(reference->q, i, r->nq), r->nq)
            || !kept_read_quads(at, row(reference->v, i, r->nv), r->nv)
            || !kept_read_quads(at, row(reference->lambda, i, r->nl), r->nl))
            return 0;
    return kept_expect(at, "\n");
}

static int allocate(dae_reference *reference, const request *r)
{
    const size_t count = (size_t)r->count;
    memset(reference, 0, sizeof *reference);
    reference->nq = r->nq;
    reference->nl = r->nl;
    reference->q = calloc(count * (size_t)r->nq, sizeof *reference->q);
    if (r->nv) {
        reference->v = calloc(count * (size_t)r->nv, sizeof *reference->v);
        reference->lambda = calloc(count * (size_t)r->nl + 1, sizeof *reference->lambda);
    }
    return reference->q && (!r->nv || (reference->v && reference->lambda));
}

/* 1 where the file at path is whole, has this key and was read. */
static int read_reference(const char *path, const char *key, const request *r,
                          dae_reference *reference)
{
    char *text = kept_text(path);
    if (!text)
        return 0;
    const char *at = text;
    const int good = kept_expect(&at, key) && allocate(reference, r)
                     && kept_read_source(&at, &reference->source) && parse_rows(&at, r, reference)
                     && kept_is_whole(text, at);
    free(text);
    return good;
}

/* ---- writing ------------------------------------------------------------------------------ */

typedef struct { const request *r; const dae_reference *reference; } solved;

static void write_body(FILE *out, const void *what)
{
    const request *r = ((const solved *)what)->r;
    const dae_reference *reference = ((const solved *)what)->reference;
    fprintf(out, "source %s\ndigits %.17g\n", reference->source, reference->digits);
    for (int i = 0; i < r->count; i++) {
        fputs("row", out);
        kept_write_quads(out, row(reference->q, i, r->nq), r->nq);
        kept_write_quads(out, row(reference->v, i, r->nv), r->nv);
        kept_write_quads(out, row(reference->lambda, i, r->nl), r->nl);
        fputc('\n', out);
    }
}

dae_status dae_cached_reference(dae_reference *reference, dae_system *sys, double t0,
                                const double *u0, const double *times, int count,
                                const dae_reference_watch *watch, int *from_cache,
                                dae_report *report)
{
    const dae_problem *problem = dae_system_problem(sys);
    const int nq = dae_system_positions(sys), nl = dae_system_multipliers(sys);
    const request r = {.sys = sys, .t0 = t0, .u0 = u0, .times = times, .count = count,
                       .nq = nq ? nq : problem->first_order.n, .nv = nq, .nl = nq ? nl : 0};
    const int known = !dae_system_user_data(sys);       /* a key says nothing of a user's data */
    char *key = count > 0 && known ? make_key(&r) : NULL;
    char *path = key ? cache_path(&r, key) : NULL;
    memset(reference, 0, sizeof *reference);
    int found = path && read_reference(path, key, &r, reference), lock = -1;
    dae_status status = DAE_OK;
    if (!found && path) {                               /* another process may be at it */
        dae_reference_free(reference);
        lock = kept_lock(path);
        found = lock >= 0 && read_reference(path, key, &r, reference);
    }
    if (!found) {
        dae_reference_free(reference);
        status = dae_reference_solve_watched(reference, sys, t0, u0, times, count, watch, report);
        if (status == DAE_OK && path)
            kept_write(path, key, write_body, &(solved){&r, reference});
    }
    kept_unlock(path, lock);
    if (from_cache)
        *from_cache = found;
    free(path);
    free(key);
    return status;
}
