/* quad_radau_iia.c - steps of Radau IIA in quad precision
 *
 * The collocation polynomial of a step is unique, however its equations are solved; so the steps of
 * radau_step.c, to quad precision, are those of the method. radau_step.c hands its parameters
 * through to F and M unseen: here these are the run.
 */
#include "quad_run.h"
#include "radau_step.h"

#include <stdlib.h>

enum { MOST_EQUATIONS = 160 };          /* of the stages together: they are factored as they are */

typedef struct {
    dae_first_order equations;
    dae_quad_dae dae;
    dae_quad_stepper collocation;
} stepper;

static void rhs(const dae_quad *run, dae_quad t, const dae_quad *u, dae_quad *F)
{
    dae_quad_run_rhs((const dae_quad_run *)(const void *)run, t, u, F);
}

static void mass(const dae_quad *run, dae_quad t, const dae_quad *u, const dae_quad *x, dae_quad *out)
{
    (void)u;                            /* the M of a composed system is constant */
    dae_quad_run_mass((const dae_quad_run *)(const void *)run, t, x, out);
}

static dae_status create(dae_quad_run *r)
{
    const int *stages = r->tableau;
    stepper *s = r->stepper = calloc(1, sizeof *s);
    if (!s)
        return DAE_NO_MEMORY;
    if (stages[1] < DAE_RADAU_FEWEST || stages[1] > DAE_RADAU_MOST
        || stages[1] * r->n > MOST_EQUATIONS)
        return DAE_UNSUPPORTED;
    s->equations = (dae_first_order){.n = r->n, .rhs = {.quad = rhs}, .mass = {.quad = mass}};
    s->dae = (dae_quad_dae){.equations = &s->equations, .p = (const dae_quad *)(const void *)r,
                            .group = r->sys->classes};
    return dae_quad_stepper_create(&s->collocation, &s->dae, stages[1]) ? DAE_OK : DAE_NO_MEMORY;
}

static void destroy(dae_quad_run *r)
{
    stepper *s = r->stepper;
    if (s)
        dae_quad_stepper_free(&s->collocation);
    free(s);
}

static dae_status start(dae_quad_run *r)
{
    stepper *s = r->stepper;
    s->collocation.least = 1e-3;            /* auxiliary multipliers are next to nothing */
    dae_quad_stepper_start(&s->collocation, r->t, r->u);
    return DAE_OK;
}

static dae_status step(dae_quad_run *r, dae_quad h)
{
    stepper *s = r->stepper;
    double error;
    dae_quad_stepper_linearise(&s->collocation);
    const dae_status status = dae_quad_stepper_try(&s->collocation, h, &error);
    if (status)
        return status;
    dae_quad_stepper_accept(&s->collocation, h);
    for (int i = 0; i < r->n; i++)
        r->u[i] = s->collocation.u[i];
    return DAE_OK;
}

const dae_quad_family dae_quad_radau_iia = {create, start, step, destroy, NULL, 0};
