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
                   DAE_PART(dae_variation, dual, 4 * nq + 2 * nl), DAE_PART(dae_variation, moves, columns)))
        v->du = NULL;
    v->dp = dae_zeroed(columns * parameters, sizeof *v->dp);
    if (!v->du || !v->dp)
        return dae_fail(&v->report, DAE_NO_MEMORY, "no memory for %d directions of %d unknowns", count, sys->n);
    return dae_tangent_begin(sys, NULL, &v->report);
}

void dae_variation_free(dae_variation *v)
{
    free(v->du);
    free(v->dp);
    free(v->room);
    free(v->kept);
    *v = (dae_variation){0};
}

/* 0 where there is no memory; 1: *room was large enough, 2: it is another. */
static int make_room(dae_variation *v, double **room, size_t *size, size_t numbers)
{
    if (numbers <= *size)
        return 1;
    free(*room);
    *room = dae_zeroed(numbers, sizeof **room);
    *size = *room ? numbers : 0;
    if (!*room)
        dae_fail(&v->report, DAE_NO_MEMORY, "no memory for the stages of %d directions", v->count);
    return *room ? 2 : 0;
}

double *dae_variation_room(dae_variation *v, size_t numbers)
{
    make_room(v, &v->room, &v->size, numbers);
    return v->room;
}

double *dae_variation_keep(dae_variation *v, size_t numbers)
{
    v->kept_t = make_room(v, &v->kept, &v->kept_size, numbers) == 1 ? v->kept_t : NAN;
    return v->kept;
}

dae_status dae_vary_rhs(dae_variation *v, int c, double t, const double *u, const double *du, double *out)
{
    dae_tangent_set(v->sys, dae_dp(v, c));
    dae_tangent_rhs(v->sys, t, u, &(dae_tangent){.t = v->dt, .u = du}, out);
    return DAE_OK;
}

void dae_vary_anew(dae_variation *v) { memset(v->moves, 0, (size_t)v->count + 1); }

/* M_p x of a random x is 0 where M_p is. */
static int moves_mass(dae_variation *v, int c)
{
    uint64_t random = 1;
    for (int i = 0; i < v->n; i++)
        v->y[i] = dae_random_direction(&random);
    const dae_status status = dae_system_mass_along(v->sys, v->y, &(dae_tangent){.p = dae_dp(v, c)}, v->z, &v->report);
    return status || dae_largest(v->n, v->z) > 0 || !dae_vector_finite(v->n, v->z);
}

int dae_vary_moves(dae_variation *v, int c)
{
    if (!v->moves[c]) {
        const int moves = dae_largest(v->sys->parameters, dae_dp(v, c)) > 0;
        v->moves[c] = (char)(DAE_MOVES_KNOWN | (moves ? DAE_MOVES_PARAMETERS : 0)
                             | (moves && moves_mass(v, c) ? DAE_MOVES_MASS : 0));
    }
    return v->moves[c];
}

dae_status dae_vary_mass(dae_variation *v, int c, const double *x, double *out)
{
    if (dae_vary_moves(v, c) & DAE_MOVES_MASS)
        return dae_system_mass_along(v->sys, x, &(dae_tangent){.p = dae_dp(v, c)}, out, &v->report);
    memset(out, 0, (size_t)v->n * sizeof *out);
    return DAE_OK;
}

/* Chebyshev's points x_j = cos(pi j/N) on the way, of which x_0 = 1 is (t, u), and the slope there: Trefethen (2000),
 * Spectral Methods in MATLAB, chapter 6. */
dae_status dae_vary_slope(dae_variation *v, int c, double t, const double *u, double tau, const double *y,
                          const double *du, double *out)
{
    enum { N = 6 };
    static const double WAY = 1.0 / 64;
    const double ahead = tau < 0 ? -1 : 1;              /* F may jump where the step begins: never look behind it */
    double *here = v->z;
    memset(out, 0, (size_t)v->n * sizeof *out);
    dae_status status = dae_vary_rhs(v, c, t, u, du, here);
    for (int j = 1; !status && j <= N; j++) {           /* the weights with that of x_0 have the sum 0 */
        const double x = cos(j * acos(-1.0) / N), theta = WAY * (1 - x) / 2, sign = j % 2 ? -1 : 1;
        const double weight = j == N ? sign / 2 : 2 * sign / (1 - x);
        for (int i = 0; i < v->n; i++)
            v->x[i] = u[i] + ahead * theta * y[i];
        status = dae_vary_rhs(v, c, t + ahead * theta * tau, v->x, du, v->y);
        for (int i = 0; i < v->n; i++)
            out[i] -= ahead * 2 / WAY * weight * (v->y[i] - here[i]);
    }
    return status;
}
