/* drawn_pencil.c - E u' = E phi'(t) + B (u - phi(t)) + c (a^T (u - phi(t)))^2, whose solution is u = phi(t)
 *
 *   phi_i = U_i (o_i + a_i sin(w_i t + p_i) + b_i cos(w'_i t))
 *
 * with E = S diag(I, 0) T and B = S B_w T: in the unknowns w = T u the differential and the algebraic ones are apart. S
 * and T are orthogonal matrices but for units, or diagonal ones. B_w is
 *
 *   stiff        diag(-l, [-a b; -b -a], ...), l and a of any size                    Prothero, Robinson (1974)
 *   kernel       [A c; d D], D regular                                               index 1
 *   hessenberg   [A G^T; G 0], and of [0 I 0; -K -D G^T; G 0 0]                       index 2, 3
 *
 * The curved term is in rows, and of an unknown w_k, where it leaves the index as it is, and so small that other
 * solutions of the algebraic equations are units away: else there were several to begin with. A circuit has the
 * matrices of modified nodal analysis, in which capacitors between nodes make the kernel of E a mixed one. Errors of
 * u - phi decay, so that the error at a time is that of few steps.
 */
#ifndef DAE_PASS
#include "drawn.h"

#include "host/allocate.h"

#include <math.h>
#include <string.h>

enum { N = DRAWN_MOST };
static const double CURVED = 0.1;

typedef struct {
    int n;
    double E[N * N], B[N * N];  /* row by row */
    double curved[N], along[N]; /* c, a: w_k = a^T u */
    double offset[N], sine[N], cosine[N], rate[N], rate2[N], phase[N];
    double start[N];
} pencil;

#include <daelab/model.h>

static const dae_problem record = {
    .name = "pencil",
    .first_order = {.mass = DAE_MODEL(mass), .rhs = DAE_MODEL(rhs)},
    .start = DAE_MODEL(start),
};

static void exact(const void *data, double t, double *u)
{
    double slope[N];
    phi_double(data, t, u, slope);
}

/* Q[n x n]: a product of two reflections I - 2 x x^T, row by row */
static void orthogonal(drawn_random *r, int n, double *Q)
{
    for (int i = 0; i < n * n; i++)
        Q[i] = i % (n + 1) == 0;
    for (int k = 0; k < 2; k++) {
        double x[N], square = 0;
        for (int i = 0; i < n; i++) {
            x[i] = drawn_uniform(r, -1, 1);
            square += x[i] * x[i];
        }
        for (int i = 0; i < n; i++) {
            double product = 0;
            for (int j = 0; j < n; j++)
                product += Q[i * n + j] * x[j];
            for (int j = 0; j < n; j++)
                Q[i * n + j] -= 2 * product * x[j] / square;
        }
    }
}

/* out[n x n] := A diag(d) B, d = 0 behind the first rank entries where rank < n */
static void product(int n, const double *A, int rank, const double *B, double *out)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            out[i * n + j] = 0;
            for (int k = 0; k < rank; k++)
                out[i * n + j] += A[i * n + k] * B[k * n + j];
        }
}

/* phi in units of each unknown, with rates of some periods in the interval of span */
static void draw_motion(drawn_random *r, pencil *p, const double *unit, double span)
{
    for (int i = 0; i < p->n; i++) {
        p->offset[i] = unit[i] * (drawn_integer(r, 2) ? drawn_uniform(r, -1, 1) : 0);
        p->sine[i] = unit[i] * drawn_uniform(r, 0.3, 1);
        p->cosine[i] = unit[i] * drawn_uniform(r, -0.5, 0.5);
        p->rate[i] = drawn_decade(r, 0.3, 2.3) / span;
        p->rate2[i] = drawn_decade(r, 0, 1.5) / span;
        p->phase[i] = drawn_uniform(r, 0, 6);
    }
}

/* The interval: 10 units of time, which are drawn, from some such units on */
static double draw_times(drawn_random *r, drawn *d)
{
    const double second = drawn_unit(r, -9, 4);
    d->problem.t0 = drawn_begin(r, second);
    d->problem.t_end = d->problem.t0 + 10 * second;
    return second;
}

static pencil *begin(drawn *d, int n, int index)
{
    pencil *p = allocate(1, sizeof *p);
    d->problem = record;
    d->problem.first_order.n = d->width = n;
    d->problem.first_order.index = index;
    d->exact = exact;
    d->data = p;
    p->n = n;
    return p;
}

/* What a pencil is in w: rank of its unknowns are differential; rows curved to curved_end may be curved, by one of the
 * first by unknowns; the first held unknowns are held to the tolerance, all of u where held is 0. */
typedef struct {
    double B[N * N];
    int rank, curved, curved_end, by, held;
} plan;

/* E, B, phi and the start of p. mixed: S and T are no diagonal matrices. spoiled: the start has an error in the
 * algebraic part of w. */
