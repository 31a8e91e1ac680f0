/* andrews - the squeezing mechanism of Andrews: seven rigid bodies in a plane, three loops, a spring
 *
 * The crank K1 turns about the origin O, driven by a constant torque. K2 joins its end to the point F, where K3,
 * K4 and K6 meet. K3 turns about B and is pulled by a spring from C; K4 and K5 join F to A by way of E, K6 and K7
 * by way of H. With e(a) = (cos a, sin a) and n(a) = (sin a, -cos a)
 *
 *   F = rr e(be) - d e(be + th)                     q = (be, th, ga, ph, de, om, ep), angles [rad]
 *   0 = F - ss n(ga) - B                            E = A + zt e(de)
 *   0 = F - e n(ph + de) - zt e(de) - A             H = A + u n(ep)
 *   0 = F - zf e(om + ep) - u n(ep) - A             lambda: the forces that close the loops [N]
 *
 * and M(q) v' = f - G^T lambda. The energy, with c0 (L - l0)^2/2 of the spring and -mom be of the torque, is
 * constant. Data and start are published to more digits than a double has, with all constraints met to 1e-30.
 */
#ifndef DAE_PASS
enum { M1, M2, M3, M4, M5, M6, M7, I1, I2, I3, I4, I5, I6, I7, XA, YA, XB, YB, XC, YC, C0, L0, D,
       DA, E, EA, RR, RA, SS, SA, SB, SC, SD, TA, TB, U, UA, UB, ZF, ZT, FA, MOM };
enum { BE, TH, GA, PH, DE, OM, EP };
#include <daelab/drawing.h>
#include <daelab/model.h>

static void bar(dae_picture *out, const double from[2], const double to[2])
{
    dae_draw_link(out, from[0], from[1], to[0], to[1]);
}

/* Seven bodies, K3 a triangle with the end D of the spring; A, B, C and O stand still. */
static void draw(const double *p, double t, const double *q, dae_picture *out)
{
    const double O[2] = {0}, A[2] = {p[XA], p[YA]}, B[2] = {p[XB], p[YB]}, C[2] = {p[XC], p[YC]};
    const double crank[2] = {p[RR] * cos(q[BE]), p[RR] * sin(q[BE])}, turned = q[BE] + q[TH];
    const double F[2] = {crank[0] - p[D] * cos(turned), crank[1] - p[D] * sin(turned)};
    const double E_[2] = {A[0] + p[ZT] * cos(q[DE]), A[1] + p[ZT] * sin(q[DE])};
    const double H[2] = {A[0] + p[U] * sin(q[EP]), A[1] - p[U] * cos(q[EP])};
    const double D_[2] = {B[0] + p[SC] * sin(q[GA]) + p[SD] * cos(q[GA]),
                          B[1] - p[SC] * cos(q[GA]) + p[SD] * sin(q[GA])};
    bar(out, O, crank);
    bar(out, crank, F);
    bar(out, B, F);
    bar(out, F, D_);
    bar(out, D_, B);
    bar(out, F, E_);
    bar(out, E_, A);
    bar(out, F, H);
    bar(out, H, A);
    dae_draw_spring(out, D_[0], D_[1], C[0], C[1], 0.1 * p[L0]);
    dae_draw_named_body(out, "crank", crank[0], crank[1], 0.2 * p[RR]);
    dae_draw_named_body(out, "F", F[0], F[1], 0.2 * p[RR]);
    dae_draw_named_body(out, "E", E_[0], E_[1], 0.2 * p[RR]);
    dae_draw_named_body(out, "H", H[0], H[1], 0.2 * p[RR]);
    dae_draw_body(out, 0, 0, 0);
    dae_draw_body(out, A[0], A[1], 0);
    dae_draw_body(out, B[0], B[1], 0);
    dae_draw_body(out, C[0], C[1], 0);
}

