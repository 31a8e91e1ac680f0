/* analytic.c - F, J = dF/du and F_t = dF/dt of each formulation, block by block
 *
 * With A = M^-1, u = (q, v, lambda[, mu]), r = f - G^T lambda and r_x its derivatives, the rows are
 *
 *   q'         0              I              0
 *   M v'       r_q            r_v            -G^T
 *   index3     G              0              0
 *   index2     rate_q         G              0
 *   index1     acc_q + G A r_q   acc_v + G A r_v   -G A G^T      (d2g/dt2 at a = A r)
 *
 * Without constraints only the first two rows and columns are left.
 *
 * J is column-major; the model's blocks are row-major and were zero where it never writes.
 */
#include "system.h"

#include <math.h>
#include <string.h>

/* J[row.., column..] := scale * block[rows x columns] */
static inline void put(double *restrict J, int n, int row, int column,
                       const double *restrict block, int rows, int columns, double scale)
{
    for (int i = 0; i < rows; i++, block += columns) {
        double *to = J + column * n + row + i;
        for (int j = 0; j < columns; j++, to += n)
            *to = scale * block[j];
    }
}

/* The same, added. */
static inline void add(double *restrict J, int n, int row, int column,
                       const double *restrict block, int rows, int columns, double scale)
{
    for (int i = 0; i < rows; i++, block += columns) {
        double *to = J + column * n + row + i;
        for (int j = 0; j < columns; j++, to += n)
            *to += scale * block[j];
    }
}

/* J[row.., column..] := -G^T */
static inline void put_reaction(double *restrict J, int n, int row, int column,
                                const double *restrict G, int nq, int nl)
{
    for (int i = 0; i < nq; i++) {
        double *to = J + column * n + row + i;
        for (int j = 0; j < nl; j++, to += n)
            *to = -G[j * nq + i];
    }
}

/* The rows of a constraint's derivatives. */
typedef struct { const double *by_q, *by_v, *by_t; } constraint_rows;

/* The rows of q' = v, M v' = r and the constraint. */
static inline void put_rows(int n, int nq, int nl, const dae_partials *d, constraint_rows c,
                            double *restrict J, double *restrict F_t)
{
    const double *restrict f_q = d->f_q, *restrict f_v = d->f_v, *restrict r_q = d->r_q;
    for (int j = 0; j < nq; j++) {
        double *by_q = J + j * n + nq, *by_v = by_q + nq * n;
        for (int i = 0; i < nq; i++) {
            by_q[i] = f_q[i * nq + j] - r_q[i * nq + j];
            by_v[i] = f_v[i * nq + j];
        }
        by_v[j - nq] = 1;
    }
    for (int i = 0; i < nq; i++) {
        F_t[i] = 0;
        F_t[nq + i] = d->f_t[i] - d->r_t[i];
    }
    put_reaction(J, n, nq, 2 * nq, d->G, nq, nl);
    put(J, n, 2 * nq, 0, c.by_q, nl, nq, 1);
    if (c.by_v)
        put(J, n, 2 * nq, nq, c.by_v, nl, nq, 1);
    put(F_t, n, 2 * nq, 0, c.by_t, nl, 1, 1);
}

/* q' = v and M v' = f - G^T lambda */
static inline void put_motion(int nq, int nl, const dae_partials *d, const double *restrict u,
                              double *restrict F)
{
    const double *f = d->f, *G = d->G;
    for (int i = 0; i < nq; i++) {
        double r = f[i];
        for (int k = 0; k < nl; k++)
            r -= G[k * nq + i] * u[2 * nq + k];
        F[i] = u[nq + i];
        F[nq + i] = r;
    }
}

/* Derivatives, force and the rows of motion, where no acceleration is needed first. */
static inline void put_system(dae_system *s, int n, int nq, int nl, int level, constraint_rows c,
                              double t, const double *u, double *F, double *J, double *F_t)
{
    const dae_mechanical *m = &s->problem->mechanical;
    dae_partials *d = &s->inner.partials;
    d->level = level;
    d->f[0] = NAN;
    m->partials(s->p, t, u, u + nq, s->a, u + 2 * nq, d);
    if (isnan(d->f[0]))
        m->force.f(s->p, t, u, u + nq, d->f);
    put_rows(n, nq, nl, d, c, J, F_t);
    put_motion(nq, nl, d, u, F);
}

static inline void index3(dae_system *s, int n, int nq, int nl, double t, const double *u,
                          double *F, double *J, double *F_t)
{
    const dae_partials *d = &s->inner.partials;
    put_system(s, n, nq, nl, 0, (constraint_rows){d->G, NULL, d->g_t}, t, u, F, J, F_t);
    if (nl)                                             /* without any it serves every
                                                           formulation */
        s->problem->mechanical.constraint.f(s->p, t, u, F + 2 * nq);
}

