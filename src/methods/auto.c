/* auto.c - explicit or implicit, as the stiffness met during the run decides
 *
 * Two complete methods share the solver: DOP853 where y' = f(t, y) exists, and Radau IIA of
 * variable order. Where there is no explicit form all steps are Radau's.
 *
 *   to implicit   an explicit step is stiff where h |lambda| > 6.1, the border of stability, or
 *                 where h |lambda| > 1/20 and |k_S - k_0| < h |lambda| |k_S|/50: the solution is
 *                 fifty times as smooth as lambda would make it. 15 stiff steps, with fewer than
 *                 6 others in a row between them, change the method. Estimated from the last two
 *                 stages, both at t + h: |lambda| = |k_S - k_(S-1)|/|y+ - Y_(S-1)|.
 *                 Hairer, Wanner (1996), Solving Ordinary Differential Equations II, IV.2. The
 *                 second rule sees undamped oscillations: errors excite them, and what the step
 *                 then resolves is its own error, well inside the border; the estimate, too, is
 *                 small there, of a difference that is mostly smooth. A step that accuracy of the
 *                 solution limits changes k by more than a thousandth at any tolerance.
 *   to explicit   h rho < 3 in 10 implicit steps in a row: an explicit step, at four or more times
 *                 fewer operations, could be as long or longer. rho, the spectral radius of df/dy,
 *                 by a power iteration carried on from step to step, two evaluations of f in each:
 *                     d := f(t, y + eps v) - f(t, y),  r = |d|/(eps |v|),  v := d
 *                 of which rho^2 is the product of the last two r: for an oscillator x'' = -w^2 x
 *                 the r are w^2 and 1 in turn. Sommeijer, Shampine, Verwer (1998), J. Comput. Appl.
 *                 Math. 88, 315-326, and there the perturbation.
 *
 * All norms count unknowns in units of their size, |y_i| + atol_i/rtol.
 *
 * The gap between 6.1 and 3 and the two counts keep it from going to and fro.
 */
#include "explicit_stepper.h"
#include "base/parts.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double STIFF = 6.1;        /* h |lambda| on the border of DOP853's stability */
static const double SEEN = 0.05;        /* h |lambda| from which a smooth solution means stiff */
static const double SMOOTH = 0.02;
static const double NOT_STIFF = 3;      /* h rho */
enum { STIFF_STEPS = 15, FORGET = 6, NOT_STIFF_STEPS = 10 };

enum { EXPLICIT, IMPLICIT, PARTS };
extern const dae_method dae_dop853, dae_radau, dae_auto;
static const dae_method *const parts[PARTS] = {&dae_dop853, &dae_radau};

typedef struct {
    void *stepper[PARTS];       /* NULL where not needed so far */
    int ny;                     /* unknowns of the explicit form; 0: there is none */
    int part, last;             /* of the next step, of the last step kept */
    int stiff, others;          /* steps counted for, and against */
    double quotient;            /* r of the step before; 0: none */
    double *v, *f, *y, *d;      /* [ny], [ny], [n], [ny]: direction, f(t, y), work */
    double *begun;              /* [n] the begin of the step just kept */
    double *weight;             /* [ny] 1/size of each unknown */
    int directed;               /* v is a direction */
} automatic;

/* ---- the parts ----------------------------------------------------------------------------- */

/* The solver as part p sees it, and back. */
static automatic *enter(dae_solver *s, int p)
{
    automatic *a = s->stepper;
    s->stepper = a->stepper[p];
    s->method = parts[p];
    return a;
}

static void leave(dae_solver *s, automatic *a, int p)
{
    a->stepper[p] = s->stepper;
    s->stepper = a;
    s->method = &dae_auto;
}

static dae_status create_part(dae_solver *s, int p)
{
    automatic *a = s->stepper;
    if (a->stepper[p])
        return DAE_OK;
    enter(s, p);
    const dae_status status = s->method->create(s);
    leave(s, a, p);
    return status;
}

/* Begin with part p at (t, u). */
static dae_status start_part(dae_solver *s, int p)
{
    automatic *a = s->stepper;
    dae_status status = create_part(s, p);
    a->part = p;
    a->stiff = a->others = 0;
    a->quotient = 0;
    a->directed = 0;
    if (status)
        return status;
    enter(s, p);
    status = s->method->start(s);
    leave(s, a, p);
    return status;
}