const dae_problem dae_andrews = {
    .name = "andrews",
    .title = "Andrews' squeezing mechanism: seven bodies in a plane, three loops, a spring",
    .citation = "Schiehlen (1990), Multibody Systems Handbook; Hairer, Wanner (1996), Solving Ordinary Differential "
                "Equations II, section VII.7; Mazzia, Magherini (2008), Test Set for IVP Solvers 2.4",
    .equations = "M(q) q'' = f(q, q') - G^T lambda,  q = (be, th, ga, ph, de, om, ep)\n"
                 "F = rr e(be) - d e(be + th),  e(a) = (cos a, sin a),  n(a) = (sin a, -cos a)\n"
                 "0 = F - ss n(ga) - B\n"
                 "0 = F - e n(ph + de) - zt e(de) - A\n"
                 "0 = F - zf e(om + ep) - u n(ep) - A;   lambda the forces that close the loops",
    .variables = "be th ga ph de om ep be' th' ga' ph' de' om' ep' lam1 lam2 lam3 lam4 lam5 lam6",
    .units = "rad rad rad rad rad rad rad rad/s rad/s rad/s rad/s rad/s rad/s rad/s N N N N N N",
    .parameters = {
        {"m1", 0.04325, "kg", "mass of K1, the crank", DAE_POSITIVE},
        {"m2", 0.00365, "kg", "mass of K2, from the crank to F", DAE_POSITIVE},
        {"m3", 0.02373, "kg", "mass of K3, from B to F", DAE_POSITIVE},
        {"m4", 0.00706, "kg", "mass of K4, from F to E", DAE_POSITIVE},
        {"m5", 0.0705, "kg", "mass of K5, from A to E", DAE_POSITIVE},
        {"m6", 0.00706, "kg", "mass of K6, from F to H", DAE_POSITIVE},
        {"m7", 0.05498, "kg", "mass of K7, from A to H", DAE_POSITIVE},
        {"I1", 2.194e-6, "kg.m^2", "moment of inertia of K1 about its centre", DAE_POSITIVE},
        {"I2", 4.41e-7, "kg.m^2", "moment of inertia of K2 about its centre", DAE_POSITIVE},
        {"I3", 5.255e-6, "kg.m^2", "moment of inertia of K3 about its centre", DAE_POSITIVE},
        {"I4", 5.667e-7, "kg.m^2", "moment of inertia of K4 about its centre", DAE_POSITIVE},
        {"I5", 1.169e-5, "kg.m^2", "moment of inertia of K5 about its centre", DAE_POSITIVE},
        {"I6", 5.667e-7, "kg.m^2", "moment of inertia of K6 about its centre", DAE_POSITIVE},
        {"I7", 1.912e-5, "kg.m^2", "moment of inertia of K7 about its centre", DAE_POSITIVE},
        {"xa", -0.06934, "m", "the point A, across", DAE_ANY_VALUE},
        {"ya", -0.00227, "m", "the point A, up", DAE_ANY_VALUE},
        {"xb", -0.03635, "m", "the point B, across", DAE_ANY_VALUE},
        {"yb", 0.03273, "m", "the point B, up", DAE_ANY_VALUE},
        {"xc", 0.014, "m", "the end C of the spring, across", DAE_ANY_VALUE},
        {"yc", 0.072, "m", "the end C of the spring, up", DAE_ANY_VALUE},
        {"c0", 4530, "N/m", "stiffness of the spring", DAE_NONNEGATIVE},
        {"l0", 0.07785, "m", "length of the spring without force", DAE_POSITIVE},
        {"d", 0.028, "m", "length of K2", DAE_POSITIVE},
        {"da", 0.0115, "m", "from the crank to the centre of K2", DAE_ANY_VALUE},
        {"e", 0.02, "m", "length of K4", DAE_POSITIVE},
        {"ea", 0.01421, "m", "from F to the centre of K4", DAE_ANY_VALUE},
        {"rr", 0.007, "m", "length of the crank", DAE_POSITIVE},
        {"ra", 0.00092, "m", "from O to the centre of the crank", DAE_ANY_VALUE},
        {"ss", 0.035, "m", "length of K3, from B to F", DAE_POSITIVE},
        {"sa", 0.01874, "m", "from B to the centre of K3, along", DAE_ANY_VALUE},
        {"sb", 0.01043, "m", "from B to the centre of K3, across", DAE_ANY_VALUE},
        {"sc", 0.018, "m", "from B to the spring on K3, along", DAE_ANY_VALUE},
        {"sd", 0.02, "m", "from B to the spring on K3, across", DAE_ANY_VALUE},
        {"ta", 0.02308, "m", "from A to the centre of K5, along", DAE_ANY_VALUE},
        {"tb", 0.00916, "m", "from A to the centre of K5, across", DAE_ANY_VALUE},
        {"u", 0.04, "m", "length of K7", DAE_POSITIVE},
        {"ua", 0.01228, "m", "from A to the centre of K7, along", DAE_ANY_VALUE},
        {"ub", 0.00449, "m", "from A to the centre of K7, across", DAE_ANY_VALUE},
        {"zf", 0.02, "m", "length of K6", DAE_POSITIVE},
        {"zt", 0.04, "m", "length of K5", DAE_POSITIVE},
        {"fa", 0.01421, "m", "from F to the centre of K6", DAE_ANY_VALUE},
        {"mom", 0.033, "N.m", "torque of the motor on the crank", DAE_ANY_VALUE},
    },
    .mechanical = {.nq = 7, .nl = 6, .mass = DAE_MASS_VARIES, DAE_MECHANICAL_MODEL,
                   .energy = DAE_MODEL(energy), .conservative = 1},
    .start = DAE_MODEL(start),
    .draw = draw,
    .t0 = 0, .t_end = 0.03,
};

