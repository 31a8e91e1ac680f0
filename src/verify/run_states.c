#include "run_states.h"

#include "base/numbers.h"
#include "checks/model_check.h"
#include "daelab/hybrid.h"
#include "daelab/study.h"
#include "driver/other.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* At most so many rows of a mode, steps, unknowns times steps, and tries, undone ones too, for each of these steps:
 * behind them the functions are looked at at random times only. */
enum { MOST_ROWS = 6, MOST_STEPS = 400, MOST_WORK = 400000, MOST_TRIES = 8 };

static const double rtol = 1e-8;

/* Of one mode: every stride-th step is kept; where there is no room, every other one is dropped. */
typedef struct {
    long steps, stride;
    double *p;                  /* [parameters] */
    dae_state_rows *rows;
    double *x;                  /* [MOST_ROWS x m] */
} keeper;

typedef struct {
    dae_subject *modes;
    keeper *of;                 /* [modes] */
    long steps, most;
} run;

/* ---- rows --------------------------------------------------------------------------------- */

void dae_state_rows_free(dae_state_rows *rows)
{
    free(rows->t);
    free(rows->z);
    *rows = (dae_state_rows){0};
}

static void halve(keeper *k, int m)
{
    int kept = 0;
    for (int i = 0; i < k->rows->count; i += 2, kept++) {
        k->rows->t[kept] = k->rows->t[i];
        memmove(k->x + kept * m, k->x + i * m, (size_t)m * sizeof *k->x);
    }
    k->rows->count = kept;
    k->stride *= 2;
}

/* Parameters that an action has changed make rows of before worthless: in them other constraints hold. */
static void renew(keeper *k, const double *p, int parameters)
{
    const size_t bytes = (size_t)parameters * sizeof *p;
    if (memcmp(k->p, p, bytes) == 0)
        return;
    memcpy(k->p, p, bytes);
    k->rows->count = 0;
    k->steps = 0;
    k->stride = 1;
}

static int observe(void *context, dae_hybrid *hybrid)
{
    run *r = context;
    const int mode = dae_hybrid_mode(hybrid), m = r->modes[mode].m;
    keeper *k = r->of + mode;
    renew(k, dae_hybrid_parameters(hybrid), r->modes[mode].parameters);
    if (k->steps++ % k->stride == 0) {
        if (k->rows->count == MOST_ROWS)
            halve(k, m);
        const double t = dae_hybrid_time(hybrid);
        if (dae_hybrid_state(hybrid, t, dae_hybrid_unknowns(hybrid), k->x + k->rows->count * m) == DAE_OK)
            k->rows->t[k->rows->count++] = t;
    }
    return ++r->steps > r->most;
}

/* ---- the run ------------------------------------------------------------------------------ */

/* Tolerances of count unknowns of one kind, in the size of each, or where one hardly moves of all. */
static void set_atols_of(const double *size, int count, double *atols)
{
    const double largest = dae_largest(count, size);
    for (int i = 0; i < count; i++)
        atols[i] = rtol * fmax(size[i], 1e-3 * largest);
}

/* Of (q, v, lambda, a), or of u. */
static void set_atols(const dae_subject *s, double *atols)
{
    const dae_state_places *p = &s->places;
    if (p->nq) {
        set_atols_of(s->size + p->q, p->nq, atols + p->q);
        set_atols_of(s->size + p->v, p->nq, atols + p->v);
        set_atols_of(s->size + p->lambda, p->nl, atols + p->lambda);
        if (dae_system_size(s->sys) > s->m)
            set_atols_of(s->size + p->a, p->nq, atols + p->a);
    } else {
        for (int i = 0; i < p->n; i++)
            atols[i] = rtol * fmax(s->size[i], fabs((double)s->row[i]));
    }
}

