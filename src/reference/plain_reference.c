/* plain_reference.c - references in quad, rounded to pairs of doubles, high = x and low = x - high
 *
 * For programs whose language has no quad numbers, as C++. daelab itself uses quad_reference.h. */
#include "base/no_fast_math.h"
#include "daelab/quad_reference.h"

#include <stdlib.h>
#include <string.h>

static dae_double_double split(dae_quad x)
{
    const double high = (double)x;
    return (dae_double_double){high, (double)(x - high)};
}

void dae_double_double_text(dae_double_double x, char *text, int length)
{
    if (text && length > 0)
        dae_quad_text((dae_quad)x.high + x.low, 32, text, (size_t)length);
}

/* x[size] as pairs; NULL where there is no memory. */
static dae_double_double *split_all(const dae_quad *x, size_t size)
{
    dae_double_double *pairs = calloc(size + 1, sizeof *pairs);
    for (size_t i = 0; pairs && i < size; i++)
        pairs[i] = split(x[i]);
    return pairs;
}

static dae_status split_rows(dae_plain_reference *to, const dae_reference *from, int count,
                             dae_report *report)
{
    const size_t rows = (size_t)count, nq = (size_t)from->nq, nl = (size_t)from->nl;
    *to = (dae_plain_reference){.count = count, .nq = from->nq, .nl = from->nl,
                                .digits = from->digits, .source = from->source};
    to->q = split_all(from->q, rows * nq);
    if (from->v) {
        to->v = split_all(from->v, rows * nq);
        to->lambda = split_all(from->lambda, rows * nl);
    }
    if (to->q && (!from->v || (to->v && to->lambda)))
        return DAE_OK;
    dae_plain_reference_free(to);
    return dae_fail(report, DAE_NO_MEMORY, "no memory for a reference at %d times", count);
}

dae_status dae_plain_reference_solve(dae_plain_reference *reference, dae_system *sys, double t0,
                                     const double *u0, const double *times, int count,
                                     const dae_reference_watch *watch, dae_report *report)
{
    if (!reference)
        return dae_fail(report, DAE_BAD_ARGUMENT, "no reference is given");
    *reference = (dae_plain_reference){0};
    dae_reference quad = {0};
    dae_status status =
        dae_reference_solve_watched(&quad, sys, t0, u0, times, count, watch, report);
    if (status)
        return status;
    status = split_rows(reference, &quad, count, report);
    dae_reference_free(&quad);
    return status;
}

void dae_plain_reference_free(dae_plain_reference *reference)
{
    if (!reference)
        return;
    free(reference->q);
    free(reference->v);
    free(reference->lambda);
    *reference = (dae_plain_reference){0};
}
