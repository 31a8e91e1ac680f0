/* noise.c - effect of rounding errors in F on a run that has reached t_end, or failed
 *
 * Where large terms cancel in F, the error estimate of a method may not contain the rounding errors: stages
 * close to each other round alike, and Newton's iteration ends where F is zero to its last digit. So they
 * are estimated separately. The fourth divided difference of F along a line, with weights of Euclidean
 * length 1, has the magnitude of the noise r in F, as the smooth part of F cancels (Hamming (1973),
 * Numerical Methods for Scientists and Engineers, ch. 10; More, Wild (2011), SIAM J. Sci. Comput. 33,
 * 1292-1314). The points are not equidistant, since a rounding error that is a staircase with steps of
 * equal width may be linear at equidistant points. The lines lie on both sides of the state, as a
 * discontinuity of F or of its derivative affects only one of them.
 *
 * In a step of size h the noise changes u by x with (M - a h J) x = a h r, a = (1 + i)/2. N steps, with
 * random signs and except for damped components, change it by N^(1/2) times as much, as one step of size
 * N^(1/2) h does. An unknown of index k is scaled as in the error norm, with the mean step size.
 *
 * This is done at the last state, and in longer runs at the last step whose number is a power of two. A first
 * test compares r, row by row, with the change of F by the tolerances of the unknowns; it needs no matrix.
 * Runs of explicit methods with fewer than FEW evaluations are left out: the test would cost a twentieth of
 * the run or more. Their steps are long, and stages far from each other do not round alike, so that the
 * error estimate contains the noise.
 */
#include "guards.h"

#include "jacobian/jacobian.h"
#include "linear/pencil.h"
#include "base/numbers.h"
#include "base/parts.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 5, LINES = 3, OFTEN = 20, FIRST = 32, FEW = 140,
       KEPT = 4096 };           /* most unknowns whose room is kept */
static const double NEAR[] = {1e-4, -3e-6};     /* length of a line, relative to the unknowns */
static const double PLACES[POINTS] = {1, 2.1369, 2.9027, 4.2113, 5.0718};        /* points on it */
static const double FAR_LESS = 1e-3;            /* first test: r over the effect of the tolerances on a row */
static const double SURE = 20;                  /* a run fails if rounding exceeds so many tolerances */
static const double MORE = 1.25;                /* factor of steps between tests in a run of several calls */

typedef struct {
    double *state;              /* [n] stored at time t */
    double t;
    int known;                  /* 1: state and t are set */
    int failed;                 /* 1: the run has failed, and the reason is sought */
    long steps, next, looked;   /* number of accepted steps; at next a state is stored; at the last test */
    double *r, *least, *v, *F, *size, *re, *im;         /* [n] each, one block at r, NULL before F is looked at */
    dae_jacobian *jac;
    dae_pencil *pencil;
} noise;

static noise *own(const dae_solver *s) { return driver(s)->guard[DAE_SEES_NOISE]; }

static dae_status create(dae_solver *s)
{
    if (!s->adaptive)
        return DAE_OK;
    noise *w = driver(s)->guard[DAE_SEES_NOISE] = DAE_RECORD(noise, DAE_PART(noise, state, s->n));
    if (!w)
        return dae_fail(&s->report, DAE_NO_MEMORY, "no memory for %d unknowns", s->n);
    w->next = FIRST;
    return DAE_OK;
}

static dae_status make_room(dae_solver *s)
{
    noise *w = own(s);
    if (w->r || DAE_PARTS(w,
                          DAE_PART(noise, r, s->n), DAE_PART(noise, least, s->n), DAE_PART(noise, v, s->n),
                          DAE_PART(noise, F, s->n), DAE_PART(noise, size, s->n), DAE_PART(noise, re, s->n),
                          DAE_PART(noise, im, s->n)))
        return DAE_OK;
    return dae_fail(&s->report, DAE_NO_MEMORY, "no memory to look at rounding of %d unknowns", s->n);
}

