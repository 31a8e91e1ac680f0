/* radau_stages.c - what Newton's iteration does with each unknown in all stages, two unknowns at once
 *
 * Everything between the evaluations of F and the solution of the linear systems, in three passes through the
 * unknowns: w = T^-1 z; the right sides g T^-1 F - M w; and w += dw, its norm and z = T w. The loops over
 * stages have constant lengths, so that they are written out, and the coefficients stand twice side by side.
 */
#include "radau.h"

#include "system/system.h"

#include <math.h>

#define INLINE inline __attribute__((always_inline))
#if defined(__GNUC__) && !defined(__clang__)
#define UNROLL _Pragma("GCC unroll 7")
#else
#define UNROLL                  /* clang writes short loops out by itself */
#endif

/* Loads of neighbours are not made one. */
#ifdef __SSE2__
#define KEEP_APART(x) __asm__("" : "+x"(x))
#else
#define KEEP_APART(x) ((void)0)
#endif

typedef double loose_pair __attribute__((vector_size(16), aligned(8), may_alias));

/* Two neighbours, or one and a zero */
static INLINE radau_pair load(const double *x, int both)
{
    return both ? (radau_pair)*(const loose_pair *)x : (radau_pair){*x, 0};
}

/* The same of numbers that were stored one by one just now: a load of both would wait until they are in the cache. */
static INLINE radau_pair gather(const double *x, int both)
{
    double first = x[0], second = 0;
    if (both)
        second = x[1];
    KEEP_APART(first);
    return (radau_pair){first, second};
}

static INLINE void store(double *x, radau_pair value, int both)
{
    if (both)
        *(loose_pair *)x = value;
    else
        *x = value[0];
}

/* y := A x */
static INLINE void multiply(int s, const radau_pair *A, const radau_pair *x, radau_pair *y)
{
    UNROLL
    for (int k = 0; k < s; k++) {
        y[k] = A[k * s] * x[0];
        UNROLL
        for (int j = 1; j < s; j++)
            y[k] += A[k * s + j] * x[j];
    }
}

/* At unknown i, and i + 1 where both: the stages u + z */
static INLINE void add(int s, const dae_solver *solver, const radau *r, int i, int both, const radau_pair *z)
{
    const radau_pair u = load(solver->u + i, both);
    UNROLL
    for (int k = 0; k < s; k++)
        store(r->at + k * solver->n + i, u + z[k], both);
}

static INLINE void to_w(int s, const dae_solver *solver, const radau *r, int i, int both)
{
    const int n = solver->n;
    radau_pair z[RADAU_STAGES], w[RADAU_STAGES];
    UNROLL
    for (int k = 0; k < s; k++)
        z[k] = load(r->z + k * n + i, both);
    multiply(s, r->twice.T_inverse, z, w);
    UNROLL
    for (int k = 0; k < s; k++)
        store(r->w + k * n + i, w[k], both);
    add(s, solver, r, i, both, z);
}

/* z := T w */
static INLINE void to_z(int s, const dae_solver *solver, const radau *r, int i, int both, const radau_pair *w)
{
    radau_pair z[RADAU_STAGES];
    multiply(s, r->twice.T, w, z);
    UNROLL
    for (int k = 0; k < s; k++)
        store(r->z + k * solver->n + i, z[k], both);
    add(s, solver, r, i, both, z);
}

static INLINE void from_w(int s, const dae_solver *solver, const radau *r, int i, int both)
{
    radau_pair w[RADAU_STAGES];
    UNROLL
    for (int k = 0; k < s; k++)
        w[k] = load(r->w + k * solver->n + i, both);
    to_z(s, solver, r, i, both, w);
}

/* dw := g phi - M w for the real system, and (a - i b) phi - M w for the complex ones. m: the
 * diagonal of M, or ones */
static INLINE void side(int s, const dae_solver *solver, const radau *r, int i, int both)
{
    const int n = solver->n;
    const radau_pair m = load(r->mass + i, both);
    radau_pair F[RADAU_STAGES], phi[RADAU_STAGES];
    UNROLL
    for (int k = 0; k < s; k++)
        F[k] = gather(r->F + k * n + i, both);
    multiply(s, r->twice.T_inverse, F, phi);
    store(r->dw + i, r->twice.g * phi[0] - m * load(r->Mw + i, both), both);
    UNROLL
    for (int k = 0; k < s / 2; k++) {
        const int re = (2 * k + 1) * n + i, im = re + n;
        const radau_pair a = r->twice.a[k], b = r->twice.b[k], x = phi[2 * k + 1], y = phi[2 * k + 2];
        store(r->dw + re, a * x + b * y - m * load(r->Mw + re, both), both);
        store(r->dw + im, a * y - b * x - m * load(r->Mw + im, both), both);
    }
}

