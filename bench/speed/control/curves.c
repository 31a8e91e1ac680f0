/* curves.c - the work of a method against the true error of its steps, over tolerances */
#include "curves.h"

#include "stepper/solver.h"
#include "system/system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PIECES = 20000, SAMPLES = 16, MOST_STEPS = 20000 };
static const double TIGHT = 1e-12, SMALL = 1e-2;

static double node(int j) { return 0.5 - 0.5 * cos(M_PI * j / (NODES - 1)); }

/* ---- the solution -------------------------------------------------------------------------- */

typedef struct {
    subject *s;
    dae_solver *solver;
    double *work;
} recorder;

static int grow(subject *s)
{
    if (s->pieces < s->room)
        return 1;
    const int room = s->room ? 2 * s->room : 256;
    double *t = realloc(s->t, ((size_t)room + 1) * sizeof *t);
    if (t)
        s->t = t;
    double *u = t ? realloc(s->u, (size_t)room * NODES * (size_t)s->n * sizeof *u) : NULL;
    if (u) {
        s->u = u;
        s->room = room;
    }
    return u != NULL;
}

static int record(void *context, double t, const double *end)
{
    recorder *r = context;
    subject *s = r->s;
    if (s->pieces >= MOST_PIECES || !grow(s))
        return 1;
    const double begin = s->t[s->pieces];
    double *u = s->u + (size_t)s->pieces * NODES * (size_t)s->n;
    for (int j = 0; j < NODES; j++, u += s->n) {
        if (dae_solver_interpolate(r->solver, j == NODES - 1 ? t : begin + node(j) * (t - begin), u))
            return 1;
        for (int i = 0; i < s->n; i++)
            s->size[i] = fmax(s->size[i], fabs(u[i]));
    }
    (void)end;
    s->t[++s->pieces] = t;
    return 0;
}

static dae_options options_at(const subject *s, double rtol, double *atols)
{
    dae_options o = dae_default_options();
    for (int i = 0; i < s->n; i++)
        atols[i] = rtol * (s->size[i] > 0 ? SMALL * s->size[i] : 1);
    o.rtol = rtol;
    o.atols = atols;
    o.max_steps = MOST_STEPS;
    return o;
}

/* The implicit method of the highest order that chooses its steps. */
static const dae_method *most_accurate(void)
{
    const dae_method *best = NULL;
    double highest = 0;
    for (int i = 0; dae_method_at(i); i++) {
        const dae_method_info info = dae_method_describe(dae_method_at(i));
        const double order = info.order[0][DAE_DIFFERENTIAL];
        if (info.adaptive && info.implicit && info.fixed && order > highest) {
            highest = order;
            best = dae_method_at(i);
        }
    }
    return best;
}

static dae_status run_reference(subject *s, double *work)
{
    dae_options o = options_at(s, TIGHT, work);
    dae_solver *solver = NULL;
    recorder r = {.s = s};
    dae_status status = dae_solver_create(&solver, s->sys, most_accurate(), &o, NULL);
    if (!status) {
        r.solver = solver;
        dae_solver_observe(solver, record, &r);
        s->pieces = 0;
        if (!grow(s))
            status = DAE_NO_MEMORY;
        else
            s->t[0] = s->problem->t0;
    }
    if (!status)
        status = dae_solver_start(solver, s->problem->t0, s->start);
    if (!status)
        status = dae_solver_advance(solver, s->problem->t_end, work);
    dae_solver_free(solver);
    return status;
}

/* Twice: the first tells the sizes, from which absolute tolerances follow. */
static int solve_reference(subject *s)
{
    double *work = calloc(2 * (size_t)s->n, sizeof *work);
    int good = work != NULL;
    for (int i = 0; good && i < s->n; i++)
        s->size[i] = fabs(s->start[i]);
    for (int k = 0; good && k < 2; k++)
        good = run_reference(s, work) == DAE_OK;
    free(work);
    return good;
}

int subject_create(subject *s, const dae_problem *problem, const dae_formulation *form)
{
    *s = (subject){.problem = problem, .form = form};
    if (dae_system_create(&s->sys, problem, form, NULL, NULL, NULL))
        return 0;
    s->n = dae_system_size(s->sys);
    s->start = calloc(2 * (size_t)s->n, sizeof *s->start);
    s->size = s->start ? s->start + s->n : NULL;
    const int good = s->start && !dae_system_start(s->sys, s->start, NULL)
                     && !dae_consistent_start(s->sys, problem->t0, s->start, NULL, NULL) && solve_reference(s);
    if (!good)
        subject_free(s);
    return good;
}

