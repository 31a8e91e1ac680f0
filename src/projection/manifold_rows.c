/* manifold_rows.c - the rows of constraints and invariants, their gradients, and S = P W P^T */
#include "manifold_rows.h"

#include "base/numbers.h"
#include "base/small_ldl.h"

#include <math.h>
#include <string.h>

void dae_manifold_invariants(dae_manifold *c, double t, const double *u, double *out)
{
    dae_system *sys = c->sys;
    const dae_minimal *m = &sys->problem->mechanical.minimal;
    if (dae_manifold_is_minimal(c))
        m->embed.f(sys->p, t, u, u + m->n, c->x);
    sys->problem->invariants.value.f(sys->p, t, dae_manifold_is_minimal(c) ? c->x : u, out);
}

/* r := g and dg/dt, then the invariants, in one pass of the model; x[2 nq]: (q, v) of minimal coordinates */
#define ROWS(pass, parameter, scalar)                                                             \
    static void rows_##pass(const dae_manifold *c, const parameter *p, scalar t, const scalar *u, scalar *r,  \
                            scalar *x)                                                            \
    {                                                                                             \
        const dae_system *sys = c->sys;                                                           \
        const dae_mechanical *m = &sys->problem->mechanical;                                      \
        if (c->levels & DAE_PROJECT_POSITION)                                                     \
            m->constraint.pass(p, t, u, r);                                                       \
        r += c->levels & DAE_PROJECT_POSITION ? sys->holonomic : 0;                               \
        if (c->levels & DAE_PROJECT_VELOCITY)                                                     \
            m->rate.pass(p, t, u, u + sys->nq, r);                                                \
        r += c->levels & DAE_PROJECT_VELOCITY ? sys->nl : 0;                                      \
        if (dae_manifold_is_minimal(c))                                                           \
            m->minimal.embed.pass(p, t, u, u + m->minimal.n, x);                                  \
        sys->problem->invariants.value.pass(p, t, dae_manifold_is_minimal(c) ? x : u, r);         \
    }
ROWS(f, double, double)
ROWS(dual, double, dae_dual)
ROWS(quad, dae_quad, dae_quad)

void dae_manifold_evaluate_exactly(dae_manifold *c, double t, const double *u)
{
    for (int i = 0; i < c->n; i++)
        c->u_exact[i] = u[i];
    rows_quad(c, c->sys->p_quad, t, c->u_exact, c->r_exact, c->r_exact + c->rows);
}

/* r := c - I(t, u) for all rows */
void dae_manifold_residual(dae_manifold *c, double t, const double *u, int exact)
{
    const int before = c->rows - c->invariants;
    if (exact)
        dae_manifold_evaluate_exactly(c, t, u);
    else
        rows_f(c, c->sys->p, t, u, c->r, c->x);
    for (int k = 0; k < c->rows; k++) {
        const int i = k - before;
        if (exact)
            c->r[k] = (double)((i >= 0 ? c->c_exact[i] : 0) - c->r_exact[k]);
        else
            c->r[k] = (i >= 0 ? c->c[i] : 0) - c->r[k];
    }
}

/* Column j of P: the rows at u + eps e_j */
static void column(dae_manifold *c, double t, int j)
{
    rows_dual(c, c->sys->p, dae_dual_make(t, 0), c->seeded, c->out, c->out + c->rows);
    for (int k = 0; k < c->rows; k++)
        c->P[k * c->n + j] = dae_dual_derivative(c->out[k]);
}

/* W_ii of unknown i, without the factor M^-1 */
static double weight(const dae_manifold *c, int i)
{
    dae_system *sys = c->sys;
    const double span = fabs(sys->problem->t_end - sys->problem->t0);
    if (sys->nq && !dae_manifold_is_minimal(c))
        return i < sys->nq && span > 0 && isfinite(span) ? span * span : 1;
    const double size = c->largest[i] > 0 ? c->largest[i] : c->atol[i] / c->rtol;
    return dae_system_is_algebraic(sys, i) ? 0 : size * size;
}

/* WP := P W; 0 where M(q) is not positive definite */
static int weigh(dae_manifold *c, double t, const double *u)
{
    dae_system *sys = c->sys;
    memcpy(c->WP, c->P, (size_t)(c->rows * c->n) * sizeof *c->P);
    for (int k = 0; k < c->rows; k++) {
        double *row = c->WP + k * c->n;
        for (int i = 0; i < c->n; i++)
            row[i] *= weight(c, i);
        if (sys->nq && !dae_manifold_is_minimal(c)
            && (!dae_system_divide_by_mass(sys, t, u, row)
                || !dae_system_divide_by_mass(sys, t, u, row + sys->nq)))
            return 0;
    }
    return 1;
}

/* S of the active rows, factored. Returns -1, or the index of the first active row with sin^2 <= least. */
static int factor(dae_manifold *c, double least)
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
        if (c->S[k * m + k] <= least * c->diagonal[k])
            return k;
    return bad;
}

/* P, P W and the factors of S at (t, u), of those usable rows that are independent */
int dae_manifold_linearise(dae_manifold *c, double t, const double *u, double least)
{
    int bad;
    for (int j = 0; j < c->n; j++) {
        c->seeded[j] = dae_dual_make(u[j], 0);
        c->largest[j] = fmax(c->largest[j], fabs(u[j]));
    }
    for (int j = 0; j < c->n; j++) {
        c->seeded[j] = dae_dual_make(u[j], 1);
        column(c, t, j);
        c->seeded[j] = dae_dual_make(u[j], 0);
    }
    if (!dae_vector_finite(c->rows * c->n, c->P) || !weigh(c, t, u))
        return 0;
    c->actives = c->usables;
    for (int k = 0; k < c->usables; k++)
        c->active[k] = c->usable[k];
    while (c->actives && (bad = factor(c, least)) >= 0) {
        c->actives--;
        for (int k = bad; k < c->actives; k++)
            c->active[k] = c->active[k + 1];
    }
    return 1;
}
