/* pleiades - seven stars in a plane that attract each other, with close encounters
 *
 *   m_i r_i'' = sum over j != i of gamma m_i m_j (r_j - r_i)/|r_j - r_i|^3,   r_i = (x_i, y_i),   i = 1 ... 7
 *
 * with m_i = i and gamma = 1. Constant are the energy, momentum and angular momentum; so the centre of mass
 * moves uniformly.
 */
#ifndef DAE_PASS
enum { GAMMA, MASS, STARS = 7 };                /* p[MASS + i]; q = (x_1 ... x_7, y_1 ... y_7) */
#include <daelab/drawing.h>
#include <daelab/model.h>

/* Discs of equal density. */
static void draw(const double *p, double t, const double *x, dae_picture *out)
{
    for (int i = 0; i < STARS; i++)
        dae_draw_named_body(out, "star", x[i], x[STARS + i], 0.05 * sqrt(p[MASS + i]));
}

const dae_problem dae_pleiades = {
    .name = "pleiades",
    .title = "seven stars in a plane, with close encounters",
    .citation = "Hairer, Norsett, Wanner (1993), Solving Ordinary Differential Equations I, section II.10; Mazzia, "
                "Magherini (2008), Test Set for IVP Solvers 2.4",
    .equations = "m_i r_i'' = sum over j != i of gamma m_i m_j (r_j - r_i)/|r_j - r_i|^3,\n"
                 "r_i = (x_i, y_i),  i = 1 ... 7;   constant: energy, momentum, angular momentum",
    .variables = "x1 x2 x3 x4 x5 x6 x7 y1 y2 y3 y4 y5 y6 y7 "
                 "vx1 vx2 vx3 vx4 vx5 vx6 vx7 vy1 vy2 vy3 vy4 vy5 vy6 vy7",
    .units = "- - - - - - - - - - - - - - - - - - - - - - - - - - - -",
    .parameters = {
        {"gamma", 1, "-", "constant of gravitation", DAE_ANY_VALUE},
        {"m1", 1, "-", "mass of star 1", DAE_POSITIVE},
        {"m2", 2, "-", "mass of star 2", DAE_POSITIVE},
        {"m3", 3, "-", "mass of star 3", DAE_POSITIVE},
        {"m4", 4, "-", "mass of star 4", DAE_POSITIVE},
        {"m5", 5, "-", "mass of star 5", DAE_POSITIVE},
        {"m6", 6, "-", "mass of star 6", DAE_POSITIVE},
        {"m7", 7, "-", "mass of star 7", DAE_POSITIVE},
    },
    .mechanical = {.nq = 2 * STARS, .inertia = DAE_MODEL(inertia), .force = DAE_MODEL(force),
                   .energy = DAE_MODEL(energy), .conservative = 1},
    .start = DAE_MODEL(start),
    .draw = draw,
    .t0 = 0, .t_end = 3,
    .invariants = {.n = 4, .value = DAE_MODEL(invariants), .names = "energy px py angular_momentum",
                   .units = "- - - -"},
};

#else

static void FN(start)(const param *p, real *u)
{
    static const double x[STARS] = {3, 3, -1, -3, 2, -2, 2}, y[STARS] = {3, -3, 2, 0, 0, -4, 4};
    static const double vx[STARS] = {0, 0, 0, 0, 0, 1.75, -1.5}, vy[STARS] = {0, 0, 0, -1.25, 1, 0, 0};
    for (int i = 0; i < STARS; i++) {
        u[i] = (real){0} + x[i];
        u[STARS + i] = (real){0} + y[i];
        u[2 * STARS + i] = (real){0} + vx[i];
        u[3 * STARS + i] = (real){0} + vy[i];
    }
}

static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *r)
{
    for (int i = 0; i < STARS; i++) {
        r[i] = p[MASS + i] * a[i];
        r[STARS + i] = p[MASS + i] * a[STARS + i];
    }
}

static void FN(force)(const param *p, real t, const real *q, const real *v, real *f)
{
    for (int i = 0; i < 2 * STARS; i++)
        f[i] = (real){0};
    for (int i = 1; i < STARS; i++)
        for (int j = 0; j < i; j++) {
            const real dx = q[j] - q[i], dy = q[STARS + j] - q[STARS + i], square = dx * dx + dy * dy;
            const real pull = p[GAMMA] * p[MASS + i] * p[MASS + j] / (square * sqrt(square));
            f[i] += pull * dx;
            f[STARS + i] += pull * dy;
            f[j] -= pull * dx;
            f[STARS + j] -= pull * dy;
        }
}

static void FN(energy)(const param *p, real t, const real *q, const real *v, real *h)
{
    h[0] = (real){0};
    for (int i = 0; i < STARS; i++) {
        h[0] += p[MASS + i] * (v[i] * v[i] + v[STARS + i] * v[STARS + i]) / 2;
        for (int j = 0; j < i; j++) {
            const real dx = q[j] - q[i], dy = q[STARS + j] - q[STARS + i];
            h[0] -= p[GAMMA] * p[MASS + i] * p[MASS + j] / sqrt(dx * dx + dy * dy);
        }
    }
}

static void FN(invariants)(const param *p, real t, const real *x, real *I)
{
    const real *v = x + 2 * STARS;
    FN(energy)(p, t, x, v, I);
    I[1] = I[2] = I[3] = (real){0};
    for (int i = 0; i < STARS; i++) {
        I[1] += p[MASS + i] * v[i];
        I[2] += p[MASS + i] * v[STARS + i];
        I[3] += p[MASS + i] * (x[i] * v[STARS + i] - x[STARS + i] * v[i]);
    }
}

#endif
