/* elastica - an inextensible elastic beam in the plane, clamped at one end, as N rigid links with springs between them
 *
 *   d_i = r_i - r_{i-1},  |d_i| = h = L/N,  r_0 = 0,  i = 1 ... N, y upwards
 *   d_0 = h (cos phi, sin phi), in the wall
 *
 *   V = sum_{i=0}^{N-1} k_i |d_{i+1} - d_i|^2/(2 h^2) + sum m_i g y_i,   k_i = B/h, k_0 = 2 B/h
 *   D = sum_{i=0}^{N-1} eta k_i c_i'^2/(2 h^4),                          c_i = d_i x d_{i+1} = h^2 sin(angle)
 *
 *   m_i r_i'' = -dV/dr_i - dD/dr_i' - (d_i T_i - d_{i+1} T_{i+1})/h,     m_i = m/N, m_N = m/(2N)
 *   0 = (|d_i|^2 - h^2)/(2h)                                             T_{N+1} = 0
 *
 * T_i [N] is the tension of link i, that of the inextensible beam but for what the springs add along it. The
 * first spring is between the wall and the middle of the first link, half as long as the others, the last
 * mass that of half a link: so all of it tends to the elastica, B kappa its moment, as h^2. Its
 * frequencies grow to 4 (N/L)^2 sqrt(B L/m), where the damping is eta times the square of that: explicit methods
 * need steps as N^-4. The beam starts straight
 * and at rest.
 */
#ifndef DAE_PASS
enum { N, M, L, B, ETA, PHI, G };
#include <daelab/drawing.h>
#include <daelab/model.h>

/* Of a beam with more links than a picture has every second mass, every third, ..., the last. */
static void draw(const double *p, double t, const double *x, dae_picture *out)
{
    const int n = dae_count(p[N]), every = (n + DAE_MAX_SHAPES - 2) / (DAE_MAX_SHAPES - 1);
    double x0 = 0, y0 = 0;
    for (int i = every; i < n + every; i += every) {
        const double *r = x + 2 * ((i < n ? i : n) - 1);
        dae_draw_link(out, x0, y0, r[0], r[1]);
        x0 = r[0];
        y0 = r[1];
    }
    dae_draw_named_body(out, "end", x0, y0, 0.015 * p[L]);
}

const dae_problem dae_elastica = {
    .name = "elastica",
    .title = "inextensible elastic beam of N links, clamped at one end, starting straight and at rest",
    .citation = "Landau, Lifshitz (1986), Theory of Elasticity, sections 17 to 19",
    .equations = "m_i r_i'' = -d/dr_i sum k_i |d_{i+1} - d_i|^2/(2 h^2) - d/dr_i' sum eta k_i c_i'^2/(2 h^4)\n"
                 "            - (d_i T_i - d_{i+1} T_{i+1})/h - m_i (0, g)\n"
                 "0 = (|d_i|^2 - h^2)/(2h),  i = 1 ... N\n"
                 "d_i = r_i - r_{i-1},  c_i = d_i x d_{i+1},  h = L/N,  d_0 = h (cos phi, sin phi)\n"
                 "k_i = B/h,  k_0 = 2 B/h,  m_i = m/N,  m_N = m/(2N),  T_i the tension of link i",
    .variables = "x y vx vy T",
    .units = "m m m/s m/s N",
    .parameters = {
        {"N", 10, "-", "number of links", DAE_COUNT},
        {"m", 0.1, "kg", "mass of the beam", DAE_POSITIVE},
        {"L", 1, "m", "its length", DAE_POSITIVE},
        {"B", 0.1, "N.m^2", "bending stiffness", DAE_NONNEGATIVE},
        {"eta", 0.01, "s", "viscous over elastic moment", DAE_NONNEGATIVE},
        {"phi", 0.5, "rad", "angle of the clamped end above the horizontal", DAE_ANY_VALUE},
        {"g", 9.81, "m/s^2", "gravity", DAE_ANY_VALUE},
    },
    .mechanical = {.nq = 2, .nl = 1, DAE_MECHANICAL_MODEL, .energy = DAE_MODEL(energy)},
    .start = DAE_MODEL(start),
    .draw = draw,
    .t0 = 0, .t_end = 1,
};

#else

/* The springs of joint i, between d_i and d_{i+1}. */
static real FN(stiffness)(const param *p, int i)
{
    return (i == 0 ? 2 : 1) * p[B] * p[N] / p[L];
}

static real FN(node_mass)(const param *p, int i)
{
    const int n = dae_count(p[N]);
    return i < n - 1 ? p[M] / p[N] : p[M] / (2 * p[N]);
}

/* d[2] := r_i - r_{i-1} from r_1 ... r_N, i = 1 ... N, or the same of velocities, r_0 being at rest */
static void FN(link)(const real *r, int i, real *d)
{
    d[0] = i == 1 ? r[0] : r[2 * i - 2] - r[2 * i - 4];
    d[1] = i == 1 ? r[1] : r[2 * i - 1] - r[2 * i - 3];
}

/* d_0, and its velocity */
static void FN(wall)(const param *p, real *d, real *dv)
{
    d[0] = p[L] / p[N] * cos(p[PHI]);
    d[1] = p[L] / p[N] * sin(p[PHI]);
    dv[0] = dv[1] = (real){0};
}

