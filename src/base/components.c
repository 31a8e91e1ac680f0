/* components.c - combinations of unknowns that have an index of their own, y = T u */
#include "components.h"
#include "no_fast_math.h"

#include <stdlib.h>

dae_components *dae_components_create(int n)
{
    const size_t size = (size_t)n;
    dae_components *c = calloc(1, sizeof *c);
    double *T = calloc(2 * size * size + size, sizeof *T);
    int *index = calloc(2 * size, sizeof *index);
    if (!c || !T || !index) {
        free(index);
        free(T);
        free(c);
        return NULL;
    }
    *c = (dae_components){.n = n, .index = index, .algebraic = index + size, .T = T, .V = T + size * size,
                          .y = T + 2 * size * size};
    for (int i = 0; i < n; i++) {
        index[i] = 1;
        c->T[i * n + i] = c->V[i * n + i] = 1;
    }
    return c;
}

void dae_components_free(dae_components *c)
{
    if (!c)
        return;
    free(c->index);
    free(c->T);
    free(c);
}

static void multiply(int n, const double *A, const double *x, double *y)
{
    for (int i = 0; i < n; i++) {
        y[i] = 0;
        for (int j = 0; j < n; j++)
            y[i] += A[i * n + j] * x[j];
    }
}

void dae_components_of(const dae_components *c, const double *u, double *y) { multiply(c->n, c->T, u, y); }

void dae_components_back(const dae_components *c, const double *y, double *u) { multiply(c->n, c->V, y, u); }

const double *dae_components_apart(const dae_components *c, const double *u, const double *v)
{
    const int n = c->n;
    for (int i = 0; i < n; i++) {
        c->y[i] = 0;
        for (int j = 0; j < n; j++)
            c->y[i] += c->T[i * n + j] * ((u ? u[j] : 0) - v[j]);
    }
    return c->y;
}

void dae_components_take(const dae_components *c, const double *from, double *u)
{
    const int n = c->n;
    const double *y = dae_components_apart(c, from, u);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            u[i] += c->index[j] > 1 ? c->V[i * n + j] * y[j] : 0;
}