static dae_status auto_create(dae_solver *s)
{
    const size_t ny = (size_t)dae_system_explicit_size(s->sys), n = (size_t)s->n;
    automatic *a = s->stepper = DAE_RECORD(automatic,
        DAE_PART(automatic, v, ny), DAE_PART(automatic, f, ny), DAE_PART(automatic, d, ny), DAE_PART(automatic, y, n),
        DAE_PART(automatic, begun, n), DAE_PART(automatic, weight, ny));
    if (!a)
        return dae_fail(&s->report, DAE_NO_MEMORY, "no memory for auto");
    a->ny = (int)ny;
    /* a Jacobian that does not exist is refused before the run and not in it */
    const int both = s->options.jacobian == DAE_JACOBIAN_ANALYTIC;
    dae_status status = ny ? create_part(s, EXPLICIT) : DAE_OK;
    if (!status && (both || !ny))
        status = create_part(s, IMPLICIT);
    return status;
}

static void auto_destroy(dae_solver *s)
{
    automatic *a = s->stepper;
    if (!a)
        return;
    for (int p = 0; p < PARTS; p++) {
        enter(s, p);
        s->method->destroy(s);                          /* NULL is fine */
        leave(s, a, p);
    }
    free(a);
    s->stepper = NULL;
}

static dae_status auto_start(dae_solver *s)
{
    automatic *a = s->stepper;
    a->last = a->ny ? EXPLICIT : IMPLICIT;
    return start_part(s, a->last);
}

static void auto_follow(dae_solver *s, const void *stepper)
{
    const automatic *other = stepper;
    automatic *a = s->stepper;
    if (a->last == IMPLICIT || other->last == EXPLICIT)
        return;
    if (start_part(s, IMPLICIT)) {
        a->part = a->last;                              /* which has been started */
        return;
    }
    a->last = IMPLICIT;
    enter(s, IMPLICIT);
    s->method->follow(s, other->stepper[IMPLICIT]);
    leave(s, a, IMPLICIT);
}

static dae_status auto_step(dae_solver *s, double h, double t_stop)
{
    automatic *a = enter(s, ((automatic *)s->stepper)->part);
    s->error_order = s->method->error_order;
    const dae_status status = s->method->step(s, h, t_stop);
    leave(s, a, a->part);
    return status;
}

static dae_status auto_refine(dae_solver *s)
{
    automatic *a = enter(s, ((automatic *)s->stepper)->last);
    const dae_status status = s->method->refine ? s->method->refine(s) : DAE_OK;
    leave(s, a, a->last);
    return status;
}

/* Before accepted: the step is that of a->part. */
static dae_status auto_vary(dae_solver *s, struct dae_variation *v)
{
    automatic *a = enter(s, ((automatic *)s->stepper)->part);
    const dae_status status = s->method->vary(s, v);
    leave(s, a, a->part);
    return status;
}

/* The part, and what it chose */
static int auto_shape(const dae_solver *s, const double **numbers, int *count)
{
    const automatic *a = s->stepper;
    dae_solver of_part = *s;
    of_part.stepper = a->stepper[a->part];
    return a->part + PARTS * (parts[a->part]->shape ? parts[a->part]->shape(&of_part, numbers, count) : 0);
}

static dae_status auto_take_shape(dae_solver *s, int shape, const double *numbers)
{
    const int p = shape % PARTS;
    dae_status status = p == ((automatic *)s->stepper)->part ? DAE_OK : start_part(s, p);
    automatic *a = enter(s, p);
    if (!status && s->method->take_shape)
        status = s->method->take_shape(s, shape / PARTS, numbers);
    leave(s, a, p);
    return status;
}

static dae_status auto_interpolate(dae_solver *s, double t, double *u)
{
    automatic *a = enter(s, ((automatic *)s->stepper)->last);
    const dae_status status = s->method->interpolate(s, t, u);
    leave(s, a, a->last);
    return status;
}

/* ---- stiffness ----------------------------------------------------------------------------- */

/* At (t, u). */
static void weigh(const dae_solver *s, automatic *a)
{
    for (int i = 0; i < a->ny; i++)
        a->weight[i] = 1 / (fabs(s->u[i]) + s->atol[i] / s->options.rtol);
}

static double norm(const automatic *a, const double *x)
{
    double sum = 0;
    for (int i = 0; i < a->ny; i++)
        sum += a->weight[i] * x[i] * a->weight[i] * x[i];
    return sqrt(sum);
}

static double distance(const automatic *a, const double *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i < a->ny; i++) {
        const double d = a->weight[i] * (x[i] - y[i]);
        sum += d * d;
    }
    return sqrt(sum);
}

