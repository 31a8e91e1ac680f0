/* conserve.c - projection on constraints and invariants after a step
 *
 *     u := u + W P^T kappa,   (P W P^T) kappa = c - I(t, u),   P = dI/du,
 *
 * the correction of smallest norm, d^T W^-1 d, that satisfies I(t, u) = c to first order; repeated
 * to rounding, with P of the first time as long as that converges fast. W = M^-1 for q and for v of a
 * mechanical system, 1 for unknowns of first order, 0 for algebraic ones. The rows of I are g and
 * dg/dt with c = 0, and the invariants with c their values at the start; rows that depend on those
 * before them are left out (as energy and angular momentum on a circular orbit). Without invariants
 * g and dg/dt are solved for one after the other (project.h).
 *
 * Shampine (1986), Comput. Math. Appl. 12A, 1287-1296, section 2; Gear (1986), Math. Comput. Simul.
 * 28; Hairer, Lubich, Wanner (2006), Geometric Numerical Integration, IV.4. A correction d is of the
 * order of the local error, O(h^(p+1)), and leaves the order of a one-step method as it is. What the
 * method knows besides u_new, multipliers and F at u_new as the first stage of the next step, belongs
 * to the state before it: off by O(d) and O(d) h in the next step, which is again a local error and
 * less. So they are left.
 */
#include "control/conserve.h"

#include "control/project.h"
#include "numbers.h"
#include "small_ldl.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 10, MOST_UNKNOWNS = 256, MOST_TIMES_AGAIN = 3 };
enum { CONSTRAINTS = DAE_PROJECT_POSITION | DAE_PROJECT_VELOCITY };
static const double noise = 1e-10;      /* of the largest unknown, where rounding may end it */
static const double slow = 0.1;         /* contraction with which P is formed anew */
static const double dependent = 1e-10;  /* sin^2 of the angle of a row to those before it */

struct dae_conserve {
    unsigned levels;            /* DAE_PROJECT_* */
    int n, rows, invariants;    /* unknowns that move, equations, how many of those are invariants */
    int begun;                  /* a state was moved since the start, which may lie off */
    int again;                  /* how often a step from t_again was undone */
    double t_again;
    double *c;                  /* [invariants] */
    double *by;                 /* [n of the solver] the move of the present step, of the last one */
    double *P, *WP;             /* [rows x n] dI/du; P W */
    double *S, *diagonal;       /* [rows x rows] P W P^T of the active rows, factored; [rows] */
    double *r, *kappa;          /* [rows] */
    double *d;                  /* [n] */
    double *x;                  /* [2 nq] (q, v) of minimal coordinates */
    dae_dual *seeded, *out;     /* [n], [rows + 2 nq] */
    int *active, actives;       /* [rows] rows that are independent */
};

/* ---- creation ----------------------------------------------------------------------------- */

static dae_status check(const dae_solver *s, dae_report *report)
{
    const dae_system *sys = s->sys;
    const unsigned levels = s->options.project;
    const char *name = sys->problem->name;
    if (levels & ~(unsigned)(CONSTRAINTS | DAE_PROJECT_INVARIANT))
        return dae_fail(report, DAE_BAD_ARGUMENT, "project = %u is not made of DAE_PROJECT_*",
                        levels);
    if ((levels & CONSTRAINTS) && !sys->nq)
        return dae_fail(report, DAE_UNSUPPORTED, "%s is of first order: it has no constraints of "
                        "positions and velocities to project on", name);
    if ((levels & CONSTRAINTS) && sys->compose->kind == DAE_FORM_MINIMAL)
        return dae_fail(report, DAE_UNSUPPORTED, "%s in form %s has no constraints to project on: "
                        "its unknowns are minimal coordinates", name, sys->form->info.name);
    if ((levels & CONSTRAINTS) && !sys->nl)
        return dae_fail(report, DAE_UNSUPPORTED, "%s has no constraints to project on", name);
    if (!(levels & DAE_PROJECT_INVARIANT))
        return DAE_OK;
    if (!sys->problem->invariants.n)
        return dae_fail(report, DAE_UNSUPPORTED, "%s states no invariants to project on", name);
    if (sys->n > MOST_UNKNOWNS || sys->planned)
        return dae_fail(report, DAE_UNSUPPORTED, "%s: invariants are projected on with up to %d "
                        "unknowns and %d constraints, not %d and %d", name, (int)MOST_UNKNOWNS,
                        (int)DAE_MANY_CONSTRAINTS, sys->n, sys->nl);
    return DAE_OK;
}