/* Of few unknowns it is kept, so that a second run takes no memory; of many it is given back. */
static void leave_room(const dae_solver *s)
{
    noise *w = own(s);
    if (s->n <= KEPT)
        return;
    free(w->r);
    w->r = NULL;
}

static void release(void *guard)
{
    noise *w = guard;
    if (!w)
        return;
    dae_pencil_free(w->pencil);
    dae_jacobian_free(w->jac);
    free(w->r);
    free(w);
}

/* No tolerance is below the spacing of double numbers at the start. */
static dae_status start(dae_solver *s)
{
    char name[32], unit[32];
    for (int i = 0; i < s->n; i++) {
        const double size = fabs(s->u[i]), tolerance = s->options.rtol * size + s->atol[i];
        if (tolerance >= 2 * DBL_EPSILON * size)
            continue;
        dae_system_unknown(s->sys, i, name, unit, (int)sizeof name);
        return dae_fail(&s->report, DAE_BAD_ARGUMENT, "t = %.9g: the tolerance of row %d (%s), "
                        "%.2g, is below rounding: its value is %.9g", s->t, i + 1, name, tolerance,
                        s->u[i]);
    }
    return DAE_OK;
}

static void kept(dae_solver *s)
{
    noise *w = own(s);
    if (++w->steps < w->next)
        return;
    memcpy(w->state, s->u, (size_t)s->n * sizeof *w->state);
    w->t = s->t;
    w->known = 1;
    w->next = 2 * w->steps;
}

static double tolerance_of(const dae_solver *s, int i)
{
    return s->options.rtol * dae_usual_size(s, i, own(s)->size[i]) + s->atol[i];
}

/* c[POINTS]: the divided difference of points at PLACES, of length 1 */
static void find_weights(double *c)
{
    double sum = 0;
    for (int j = 0; j < POINTS; j++) {
        c[j] = 1;
        for (int k = 0; k < POINTS; k++)
            c[j] /= k == j ? 1 : PLACES[j] - PLACES[k];
        sum += c[j] * c[j];
    }
    for (int j = 0; j < POINTS; j++)
        c[j] /= sqrt(sum);
}

/* r := the fourth difference of F along a random line from u on, in units of the noise of F; 0 where
 * F has no value. */
static int difference(dae_solver *s, double t, const double *u, double near, uint64_t *random)
{
    noise *w = own(s);
    double c[POINTS];
    find_weights(c);
    memset(w->r, 0, (size_t)s->n * sizeof *w->r);
    for (int i = 0; i < s->n; i++)
        w->re[i] = near * dae_random_direction(random) * (w->size[i] + s->atol[i]);
    for (int m = 0; m < POINTS; m++) {
        for (int i = 0; i < s->n; i++)
            w->v[i] = u[i] + PLACES[m] * w->re[i];
        dae_system_rhs(s->sys, t, w->v, w->F);
        for (int i = 0; i < s->n; i++)
            w->r[i] += c[m] * w->F[i];
    }
    s->count.rhs += POINTS;
    return dae_vector_finite(s->n, w->r);
}

/* least := far less than what a tolerance of each unknown makes of M u' - F in steps of H */
static void find_least(dae_solver *s, double t, const double *u, double H)
{
    uint64_t random = 19631101;
    noise *w = own(s);
    for (int i = 0; i < s->n; i++) {
        w->im[i] = dae_random_direction(&random) * tolerance_of(s, i);
        w->v[i] = u[i] + w->im[i];
    }
    dae_system_rhs(s->sys, t, u, w->F);
    dae_system_rhs(s->sys, t, w->v, w->re);
    dae_system_mass(s->sys, w->im, w->v);
    s->count.rhs += 2;
    for (int i = 0; i < s->n; i++)
        w->least[i] = FAR_LESS * fmax(fabs(w->re[i] - w->F[i]), fabs(w->v[i]) / H);
}

