/* dual_mechanics.c - exact derivatives of a mechanical F, function by function
 *
 *     q' = v,   M v' = r = f(t, q, v) - G(t, q)^T lambda,   0 = w_0 g + w_1 dg/dt + w_2 d2g/dt2 (at M^-1 r)
 *
 * or, with a mass that is not diagonal and constant, v' = a, and r - M(t, q) a = 0 behind the constraints. In the
 * direction of an unknown only the functions that see it are evaluated: lambda enters G^T lambda and d2g/dt2, g does
 * not see v. Whether f sees positions or velocities is found out: as long as its derivative in one random direction of
 * them is 0, so is that by each of them. This is asked at every (t, u), until it is not 0 for the first time; from then
 * on f is differentiated by each.
 */
#include "providers.h"

#include "base/numbers.h"

#include <stdlib.h>
#include <string.h>

enum { TIME = 1, POSITION = 2, VELOCITY = 4, MULTIPLIER = 8, ACCELERATION = 16 };
enum { inertia_sees = TIME | POSITION | ACCELERATION, reaction_sees = TIME | POSITION | MULTIPLIER,
       level_0_sees = TIME | POSITION, level_1_sees = TIME | POSITION | VELOCITY };

int dae_dual_mechanics_create(dae_jacobian *jac)
{
    uint64_t random = 19630101;
    const int n = 2 * jac->sys->nq;
    jac->seeds = malloc((size_t)n * sizeof *jac->seeds);
    for (int i = 0; jac->seeds && i < n; i++)
        jac->seeds[i] = dae_random_direction(&random);
    return jac->seeds != NULL;
}

/* x := value + derivative eps, both parts in one store: a function that loads them at once would else wait for
 * two. */
static inline void put(dae_dual *x, double value, double derivative)
{
    typedef double pair __attribute__((vector_size(2 * sizeof(double))));
    const pair both = {value, DAE_DUAL_SCALE * derivative};
    memcpy(x, &both, sizeof both);
}

/* Is the derivative of f not 0 in the random direction of these unknowns? y[3 nq] is scratch. */
static inline int force_sees(const dae_jacobian *jac, int nq, unsigned unknowns, double t, const double *u,
                             dae_dual *y)
{
    const dae_system *s = jac->sys;
    dae_dual *f = y + 2 * nq;
    int sees = 0;
    for (int i = 0; i < nq; i++) {
        put(&y[i], u[i], unknowns & POSITION ? jac->seeds[i] : 0);
        put(&y[nq + i], u[nq + i], unknowns & VELOCITY ? jac->seeds[nq + i] : 0);
    }
    s->problem->mechanical.force.dual(s->p, dae_dual_make(t, 0), y, y + nq, f);
    for (int i = 0; i < nq; i++)
        sees |= dae_dual_derivative(f[i]) != 0;
    return sees;
}

static void find_which(dae_jacobian *jac, double t, const double *u, dae_dual *y)
{
    static const unsigned kinds[] = {POSITION, VELOCITY};
    const unsigned known = jac->force_sees, unseen = (POSITION | VELOCITY) & ~known;
    for (int k = 0; k < 2; k++)
        if (unseen & kinds[k] && force_sees(jac, jac->sys->nq, kinds[k], t, u, y))
            jac->force_sees |= kinds[k];
    if (jac->force_sees == known)
        jac->force_sees |= unseen;
}

/* Of the functions at x[n]: f and the reaction when they were evaluated last, the same without derivatives,
 * accelerations, M a where they are unknowns, rows of a constraint. n, nq, nl, levels and carried, which is 1 where
 * accelerations are unknowns, are those of the system: numbers, where a kernel is compiled for them. */
typedef struct {
    int nq, nl, carried, n;
    unsigned levels;
    dae_dual *x, *f, *R, *f_still, *R_still, *a, *Ma, *c;
} parts;