/* Was the explicit step just kept a stiff one? To be asked as its part. */
static int step_was_stiff(dae_solver *s, automatic *a)
{
    const int ny = a->ny, S = ((const dae_tableau *)s->method->tableau)->stages;
    const double *k = dae_explicit_stages(s, a->d), *k_S = k + S * ny;
    weigh(s, a);
    const double dy = distance(a, s->u, a->d), h = s->t - s->t_old;
    const double h_lambda = dy > 0 ? h * distance(a, k_S, k_S - ny) / dy : 0;
    return h_lambda > STIFF
           || (h_lambda > SEEN && distance(a, k_S, k) < SMOOTH * h_lambda * norm(a, k_S));
}

/* Is it time for implicit steps? */
static int has_become_stiff(automatic *a, int stiff)
{
    if (stiff) {
        a->others = 0;
        return ++a->stiff >= STIFF_STEPS;
    }
    if (++a->others >= FORGET)
        a->stiff = 0;
    return 0;
}

/* f[ny] at (t, y[n]), the multipliers written behind y; 0 where it does not exist there. */
static int derivative(dae_solver *s, double *y, double *f)
{
    const automatic *a = s->stepper;
    s->count.rhs++;
    return !dae_system_explicit_rhs(s->sys, s->t, y, f, y + a->ny) && isfinite(norm(a, f));
}

/* One more power iteration at (t, u): rho; infinite where it is not known. */
static double spectral_radius(dae_solver *s)
{
    automatic *a = s->stepper;
    weigh(s, a);
    for (int i = 0; !a->directed && i < a->ny; i++)
        a->v[i] = (i % 2 ? -1 : 1) / a->weight[i];
    a->directed = 1;
    const double v = norm(a, a->v), eps = sqrt(DBL_EPSILON * a->ny) / v;
    const double before = a->quotient;
    a->quotient = 0;
    for (int i = 0; i < s->n; i++)
        a->y[i] = s->u[i];
    if (!derivative(s, a->y, a->f))
        return INFINITY;
    for (int i = 0; i < a->ny; i++)
        a->y[i] = s->u[i] + eps * a->v[i];
    if (!derivative(s, a->y, a->d))
        return INFINITY;
    for (int i = 0; i < a->ny; i++)
        a->d[i] = (a->d[i] - a->f[i]) / eps;
    const double d = norm(a, a->d);
    if (!(d > 0))
        return 0;                                       /* v stays */
    for (int i = 0; i < a->ny; i++)
        a->v[i] = a->d[i] / d;
    a->quotient = d / v;
    return before > 0 ? sqrt(before * a->quotient) : INFINITY;
}

/* Is it time for explicit steps? */
static int has_become_easy(automatic *a, double h_rho)
{
    a->others = h_rho < NOT_STIFF ? a->others + 1 : 0;
    return a->others >= NOT_STIFF_STEPS;
}

/* From (t, u) on with the other part, with a step no longer than the last method's. A start takes
 * u_old for scratch, where dense output of the step just kept begins. */
static dae_status change(dae_solver *s)
{
    automatic *a = s->stepper;
    const double h = s->h;
    const size_t size = (size_t)s->n * sizeof *s->u_old;
    memcpy(a->begun, s->u_old, size);
    const dae_status status = start_part(s, 1 - a->part);
    memcpy(s->u_old, a->begun, size);
    s->count.switches++;
    dae_control_forget(&driver(s)->control);
    s->h = s->h > 0 ? fmin(s->h, h) : h;
    return status;
}

static dae_status auto_accepted(dae_solver *s)
{
    automatic *a = enter(s, ((automatic *)s->stepper)->part);
    const int explicit_step = a->part == EXPLICIT;
    const dae_status status = s->method->accepted(s);
    const int stiff = explicit_step && !status && step_was_stiff(s, a);
    leave(s, a, a->part);
    a->last = a->part;
    s->count.explicit_steps += explicit_step;
    if (status || !a->ny)
        return status;
    const int now = explicit_step ? has_become_stiff(a, stiff)
                                  : has_become_easy(a, s->h * spectral_radius(s));
    return now ? change(s) : DAE_OK;
}

const dae_method dae_auto = {
    .info = {.name = "auto", .title = "dop853, and radau where it finds the system stiff",
             .citation = "Hairer, Wanner (1996), Solving Ordinary Differential Equations II, IV.2",
             .stages = 12, .adaptive = 1, .implicit = 1, .switches = 1},
    .create = auto_create, .start = auto_start, .follow = auto_follow, .step = auto_step,
    .accepted = auto_accepted, .refine = auto_refine, .vary = auto_vary, .shape = auto_shape,
    .take_shape = auto_take_shape, .interpolate = auto_interpolate, .destroy = auto_destroy,
};
