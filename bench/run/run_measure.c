/* run_measure.c - states of a run by class, their errors, and what rounding makes of them
 *
 * Rounding: the run is made once more from a start that is another in its last bits. From the first
 * step on all its roundings are others, so that what the two differ by is sqrt 2 times what
 * rounding makes of either, in each class of variable: however the method, the problem and the
 * index carry it on.
 */
#include "run/run_measure.h"

#include "host/allocate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double run_sample_time(const study *s, int k)
{
    return k == RUN_SAMPLES ? s->t_end : s->t0 + k * (s->t_end - s->t0) / RUN_SAMPLES;
}

void run_keep_values(run_result *r, int k, const double *x, int count, double factor)
{
    if (count == 0)
        return;
    r->values[k] = allocate_again(r->values[k], (size_t)(r->length[k] + count), sizeof *x);
    for (int i = 0; i < count; i++)
        r->values[k][r->length[k]++] = factor * x[i];
}

/* Keep the end state by class; values[c] is allocated here. */
static void keep(run_result *r, dae_class c, const double *x, int count)
{
    run_keep_values(r, (int)c, x, count, 1);
}

static dae_status keep_mechanical(run_result *r, dae_system *sys, double t, const double *u)
{
    const int nq = dae_system_positions(sys), nl = dae_system_multipliers(sys);
    double *q = allocate(3 * (size_t)nq + 2 * (size_t)nl, sizeof *q);
    double *v = q + nq, *a = v + nq, *lambda = a + nq, *recovered = lambda + nl;
    const dae_status status = dae_system_split(sys, t, u, q, v, lambda);
    keep(r, DAE_POSITION, q, status ? 0 : nq);
    keep(r, DAE_VELOCITY, v, status ? 0 : nq);
    if (!status && dae_system_class(sys, dae_system_size(sys) - 1) != DAE_VELOCITY)
        keep(r, DAE_MULTIPLIER, lambda, nl);            /* minimal coordinates have no raw one */
    if (!status && dae_system_accelerate(sys, t, q, v, a, recovered) == DAE_OK)
        keep(r, DAE_RECOVERED, recovered, nl);
    free(q);
    return status;
}

static dae_status keep_first_order(run_result *r, dae_system *sys, const double *u)
{
    const int n = dae_system_size(sys);
    double *x = allocate((size_t)n, sizeof *x);
    for (dae_class c = DAE_DIFFERENTIAL; c <= DAE_ALGEBRAIC; c++) {
        int count = 0;
        for (int i = 0; i < n; i++)
            if (dae_system_class(sys, i) == c)
                x[count++] = u[i];
        keep(r, c, x, count);
    }
    free(x);
    return DAE_OK;
}

dae_status run_keep(run_result *r, dae_system *sys, double t, const double *u)
{
    return dae_system_positions(sys) ? keep_mechanical(r, sys, t, u) : keep_first_order(r, sys, u);
}

/* error[k] := max |x - x_ref|; scale[k] := max |x_ref|; mixed by atol/rtol, 1 for fixed steps */
static void begin_compare(run_result *r, int k)
{
    if (r->values[k])
        r->error[k] = r->scale[k] = r->relative[k] = r->mixed[k] = r->norm[k] = 0;
}

/* Of which values of a run the reference is: of the unknowns, or of their derivatives by parameter number part. */
typedef struct {
    const study *s;
    run_result *r;
    int first, part, parts;
} measuring;

/* Value i of the class. */
static void compare_one(const measuring *m, dae_class c, int i, dae_quad reference)
{
    run_result *r = m->r;
    const int k = m->first + (int)c;
    if (!r->values[k])
        return;
    const double error = fabs((double)((dae_quad)r->values[k][m->part * (r->length[k] / m->parts) + i] - reference));
    const double scale = fabs((double)reference);
    const double absolute = isnan(r->rtol) ? 1 : run_absolute_at(&m->s->absolute, c, i, r->rtol);
    r->error[k] = fmax(r->error[k], error);
    r->norm[k] = hypot(r->norm[k], error);
    r->scale[k] = fmax(r->scale[k], scale);
    if (scale > 0)
        r->relative[k] = fmax(r->relative[k], error / scale);
    r->mixed[k] = fmax(r->mixed[k], error / (absolute + scale));
}

static void compare(const measuring *m, dae_class c, const dae_quad *reference)
{
    for (int i = 0; i < m->r->length[m->first + (int)c] / m->parts; i++)
        compare_one(m, c, i, reference[i]);
}

/* Unknowns of the classes stand among each other. */
static void compare_first_order(const measuring *m, dae_system *sys, const dae_quad *reference)
{
    int count[DAE_CLASSES] = {0};
    for (int i = 0; i < dae_system_size(sys); i++) {
        const dae_class c = dae_system_class(sys, i);
        if (c == DAE_DIFFERENTIAL || c == DAE_ALGEBRAIC)
            compare_one(m, c, count[c]++, reference[i]);
    }
}