static void finish(drawn_random *r, drawn *d, const plan *w, int mixed, int spoiled)
{
    pencil *p = d->data;
    const int n = p->n;
    const double second = draw_times(r, d);
    double S[N * N] = {0}, T[N * N] = {0}, Q[N * N] = {0}, half[N * N], unit[N], u[N];
    for (int i = 0; i < n; i++)
        S[i * n + i] = Q[i * n + i] = 1;
    if (mixed) {
        orthogonal(r, n, S);
        orthogonal(r, n, Q);
    }
    const int other_units = drawn_integer(r, 2);
    for (int j = 0; j < n; j++) {
        unit[j] = other_units ? drawn_decade(r, -6, 6) : 1;
        for (int i = 0; i < n; i++)
            T[i * n + j] = Q[i * n + j] / unit[j];
    }
    product(n, S, w->rank, T, p->E);
    product(n, S, n, w->B, half);
    product(n, half, n, T, p->B);
    for (int i = 0; i < n * n; i++)
        p->E[i] *= second;
    draw_motion(r, p, unit, 10 * second);
    memcpy(p->along, T + drawn_integer(r, w->by) * n, (size_t)n * sizeof *T);
    for (int k = drawn_integer(r, 2) ? w->curved : w->curved_end; k < w->curved_end; k++) {
        const double curved = drawn_uniform(r, -CURVED, CURVED);
        for (int i = 0; i < n; i++)
            p->curved[i] += S[i * n + k] * curved;
    }
    exact(p, d->problem.t0, u);
    for (int i = 0; i < n; i++) {
        p->start[i] = u[i];
        for (int k = w->rank; k < n && spoiled; k++)    /* T^-1 = U Q^T */
            p->start[i] += 0.3 * unit[i] * Q[k * n + i];
    }
    d->parts = w->held;
    memcpy(d->part, T, (size_t)(w->held * n) * sizeof *T);
}

static void make_stiff(drawn_random *r, drawn *d)
{
    const int n = 1 + drawn_integer(r, 4);
    plan w = {.rank = n, .curved_end = n, .by = n};
    begin(d, n, 0);
    for (int i = 0; i < n; i++) {
        const double rate = drawn_decade(r, -1, 6);
        w.B[i * n + i] = -rate;
        if (i + 1 < n && drawn_integer(r, 2)) {
            const double turn = rate * drawn_decade(r, -1, 1);
            w.B[(i + 1) * (n + 1)] = -rate;
            w.B[i * n + i + 1] = turn;
            w.B[(i + 1) * n + i] = -turn;
            i++;
        }
    }
    finish(r, d, &w, drawn_integer(r, 2), 0);
}

static void make_kernel(drawn_random *r, drawn *d)
{
    const int n = 2 + drawn_integer(r, 4), rank = 1 + drawn_integer(r, n - 1);
    plan w = {.rank = rank, .curved_end = n, .by = n};
    begin(d, n, 1);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            w.B[i * n + j] = drawn_uniform(r, -0.3, 0.3) - (i == j ? i < rank ? drawn_decade(r, 0, 3) : 2 : 0);
    finish(r, d, &w, drawn_integer(r, 2), drawn_integer(r, 2));
}

/* x in nx, and z in nz unknowns: A = -diag + small, G of nz rows, the first nz columns near those of I */
static void make_index2(drawn_random *r, drawn *d)
{
    const int nz = 1 + drawn_integer(r, 2), nx = nz + 1 + drawn_integer(r, 2), n = nx + nz;
    plan w = {.rank = nx, .curved_end = nx, .by = n, .held = nx};
    begin(d, n, 2);
    for (int i = 0; i < nx; i++)
        for (int j = 0; j < nx; j++)
            w.B[i * n + j] = drawn_uniform(r, -0.2, 0.2) - (i == j ? drawn_decade(r, 0, 1) : 0);
    for (int k = 0; k < nz; k++)
        for (int j = 0; j < nx; j++) {
            const double x = j < nz ? drawn_uniform(r, -0.2, 0.2) + (j == k) : drawn_uniform(r, -0.5, 0.5);
            w.B[(nx + k) * n + j] = x;
            w.B[j * n + nx + k] = x + drawn_uniform(r, -0.1, 0.1);
        }
    finish(r, d, &w, drawn_integer(r, 2), drawn_integer(r, 2));
}

/* (y, v, z): y' = v, v' = -K y - D v + G^T z, 0 = G y, with two or three y */
static void make_index3(drawn_random *r, drawn *d)
{
    const int ny = 2 + drawn_integer(r, 2), n = 2 * ny + 1;
    plan w = {.rank = 2 * ny, .curved = ny, .curved_end = 2 * ny, .by = 2 * ny, .held = ny};
    begin(d, n, 3);
    for (int i = 0; i < ny; i++) {
        const double g = drawn_uniform(r, -0.5, 0.5) + (i == 0);
        w.B[i * n + ny + i] = 1;
        w.B[(ny + i) * n + i] = -drawn_decade(r, 0, 1);
        w.B[(ny + i) * n + ny + i] = -drawn_uniform(r, 0.5, 2);
        w.B[2 * ny * n + i] = w.B[(ny + i) * n + 2 * ny] = g;
    }
    finish(r, d, &w, drawn_integer(r, 2), drawn_integer(r, 2));
}

