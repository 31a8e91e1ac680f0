/* kepler - a planet about a fixed sun
 *
 *   r'' = -k r/|r|^3,   r = (x, y)
 *
 * from the pericentre of an ellipse with semi-major axis a and eccentricity e. Constant are, for
 * the unit of mass, the energy |v|^2/2 - k/|r| = -k/(2a) and the angular momentum
 * x vy - y vx = sqrt(k a (1 - e^2)). Exact, with E from Kepler's equation:
 *
 *   E - e sin E = n t,   n = sqrt(k/a^3),   x = a (cos E - e),   y = a sqrt(1 - e^2) sin E
 *
 * Newton's iteration begins at n t + 0.85 e sign(sin(n t)), from where it converges for all e < 1
 * (Danby (1988), Fundamentals of Celestial Mechanics, section 6.6).
 */
#ifndef DAE_PASS
enum { K, A, E };
#include <daelab/drawing.h>
#include <daelab/model.h>

/* d(-k r/|r|^3)/dr = k (3 r r^T/|r|^2 - I)/|r|^3 */
static void jacobian(const double *p, double t, const double *u, double *J, double *F_t)
{
    const double square = u[0] * u[0] + u[1] * u[1], f = p[K] / (square * sqrt(square));
    J[8] = J[13] = 1;
    J[2] = f * (3 * u[0] * u[0] / square - 1);
    J[3] = J[6] = f * 3 * u[0] * u[1] / square;
    J[7] = f * (3 * u[1] * u[1] / square - 1);
}

static void draw(const double *p, double t, const double *x, dae_picture *out)
{
    dae_draw_body(out, 0, 0, 0);
    dae_draw_named_body(out, "planet", x[0], x[1], 0.04 * p[A]);
}

const dae_problem dae_kepler = {
    .name = "kepler",
    .title = "a planet about a fixed sun, with energy and angular momentum",
    .citation = "Kepler (1609), Astronomia Nova; Hairer, Lubich, Wanner (2006), Geometric "
                "Numerical Integration, section I.2",
    .equations = "x' = vx,   vx' = -k x/r^3\n"
                 "y' = vy,   vy' = -k y/r^3,   r^2 = x^2 + y^2\n"
                 "constant: (vx^2 + vy^2)/2 - k/r, x vy - y vx\n"
                 "exact: an ellipse, by Kepler's equation",
    .variables = "x y vx vy",
    .units = "m m m/s m/s",
    .parameters = {
        {"k", 1, "m^3/s^2", "gravitational constant times mass of the sun", DAE_POSITIVE},
        {"a", 1, "m", "semi-major axis", DAE_POSITIVE},
        {"e", 0.6, "-", "eccentricity, below 1", DAE_NONNEGATIVE},
    },
    .first_order = {.n = 4, .index = 0, .rhs = DAE_MODEL(rhs), .exact = DAE_MODEL(exact),
                    .jacobian = jacobian},
    .start = DAE_MODEL(start),
    .draw = draw,
    .t0 = 0, .t_end = 10,
    .invariants = {.n = 2, .value = DAE_MODEL(invariants), .names = "energy momentum",
                   .units = "m^2/s^2 m^2/s"},
};

#else

static void FN(start)(const param *p, real *u)
{
    u[0] = p[A] * (1 - p[E]);
    u[3] = sqrt(p[K] / p[A] * (1 + p[E]) / (1 - p[E]));
}

static void FN(rhs)(const param *p, real t, const real *u, real *F)
{
    const real square = u[0] * u[0] + u[1] * u[1], f = p[K] / (square * sqrt(square));
    F[0] = u[2];
    F[1] = u[3];
    F[2] = -f * u[0];
    F[3] = -f * u[1];
}

static void FN(invariants)(const param *p, real t, const real *u, real *I)
{
    I[0] = (u[2] * u[2] + u[3] * u[3]) / 2 - p[K] / sqrt(u[0] * u[0] + u[1] * u[1]);
    I[1] = u[0] * u[3] - u[1] * u[2];
}

static void FN(exact)(const param *p, real t, real *u)
{
    const param n = sqrt(p[K] / (p[A] * p[A] * p[A])), minor = sqrt(1 - p[E] * p[E]);
    const real M = n * t;
    real E_ = M + (value(sin(M)) < 0 ? -1 : 1) * 0.85 * p[E];
    for (int i = 0; i < 20; i++)
        E_ = E_ - (E_ - p[E] * sin(E_) - M) / (1 - p[E] * cos(E_));
    const real rate = n / (1 - p[E] * cos(E_));
    u[0] = p[A] * (cos(E_) - p[E]);
    u[1] = p[A] * minor * sin(E_);
    u[2] = -p[A] * sin(E_) * rate;
    u[3] = p[A] * minor * cos(E_) * rate;
}

#endif