static int is_below_least(const dae_solver *s)
{
    const noise *w = own(s);
    int i = 0;
    while (i < s->n && fabs(w->r[i]) <= w->least[i])
        i++;
    return i == s->n;
}

/* Where steps are undone time and again it is the noise that their sizes follow, not the solution, so
 * that errors of index 2 and 3 may not be larger by what they are weighed with: but for the root of
 * one factor; but for one, where most steps are undone. A tolerance will do, then. */
static double of_undone(const dae_solver *s, double part)
{
    const long undone = s->count.rejected, steps = s->count.steps;
    const int often = undone > OFTEN && undone > steps / OFTEN;
    if (own(s)->failed || (often && undone > steps))
        return SURE / part;
    return often ? 4 * SURE / sqrt(part) : 1;
}

static int counts(const dae_solver *s, int i, int undone)
{
    const dae_system *sys = s->sys;
    const int algebraic = !dae_has_derivative(s, i);
    return !dae_system_follows(sys, i) && !(s->options.error_test == DAE_TEST_DIFFERENTIAL && algebraic)
           && !(undone && sys->nq && sys->index > 1 && algebraic);
}

/* An unknown that rounding moves by x, so many tolerances */
typedef struct {
    int i;
    double ratio, x;
} most;

/* The largest of |re_i + im_i| in units of its tolerance */
static most largest(const dae_solver *s, double part)
{
    const noise *w = own(s);
    const double undone = of_undone(s, part);
    const int *index = dae_indices(s);
    most m = {0};
    for (int i = 0; i < s->n; i++) {
        const double x = hypot(w->re[i], w->im[i]);
        double ratio = counts(s, i, undone > 1) ? x / tolerance_of(s, i) : 0;
        for (int k = index[i]; k > 1; k--)
            ratio *= part;
        ratio *= index[i] > 1 ? undone : w->failed ? SURE : 1;
        if (ratio > m.ratio)
            m = (most){i, ratio, x};
    }
    return m;
}

/* re + i im := (M - a H J)^-1 a H r, in what has an index of its own */
static int spread(const dae_solver *s, double H)
{
    noise *w = own(s);
    for (int i = 0; i < s->n; i++)
        w->re[i] = w->im[i] = H / 2 * w->r[i];
    const int solved = dae_pencil_solve(w->pencil, w->re, w->im) == DAE_OK;
    dae_put_by_index(s, w->re);
    dae_put_by_index(s, w->im);
    return solved && dae_vector_finite(s->n, w->re) && dae_vector_finite(s->n, w->im);
}

/* What rounding moves most, on the side of (t, u) where it does so less; h: the mean step */
static most moved(dae_solver *s, double t, const double *u, double h, double H)
{
    uint64_t random = 19730115;
    most sides[2] = {{0}, {0}};
    for (int side = 0; side < 2; side++)
        for (int line = 0; line < LINES; line++)
            if (difference(s, t, u, NEAR[side], &random) && spread(s, H)) {
                const most m = largest(s, dae_index_scale(s, h));
                sides[side] = m.ratio > sides[side].ratio ? m : sides[side];
            }
    return sides[sides[1].ratio < sides[0].ratio];
}

static int is_small(dae_solver *s, double t, const double *u, double H)
{
    uint64_t random = 19730914;
    find_least(s, t, u, H);
    for (int side = 0; side < 2; side++)
        if (difference(s, t, u, NEAR[side], &random) && is_below_least(s))
            return 1;
    return 0;
}