static inline parts parts_of(const dae_jacobian *jac, int nq, int nl, int carried, unsigned levels)
{
    const int n = (2 + carried) * nq + nl;
    dae_dual *x = jac->dual, *f = x + n, *a = carried ? x + 2 * nq + nl : f + 4 * nq;
    return (parts){nq, nl, carried, n, levels, x, f, f + nq, f + 2 * nq, f + 3 * nq, a, f + 4 * nq, f + 5 * nq};
}

/* The highest level counts as it is, those below it with the weights of Baumgarte. */
static inline double weight_of(const dae_system *s, int level, unsigned levels)
{
    return levels >> (level + 1) == 0 ? 1 : level == 1 ? 2 * s->options.alpha
                                                       : s->options.beta * s->options.beta;
}

/* out[nl] += the derivative of a level of the constraints, with its weight */
static inline void add_level(const dae_system *s, parts p, int level, dae_dual t, double *out)
{
    const dae_mechanical *m = &s->problem->mechanical;
    const dae_dual *q = p.x, *v = q + p.nq;
    const double weight = weight_of(s, level, p.levels);
    const int rows = level == 0 ? s->holonomic : p.nl;
    if (level == 0 && rows)
        m->constraint.dual(s->p, t, q, p.c);
    else if (level == 1)
        m->rate.dual(s->p, t, q, v, p.c);
    else if (level == 2)
        m->acceleration.dual(s->p, t, q, v, p.a, p.c);
    for (int k = 0; k < rows; k++)
        out[k] += weight * dae_dual_derivative(p.c[k]);
}

/* Of column[n], the derivative of r, or r - M a, and of the constraints' rows in the direction that x and t have, of
 * one kind of unknowns */
static inline void differentiate(const dae_jacobian *jac, parts p, unsigned kind, dae_dual t, double *column)
{
    const dae_system *s = jac->sys;
    const dae_mechanical *m = &s->problem->mechanical;
    const int pushed = (kind & (TIME | jac->force_sees)) != 0, held = p.nl && kind & reaction_sees;
    const int inert = p.carried && kind & inertia_sees;
    const dae_dual *f = pushed ? p.f : p.f_still, *R = held ? p.R : p.R_still;
    double *rows = column + 2 * p.nq, *r = p.carried ? rows + p.nl : column + p.nq;
    if (pushed)
        m->force.dual(s->p, t, p.x, p.x + p.nq, p.f);
    if (held)
        m->reaction.dual(s->p, t, p.x, p.x + 2 * p.nq, p.R);
    if (inert)
        m->inertia.dual(s->p, t, p.x, p.a, p.Ma);
    for (int i = 0; i < p.nq; i++) {
        r[i] = (held ? dae_dual_derivative(R[i]) : 0) + (inert ? dae_dual_derivative(p.Ma[i]) : 0);
        r[i] = (pushed ? dae_dual_derivative(f[i]) : 0) - r[i];
    }
    if (p.levels >> 2 && !p.carried)
        for (int i = 0; i < p.nq; i++)
            p.a[i] = s->inverse_mass[i] * (f[i] - R[i]);
    for (int k = 0; k < p.nl; k++)
        rows[k] = 0;
    if (p.levels & 1 && kind & level_0_sees)
        add_level(s, p, 0, t, rows);
    if (p.levels >> 1 & 1 && kind & level_1_sees)
        add_level(s, p, 1, t, rows);
    if (p.levels >> 2 & 1 && (!p.carried || kind != MULTIPLIER))
        add_level(s, p, 2, t, rows);
}

static inline void keep_values(parts p)
{
    for (int i = 0; i < p.nq; i++) {
        put(&p.f_still[i], dae_dual_value(p.f[i]), 0);
        put(&p.R_still[i], dae_dual_value(p.R[i]), 0);
    }
}

/* Columns first .. end-1 of J. */
static inline void differentiate_by(dae_jacobian *jac, parts p, unsigned kind, int first, int end, double t,
                                    const double *u)
{
    for (int j = first; j < end; j++) {
        put(&p.x[j], u[j], 1);
        differentiate(jac, p, kind, dae_dual_make(t, 0), jac->pair.J + j * p.n);
        put(&p.x[j], u[j], 0);
    }
}

