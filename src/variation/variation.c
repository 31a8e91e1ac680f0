/* variation.c - what derivatives along directions are made of: F, M, and the slopes of F */
#include "variation.h"

#include "base/numbers.h"
#include "base/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

dae_status dae_variation_create(dae_variation *v, dae_system *sys, int count)
{
    const size_t n = (size_t)sys->n, nq = (size_t)sys->nq, nl = (size_t)sys->nl, columns = (size_t)count + 1;
    const size_t parameters = (size_t)sys->parameters;
    *v = (dae_variation){.sys = sys, .n = sys->n, .count = count};
    const dae_status status = dae_check_tangent(sys->problem, &v->report);
    if (status)
        return status;
    if (!DAE_PARTS(v,
                   DAE_PART(dae_variation, du, columns * n), DAE_PART(dae_variation, x, n),
                   DAE_PART(dae_variation, y, n), DAE_PART(dae_variation, z, n), DAE_PART(dae_variation, a, nq),
                   DAE_PART(dae_variation, lambda, nl), DAE_PART(dae_variation, dx, nq),
                   DAE_PART(dae_variation, dual, 4 * nq + 2 * nl)))
        v->du = NULL;
    v->dp = dae_zeroed(columns * parameters, sizeof *v->dp);
    return v->du && v->dp ? DAE_OK
                       : dae_fail(&v->report, DAE_NO_MEMORY, "no memory for %d directions of %d unknowns", count, sys->n);
}

void dae_variation_free(dae_variation *v)
{
    free(v->du);
    free(v->dp);
    free(v->room);
    *v = (dae_variation){0};
}

double *dae_variation_room(dae_variation *v, size_t numbers)
{
    if (numbers > v->size) {
        free(v->room);
        v->room = dae_zeroed(numbers, sizeof *v->room);
        v->size = v->room ? numbers : 0;
    }
    if (!v->room)
        dae_fail(&v->report, DAE_NO_MEMORY, "no memory for the stages of %d directions", v->count);
    return v->room;
}

dae_status dae_vary_rhs(dae_variation *v, int c, double t, const double *u, const double *du, double *out)
{
    return dae_system_rhs_along(v->sys, t, u, &(dae_tangent){.t = v->dt, .u = du, .p = dae_dp(v, c)}, out,
                                &v->report);
}

dae_status dae_vary_mass(dae_variation *v, int c, const double *x, double *out)
{
    return dae_system_mass_along(v->sys, x, &(dae_tangent){.p = dae_dp(v, c)}, out, &v->report);
}

/* Chebyshev's points x_j = cos(pi j/N) on the way, of which x_0 = 1 is (t, u), and the slope there: Trefethen (2000),
 * Spectral Methods in MATLAB, chapter 6. */
dae_status dae_vary_slope(dae_variation *v, int c, double t, const double *u, double tau, const double *y,
                          const double *du, double *out)
{
    enum { N = 6 };
    static const double WAY = 1.0 / 64;
    dae_status status = DAE_OK;
    memset(out, 0, (size_t)v->n * sizeof *out);
    for (int j = 0; !status && j <= N; j++) {
        const double x = cos(j * acos(-1.0) / N), theta = WAY * (1 - x) / 2, sign = j % 2 ? -1 : 1;
        const double weight = j == 0 ? (2 * N * N + 1) / 6.0 : j == N ? sign / 2 : 2 * sign / (1 - x);
        for (int i = 0; i < v->n; i++)
            v->x[i] = u[i] + theta * y[i];
        status = dae_vary_rhs(v, c, t + theta * tau, v->x, du, v->y);
        for (int i = 0; i < v->n; i++)
            out[i] -= 2 / WAY * weight * v->y[i];
    }
    return status;
}
