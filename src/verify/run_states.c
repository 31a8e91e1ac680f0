#include "subject.h"

#include "base/numbers.h"
#include "base/parts.h"
#include "daelab/hybrid.h"
#include "daelab/study.h"
#include "driver/guards.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* At most so many rows of a mode, steps, unknowns times steps, and tries, undone ones too, for each of these steps:
 * behind them the functions are looked at at random times only. */
enum { MOST_ROWS = 6, MOST_STEPS = 400, MOST_WORK = 400000, MOST_TRIES = 8 };

static const double rtol = 1e-8;

typedef struct {
    dae_subject *modes;
    dae_state_rows *rows;       /* [modes] every stride-th step is kept; without room every other one is dropped */
    double *x;                  /* [the largest m] a state */
    long steps, most;
} run;

/* ---- rows --------------------------------------------------------------------------------- */

void dae_state_rows_free(dae_state_rows *rows)
{
    free(rows->t);
    *rows = (dae_state_rows){0};
}

/* Row i becomes the last one. */
static void keep(dae_state_rows *rows, int i, int m)
{
    rows->t[rows->count] = rows->t[i];
    memmove(rows->z + rows->count * m, rows->z + i * m, (size_t)m * sizeof *rows->z);
}

static void halve(dae_state_rows *rows, int m)
{
    const int count = rows->count;
    rows->count = 0;
    for (int i = 0; i < count; i += 2, rows->count++)
        keep(rows, i, m);
    rows->stride *= 2;
}

/* Parameters that an action has changed make rows of before worthless: in them other constraints hold. */
static void renew(dae_state_rows *rows, const double *p, int parameters)
{
    const size_t bytes = (size_t)parameters * sizeof *p;
    if (memcmp(rows->p, p, bytes) == 0)
        return;
    memcpy(rows->p, p, bytes);
    rows->count = 0;
    rows->steps = 0;
    rows->stride = 1;
}

static int observe(void *context, dae_hybrid *hybrid)
{
    run *r = context;
    const int mode = dae_hybrid_mode(hybrid), m = r->modes[mode].m;
    const double t = dae_hybrid_time(hybrid);
    dae_state_rows *rows = r->rows + mode;
    renew(rows, dae_hybrid_parameters(hybrid), r->modes[mode].parameters);
    if (rows->steps++ % rows->stride == 0) {
        if (rows->count == MOST_ROWS)
            halve(rows, m);
        if (dae_hybrid_state(hybrid, t, dae_hybrid_unknowns(hybrid), r->x) == DAE_OK) {
            for (int j = 0; j < m; j++)
                rows->z[rows->count * m + j] = r->x[j];
            rows->t[rows->count++] = t;
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

static dae_status integrate(run *r, const double *atols, dae_report *why)
{
    dae_subject *first = r->modes;
    dae_options options = dae_default_options();
    dae_hybrid *hybrid = NULL;
    options.rtol = rtol;
    options.atols = atols;
    options.max_steps = MOST_TRIES * r->most;
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

/* Rows that stay on their constraints. */
static void sharpen(dae_subject *s, dae_state_rows *rows)
{
    const int count = take_parameters(s, rows->p) ? rows->count : 0;
    rows->count = 0;
    for (int i = 0; i < count; i++) {
        keep(rows, i, s->m);
        rows->count += dae_states_sharpen(s, rows->t[rows->count], rows->z + rows->count * s->m);
    }
}

/* ---- all of it ---------------------------------------------------------------------------- */

/* Room for the rows of one mode; 0: no memory. */
static int create(dae_state_rows *rows, const dae_subject *s)
{
    const size_t parameters = (size_t)s->parameters;
    *rows = (dae_state_rows){.stride = 1};
    if (!DAE_PARTS(rows, DAE_PART(dae_state_rows, t, MOST_ROWS), DAE_PART(dae_state_rows, z, MOST_ROWS * s->m),
                   DAE_PART(dae_state_rows, p, parameters)))
        return 0;
    memcpy(rows->p, s->p, parameters * sizeof *rows->p);
    return 1;
}

dae_status dae_run_states(dae_subject *modes, int count, dae_state_rows *rows)
{
    run r = {.modes = modes, .rows = rows};
    size_t unknowns = 1;
    int made = 1, largest = 1;
    dae_report why = {0};
    for (int m = 0; m < count; m++) {
        made &= create(rows + m, modes + m);
        unknowns += (size_t)dae_system_size(modes[m].sys);
        largest = modes[m].m > largest ? modes[m].m : largest;
    }
    r.most = (long)fmin(MOST_STEPS, (double)MOST_WORK / largest);
    double *atols = calloc(unknowns + (size_t)largest, sizeof *atols), *at = atols;
    r.x = atols + unknowns;
    made &= atols != NULL;
    for (int m = 0; made && m < count; at += dae_system_size(modes[m++].sys))
        set_atols(modes + m, at);
    const dae_status status = made ? integrate(&r, atols, &why) : DAE_NO_MEMORY;
    for (int m = 0; status != DAE_NO_MEMORY && m < count; m++)
        sharpen(modes + m, rows + m);
    free(atols);
    if (status == DAE_NO_MEMORY)
        return status;
    if (status < 0)
        dae_tell(&modes->found, 0, 0, "run", 0, NAN, NAN, "%s: a run over the interval ended early, and behind "
                 "that functions are looked at at random times only: %s", modes->name, why.message);
    return DAE_OK;
}
