/* written.h - a pendulum of unit length written as M u' = F of index 1, 2 or 3
 *
 * Included by a test after support.h and model.h, and once more in each pass over the models. The test
 * declares `static int level` (of the run in hand) and `static double force_at(double t)`, a force along x,
 * before model.h.
 */
#ifndef DAE_PASS
#include <daelab/description.h>
#include <string.h>

static void written_start(const double *p, double *u)
{
    const double at[] = {0.6, -0.8, 1.6, 1.2, 4 + 9.81 * 0.8};
    (void)p;
    memcpy(u, at, sizeof at);
}

/* Sets level. */
static dae_problem written(int index)
{
    level = index;
    return (dae_problem){.name = "written", .title = "a pendulum as M u' = F", .citation = "-",
                         .equations = "-", .variables = "x y vx vy T", .units = "- - - - -",
                         .first_order = {.n = 5, .index = index, .mass = DAE_MODEL(mass),
                                         .rhs = DAE_MODEL(rhs)},
                         .start = {written_start}, .t_end = 2};
}
#else

static void FN(mass)(const param *p, real t, const real *u, const real *w, real *r)
{
    for (int i = 0; i < 4; i++)
        r[i] = w[i];
    r[4] = 0;
}

static void FN(rhs)(const param *p, real t, const real *u, real *F)
{
    const double along = force_at(value(t));
    F[0] = u[2];
    F[1] = u[3];
    F[2] = along - u[0] * u[4];
    F[3] = -9.81 - u[1] * u[4];
    if (level == 3)
        F[4] = (u[0] * u[0] + u[1] * u[1] - 1) / 2;
    else if (level == 2)
        F[4] = u[0] * u[2] + u[1] * u[3];
    else
        F[4] = u[2] * u[2] + u[3] * u[3] + u[0] * F[2] + u[1] * F[3];
}
#endif