#else

static void FN(start)(const param *p, real *u)
{
    u[BE] = (real){0} - 0.0617138900142764496358948458001;
    u[GA] = (real){0} + 0.455279819163070380255912382449;
    u[PH] = (real){0} + 0.222668390165885884674473185609;
    u[DE] = (real){0} + 0.487364979543842550225598953530;
    u[OM] = (real){0} - 0.222668390165885884674473185609;
    u[EP] = (real){0} + 1.23054744454982119249735015568;
    u[14] = (real){0} + 98.5668703962410896057654982170;        /* lambda 1, 2; all others are 0 */
    u[15] = (real){0} - 6.12268834425566265503114393122;
}

/* A pair of bodies that fold: one of the given length turns by the second angle, the other, of mass m and moment I,
 * by both; its centre is at s from the joint. The entries of M of the two angles are
 *
 *   m s^2 + I    m (s^2 + fold) + I,    the second m (length^2 + 2 fold + s^2) + I + rest
 *
 * with fold = length s cos of the angle between them and rest of the body that turns by the second only. */
static void FN(pair)(param m, param I, param s, param length, real fold, param rest, real a_both, real a_second,
                     real *both, real *second)
{
    const real mixed = m * (s * s + fold) + I;
    *both = (m * s * s + I) * a_both + mixed * a_second;
    *second = mixed * a_both + (m * (length * length + 2 * fold + s * s) + I + rest) * a_second;
}

static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *r)
{
    const param s4 = p[E] - p[EA], s6 = p[ZF] - p[FA];
    const param crank = p[M1] * p[RA] * p[RA] + p[I1];
    const param k5 = p[M5] * (p[TA] * p[TA] + p[TB] * p[TB]) + p[I5];
    const param k7 = p[M7] * (p[UA] * p[UA] + p[UB] * p[UB]) + p[I7];
    FN(pair)(p[M2], p[I2], p[DA], p[RR], -p[RR] * p[DA] * cos(q[TH]), crank, a[TH], a[BE], &r[TH], &r[BE]);
    r[GA] = (p[M3] * (p[SA] * p[SA] + p[SB] * p[SB]) + p[I3]) * a[GA];
    FN(pair)(p[M4], p[I4], s4, p[ZT], p[ZT] * s4 * sin(q[PH]), k5, a[PH], a[DE], &r[PH], &r[DE]);
    FN(pair)(p[M6], p[I6], s6, p[U], -p[U] * s6 * sin(q[OM]), k7, a[OM], a[EP], &r[OM], &r[EP]);
}

/* D - C, from the fixed end of the spring to that on K3; answers its length. */
static real FN(spring)(const param *p, const real *q, real *x, real *y)
{
    const real c = cos(q[GA]), s = sin(q[GA]);
    *x = p[SD] * c + p[SC] * s + p[XB] - p[XC];
    *y = p[SD] * s - p[SC] * c + p[YB] - p[YC];
    return sqrt(*x * *x + *y * *y);
}

/* A pair with the angles both and second, and fold f(both) in M, has the forces f' second'^2 on both and
 * -f' both' (both' + 2 second') on second. */
static void FN(force)(const param *p, real t, const real *q, const real *v, real *f)
{
    real x, y;
    const real length = FN(spring)(p, q, &x, &y), pull = -p[C0] * (length - p[L0]) / length;
    const real c = cos(q[GA]), s = sin(q[GA]);
    const real fold2 = p[M2] * p[DA] * p[RR] * sin(q[TH]);
    const real fold4 = p[M4] * p[ZT] * (p[E] - p[EA]) * cos(q[PH]);
    const real fold6 = -p[M6] * p[U] * (p[ZF] - p[FA]) * cos(q[OM]);
    f[BE] = p[MOM] - fold2 * v[TH] * (v[TH] + 2 * v[BE]);
    f[TH] = fold2 * v[BE] * v[BE];
    f[GA] = pull * (x * (p[SC] * c - p[SD] * s) + y * (p[SD] * c + p[SC] * s));
    f[PH] = fold4 * v[DE] * v[DE];
    f[DE] = -fold4 * v[PH] * (v[PH] + 2 * v[DE]);
    f[OM] = fold6 * v[EP] * v[EP];
    f[EP] = -fold6 * v[OM] * (v[OM] + 2 * v[EP]);
}