static void compare_all(const measuring *m, const dae_reference *reference, int k, dae_system *sys)
{
    const dae_quad *q = reference->q + k * reference->nq;
    if (!dae_system_positions(sys)) {
        compare_first_order(m, sys, q);
        return;
    }
    const dae_quad *lambda = reference->lambda + k * reference->nl;
    compare(m, DAE_POSITION, q);
    compare(m, DAE_VELOCITY, reference->v + k * reference->nq);
    compare(m, DAE_MULTIPLIER, lambda);
    compare(m, DAE_RECOVERED, lambda);
}

void run_measure(const study *s, const dae_reference *reference, int k, run_result *r,
                 dae_system *sys)
{
    const int parts = s->along ? s->setting->sensitivities : 0;
    const int last = run_is_smooth(s->setting->problem) ? RUN_SAMPLES - 1 : 0;
    for (int c = 0; c < (s->along ? RUN_CLASSES : DAE_CLASSES); c++)
        begin_compare(r, c);
    compare_all(&(measuring){s, r, 0, 0, 1}, reference, k, sys);
    for (int p = 0; p < parts; p++)
        compare_all(&(measuring){s, r, RUN_DERIVATIVES, p, parts}, &s->along[p], reference == &s->path ? k : last, sys);
    for (int c = 0; s->along && c < DAE_CLASSES; c++)
        r->noise[RUN_DERIVATIVES + c] = s->along_error[c];
}

void run_clear(run_result *r)
{
    run_events *e = &r->events;
    e->error = e->norm = e->noise = NAN;
    for (int c = 0; c < DAE_CLASSES; c++)
        e->after[c] = e->after_norm[c] = e->after_noise[c] = e->after_scale[c] = NAN;
    for (int c = 0; c < RUN_CLASSES; c++)
        r->error[c] = r->scale[c] = r->relative[c] = r->mixed[c] = r->norm[c] = r->path[c] = r->noise[c] = NAN;
}

void run_free(run_result *r)
{
    for (int c = 0; c < RUN_CLASSES; c++)
        free(r->values[c]);
    memset(r->values, 0, sizeof r->values);
    free(r->events.at);
    r->events = (run_events){.count = 0};
}

/* ---- samples: the states of a run at so many of the times of the path, the last ones of them */

typedef struct {
    int count;
    run_result at[RUN_SAMPLES];
} samples;

static void free_samples(samples *x)
{
    for (int k = 0; k < RUN_SAMPLES; k++)
        run_free(&x->at[k]);
}

/* With a stop at each sample: there steps must end, or the multipliers would see a shorter one. */
static dae_status run_to_samples(const study *s, dae_solver *solver, run_derivatives *along, dae_system *sys,
                                 double *u, samples *x)
{
    dae_status status = derivatives_start(along, solver, s->t0, u);
    for (int k = 0; !status && k < x->count; k++) {
        run_result *here = &x->at[k];
        const int row = RUN_SAMPLES - x->count + k;
        const double t = run_sample_time(s, row + 1);
        here->rtol = NAN;
        run_clear(here);
        status = dae_solver_advance(solver, t, u);
        if (!status)
            status = run_keep(here, sys, t, u);
        if (!status)
            status = derivatives_keep(along, s->setting, sys, t, u, here);
        if (!status)
            run_measure(s, &s->path, row, here, sys);
    }
    return status;
}

void run_change_last_bits(int n, double *u)
{
    for (int i = 0; i < n; i++)
        if (u[i] != 0)
            u[i] = nextafter(u[i], i % 2 ? INFINITY : -INFINITY);
}

static double square(double x)
{
    return x * x;
}

/* r->path from x, which is left out where there is one sample only, and r->noise from both. */
static void compare_samples(const samples *x, const samples *y, int c, run_result *r)
{
    double noise = 0, error = 0;
    if (!x->at[0].values[c])
        return;
    for (int k = 0; k < x->count; k++) {
        const run_result *a = &x->at[k], *b = &y->at[k];
        for (int i = 0; i < a->length[c]; i++)
            noise += square(a->values[c][i] - b->values[c][i]) / (2 * x->count);
        error += square(a->norm[c]) / x->count;
        r->path_scale[c] = fmax(r->path_scale[c], a->scale[c]);
    }
    r->noise[c] = c < RUN_DERIVATIVES ? sqrt(noise) : fmax(sqrt(noise), x->at[0].noise[c]);
    if (x->count > 1)
        r->path[c] = sqrt(error);
}

dae_status run_sample(const study *s, dae_solver *solver, run_derivatives *along, dae_system *sys,
                      const double *u0, double *u, run_result *r)
{
    const int n = dae_system_size(sys);
    samples x = {.count = r->count.steps % RUN_SAMPLES ? 1 : RUN_SAMPLES}, y = {.count = x.count};
    if (!s->sampled || isnan(r->step))
        return DAE_OK;
    memcpy(u, u0, (size_t)n * sizeof *u);
    dae_status status = run_to_samples(s, solver, along, sys, u, &x);
    memcpy(u, u0, (size_t)n * sizeof *u);
    run_change_last_bits(n, u);
    if (!status)
        status = run_to_samples(s, solver, along, sys, u, &y);
    for (int c = 0; !status && c < RUN_CLASSES; c++)
        compare_samples(&x, &y, c, r);
    free_samples(&x);
    free_samples(&y);
    return status;
}
