/* extrapolation_pair.c - two runs that agree
 *
 * The first run chooses its steps by a tolerance. The second has a lower order, and cuts each of these
 * steps by the golden section, so that none of its points is one of the first, but for the ends. Both
 * look into every part of the interval that is a ten thousandth of it: what is that wide is found, or
 * the runs do not agree.
 */
#include "extrapolation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 14, CHECK_COLUMNS = 12, HALVINGS = 4 };
static const double local_tolerance = 1e-29;    /* of the run that is kept, for one basic step */
static const double look_tolerance = 1e-22;     /* between the points of the other */
static const double wanted_digits = 24, fewest_digits = 18;
static const double most_evaluations = 3.5e6;   /* of f in one run */
static const double narrow = 1e-4;              /* part of the interval */
static const double golden = 0.3819660112501051;

typedef struct {
    const dae_quad_ode *ode;
    const dae_quad_grid *grid;
    const dae_quad *y0;
    dae_quad *size;             /* [m] of the outputs */
    double span;
    dae_quad_mesh mesh;
    dae_report *report;
} runs;

/* The run that is kept, its steps chosen; then again with each of them in 2^halved pieces. */
static dae_status run(runs *r, int halved, double spacing, dae_quad *z)
{
    dae_quad_rule rule = {.columns = COLUMNS, .step = r->span > 0 ? r->span : 1,
                          .tolerance = local_tolerance, .spacing = spacing,
                          .most = most_evaluations + 1000.0 * r->grid->count};
    if (halved == 0)
        return dae_extrapolate_search(r->ode, &rule, r->grid, r->y0, &r->mesh, z, r->size, r->report);
    double parts[1 << HALVINGS];
    const int count = 1 << halved;
    for (int i = 0; i < count - 1; i++)
        parts[i] = (i + 1.0) / count;
    rule.tolerance = 0;
    return dae_extrapolate_along(r->ode, &rule, r->grid, r->y0, &r->mesh, parts, count, z, r->report);
}

/* Agreement of the run in z with one of lower order and shorter steps, on other points. */
static dae_status agreement(runs *r, int halved, double spacing, const dae_quad *z,
                            dae_quad *scratch, double *digits)
{
    double parts[2 << HALVINGS];
    const int count = 1 << halved;
    for (int i = 0; i < 2 * count - 1; i++)
        parts[i] = (i / 2 + (i % 2 ? 1 : golden)) / count;
    const dae_quad_rule other = {.columns = CHECK_COLUMNS, .step = r->span > 0 ? r->span : 1,
                                 .tolerance = look_tolerance, .spacing = spacing};
    const dae_status status = dae_extrapolate_along(r->ode, &other, r->grid, r->y0, &r->mesh, parts,
                                                    2 * count, scratch, r->report);
    dae_quad worst = 0;
    for (int i = 0; i < r->grid->count; i++)
        dae_quad_compare(&worst, r->ode->m, r->size, z + i * r->ode->m, scratch + i * r->ode->m);
    *digits = status == DAE_OK ? dae_quad_digits(worst) : 0;
    return status;
}

/* z := the best of runs with ever shorter steps, until 24 digits agree or halving gains none. Where the
 * second run meets what the first did not, that looks closer. */
static dae_status refine(runs *r, dae_quad *z, dae_quad *trial, double *digits)
{
    const size_t size = (size_t)r->grid->count * (size_t)r->ode->m;
    double spacing = narrow * r->span;
    *digits = 0;
    for (int halved = 0, closer = 0; halved <= HALVINGS;) {
        double agreed = 0;
        dae_status status = run(r, halved, spacing, trial);
        if (status != DAE_OK)
            return status;
        status = agreement(r, halved, spacing, trial, trial + size, &agreed);
        if (status == DAE_ERROR_TEST && halved == 0 && closer++ < 3) {
            spacing *= golden;
            continue;
        }
        if (status != DAE_OK)
            return status;
        const double before = *digits;
        if (agreed > before) {
            memcpy(z, trial, size * sizeof *z);
            *digits = agreed;
        }
        if (agreed >= wanted_digits || agreed < before + 1)
            return DAE_OK;
        halved++;
    }
    return DAE_OK;
}

dae_status dae_extrapolate_pair(const dae_quad_ode *ode, const dae_quad_grid *grid,
                                const dae_quad *y0, dae_quad *z, double *digits,
                                dae_report *report)
{
    const size_t size = (size_t)grid->count * (size_t)ode->m;
    dae_report why = {DAE_OK, ""};          /* of the last trial, which a better one may follow */
    runs r = {.ode = ode, .grid = grid, .y0 = y0, .report = &why,
              .span = (double)(grid->times[grid->count - 1] - grid->t0)};
    dae_quad *trial = calloc(2 * size + (size_t)ode->m, sizeof *trial);
    if (!trial)
        return dae_fail(report, DAE_NO_MEMORY, "no memory for %d times of %d values",
                        grid->count, ode->m);
    r.size = trial + 2 * size;
    dae_status status = refine(&r, z, trial, digits);
    dae_quad_mesh_free(&r.mesh);
    free(trial);
    if (*digits >= fewest_digits)
        return DAE_OK;
    if (status == DAE_OK)
        status = dae_fail(&why, DAE_NO_CONVERGENCE,
                          "two quad runs of different order and step agree to %.1f digits only: "
                          "the solution is too sensitive by t = %.9g",
                          *digits, (double)grid->times[grid->count - 1]);
    else if (status == DAE_ERROR_TEST)
        why.status = status = DAE_NO_CONVERGENCE;
    if (report)
        *report = why;
    return status;
}