/* Adds z = length e(a), or length n(a) where it is turned back by a right angle, or its time derivative of order
 * `level`: with the rate w and the acceleration b of a these are i w z and (i b - w^2) z of complex z. */
static void FN(arm)(int level, param length, int back, real a, real w, real b, real *out)
{
    const real c = length * cos(a), s = length * sin(a), x = back ? s : c, y = back ? -c : s;
    out[0] += level == 0 ? x : level == 1 ? -w * y : -b * y - w * w * x;
    out[1] += level == 0 ? y : level == 1 ? w * x : b * x - w * w * y;
}

/* The three loops, but for their fixed points, or their derivatives; of level 0 v and a are not looked at. */
static void FN(loops)(int level, const param *p, const real *q, const real *v, const real *a, real *out)
{
    real F[2] = {(real){0}, (real){0}};
    FN(arm)(level, p[RR], 0, q[BE], v[BE], a[BE], F);
    FN(arm)(level, -p[D], 0, q[BE] + q[TH], v[BE] + v[TH], a[BE] + a[TH], F);
    for (int i = 0; i < 6; i++)
        out[i] = F[i % 2];
    FN(arm)(level, -p[SS], 1, q[GA], v[GA], a[GA], out);
    FN(arm)(level, -p[E], 1, q[PH] + q[DE], v[PH] + v[DE], a[PH] + a[DE], out + 2);
    FN(arm)(level, -p[ZT], 0, q[DE], v[DE], a[DE], out + 2);
    FN(arm)(level, -p[ZF], 0, q[OM] + q[EP], v[OM] + v[EP], a[OM] + a[EP], out + 4);
    FN(arm)(level, -p[U], 1, q[EP], v[EP], a[EP], out + 4);
}

static void FN(constraint)(const param *p, real t, const real *q, real *g)
{
    FN(loops)(0, p, q, q, q, g);
    g[0] -= p[XB];
    g[1] -= p[YB];
    for (int i = 2; i < 6; i++)
        g[i] -= p[i % 2 ? YA : XA];
}

static void FN(rate)(const param *p, real t, const real *q, const real *v, real *dg)
{
    FN(loops)(1, p, q, v, v, dg);
}

static void FN(acceleration)(const param *p, real t, const real *q, const real *v, const real *a, real *ddg)
{
    FN(loops)(2, p, q, v, a, ddg);
}

/* (d z/da)^T lambda of an arm, as in the loops */
static real FN(torque)(param length, int back, real a, const real *lambda)
{
    const real c = length * cos(a), s = length * sin(a);
    return back ? c * lambda[0] + s * lambda[1] : c * lambda[1] - s * lambda[0];
}

static void FN(reaction)(const param *p, real t, const real *q, const real *lambda, real *r)
{
    const real F[2] = {lambda[0] + lambda[2] + lambda[4], lambda[1] + lambda[3] + lambda[5]};
    r[TH] = FN(torque)(-p[D], 0, q[BE] + q[TH], F);
    r[BE] = r[TH] + FN(torque)(p[RR], 0, q[BE], F);
    r[GA] = FN(torque)(-p[SS], 1, q[GA], lambda);
    r[PH] = FN(torque)(-p[E], 1, q[PH] + q[DE], lambda + 2);
    r[DE] = r[PH] + FN(torque)(-p[ZT], 0, q[DE], lambda + 2);
    r[OM] = FN(torque)(-p[ZF], 0, q[OM] + q[EP], lambda + 4);
    r[EP] = r[OM] + FN(torque)(-p[U], 1, q[EP], lambda + 4);
}

static void FN(energy)(const param *p, real t, const real *q, const real *v, real *h)
{
    real x, y, momentum[7];
    const real longer = FN(spring)(p, q, &x, &y) - p[L0];
    FN(inertia)(p, t, q, v, momentum);
    h[0] = p[C0] * longer * longer / 2 - p[MOM] * q[BE];
    for (int i = 0; i < 7; i++)
        h[0] += momentum[i] * v[i] / 2;
}

#endif