static inline void linearise(dae_jacobian *jac, parts p, double t, const double *u, double *F, double *F_t)
{
    dae_system *s = jac->sys;
    const int nq = p.nq, n = p.n, a = 2 * nq + p.nl;
    double *time = F_t ? F_t : jac->work;
    s->compose->rhs(s, t, u, F);
    if (jac->force_sees != (POSITION | VELOCITY)
        && force_sees(jac, nq, (POSITION | VELOCITY) & ~jac->force_sees, t, u, p.f))
        find_which(jac, t, u, p.f);
    for (int i = 0; i < n; i++)
        put(&p.x[i], u[i], 0);
    if (F_t || (p.levels >> 2 && !p.carried)) {
        for (int i = 0; i < (1 + p.carried) * nq; i++)
            time[i] = 0;
        differentiate(jac, p, TIME, dae_dual_make(t, 1), time);
        if (p.levels >> 2)
            keep_values(p);
    }
    differentiate_by(jac, p, POSITION, 0, nq, t, u);
    if (jac->force_sees & VELOCITY || p.levels >> 1)
        differentiate_by(jac, p, VELOCITY, nq, 2 * nq, t, u);
    differentiate_by(jac, p, MULTIPLIER, 2 * nq, a, t, u);
    differentiate_by(jac, p, ACCELERATION, a, n, t, u);
    for (int j = 0; j < nq; j++) {
        jac->pair.J[(nq + j) * n + j] = 1;
        if (p.carried)
            jac->pair.J[(a + j) * n + nq + j] = 1;
    }
    jac->pair.count->rhs += n + 1 + (F_t != NULL);
}

/* For each set of levels (formulations.c) one for any system, and one for each body. */
#define BODY(name, nq, levels)                                                                                 \
    static void linearise_##levels##_##name(dae_jacobian *jac, double t, const double *u, double *F,           \
                                            double *F_t)                                                       \
    {                                                                                                          \
        linearise(jac, parts_of(jac, nq, 1, 0, levels), t, u, F, F_t);                                         \
    }
#define LEVELS(levels)                                                                                         \
    static void linearise_##levels##_any(dae_jacobian *jac, double t, const double *u, double *F, double *F_t) \
    {                                                                                                          \
        linearise(jac, parts_of(jac, jac->sys->nq, jac->sys->nl, 0, levels), t, u, F, F_t);                    \
    }                                                                                                          \
    static void linearise_##levels##_carried(dae_jacobian *jac, double t, const double *u, double *F,          \
                                             double *F_t)                                                      \
    {                                                                                                          \
        linearise(jac, parts_of(jac, jac->sys->nq, jac->sys->nl, 1, levels), t, u, F, F_t);                    \
    }                                                                                                          \
    BODY(plane, 2, levels)                                                                                     \
    BODY(space, 3, levels)
LEVELS(0)
LEVELS(1)
LEVELS(2)
LEVELS(4)
LEVELS(7)

enum { MASKS = 8 };

dae_provider *dae_dual_mechanics_provider(const dae_system *sys)
{
    static dae_provider *const providers[MASKS][DAE_BODIES] = {
        [0] = DAE_BY_BODY(linearise_0), [1] = DAE_BY_BODY(linearise_1), [2] = DAE_BY_BODY(linearise_2),
        [4] = DAE_BY_BODY(linearise_4), [7] = DAE_BY_BODY(linearise_7)};
    static dae_provider *const carried[MASKS] = {
        [0] = linearise_0_carried, [1] = linearise_1_carried, [2] = linearise_2_carried, [4] = linearise_4_carried,
        [7] = linearise_7_carried};
    const dae_composition *c = sys->compose;
    if (c->kind != DAE_FORM_MECHANICAL || c->auxiliary || c->levels >= MASKS)
        return NULL;
    return sys->general_mass ? carried[c->levels] : providers[c->levels][sys->body];
}
