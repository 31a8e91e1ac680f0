/* mass_check.c - M of a model is linear, and of a mechanical one symmetric */
#include "checker.h"

#include <math.h>
#include <string.h>

/* The row i with an M_ij that differs most from M_ji, j < i, in units of the accelerations: row by row, as the
 * sum over i and j of either is (M x)_j and x^T M. */
static void blame_row(dae_checker *c, double part)
{
    const int nq = c->nq;
    int worst = 0, column = 0;
    dae_quad largest = 0, pair[2] = {0, 0};
    memset(c->x, 0, (size_t)nq * sizeof *c->x);
    memset(c->y, 0, (size_t)nq * sizeof *c->y);
    for (int i = 0; i < nq; i++) {
        c->x[i] = c->size_a[i];
        c->e->inertia.quad(c->p, c->t, c->q, c->x, c->slope);
        c->x[i] = 0;
        for (int j = 0; j < i; j++) {
            c->y[j] = c->size_a[j];
            c->e->inertia.quad(c->p, c->t, c->q, c->y, c->got);
            c->y[j] = 0;
            const dae_quad apart = dae_quad_fabs(c->slope[j] * c->size_a[j] - c->got[i] * c->size_a[i]);
            if (apart > largest) {
                largest = apart;
                worst = i;
                column = j;
                pair[0] = c->got[i] / c->size_a[j];
                pair[1] = c->slope[j] / c->size_a[i];
            }
        }
    }
    dae_blame(&c->found, "inertia", worst + 1, column + 1, (double)pair[0], (double)pair[1], part,
              "is not that of a symmetric mass matrix");
}

void dae_check_linear(dae_checker *c, int n, const dae_map2 *M, const dae_quad *size, const char *name)
{
    const dae_quad *Mx = c->slope, *My = c->got;
    dae_checker_choose(c, n, size, c->x);
    dae_checker_choose(c, n, size, c->y);
    for (int i = 0; i < n; i++)
        c->b[i] = c->x[i] + c->y[i];
    M->quad(c->p, c->t, c->q, c->x, c->slope);
    M->quad(c->p, c->t, c->q, c->y, c->got);
    M->quad(c->p, c->t, c->q, c->b, c->error);
    for (int i = 0; i < n; i++)
        dae_compare(&c->found, c->error[i], Mx[i] + My[i], 0, dae_quad_fabs(Mx[i]) + dae_quad_fabs(My[i]), name, i + 1,
                    "is not linear");
}

void dae_check_mass(dae_checker *c)
{
    enum { FEW = 64 };
    const char *function = "inertia", *why = "is not that of a symmetric mass matrix";
    dae_quad size = 0;
    dae_check_linear(c, c->nq, &c->e->inertia, c->size_a, function);
    const dae_quad xMy = dae_checker_product(c->nq, c->x, c->got, &size);
    const dae_quad yMx = dae_checker_product(c->nq, c->y, c->slope, &size);
    const double part = dae_difference(xMy, yMx, 0, size);
    if (part > c->found.rounding && c->nq <= FEW)
        blame_row(c, part);
    else
        dae_compare(&c->found, xMy, yMx, 0, size, function, 0, why);
}