static int is_minimal(const dae_system *s) { return s->compose->kind == DAE_FORM_MINIMAL; }

static void size_it(dae_conserve *c, const dae_system *sys)
{
    c->n = sys->nq && !is_minimal(sys) ? 2 * sys->nq : sys->n;
    c->invariants = c->levels & DAE_PROJECT_INVARIANT ? sys->problem->invariants.n : 0;
    if (!c->invariants)
        return;                                         /* project.c has its own storage */
    c->rows = c->invariants + (c->levels & DAE_PROJECT_POSITION ? sys->nl : 0)
              + (c->levels & DAE_PROJECT_VELOCITY ? sys->nl : 0);
}

static int allocate(dae_conserve *c, const dae_system *sys)
{
    const size_t n = (size_t)c->n, rows = (size_t)c->rows, all = (size_t)sys->n;
    const size_t x = 2 * (size_t)sys->nq;
    c->by = calloc(all + n + x + 2 * rows * n + rows * rows + 4 * rows, sizeof *c->by);
    c->seeded = calloc(n + rows + x, sizeof *c->seeded);
    c->active = calloc(rows + 1, sizeof *c->active);
    if (!c->by || !c->seeded || !c->active)
        return 0;
    c->d = c->by + all;
    c->x = c->d + n;
    c->P = c->x + x;
    c->WP = c->P + rows * n;
    c->S = c->WP + rows * n;
    c->diagonal = c->S + rows * rows;
    c->r = c->diagonal + rows;
    c->kappa = c->r + rows;
    c->c = c->kappa + rows;
    c->out = c->seeded + n;
    return 1;
}

dae_status dae_conserve_create(dae_solver *s)
{
    if (!s->options.project)
        return DAE_OK;
    const dae_status status = check(s, &s->report);
    if (status)
        return status;
    dae_conserve *c = s->conserve = calloc(1, sizeof *c);
    if (c) {
        c->levels = s->options.project;
        size_it(c, s->sys);
    }
    return c && allocate(c, s->sys)
               ? DAE_OK : dae_fail(&s->report, DAE_NO_MEMORY, "no memory for projections");
}

void dae_conserve_free(dae_conserve *c)
{
    if (!c)
        return;
    free(c->by);
    free(c->seeded);
    free(c->active);
    free(c);
}

/* ---- equations ---------------------------------------------------------------------------- */

static void invariants_at(dae_system *sys, dae_conserve *c, double t, const double *u, double *out)
{
    const dae_minimal *m = &sys->problem->mechanical.minimal;
    if (is_minimal(sys))
        m->embed.f(sys->p, t, u, u + m->n, c->x);
    sys->problem->invariants.value.f(sys->p, t, is_minimal(sys) ? c->x : u, out);
}

/* r := c - I(t, u) for all rows */
static void residual(dae_system *sys, dae_conserve *c, double t, const double *u)
{
    const dae_mechanical *m = &sys->problem->mechanical;
    double *r = c->r;
    if (c->levels & DAE_PROJECT_POSITION) {
        m->constraint.f(sys->p, t, u, r);
        r += sys->nl;
    }
    if (c->levels & DAE_PROJECT_VELOCITY) {
        m->rate.f(sys->p, t, u, u + sys->nq, r);
        r += sys->nl;
    }
    invariants_at(sys, c, t, u, r);
    for (int k = 0; k < c->invariants; k++)
        r[k] -= c->c[k];
    for (int k = 0; k < c->rows; k++)
        c->r[k] = -c->r[k];
}