static inline void index2(dae_system *s, int n, int nq, int nl, double t, const double *u,
                          double *F, double *J, double *F_t)
{
    const dae_partials *d = &s->inner.partials;
    put_system(s, n, nq, nl, 1, (constraint_rows){d->rate_q, d->G, d->rate_t}, t, u, F, J, F_t);
    s->problem->mechanical.rate.f(s->p, t, u, u + nq, F + 2 * nq);
}

/* x[row] += G A (rows nq .. 2nq-1 of x), x a column of J or F_t */
static inline void add_acceleration(const dae_system *s, int nq, int nl, double *x)
{
    for (int k = 0; k < nl; k++)
        for (int i = 0; i < nq; i++)
            x[2 * nq + k] += s->inner.partials.G[k * nq + i] * s->inverse_mass[i] * x[nq + i];
}

static inline void index1(dae_system *s, int n, int nq, int nl, double t, const double *u,
                          double *F, double *J, double *F_t)
{
    dae_partials *d = &s->inner.partials;
    d->level = 2;
    s->compose->rhs(s, t, u, F);                        /* a = M^-1 (f - G^T lambda) is left in
                                                           s->a */
    s->problem->mechanical.partials(s->p, t, u, u + nq, s->a, u + 2 * nq, d);
    put_rows(n, nq, nl, d, (constraint_rows){d->acc_q, d->acc_v, d->acc_t}, J, F_t);
    for (int j = 0; j < nl; j++)
        for (int k = 0; k < nl; k++)
            J[(2 * nq + j) * n + 2 * nq + k] = 0;
    for (int j = 0; j < n; j++)
        add_acceleration(s, nq, nl, J + j * n);
    add_acceleration(s, nq, nl, F_t);
}

static inline void baumgarte(dae_system *s, int n, int nq, int nl, double t, const double *u,
                             double *F, double *J, double *F_t)
{
    const double alpha = s->options.alpha, beta = s->options.beta;
    const dae_partials *d = &s->inner.partials;
    index1(s, n, nq, nl, t, u, F, J, F_t);
    add(J, n, 2 * nq, 0, d->rate_q, nl, nq, 2 * alpha);
    add(J, n, 2 * nq, nq, d->G, nl, nq, 2 * alpha);
    add(J, n, 2 * nq, 0, d->G, s->holonomic, nq, beta * beta);
    add(F_t, n, 2 * nq, 0, d->rate_t, nl, 1, 2 * alpha);
    add(F_t, n, 2 * nq, 0, d->g_t, s->holonomic, 1, beta * beta);
}

static void ggl(dae_system *s, double t, const double *u, double *F, double *J, double *F_t)
{
    const int n = s->n, nq = s->nq, nl = s->nl;
    const double *mu = u + 2 * nq + nl;
    const dae_mechanical *m = &s->problem->mechanical;
    index2(s, n, nq, nl, t, u, F, J, F_t);
    m->constraint.f(s->p, t, u, F + 2 * nq + nl);
    put(J, n, 2 * nq + nl, 0, s->inner.partials.G, nl, nq, 1);
    put(F_t, n, 2 * nq + nl, 0, s->inner.partials.g_t, nl, 1, 1);
    dae_partials *d = &s->inner.mu_partials;                  /* at lambda := mu */
    d->level = 0;
    m->partials(s->p, t, u, u + nq, s->a, mu, d);
    for (int k = 0; k < nl; k++)
        for (int i = 0; i < nq; i++)
            F[i] -= d->G[k * nq + i] * mu[k];
    put(J, n, 0, 0, d->r_q, nq, nq, -1);
    put(F_t, n, 0, 0, d->r_t, nq, 1, -1);
    put_reaction(J, n, 0, 2 * nq + nl, d->G, nq, nl);
}

static void native(dae_system *s, double t, const double *u, double *F, double *J, double *F_t)
{
    s->compose->rhs(s, t, u, F);
    memset(F_t, 0, (size_t)s->n * sizeof *F_t);
    s->problem->first_order.jacobian(s->p, t, u, J, F_t);
}

/* For any size, and for a single body under one constraint, where the compiler writes the loops out. */
#define OF_SIZE(name, body, n, nq, nl)                                                                                 \
    static void name##_##body(dae_system *s, double t, const double *u, double *F, double *J, double *F_t)            \
    {                                                                                                                  \
        name(s, n, nq, nl, t, u, F, J, F_t);                                                                           \
    }
#define OF_ALL_SIZES(name)                                                                                             \
    OF_SIZE(name, any, s->n, s->nq, s->nl)                                                                             \
    OF_SIZE(name, plane, 5, 2, 1)                                                                                      \
    OF_SIZE(name, space, 7, 3, 1)                                                                                      \
    dae_analytic *const dae_analytic_##name[DAE_BODIES] = DAE_BY_BODY(name);
OF_ALL_SIZES(index3)
OF_ALL_SIZES(index2)
OF_ALL_SIZES(index1)
OF_ALL_SIZES(baumgarte)

dae_analytic *const dae_analytic_ggl[DAE_BODIES] = {ggl, ggl, ggl};
dae_analytic *const dae_analytic_native[DAE_BODIES] = {native, native, native};