static dae_status integrate(run *r, int count, double *atols, dae_report *why)
{
    dae_subject *first = r->modes;
    dae_options options = dae_default_options();
    dae_hybrid *hybrid = NULL;
    options.rtol = rtol;
    options.atols = atols;
    options.max_steps = MOST_TRIES * r->most;
    for (int m = 0; m < count; m++) {
        set_atols(r->modes + m, atols);
        atols += dae_system_size(r->modes[m].sys);
    }
    dae_status status = dae_hybrid_create(&hybrid, first->whole, first->form, first->p,
                                          first->options, dae_other_judge(), &options, why);
    if (!status) {
        dae_hybrid_observe(hybrid, observe, r);
        status = dae_hybrid_start(hybrid, 0, NULL);
        if (!status)
            status = dae_hybrid_advance(hybrid, first->problem.t_end);
        if (status)
            *why = *dae_hybrid_report(hybrid);
    }
    dae_hybrid_free(hybrid);
    return status;
}

/* ---- rows in quad ------------------------------------------------------------------------- */

/* Another start of the subject: its parameters are those of the rows. */
static int take_parameters(dae_subject *s, const double *p)
{
    if (memcmp(s->p, p, (size_t)s->parameters * sizeof *p) == 0)
        return 1;
    if (dae_system_set_parameters(s->sys, p, NULL))
        return 0;
    dae_subject_set_values(s, p);
    return 1;
}

static void hand_over(dae_subject *s, keeper *k)
{
    int kept = 0;
    if (!take_parameters(s, k->p))
        k->rows->count = 0;
    for (int i = 0; i < k->rows->count; i++) {
        dae_quad *z = k->rows->z + (size_t)kept * (size_t)s->m;
        for (int j = 0; j < s->m; j++)
            z[j] = k->x[(size_t)i * (size_t)s->m + (size_t)j];
        k->rows->t[kept] = k->rows->t[i];
        kept += dae_states_sharpen(s, k->rows->t[kept], z);
    }
    k->rows->count = kept;
}

/* ---- all of it ---------------------------------------------------------------------------- */

static int create(run *r, int count, dae_state_rows *rows, size_t *unknowns)
{
    int made = 1;
    size_t largest = 1;
    r->of = calloc((size_t)count, sizeof *r->of);
    for (int m = 0; m < count; m++) {
        const size_t size = (size_t)MOST_ROWS * (size_t)r->modes[m].m;
        rows[m].room = MOST_ROWS;
        rows[m].t = calloc(MOST_ROWS, sizeof *rows[m].t);
        rows[m].z = calloc(size, sizeof *rows[m].z);
        *unknowns += (size_t)dae_system_size(r->modes[m].sys);
        largest = size > largest ? size : largest;
        if (!r->of) {
            made = 0;
            continue;
        }
        keeper *k = r->of + m;
        const size_t parameters = (size_t)r->modes[m].parameters;
        *k = (keeper){.stride = 1, .rows = rows + m, .x = calloc(size, sizeof *k->x),
                      .p = calloc(parameters + 1, sizeof *k->p)};
        if (k->p)
            memcpy(k->p, r->modes[m].p, parameters * sizeof *k->p);
        made &= rows[m].t && rows[m].z && k->x && k->p;
    }
    r->most = (long)fmin(MOST_STEPS, MOST_WORK * (double)MOST_ROWS / (double)largest);
    return made;
}

dae_status dae_run_states(dae_subject *modes, int count, dae_state_rows *rows, dae_report *report)
{
    run r = {.modes = modes};
    size_t unknowns = 0;
    dae_report why = {0};
    const int made = create(&r, count, rows, &unknowns);
    double *atols = calloc(unknowns + 1, sizeof *atols);
    dae_status status = DAE_NO_MEMORY;
    if (made && atols)
        status = integrate(&r, count, atols, &why);
    for (int m = 0; r.of && m < count; m++) {
        if (status != DAE_NO_MEMORY)
            hand_over(modes + m, r.of + m);
        free(r.of[m].x);
        free(r.of[m].p);
    }
    free(r.of);
    free(atols);
    if (status == DAE_NO_MEMORY)
        return dae_fail(report, DAE_NO_MEMORY, "no memory for a run of %s", modes->whole->name);
    if (status < 0)
        dae_subject_tell(modes, 0, "run", 0, NAN, NAN, "%s: a run over the interval ended early, and behind "
                         "that functions are looked at at random times only: %s", modes->name, why.message);
    return DAE_OK;
}