void subject_free(subject *s)
{
    dae_system_free(s->sys);
    free(s->t);
    free(s->u);
    free(s->start);
    *s = (subject){0};
}

/* Barycentric interpolation in the points of the cosine. */
static void solution_at(const subject *s, double t, double *u)
{
    int low = 0, high = s->pieces;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        *(s->t[middle] <= t ? &low : &high) = middle;
    }
    const double x = (t - s->t[low]) / (s->t[low + 1] - s->t[low]);
    const double *v = s->u + (size_t)low * NODES * (size_t)s->n;
    double sum = 0;
    memset(u, 0, (size_t)s->n * sizeof *u);
    for (int j = 0; j < NODES; j++, v += s->n) {
        const double d = x - node(j);
        if (d == 0) {
            memcpy(u, v, (size_t)s->n * sizeof *u);
            return;
        }
        const double w = (j % 2 ? -1 : 1) * (j == 0 || j == NODES - 1 ? 0.5 : 1) / d;
        sum += w;
        for (int i = 0; i < s->n; i++)
            u[i] += w * v[i];
    }
    for (int i = 0; i < s->n; i++)
        u[i] /= sum;
}

/* ---- a run --------------------------------------------------------------------------------- */

typedef struct {
    const subject *s;
    double *right;              /* [n] */
    int next, count;            /* point of time that is waited for; errors seen */
    double sum, last;           /* of their ln; the last */
} watcher;

/* Points where a tight run has had an equal part of its steps. */
static double sample_time(const subject *s, int k) { return s->t[(long)s->pieces * k / SAMPLES]; }

static int look(void *context, double t, const double *u)
{
    watcher *w = context;
    const subject *s = w->s;
    if (w->next > SAMPLES || (t < sample_time(s, w->next) && t < s->problem->t_end))
        return 0;
    while (w->next <= SAMPLES && sample_time(s, w->next) <= t)
        w->next++;
    double sum = 0;
    int count = 0;
    solution_at(s, t, w->right);
    for (int i = 0; i < s->n; i++)
        if (!dae_system_is_algebraic(s->sys, i) && s->size[i] > 0) {
            const double e = (u[i] - w->right[i]) / (fabs(w->right[i]) + SMALL * s->size[i]);
            sum += e * e;
            count++;
        }
    w->last = 0.5 * log(fmax(sum / count, 1e-32));
    w->sum += w->last;
    w->count++;
    return 0;
}

/* Operations, by what a dense real system of this size takes. */
static double work_of(const subject *s, const dae_statistics *c)
{
    const double n = s->n, F = 20 * n;
    const double tries = (double)(c->steps + c->rejected);
    return (double)c->rhs * F + (double)c->jacobians * F * (1 + n / 4)
           + (double)c->factorizations * (2 * n * n * n / 3 + 4 * n * n)
           + (double)c->solves * 2 * n * n + tries * 20 * n;
}

static dae_status run(const subject *s, dae_solver *solver, watcher *w, double *u)
{
    dae_solver_observe(solver, look, w);
    const dae_status status = dae_solver_start(solver, s->problem->t0, s->start);
    return status ? status : dae_solver_advance(solver, s->problem->t_end, u);
}

run_point run_at(const subject *s, const dae_method *method, const dae_controller *controller, double rtol)
{
    double *atols = calloc(3 * (size_t)s->n, sizeof *atols);
    run_point point = {0};
    dae_solver *solver = NULL;
    if (!atols)
        return point;
    const dae_options o = options_at(s, rtol, atols);
    watcher w = {.s = s, .right = atols + s->n, .next = 1};
    if (!dae_solver_create(&solver, s->sys, method, &o, NULL)) {
        driver(solver)->controller = controller;
        if (!run(s, solver, &w, atols + 2 * s->n)) {
            const dae_statistics count = dae_solver_statistics(solver);
            point = (run_point){.valid = 1, .work = log(work_of(s, &count)), .error = w.sum / w.count, .end = w.last,
                                .steps = count.steps, .rejected = count.rejected};
        }
    }
    dae_solver_free(solver);
    free(atols);
    return point;
}
