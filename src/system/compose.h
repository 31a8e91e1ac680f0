/* compose.h - F(t, u) of every formulation from a model's functions, for one scalar
 *
 * Included once for each scalar with SCALAR, OF (the member of a dae_map), SUFFIX(name),
 * SCRATCH (the accelerations inside F), PARAMETERS(system) and INVERSE_MASS(system) defined.
 * u = (q, v, lambda[, mu]), r = f - G^T lambda.
 *
 *   index3     (v,          r,  g)
 *   index2     (v,          r,  dg/dt)
 *   index1     (v,          r,  d2g/dt2)                  at v' = M^-1 r
 *   baumgarte  (v,          r,  d2g/dt2 + 2 alpha dg/dt + beta^2 g)
 *                               without g where dg/dt is nonholonomic: exp(-2 alpha t) is left of it
 *   ggl        (v - G^T mu, r,  dg/dt,  g)
 *
 * A mass matrix M(q) that is not diagonal and constant keeps the mass matrix of the DAE constant by
 * more unknowns, u = (q, v, lambda[, mu], a): the second rows are a, and r - M(q) a = 0 comes last.
 * First-order problems with M(t, u) have w = P u' behind u (state_mass.h): the rows are w and F - M(t, u) E w.
 * Where there is no constraint all of them are (v, f), the same M v' = f in every formulation.
 *
 * Hairer, Wanner (1996), Solving ODEs II, section VII.1; Baumgarte (1972), CMAME 1, 1-16;
 * Gear, Gupta, Leimkuhler (1985), J. Comput. Appl. Math. 12-13, 77-90.
 */
/* r := r - rate, rate := v */
static inline void SUFFIX(set_motion)(int nq, const SCALAR *restrict v, SCALAR *restrict rate,
                                      SCALAR *restrict r)
{
    for (int i = 0; i < nq; i++) {
        r[i] -= rate[i];
        rate[i] = v[i];
    }
}

/* q' = v, v' = a and r - M(q) a */
static SCALAR *SUFFIX(carried_motion)(dae_system *s, SCALAR t, const SCALAR *u, SCALAR *F)
{
    const dae_mechanical *m = &s->problem->mechanical;
    const int nq = s->nq;
    const SCALAR *q = u, *v = u + nq, *lambda = v + nq, *a = u + s->acceleration_at;
    SCALAR *r = F + s->acceleration_at;
    m->force.OF(PARAMETERS(s), t, q, v, r);
    m->reaction.OF(PARAMETERS(s), t, q, lambda, F);
    m->inertia.OF(PARAMETERS(s), t, q, a, F + nq);
    for (int i = 0; i < nq; i++) {
        r[i] -= F[i] + F[nq + i];
        F[i] = v[i];
        F[nq + i] = a[i];
    }
    return F + 2 * nq;
}

/* q' = v and r = f - G^T lambda, common to all; answers the place of the constraint rows. */
static inline SCALAR *SUFFIX(motion)(dae_system *s, SCALAR t, const SCALAR *u, SCALAR *F)
{
    const dae_mechanical *m = &s->problem->mechanical;
    const int nq = s->nq;
    const SCALAR *q = u, *v = u + nq, *lambda = v + nq;
    if (s->general_mass)
        return SUFFIX(carried_motion)(s, t, u, F);
    m->force.OF(PARAMETERS(s), t, q, v, F + nq);
    m->reaction.OF(PARAMETERS(s), t, q, lambda, F);              /* F's first rows are free until now */
    SUFFIX(set_motion)(nq, v, F, F + nq);
    return F + 2 * nq;
}

/* q' = v, M v' = f; with M(q), v' = a and f - M(q) a */
static void SUFFIX(free_motion)(dae_system *s, SCALAR t, const SCALAR *u, SCALAR *F)
{
    const dae_mechanical *m = &s->problem->mechanical;
    const int nq = s->nq;
    const SCALAR *v = u + nq;
    m->force.OF(PARAMETERS(s), t, u, v, F + (s->general_mass ? 2 * nq : nq));
    if (s->general_mass) {
        const SCALAR *a = v + nq;
        SCALAR *r = F + 2 * nq;
        m->inertia.OF(PARAMETERS(s), t, u, a, F);
        for (int i = 0; i < nq; i++) {
            r[i] -= F[i];
            F[nq + i] = a[i];
        }
    }
    for (int i = 0; i < nq; i++)
        F[i] = v[i];
}

static void SUFFIX(index3)(dae_system *s, SCALAR t, const SCALAR *u, SCALAR *F)
{
    s->problem->mechanical.constraint.OF(PARAMETERS(s), t, u, SUFFIX(motion)(s, t, u, F));
}