/* J at (t, u); where it is not finite there is nothing to say. */
static dae_status linearise(dae_solver *s, double t, const double *u, int *finite)
{
    noise *w = own(s);
    dae_status status = DAE_OK;
    if (!w->jac)
        status = dae_jacobian_create(&w->jac, s->sys, DAE_JACOBIAN_DUAL, s->n > DAE_SMALL_MASS,
                                     &s->report);
    if (!status && !w->pencil)
        status = dae_pencil_create(&w->pencil, &w->jac->pair, DAE_LINEAR_BEST, &s->report);
    if (status)
        return status;
    dae_linearise(w->jac, t, u, w->F, NULL);
    dae_jacobian_add_work(w->jac, &s->count);
    const dae_matrix_pair *pair = &w->jac->pair;
    *finite = dae_vector_finite(s->n, w->F) && dae_vector_finite(pair->pattern.nnz, pair->J);
    return DAE_OK;
}

static dae_status look_at(dae_solver *s, double t, const double *u, most *m)
{
    noise *w = own(s);
    const double steps = (double)(s->count.steps > 0 ? s->count.steps : 1);
    const double h = (s->t > s->t_begin ? s->t - s->t_begin : 1e-3 * (s->t_end - s->t)) / steps;
    int finite = 0;
    *m = (most){0};
    for (int i = 0; i < s->n; i++)
        w->size[i] = w->failed ? fabs(u[i]) : fmax(fabs(u[i]), fabs(s->u_old[i]));
    if (of_undone(s, 0.5) <= 1 && is_small(s, t, u, sqrt(steps) * h))
        return DAE_OK;
    const dae_status status = linearise(s, t, u, &finite);
    for (int k = 0; !status && finite && k < 2; k++) {
        const double H = k ? sqrt(steps) * h : h;
        if (dae_pencil_factor(w->pencil, H / 2, H / 2).status)
            continue;
        const most now = moved(s, t, u, h, H);
        *m = now.ratio > m->ratio ? now : *m;
    }
    return status;
}

static dae_status tell(dae_solver *s, double t, const most *m)
{
    char name[32], unit[32];
    dae_system_unknown(s->sys, m->i, name, unit, (int)sizeof name);
    return dae_fail(&s->report, DAE_ERROR_TEST, "t = %.9g: the tolerance is below rounding, which "
                    "alone moves row %d (%s) by %.2g, and its tolerance is %.2g", t, m->i + 1, name,
                    m->x, tolerance_of(s, m->i));
}

void dae_noise_explain(dae_solver *s)
{
    noise *w = own(s);
    const dae_report said = s->report;
    char name[32], unit[32];
    most m = {0};
    if (!w || !(s->t_end > s->t_begin))
        return;
    w->failed = 1;
    const dae_status status = make_room(s) ? DAE_NO_MEMORY : look_at(s, s->t, s->u, &m);
    w->failed = 0;
    leave_room(s);
    s->report = said;
    if (status || m.ratio <= SURE)
        return;
    dae_system_unknown(s->sys, m.i, name, unit, (int)sizeof name);
    dae_fail(&s->report, said.status, "%.190s; the tolerance is below rounding, which alone moves row %d (%s) by %.2g, "
             "and its tolerance is %.2g", said.message, m.i + 1, name, m.x,
             s->options.rtol * fabs(s->u[m.i]) + s->atol[m.i]);
}

static dae_status check(dae_solver *s)
{
    noise *w = own(s);
    most m = {0};
    if (!(s->t > s->t_begin) || (!s->method->info.implicit && s->count.rhs < FEW)
        || (s->t < s->sys->problem->t_end && (double)w->steps < MORE * (double)w->looked))
        return DAE_OK;
    w->looked = w->steps;
    dae_status status = make_room(s);
    if (!status)
        status = look_at(s, s->t, s->u, &m);
    double t = s->t;
    if (!status && w->known && m.ratio <= SURE) {
        t = w->t;
        status = look_at(s, t, w->state, &m);
    }
    w->known = 0;
    if (!status && m.ratio > SURE)
        status = tell(s, t, &m);
    leave_room(s);
    return status;
}

const dae_guard dae_noise_guard = {create, release, start, kept, check};