static void FN(start)(const param *p, real *u)
{
    const int n = dae_count(p[N]);
    for (int i = 0; i < n; i++) {
        u[2 * i] = p[L] * (i + 1) / p[N] * cos(p[PHI]);
        u[2 * i + 1] = p[L] * (i + 1) / p[N] * sin(p[PHI]);
    }
}

static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *r)
{
    const int n = dae_count(p[N]);
    for (int i = 0; i < n; i++) {
        r[2 * i] = FN(node_mass)(p, i) * a[2 * i];
        r[2 * i + 1] = FN(node_mass)(p, i) * a[2 * i + 1];
    }
}

/* What pulls joint i straight: with c = d x e, e behind the joint, d before it,
 *
 *     on e: s = k ((e - d)/h^2 + eta c' (-d_y, d_x)/h^4),   on d: the same with d - e and (e_y, -e_x)
 *
 * and a force on d_i = r_i - r_{i-1} is one on r_i, and its opposite on r_{i-1}. */
static void FN(force)(const param *p, real t, const real *q, const real *v, real *f)
{
    const int n = dae_count(p[N]);
    const real h = p[L] / p[N];
    for (int i = 0; i < n; i++) {
        f[2 * i] = (real){0};
        f[2 * i + 1] = -FN(node_mass)(p, i) * p[G];
    }
    real d[2], e[2], dv[2], ev[2];
    FN(wall)(p, d, dv);
    for (int i = 0; i < n; i++) {
        FN(link)(q, i + 1, e);
        FN(link)(v, i + 1, ev);
        const real k = FN(stiffness)(p, i) / (h * h);
        const real rate = dv[0] * e[1] - dv[1] * e[0] + d[0] * ev[1] - d[1] * ev[0];
        const real w = p[ETA] * rate / (h * h);
        const real ex = k * (e[0] - d[0] - w * d[1]), ey = k * (e[1] - d[1] + w * d[0]);
        const real dx = k * (d[0] - e[0] + w * e[1]), dy = k * (d[1] - e[1] - w * e[0]);
        f[2 * i] -= ex;                                 /* r_{i+1} */
        f[2 * i + 1] -= ey;
        if (i > 0) {                                    /* r_i, the end of d and the begin of e */
            f[2 * i - 2] += ex - dx;
            f[2 * i - 1] += ey - dy;
        }
        if (i > 1) {
            f[2 * i - 4] += dx;
            f[2 * i - 3] += dy;
        }
        for (int j = 0; j < 2; j++) {
            d[j] = e[j];
            dv[j] = ev[j];
        }
    }
}

static void FN(constraint)(const param *p, real t, const real *q, real *g)
{
    const int n = dae_count(p[N]);
    const real h = p[L] / p[N];
    for (int i = 0; i < n; i++) {
        real d[2];
        FN(link)(q, i + 1, d);
        g[i] = (d[0] * d[0] + d[1] * d[1] - h * h) / (2 * h);
    }
}

static void FN(rate)(const param *p, real t, const real *q, const real *v, real *r)
{
    const int n = dae_count(p[N]);
    const real h = p[L] / p[N];
    for (int i = 0; i < n; i++) {
        real d[2], w[2];
        FN(link)(q, i + 1, d);
        FN(link)(v, i + 1, w);
        r[i] = (d[0] * w[0] + d[1] * w[1]) / h;
    }
}

static void FN(acceleration)(const param *p, real t, const real *q, const real *v, const real *a, real *r)
{
    const int n = dae_count(p[N]);
    const real h = p[L] / p[N];
    for (int i = 0; i < n; i++) {
        real d[2], w[2], b[2];
        FN(link)(q, i + 1, d);
        FN(link)(v, i + 1, w);
        FN(link)(a, i + 1, b);
        r[i] = (d[0] * b[0] + d[1] * b[1] + w[0] * w[0] + w[1] * w[1]) / h;
    }
}

static void FN(reaction)(const param *p, real t, const real *q, const real *tension, real *r)
{
    const int n = dae_count(p[N]);
    const real h = p[L] / p[N];
    for (int i = 0; i < n; i++) {
        real d[2];
        FN(link)(q, i + 1, d);
        const real fx = d[0] * tension[i] / h, fy = d[1] * tension[i] / h;
        r[2 * i] = fx;
        r[2 * i + 1] = fy;
        if (i > 0) {
            r[2 * i - 2] -= fx;
            r[2 * i - 1] -= fy;
        }
    }
}

static void FN(energy)(const param *p, real t, const real *q, const real *v, real *energy)
{
    const int n = dae_count(p[N]);
    const real h = p[L] / p[N];
    energy[0] = (real){0};
    real d[2], e[2], rest[2];
    FN(wall)(p, d, rest);
    for (int i = 0; i < n; i++) {
        FN(link)(q, i + 1, e);
        const real x = (e[0] - d[0]) / h, y = (e[1] - d[1]) / h, m = FN(node_mass)(p, i);
        energy[0] += FN(stiffness)(p, i) * (x * x + y * y) / 2
                     + m * (v[2 * i] * v[2 * i] + v[2 * i + 1] * v[2 * i + 1]) / 2 + m * p[G] * q[2 * i + 1];
        d[0] = e[0];
        d[1] = e[1];
    }
}

#endif