static void SUFFIX(index2)(dae_system *s, SCALAR t, const SCALAR *u, SCALAR *F)
{
    s->problem->mechanical.rate.OF(PARAMETERS(s), t, u, u + s->nq, SUFFIX(motion)(s, t, u, F));
}

static void SUFFIX(index1)(dae_system *s, SCALAR t, const SCALAR *u, SCALAR *F)
{
    SCALAR *c = SUFFIX(motion)(s, t, u, F), *a = s->SCRATCH;
    for (int i = 0; i < s->nq; i++)
        a[i] = INVERSE_MASS(s)[i] * F[s->nq + i];       /* carried: ones, and F is a */
    s->problem->mechanical.acceleration.OF(PARAMETERS(s), t, u, u + s->nq, a, c);
}

static void SUFFIX(baumgarte)(dae_system *s, SCALAR t, const SCALAR *u, SCALAR *F)
{
    const dae_mechanical *m = &s->problem->mechanical;
    const double alpha = s->options.alpha, beta = s->options.beta;
    SCALAR *c = F + 2 * s->nq, *g = s->SCRATCH + s->nq, *rate = g + s->nl;
    SUFFIX(index1)(s, t, u, F);
    if (s->holonomic)
        m->constraint.OF(PARAMETERS(s), t, u, g);
    m->rate.OF(PARAMETERS(s), t, u, u + s->nq, rate);
    for (int i = 0; i < s->holonomic; i++)
        c[i] += 2 * alpha * rate[i] + beta * beta * g[i];
    for (int i = s->holonomic; i < s->nl; i++)
        c[i] += 2 * alpha * rate[i];
}

static void SUFFIX(ggl)(dae_system *s, SCALAR t, const SCALAR *u, SCALAR *F)
{
    const dae_mechanical *m = &s->problem->mechanical;
    const SCALAR *mu = u + 2 * s->nq + s->nl;
    SCALAR *Gmu = s->SCRATCH, *c = F + 2 * s->nq;
    SUFFIX(index2)(s, t, u, F);
    m->constraint.OF(PARAMETERS(s), t, u, c + s->nl);
    m->reaction.OF(PARAMETERS(s), t, u, mu, Gmu);
    for (int i = 0; i < s->nq; i++)
        F[i] -= Gmu[i];
}

static void SUFFIX(ode)(dae_system *s, SCALAR t, const SCALAR *u, SCALAR *F)
{
    const dae_minimal *m = &s->problem->mechanical.minimal;
    for (int i = 0; i < m->n; i++)
        F[i] = u[m->n + i];
    m->acceleration.OF(PARAMETERS(s), t, u, u + m->n, F + m->n);
}

/* w, and F - M(t, u) E w; apart, so that the usual way ends in a jump */
__attribute__((noinline))
static void SUFFIX(carried_slopes)(dae_system *s, const dae_map1 *rhs, SCALAR t, const SCALAR *u, SCALAR *F)
{
    const dae_state_mass *m = s->carried;
    const int n = m->n;
    SCALAR *slope = s->SCRATCH, *product = slope + n, *f = product + n;
    for (int i = 0; i < n; i++)
        slope[i] = 0;
    for (int k = 0; k < m->nx; k++)
        slope[m->column[k]] = u[n + k];
    m->mass->OF(PARAMETERS(s), t, u, slope, product);
    rhs->OF(PARAMETERS(s), t, u, f);
    for (int i = 0; i < n; i++)
        F[m->place[i]] = f[i] - product[i];
    for (int k = 0; k < m->nx; k++)
        F[m->column[k]] = u[n + k];
}

/* A right-hand side of the problem in the rows of the system. */
void SUFFIX(dae_first_order_rhs)(dae_system *s, const dae_map1 *rhs, SCALAR t, const SCALAR *u, SCALAR *F)
{
    if (s->carried)
        SUFFIX(carried_slopes)(s, rhs, t, u, F);
    else
        rhs->OF(PARAMETERS(s), t, u, F);
}

static void SUFFIX(native)(dae_system *s, SCALAR t, const SCALAR *u, SCALAR *F)
{
    SUFFIX(dae_first_order_rhs)(s, &s->problem->first_order.rhs, t, u, F);
}

static void SUFFIX(reduced)(dae_system *s, SCALAR t, const SCALAR *u, SCALAR *F)
{
    SUFFIX(dae_first_order_rhs)(s, &s->problem->first_order.reduced, t, u, F);
}
