/* fingerprint.c - a number that changes when the equations of a model do
 *
 * The points come from the splitmix64 sequence (Steele, Lea, Flood (2014), OOPSLA).
 */
#include "store/fingerprint.h"

#include "host/allocate.h"

#include <daelab/problem.h>
#include <daelab/quad_reference.h>
#include <daelab/study.h>

#include <stdlib.h>
#include <string.h>

/* One point, the results at it, and the hash of all results so far. */
typedef struct {
    const dae_quad *p;
    dae_quad t;
    dae_quad *q, *v, *a, *lambda, *s, *out;
    uint64_t hash, random;
} sampler;

/* -1 ... 1 */
static double next_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    z ^= z >> 31;
    return (double)(z >> 11) * 0x1p-52 - 1;
}

/* Values in decimals: one spelling for each number and one for every NaN. */
static void add(sampler *x, int count)
{
    for (int i = 0; i < count; i++) {
        char text[DAE_QUAD_TEXT];
        if (x->out[i] == x->out[i])
            dae_quad_text(x->out[i], 36, text, sizeof text);
        else
            strcpy(text, "nan");
        x->hash = fnv_1a(x->hash, text, strlen(text) + 1);
        x->out[i] = 0;
    }
}

/* What a problem without constraints need not have. */
static void add_constraint(sampler *x, const dae_mechanical *m, int nq, int nl)
{
    const int holonomic = nl - m->nonholonomic * (nq / m->nq);
    if (holonomic)
        m->constraint.quad(x->p, x->t, x->q, x->out);
    add(x, holonomic);
    m->rate.quad(x->p, x->t, x->q, x->v, x->out);
    add(x, nl);
    m->acceleration.quad(x->p, x->t, x->q, x->v, x->a, x->out);
    add(x, nl);
    m->reaction.quad(x->p, x->t, x->q, x->lambda, x->out);
    add(x, nq);
}

static void add_mechanical(sampler *x, const dae_mechanical *m, int nq, int nl)
{
    m->inertia.quad(x->p, x->t, x->q, x->a, x->out);
    add(x, nq);
    m->force.quad(x->p, x->t, x->q, x->v, x->out);
    add(x, nq);
    if (nl)
        add_constraint(x, m, nq, nl);
    const dae_minimal *minimal = &m->minimal;
    if (minimal->n == 0)
        return;
    minimal->acceleration.quad(x->p, x->t, x->s, x->s + minimal->n, x->out);
    add(x, minimal->n);
    minimal->embed.quad(x->p, x->t, x->s, x->s + minimal->n, x->out);
    add(x, 2 * nq);
    minimal->chart.quad(x->p, x->t, x->q, x->v, x->out);
    add(x, 2 * minimal->n);
}

static void add_first_order(sampler *x, const dae_first_order *f)
{
    f->rhs.quad(x->p, x->t, x->q, x->out);
    add(x, f->n);
    if (f->mass.quad) {
        f->mass.quad(x->p, x->t, x->q, x->q, x->out);
        add(x, f->n);
    }
    if (f->exact.quad) {
        f->exact.quad(x->p, x->t, x->out);
        add(x, f->n);
    }
}

/* Point 0 in the unit cube, point 1 a sixteenth of it around the start (q, v, lambda) or u. */
static void choose_point(sampler *x, const dae_problem *problem, int point, int n,
                         const double *start, int given)
{
    const double scale = point == 0 ? 1 : 0.0625;
    x->t = problem->t0 + scale * next_random(&x->random);
    for (int i = 0; i < n; i++) {
        x->q[i] = scale * next_random(&x->random);      /* q, v, a, lambda, s in one block */
        if (point == 1 && i < given)
            x->q[i] += start[i];
    }
}

uint64_t model_fingerprint(dae_system *sys)
{
    const dae_problem *problem = dae_system_problem(sys);
    const dae_mechanical *m = &problem->mechanical;
    const int nq = dae_system_positions(sys), nl = dae_system_multipliers(sys);
    const int n = problem->first_order.n;
    const int given = nq ? 2 * nq : n, size = 3 * nq + nl + 2 * m->minimal.n + n;
    const int parameters = dae_parameter_count(problem);
    dae_quad *p = allocate_held(dae_parameters_new(parameters, sizeof *p, dae_system_user_data(sys)));
    for (int i = 0; i < parameters; i++)
        p[i] = dae_system_parameters(sys)[i];
    double *start = allocate((size_t)(nq ? 2 * nq + nl : n), sizeof *start);
    sampler x = {.p = p, .hash = FNV_START, .random = 1, .q = allocate(2 * (size_t)size, sizeof *x.q)};
    x.v = x.q + nq;
    x.a = x.v + nq;
    x.lambda = x.a + nq;
    x.s = x.lambda + nl;
    x.out = x.q + size;
    problem->start.f(dae_system_parameters(sys), start);
    for (int point = 0; point < 2; point++) {
        choose_point(&x, problem, point, size, start, given);
        if (nq)
            add_mechanical(&x, m, nq, nl);
        else
            add_first_order(&x, &problem->first_order);
    }
    dae_parameters_free(p);
    free(x.q);
    free(start);
    return x.hash;
}
