/* called_back.c - a record whose functions are one callback, found behind the parameters (dae_user_data) */
#include "daelab/binding.h"
#include "daelab/problem.h"

#include "base/no_fast_math.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How many numbers the function answers. */
static int size_of_answer(const dae_callbacks *c, dae_called called)
{
    switch (called) {
    case DAE_CALL_START: return c->nq ? 2 * c->nq + c->nl : c->n;
    case DAE_CALL_INERTIA:
    case DAE_CALL_FORCE:
    case DAE_CALL_REACTION: return c->nq;
    case DAE_CALL_CONSTRAINT: return c->nl - c->nonholonomic;
    case DAE_CALL_RATE:
    case DAE_CALL_ACCELERATION: return c->nl;
    case DAE_CALL_ENERGY: return 1;
    case DAE_CALL_MASS:
    case DAE_CALL_RHS: break;
    }
    return c->n;
}

static void call(dae_called called, int dual, const void *p, const void *t, const void *x, const void *y,
                 const void *z, void *out)
{
    const dae_callbacks *c = dae_user_data(p);
    if (c && c->call(c->context, (int)called, dual, p, t, x, y, z, out) == 0)
        return;
    double *answer = out;
    const int numbers = (c ? size_of_answer(c, called) : 1) * (dual ? 2 : 1);
    for (int i = 0; i < numbers; i++)
        answer[i] = NAN;
}

#define CALLS_1(name, CALLED, param, real, suffix, dual)                                          \
    static void name##_##suffix(const param *p, real t, const real *x, real *out)                 \
    {                                                                                             \
        call(CALLED, dual, p, &t, x, NULL, NULL, out);                                            \
    }
#define CALLS_2(name, CALLED, param, real, suffix, dual)                                          \
    static void name##_##suffix(const param *p, real t, const real *x, const real *y, real *out)  \
    {                                                                                             \
        call(CALLED, dual, p, &t, x, y, NULL, out);                                               \
    }
#define CALLS_3(name, CALLED, param, real, suffix, dual)                                          \
    static void name##_##suffix(const param *p, real t, const real *x, const real *y,             \
                                const real *z, real *out)                                         \
    {                                                                                             \
        call(CALLED, dual, p, &t, x, y, z, out);                                                  \
    }
#define IN_ALL_PASSES(CALLS, name, CALLED)                                                        \
    CALLS(name, CALLED, double, double, double, 0)                                                \
    CALLS(name, CALLED, double, dae_dual, dual, 1)                                                \
    CALLS(name, CALLED, dae_dual, dae_dual, tangent, 2)

IN_ALL_PASSES(CALLS_2, inertia, DAE_CALL_INERTIA)
IN_ALL_PASSES(CALLS_2, force, DAE_CALL_FORCE)
IN_ALL_PASSES(CALLS_1, constraint, DAE_CALL_CONSTRAINT)
IN_ALL_PASSES(CALLS_2, rate, DAE_CALL_RATE)
IN_ALL_PASSES(CALLS_3, acceleration, DAE_CALL_ACCELERATION)
IN_ALL_PASSES(CALLS_2, reaction, DAE_CALL_REACTION)
IN_ALL_PASSES(CALLS_2, energy, DAE_CALL_ENERGY)
IN_ALL_PASSES(CALLS_2, mass, DAE_CALL_MASS)
IN_ALL_PASSES(CALLS_1, rhs, DAE_CALL_RHS)

static void start_double(const double *p, double *u)
{
    call(DAE_CALL_START, 0, p, NULL, NULL, NULL, NULL, u);
}

static void start_tangent(const dae_dual *p, dae_dual *u)
{
    call(DAE_CALL_START, 2, p, NULL, NULL, NULL, NULL, u);
}

#define ALL(name) {.f = name##_double, .dual = name##_dual, .tangent = c->dual_parameters ? name##_tangent : NULL}

static dae_mechanical mechanical(const dae_callbacks *c)
{
    dae_mechanical m = {.nq = c->nq, .nl = c->nl, .nonholonomic = c->nonholonomic,
                        .mass = c->mass_varies ? DAE_MASS_VARIES : DAE_MASS_TRIED,
                        .inertia = ALL(inertia), .force = ALL(force)};
    if (c->nl > c->nonholonomic)
        m.constraint = (dae_map1)ALL(constraint);
    if (c->nl) {
        m.rate = (dae_map2)ALL(rate);
        m.acceleration = (dae_map3)ALL(acceleration);
        m.reaction = (dae_map2)ALL(reaction);
    }
    if (c->has_energy)
        m.energy = (dae_map2)ALL(energy);
    return m;
}

static dae_first_order first_order(const dae_callbacks *c)
{
    dae_first_order f = {.n = c->n, .index = c->index,
                         .mass_kind = c->mass_varies ? DAE_MASS_VARIES : DAE_MASS_TRIED,
                         .rhs = ALL(rhs)};
    if (c->has_mass)
        f.mass = (dae_map2)ALL(mass);
    return f;
}

dae_status dae_callback_problem(dae_problem **problem, const dae_callbacks *c, dae_report *report)
{
    if (problem)
        *problem = NULL;
    if (!problem || !c || !c->call || !c->name)
        return dae_fail(report, DAE_BAD_ARGUMENT, "a problem of callbacks has a name and a callback");
    if (c->nq < 0 || c->n < 0 || c->nl < 0 || (c->nq > 0) == (c->n > 0) || (c->nl && !c->nq))
        return dae_fail(report, DAE_BAD_ARGUMENT, "%s: nq = %d, nl = %d, n = %d: a problem has positions, "
                        "or unknowns of first order", c->name, c->nq, c->nl, c->n);
    if (c->nonholonomic < 0 || c->nonholonomic > c->nl)
        return dae_fail(report, DAE_BAD_ARGUMENT, "%s: %d constraints are nonholonomic, of nl = %d", c->name,
                        c->nonholonomic, c->nl);
    dae_problem *p = calloc(1, sizeof *p);
    if (!p)
        return dae_fail(report, DAE_NO_MEMORY, "out of memory");
    p->name = c->name;
    p->title = c->title;
    p->variables = c->variables;
    p->units = c->units;
    p->more_parameters = c->parameters;
    if (c->nq)
        p->mechanical = mechanical(c);
    else
        p->first_order = first_order(c);
    p->start.f = start_double;
    p->start.tangent = c->dual_parameters ? start_tangent : NULL;
    p->t0 = c->t0;
    p->t_end = c->t_end;
    p->rtol = c->rtol;
    *problem = p;
    return DAE_OK;
}

void dae_callback_problem_free(dae_problem *problem) { free(problem); }
