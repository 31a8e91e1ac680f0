#include "subject.h"

#include "base/numbers.h"
#include "daelab/hybrid.h"
#include "daelab/study.h"

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
    double *x;                  /* [m] a state */
    dae_state_rows *rows;
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
    dae_state_rows *rows = k->rows;
    const int count = rows->count;
    rows->count = 0;
    for (int i = 0; i < count; i += 2, rows->count++) {
        rows->t[rows->count] = rows->t[i];
        memmove(rows->z + rows->count * m, rows->z + i * m, (size_t)m * sizeof *rows->z);
    }
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
    const double t = dae_hybrid_time(hybrid);
    renew(k, dae_hybrid_parameters(hybrid), r->modes[mode].parameters);
    if (k->steps++ % k->stride == 0) {
        if (k->rows->count == MOST_ROWS)
            halve(k, m);
        const int row = k->rows->count;
        if (dae_hybrid_state(hybrid, t, dae_hybrid_unknowns(hybrid), k->x) == DAE_OK) {
            k->rows->t[k->rows->count++] = t;
            for (int j = 0; j < m; j++)
                k->rows->z[row * m + j] = k->x[j];
        }
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
    const int kinds[][2] = {{p->q, p->nq}, {p->v, p->nq}, {p->lambda, p->nl},
                            {p->a, dae_system_size(s->sys) > s->m ? p->nq : 0}};
    for (int k = 0; k < 4; k++)
        set_atols_of(s->size + kinds[k][0], kinds[k][1], atols + kinds[k][0]);
    for (int i = 0; !p->nq && i < p->n; i++)
        atols[i] = rtol * fmax(s->size[i], fabs((double)s->row[i]));
}

const dae_method *dae_one_run_method(void)
{
    int i = 0;
    while (dae_method_at(i) && !(dae_method_describe(dae_method_at(i)).roles & DAE_FOR_ONE_RUN))
        i++;
    return dae_method_at(i);
}

static dae_status integrate(run *r, const double *atols, dae_report *why)
{
    dae_subject *first = r->modes;
    dae_options options = dae_default_options();
    dae_hybrid *hybrid = NULL;
    options.rtol = rtol;
    options.atols = atols;
    options.max_steps = MOST_TRIES * r->most;
    dae_status status = dae_hybrid_create(&hybrid, first->whole, first->form, first->p,
                                          first->options, dae_one_run_method(), &options, why);
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

/* Rows that stay on their constraints. */
static void sharpen(dae_subject *s, keeper *k)
{
    dae_state_rows *rows = k->rows;
    const int count = take_parameters(s, k->p) ? rows->count : 0;
    rows->count = 0;
    for (int i = 0; i < count; i++) {
        dae_quad *z = rows->z + rows->count * s->m;
        memmove(z, rows->z + i * s->m, (size_t)s->m * sizeof *z);
        rows->t[rows->count] = rows->t[i];
        rows->count += dae_states_sharpen(s, rows->t[i], z);
    }
}

/* ---- all of it ---------------------------------------------------------------------------- */

/* Of one mode, with the size of its rows where that is more than most; 0: no memory. */
static int create(keeper *k, const dae_subject *s, dae_state_rows *rows, int *most)
{
    const size_t parameters = (size_t)s->parameters, m = (size_t)s->m;
    *k = (keeper){.stride = 1, .rows = rows, .x = calloc(m, sizeof *k->x), .p = calloc(parameters + 1, sizeof *k->p)};
    rows->t = calloc(MOST_ROWS, sizeof *rows->t);
    rows->z = calloc(MOST_ROWS * m, sizeof *rows->z);
    *most = s->m > *most ? s->m : *most;
    if (k->p)
        memcpy(k->p, s->p, parameters * sizeof *k->p);
    return k->x && k->p && rows->t && rows->z;
}

dae_status dae_run_states(dae_subject *modes, int count, dae_state_rows *rows)
{
    run r = {.modes = modes, .of = calloc((size_t)count, sizeof *r.of)};
    size_t unknowns = 0;
    int made = r.of != NULL, largest = 1;
    dae_report why = {0};
    for (int m = 0; r.of && m < count; m++) {
        made &= create(r.of + m, modes + m, rows + m, &largest);
        unknowns += (size_t)dae_system_size(modes[m].sys);
    }
    r.most = (long)fmin(MOST_STEPS, (double)MOST_WORK / largest);
    double *atols = calloc(unknowns + 1, sizeof *atols), *at = atols;
    made &= atols != NULL;
    for (int m = 0; made && m < count; at += dae_system_size(modes[m++].sys))
        set_atols(modes + m, at);
    const dae_status status = made ? integrate(&r, atols, &why) : DAE_NO_MEMORY;
    for (int m = 0; r.of && m < count; m++) {
        if (status != DAE_NO_MEMORY)
            sharpen(modes + m, r.of + m);
        free(r.of[m].x);
        free(r.of[m].p);
    }
    free(r.of);
    free(atols);
    if (status < 0 && status != DAE_NO_MEMORY)
        dae_tell(&modes->found, 0, 0, "run", 0, NAN, NAN, "%s: a run over the interval ended early, and behind "
                 "that functions are looked at at random times only: %s", modes->name, why.message);
    return status == DAE_NO_MEMORY ? status : DAE_OK;
}
