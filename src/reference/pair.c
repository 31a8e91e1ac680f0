/* pair.c - two runs of different order and step, ever sharper, until they agree */
#include "pair.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double fewest_digits = 18;

void dae_quad_compare(dae_quad *worst, int m, const dae_quad *size, const dae_quad *a, const dae_quad *b)
{
    for (int i = 0; i < m; i++) {
        const dae_quad apart = dae_quad_fabs(a[i] - b[i]);
        const dae_quad of = dae_quad_fmax(size[i], dae_quad_fmax(dae_quad_fabs(a[i]), dae_quad_fabs(b[i])));
        if (apart > 0)
            *worst = dae_quad_fmax(*worst, apart / of);
    }
}

double dae_quad_digits(dae_quad worst)
{
    return worst > 0 ? fmin(33, -log10((double)worst)) : 33;
}

static double agreed_digits(const dae_quad_pair *p, const dae_quad *size, const dae_quad *a, const dae_quad *b)
{
    dae_quad worst = 0;
    for (int i = 0; i < p->grid->count; i++)
        dae_quad_compare(&worst, p->n, size, a + i * p->n, b + i * p->n);
    return dae_quad_digits(worst);
}

/* z := the best of the trials, until enough digits agree or a sharper one gains none; x[2 rows] */
static dae_status refine(const dae_quad_pair *p, dae_quad *z, dae_quad *size, dae_quad *x, double *digits,
                         dae_report *why)
{
    const size_t rows = (size_t)p->grid->count * (size_t)p->n;
    for (int trial = 0; trial < p->trials; trial++) {
        dae_status status = DAE_OK;
        int pass = 0;
        for (int second = 0; !status && second < 2; second++)
            status = p->run(p->context, trial, second, x + (second ? rows : 0), size, &pass, why);
        if (pass)
            continue;
        if (status)
            return status;
        const double agreed = agreed_digits(p, size, x, x + rows), before = *digits;
        if (agreed > before) {
            memcpy(z, x, rows * sizeof *z);
            *digits = agreed;
        }
        if (agreed >= p->wanted || (agreed < before + 1 && before >= p->hopeful))
            break;
    }
    return DAE_OK;
}

dae_status dae_quad_agree(const dae_quad_pair *p, dae_quad *z, dae_quad *size, double *digits, dae_report *report)
{
    const int count = p->grid->count;
    dae_report why = {DAE_OK, ""};          /* of the last trial, which a better one may have preceded */
    dae_quad *x = calloc(2 * (size_t)count * (size_t)p->n + 1, sizeof *x);
    *digits = 0;
    if (!x)
        return dae_fail(report, DAE_NO_MEMORY, "no memory for %d times of %d values", count, p->n);
    dae_status status = refine(p, z, size, x, digits, &why);
    free(x);
    if (*digits >= fewest_digits)
        return DAE_OK;
    if (status == DAE_OK)
        status = dae_fail(&why, DAE_NO_CONVERGENCE, "two %s of different order and step agree to %.1f digits only%s by "
                          "t = %.9g", p->runs, *digits, p->because, (double)p->grid->times[count - 1]);
    return dae_fail(report, status == DAE_ERROR_TEST ? DAE_NO_CONVERGENCE : status, "%s", why.message);
}

dae_status dae_quad_watch(const dae_reference_watch *watch, dae_quad t, dae_report *report)
{
    if (!watch || !watch->tell || !watch->tell(watch->context, (double)t))
        return DAE_OK;
    return dae_fail(report, DAE_STOPPED, "t = %.9g: the reference was stopped", (double)t);
}

dae_status dae_quad_grid_check(const dae_quad_grid *grid, dae_report *report)
{
    dae_quad before = grid->t0;
    for (int i = 0; i < grid->count; i++) {
        if (before - before != 0 || grid->times[i] - grid->times[i] != 0 || grid->times[i] < before)
            return dae_fail(report, DAE_BAD_ARGUMENT, "time %.9g after %.9g: times must increase",
                            (double)grid->times[i], (double)before);
        before = grid->times[i];
    }
    return DAE_OK;
}