static void make_hessenberg(drawn_random *r, drawn *d)
{
    if (drawn_integer(r, 2))
        make_index2(r, d);
    else
        make_index3(r, d);
}

/* x[a][a] += g, x[b][b] += g, x[a][b] -= g, x[b][a] -= g; node -1: ground */
static void stamp(double *x, int n, int a, int b, double g)
{
    x[a * n + a] += g;
    if (b >= 0) {
        x[b * n + b] += g;
        x[a * n + b] -= g;
        x[b * n + a] -= g;
    }
}

/* Nodes 0, 1, 2 with resistors to ground, capacitors between 0 and 1 and from some nodes to ground, an inductor at node
 * 2, and perhaps a voltage source at node 0. */
static void make_circuit(drawn_random *r, drawn *d)
{
    enum { NODES = 3, COIL = 3, SOURCE = 4 };
    const int sourced = drawn_integer(r, 2), n = COIL + 1 + sourced;
    pencil *p = begin(d, n, 1);
    double unit[N];
    const double second = draw_times(r, d), ohm = drawn_decade(r, 0, 6), volt = drawn_decade(r, -3, 3);
    const double farad = second / ohm, henry = second * ohm;
    int grounded[NODES];
    for (int a = 0; a < NODES; a++) {
        unit[a] = volt;
        stamp(p->B, n, a, -1, -drawn_decade(r, -1, 1) / ohm);
        if (a > 0)
            stamp(p->B, n, a - 1, a, -drawn_decade(r, -1, 1) / ohm);
        grounded[a] = drawn_integer(r, 2);
        if (grounded[a])
            stamp(p->E, n, a, -1, farad * drawn_decade(r, -3, 1));
    }
    stamp(p->E, n, 0, 1, farad * drawn_decade(r, -3, 1));
    p->E[COIL * n + COIL] = henry * drawn_decade(r, -2, 1);
    p->B[COIL * n + NODES - 1] = 1;
    p->B[(NODES - 1) * n + COIL] = -1;
    unit[COIL] = unit[SOURCE] = volt / ohm;
    const int joined = grounded[0] || grounded[1];      /* nodes 0 and 1, to ground */
    if (sourced) {
        p->B[SOURCE] = 1;
        p->B[SOURCE * n] = -1;
    }
    d->problem.first_order.index = sourced ? 1 + joined : !(joined && grounded[2]);
    draw_motion(r, p, unit, 10 * second);
    exact(p, d->problem.t0, p->start);
    if (d->problem.first_order.index > 1) {
        d->parts = n;
        memcpy(d->part, p->E, (size_t)(n * n) * sizeof *p->E);
    }
}

const drawn_class drawn_stiff = {"stiff", make_stiff};
const drawn_class drawn_kernel = {"kernel", make_kernel};
const drawn_class drawn_hessenberg = {"hessenberg", make_hessenberg};
const drawn_class drawn_circuit = {"circuit", make_circuit};

#else

static void FN(phi)(const pencil *p, real t, real *phi, real *slope)
{
    for (int i = 0; i < p->n; i++) {
        const real x = p->rate[i] * t + p->phase[i], y = p->rate2[i] * t;
        phi[i] = p->offset[i] + p->sine[i] * sin(x) + p->cosine[i] * cos(y);
        slope[i] = p->sine[i] * p->rate[i] * cos(x) - p->cosine[i] * p->rate2[i] * sin(y);
    }
}

static void FN(mass)(const param *parameters, real t, const real *u, const real *x, real *out)
{
    const pencil *p = dae_user_data(parameters);
    for (int i = 0; i < p->n; i++) {
        out[i] = (real){0};
        for (int j = 0; j < p->n; j++)
            out[i] = out[i] + p->E[i * p->n + j] * x[j];
    }
}

static void FN(rhs)(const param *parameters, real t, const real *u, real *F)
{
    const pencil *p = dae_user_data(parameters);
    real phi[N], slope[N];
    FN(phi)(p, t, phi, slope);
    real off = (real){0};
    for (int j = 0; j < p->n; j++)
        off = off + p->along[j] * (u[j] - phi[j]);
    for (int i = 0; i < p->n; i++) {
        F[i] = p->curved[i] * off * off;
        for (int j = 0; j < p->n; j++)
            F[i] = F[i] + p->E[i * p->n + j] * slope[j] + p->B[i * p->n + j] * (u[j] - phi[j]);
    }
}

static void FN(start)(const param *parameters, real *u)
{
    const pencil *p = dae_user_data(parameters);
    for (int i = 0; i < p->n; i++)
        u[i] = (real){0} + p->start[i];
}

#endif
