/* formulations.c - the table of formulations */
#include "system.h"

#include <math.h>
#include <string.h>

#define SCALAR double
#define OF f
#define SUFFIX(name) name##_double
#define SCRATCH a
#define PARAMETERS(s) (s)->p
#define INVERSE_MASS(s) (s)->inverse_mass
#include "compose.h"
#undef SCALAR
#undef OF
#undef SUFFIX
#undef SCRATCH

#define SCALAR dae_dual
#define OF dual
#define SUFFIX(name) name##_dual
#define SCRATCH inner.a_dual
#include "compose.h"
#undef SCALAR
#undef OF
#undef SUFFIX
#undef SCRATCH

#define SCALAR dae_dual
#define OF tangent
#define SUFFIX(name) name##_tangent
#define SCRATCH inner.a_dual
#undef PARAMETERS
#define PARAMETERS(s) (s)->p_tangent
#undef INVERSE_MASS
#define INVERSE_MASS(s) (s)->inner.tangent
#include "compose.h"
#undef SCALAR
#undef OF
#undef SUFFIX
#undef SCRATCH

#define SCALAR dae_quad
#define OF quad
#define SUFFIX(name) name##_quad
#define SCRATCH a_quad
#undef PARAMETERS
#define PARAMETERS(s) (s)->p_quad
#undef INVERSE_MASS
#define INVERSE_MASS(s) ((s)->a_quad + (s)->nq + 2 * (s)->nl)
#include "compose.h"
#undef SCALAR
#undef OF
#undef SUFFIX
#undef SCRATCH

#define RHS(name)                                                                                 \
    .rhs = name##_double, .rhs_dual = name##_dual, .rhs_quad = name##_quad,                       \
    .rhs_tangent = name##_tangent

static const dae_formulation table[] = {
    {.info = {.name = "index3", .index = 3,
              .title = "the constraint 0 = g as it stands",
              .citation = "Hairer, Wanner (1996), Solving ODEs II, VII.1"},
     .mechanical = {.on_positions = 1, .levels = 1, RHS(index3), .linearise = dae_analytic_index3}},
    {.info = {.name = "index2", .index = 2,
              .title = "the constraint differentiated once, 0 = dg/dt (nonholonomic: as it stands)",
              .citation = "Hairer, Wanner (1996), Solving ODEs II, VII.1"},
     .mechanical = {.levels = 1 << 1, RHS(index2), .linearise = dae_analytic_index2}},
    {.info = {.name = "index1", .index = 1,
              .title = "the constraint differentiated twice, 0 = d2g/dt2 (first order, nonholonomic: once)",
              .citation = "Hairer, Wanner (1996), Solving ODEs II, VII.1"},
     .mechanical = {.eliminates = 1, .levels = 1 << 2, RHS(index1), .linearise = dae_analytic_index1},
     .first_order = {.kind = DAE_FORM_FIRST_ORDER, RHS(reduced)}},
    {.info = {.name = "baumgarte", .index = 1, .stabilised = DAE_BY_FEEDBACK,
              .title = "0 = d2g/dt2 + 2 alpha dg/dt + beta^2 g (nonholonomic: without g)",
              .citation = "Baumgarte (1972), Comput. Methods Appl. Mech. Eng. 1, 1-16"},
     .mechanical = {.levels = 1 | 1 << 1 | 1 << 2, RHS(baumgarte), .linearise = dae_analytic_baumgarte}},
    {.info = {.name = "ggl", .index = 2, .stabilised = DAE_BY_MULTIPLIERS,
              .title = "stabilised index 2: q' = v - G^T mu, 0 = dg/dt, 0 = g",
              .citation = "Gear, Gupta, Leimkuhler (1985), J. Comput. Appl. Math. 12-13, 77-90"},
     .mechanical = {.on_positions = 1, .auxiliary = 1, RHS(ggl), .linearise = dae_analytic_ggl}},
    {.info = {.name = "ode", .index = 0,
              .title = "minimal coordinates, where the problem gives them",
              .citation = "Hairer, Wanner (1996), Solving ODEs II, VII.1"},
     .mechanical = {.kind = DAE_FORM_MINIMAL, RHS(ode)}},
    {.info = {.name = "native", .index = -1,
              .title = "a first-order problem as it is written",
              .citation = "the problem's own"},
     .first_order = {.kind = DAE_FORM_FIRST_ORDER, RHS(native),
                     .linearise = dae_analytic_native}},
};

const dae_composition dae_unconstrained = {.eliminates = 1, RHS(free_motion),
                                           .linearise = dae_analytic_index3};

enum { FORMULATIONS = sizeof table / sizeof *table };

const dae_formulation *dae_formulation_at(int i)
{
    return i >= 0 && i < FORMULATIONS ? &table[i] : NULL;
}

const dae_formulation *dae_find_formulation(const char *name)
{
    for (int i = 0; name && i < FORMULATIONS; i++)
        if (strcmp(table[i].info.name, name) == 0)
            return &table[i];
    return NULL;
}

dae_formulation_info dae_formulation_describe(const dae_formulation *form)
{
    return form ? form->info : (dae_formulation_info){0};
}

/* In some mode. */
static int is_nonholonomic(const dae_problem *problem)
{
    int count = problem->mechanical.nonholonomic;
    for (int i = 0; problem->modes && problem->modes[i]; i++)
        count += problem->modes[i]->mechanical.nonholonomic;
    return count > 0;
}

int dae_formulation_applies(const dae_formulation *form, const dae_problem *problem)
{
    if (!form || !problem)
        return 0;
    if (problem->mechanical.nq > 0)
        return form->mechanical.rhs
               && (form->mechanical.kind != DAE_FORM_MINIMAL || problem->mechanical.minimal.n > 0)
               && !(form->mechanical.on_positions && is_nonholonomic(problem));
    if (form->first_order.rhs == reduced_double)
        return problem->first_order.reduced.f != NULL;
    return form->first_order.rhs != NULL;
}

dae_formulation_options dae_default_formulation_options(const dae_problem *problem)
{
    const double span = problem ? problem->t_end - problem->t0 : 0;
    const double rate = span > 0 && isfinite(20 / span) ? 20 / span : 10;
    return (dae_formulation_options){.alpha = rate, .beta = rate};
}