/* Column j of P: the rows at u + eps e_j */
static void column(dae_system *sys, dae_conserve *c, double t, int j)
{
    const dae_mechanical *m = &sys->problem->mechanical;
    const dae_dual at = dae_dual_make(t, 0), *u = c->seeded;
    dae_dual *r = c->out, *x = c->out + c->rows;
    if (c->levels & DAE_PROJECT_POSITION) {
        m->constraint.dual(sys->p, at, u, r);
        r += sys->nl;
    }
    if (c->levels & DAE_PROJECT_VELOCITY) {
        m->rate.dual(sys->p, at, u, u + sys->nq, r);
        r += sys->nl;
    }
    if (is_minimal(sys))
        m->minimal.embed.dual(sys->p, at, u, u + m->minimal.n, x);
    sys->problem->invariants.value.dual(sys->p, at, is_minimal(sys) ? x : u, r);
    for (int k = 0; k < c->rows; k++)
        c->P[k * c->n + j] = dae_dual_derivative(c->out[k]);
}

/* WP := P W; 0 where M(q) is not positive definite */
static int weigh(dae_system *sys, dae_conserve *c, double t, const double *u)
{
    memcpy(c->WP, c->P, (size_t)(c->rows * c->n) * sizeof *c->P);
    for (int k = 0; k < c->rows; k++) {
        double *row = c->WP + k * c->n;
        if (sys->nq && !is_minimal(sys)) {
            if (!dae_system_divide_by_mass(sys, t, u, row)
                || !dae_system_divide_by_mass(sys, t, u, row + sys->nq))
                return 0;
        } else {
            for (int i = 0; i < c->n; i++)
                row[i] = dae_system_is_algebraic(sys, i) ? 0 : row[i];
        }
    }
    return 1;
}

/* S of the active rows, factored. -1, or the number among them that is not independent. */
static int factor(dae_conserve *c)
{
    const int m = c->actives;
    for (int k = 0; k < m; k++)
        for (int l = 0; l <= k; l++) {
            const double *a = c->P + c->active[k] * c->n, *b = c->WP + c->active[l] * c->n;
            double sum = 0;
            for (int i = 0; i < c->n; i++)
                sum += a[i] * b[i];
            c->S[k * m + l] = sum;
            c->diagonal[k] = sum;
        }
    const int bad = dae_small_factor(m, c->S);
    for (int k = 0; bad < 0 && k < m; k++)
        if (c->S[k * m + k] <= dependent * c->diagonal[k])
            return k;
    return bad;
}

static int linearise(dae_system *sys, dae_conserve *c, double t, const double *u)
{
    int bad;
    for (int j = 0; j < c->n; j++)
        c->seeded[j] = dae_dual_make(u[j], 0);
    for (int j = 0; j < c->n; j++) {
        c->seeded[j] = dae_dual_make(u[j], 1);
        column(sys, c, t, j);
        c->seeded[j] = dae_dual_make(u[j], 0);
    }
    if (!dae_vector_finite(c->rows * c->n, c->P) || !weigh(sys, c, t, u))
        return 0;
    c->actives = c->rows;
    for (int k = 0; k < c->rows; k++)
        c->active[k] = k;
    while (c->actives && (bad = factor(c)) >= 0) {
        c->actives--;
        for (int k = bad; k < c->actives; k++)
            c->active[k] = c->active[k + 1];
    }
    return 1;
}

/* ---- iteration ---------------------------------------------------------------------------- */

/* d := W P^T kappa with S kappa = r */
static void change(dae_conserve *c)
{
    for (int k = 0; k < c->actives; k++)
        c->kappa[k] = c->r[c->active[k]];
    dae_small_solve(c->actives, c->S, c->kappa);
    memset(c->d, 0, (size_t)c->n * sizeof *c->d);
    for (int k = 0; k < c->actives; k++)
        for (int i = 0; i < c->n; i++)
            c->d[i] += c->WP[c->active[k] * c->n + i] * c->kappa[k];
}

/* No unknown would change by more than its rounding; or rounding in I does not let it settle. */
static int settled(const dae_conserve *c, const double *u, double before)
{
    const double size = dae_largest(c->n, c->d);
    int i = 0;
    while (i < c->n && fabs(c->d[i]) <= DBL_EPSILON * fabs(u[i]))
        i++;
    return i == c->n || (size > before / 2 && size <= noise * dae_largest(c->n, u));
}