/* w := w + dw, and the squares of weight dw */
static INLINE radau_pair correct(int s, const dae_solver *solver, const radau *r, int i, int both)
{
    const int n = solver->n;
    const radau_pair weight = load(r->weight + i, both);
    radau_pair w[RADAU_STAGES], sum = {0, 0};
    UNROLL
    for (int k = 0; k < s; k++) {
        const radau_pair dw = gather(r->dw + k * n + i, both), x = weight * dw;
        sum += x * x;
        w[k] = load(r->w + k * n + i, both) + dw;
        store(r->w + k * n + i, w[k], both);
    }
    to_z(s, solver, r, i, both, w);
    return sum;
}

typedef struct {
    void (*to_w)(const dae_solver *);
    void (*to_z)(const dae_solver *);
    void (*sides)(const dae_solver *);
    double (*correct)(const dae_solver *);
} kernels;

/* The passes, for S stages: two unknowns at once, and the last one of an odd number */
#define PASS(S, name, of)                                                                          \
    static void name##_##S(const dae_solver *solver)                                               \
    {                                                                                              \
        int i = 0;                                                                                 \
        for (; i + 1 < solver->n; i += 2)                                                          \
            of(S, solver, solver->stepper, i, 1);                                                  \
        if (i < solver->n)                                                                         \
            of(S, solver, solver->stepper, i, 0);                                                  \
    }
#define KERNELS(S)                                                                                 \
    PASS(S, to_w, to_w)                                                                            \
    PASS(S, to_z, from_w)                                                                          \
    PASS(S, sides, side)                                                                           \
    static double correct_##S(const dae_solver *solver)                                            \
    {                                                                                              \
        radau_pair sum = {0, 0};                                                                   \
        int i = 0;                                                                                 \
        for (; i + 1 < solver->n; i += 2)                                                          \
            sum += correct(S, solver, solver->stepper, i, 1);                                      \
        if (i < solver->n)                                                                         \
            sum += correct(S, solver, solver->stepper, i, 0);                                      \
        return sqrt((sum[0] + sum[1]) / (S * solver->n));                                          \
    }
KERNELS(3)
KERNELS(5)
KERNELS(7)
#define OF(S) {to_w_##S, to_z_##S, sides_##S, correct_##S}
static const kernels of_stages[] = {OF(3), OF(5), OF(7)};

static inline const kernels *now(const dae_solver *s)
{
    const radau *r = s->stepper;
    return &of_stages[(r->tab->s - 3) / 2];
}

static inline radau_pair twice(double x) { return (radau_pair){x, x}; }

static void set_transformations(radau *r)
{
    const radau_tableau *tab = r->tab;
    for (int k = 0; k < tab->s; k++)
        for (int j = 0; j < tab->s; j++) {
            r->twice.T[k * tab->s + j] = twice(tab->T[j * tab->s + k]);
            r->twice.T_inverse[k * tab->s + j] = twice(tab->T_inverse[j * tab->s + k]);
        }
}

static void set_g(radau *r, double h)
{
    const radau_tableau *tab = r->tab;
    r->twice.g = twice(h / tab->mu);
    for (int k = 0; k < tab->s / 2; k++) {
        const double a = tab->alpha[k], b = tab->beta[k], d = h / (a * a + b * b);
        r->twice.a[k] = twice(d * a);
        r->twice.b[k] = twice(d * b);
    }
}

/* The coefficients of this step, where they are those of another */
static void set_coefficients(radau *r, double h)
{
    if (r->twice.of == r->tab && r->twice.h == h)
        return;
    if (r->twice.of != r->tab)
        set_transformations(r);
    set_g(r, h);
    r->twice.of = r->tab;
    r->twice.h = h;
}

void dae_radau_begin_stages(dae_solver *s, double h)
{
    set_coefficients(s->stepper, h);
    now(s)->to_w(s);
}

void dae_radau_end_stages(dae_solver *s)
{
    now(s)->to_z(s);
}

void dae_radau_right_sides(dae_solver *s, double h)
{
    radau *r = s->stepper;
    set_coefficients(r, h);
    for (int k = 0; r->Mw != r->w && k < r->tab->s; k++)
        dae_system_mass(s->sys, r->w + k * s->n, r->Mw + k * s->n);
    now(s)->sides(s);
}

double dae_radau_correct(dae_solver *s)
{
    return now(s)->correct(s);
}
