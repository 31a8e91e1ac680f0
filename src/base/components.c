/* components.c - combinations of unknowns that have an index of their own, y = T u */
#include "components.h"
#include "no_fast_math.h"
#include "parts.h"

#include <stdlib.h>

dae_components *dae_components_create(int n)
{
    const size_t size = (size_t)n;
    dae_components *c = DAE_RECORD(dae_components,
        DAE_PART(dae_components, T, size * size), DAE_PART(dae_components, V, size * size),
        DAE_PART(dae_components, y, size), DAE_PART(dae_components, index, size),
        DAE_PART(dae_components, algebraic, size));
    if (!c)
        return NULL;
    c->n = n;
    for (int i = 0; i < n; i++) {
        c->index[i] = 1;
        c->T[i * n + i] = c->V[i * n + i] = 1;
    }
    return c;
}

void dae_components_free(dae_components *c) { free(c); }

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