static dae_status correct(dae_system *sys, dae_conserve *c, double t, double *u)
{
    double before = INFINITY, last = INFINITY;
    for (int k = 0; k < MOST_STEPS; k++) {
        residual(sys, c, t, u);
        if (!dae_vector_finite(c->rows, c->r))
            return DAE_NOT_FINITE;
        if ((k == 0 || last > slow * before) && !linearise(sys, c, t, u))
            return DAE_SINGULAR;
        change(c);
        if (settled(c, u, last))
            return c->actives || dae_largest(c->rows, c->r) <= noise ? DAE_OK : DAE_SINGULAR;
        for (int i = 0; i < c->n; i++)
            u[i] += c->d[i];
        before = last;
        last = dae_largest(c->n, c->d);
    }
    return DAE_NO_CONVERGENCE;
}

static dae_status move(dae_system *sys, dae_conserve *c, double t, double *u)
{
    double *q = u, *v = u + sys->nq;
    if (c->invariants)
        return correct(sys, c, t, u);
    if (!(c->levels & DAE_PROJECT_VELOCITY))
        return dae_project_positions(sys, t, q);
    return c->levels & DAE_PROJECT_POSITION ? dae_project(sys, t, q, v)
                                            : dae_project_velocities(sys, t, q, v);
}

/* ---- steps -------------------------------------------------------------------------------- */

dae_status dae_conserve_start(dae_solver *s)
{
    dae_conserve *c = s->conserve;
    if (!c)
        return DAE_OK;
    c->begun = c->again = 0;
    memset(c->by, 0, (size_t)s->n * sizeof *c->by);
    if (!c->invariants)
        return DAE_OK;
    invariants_at(s->sys, c, s->t, s->u, c->c);
    return dae_vector_finite(c->invariants, c->c)
               ? DAE_OK : dae_fail(&s->report, DAE_NOT_FINITE, "t = %.9g: an invariant is not finite "
                                   "at the start", s->t);
}

static dae_status not_moved(dae_solver *s, dae_status status)
{
    return dae_fail(&s->report, status, "t = %.9g: the projection on %s %s", s->t_new,
                    s->conserve->invariants ? "the invariants" : "the constraints",
                    status == DAE_SINGULAR ? "is singular: their gradients vanish or depend on "
                                             "each other"
                    : status == DAE_NOT_FINITE ? "meets values that are not finite"
                                               : "does not converge");
}

dae_status dae_conserve_step(dae_solver *s)
{
    dae_conserve *c = s->conserve;
    memcpy(c->by, s->u_new, (size_t)s->n * sizeof *c->by);
    const dae_status status = move(s->sys, c, s->t_new, s->u_new);
    if (status)
        return not_moved(s, status);
    for (int i = 0; i < s->n; i++)
        c->by[i] = s->u_new[i] - c->by[i];
    if (!dae_vector_finite(s->n, c->by))
        return not_moved(s, DAE_NOT_FINITE);
    if (!s->adaptive || !c->begun)
        return DAE_OK;
    const double size = dae_error_norm(s, c->by, s->t_new - s->t);
    if (!(size <= 1)) {
        s->error = size;
        s->h_next = 0;
        s->count.too_far++;
    }
    return DAE_OK;
}

void dae_conserve_kept(dae_solver *s)
{
    dae_conserve *c = s->conserve;
    const double size = dae_largest(s->n, c->by);
    c->begun = 1;
    if (size > 0) {
        s->count.projections++;
        s->count.correction = fmax(s->count.correction, size);
        if (s->method->moved)
            s->method->moved(s, c->by);
    }
}

dae_status dae_conserve_again(dae_solver *s)
{
    dae_conserve *c = s->conserve;
    c->again = c->again && c->t_again == s->t ? c->again + 1 : 1;
    c->t_again = s->t;
    s->count.steps--;
    s->count.rejected++;
    if (c->again > MOST_TIMES_AGAIN)
        return dae_fail(&s->report, DAE_SMALL_STEP, "t = %.9g: %s has begun again here %d times, and "
                        "the projection still moves its first step by %g times the tolerance", s->t,
                        s->method->info.name, c->again - 1, s->error);
    return s->method->start(s);
}

void dae_conserve_blend(const dae_solver *s, double factor, double *u)
{
    if (s->conserve)
        for (int i = 0; i < s->n; i++)
            u[i] += factor * s->conserve->by[i];
}
