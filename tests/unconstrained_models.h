/* unconstrained_models.h - the equations of ball and bead, once for each scalar: see model.h */

static void FN(ball_inertia)(const param *p, real t, const real *q, const real *a, real *r)
{
    r[0] = p[MASS] * a[0];
    r[1] = p[MASS] * a[1];
}

static void FN(ball_force)(const param *p, real t, const real *q, const real *v, real *f)
{
    const real k = p[DRAG] * exp(-q[1] / p[HEIGHT]) * sqrt(v[0] * v[0] + v[1] * v[1]);
    f[0] = -k * v[0];
    f[1] = -k * v[1] - p[MASS] * 9.81;
}

/* T = (r'^2 + r^2 psi'^2)/2, psi' = s' + c r' + W */
static void FN(bead_inertia)(const param *p, real t, const real *q, const real *a, real *r)
{
    r[1] = q[0] * q[0] * (a[1] + p[TWIST] * a[0]);
    r[0] = a[0] + p[TWIST] * r[1];
}

static void FN(bead_force)(const param *p, real t, const real *q, const real *v, real *f)
{
    const real turning = v[1] + p[TWIST] * v[0] + p[SPIN];
    f[1] = -2 * q[0] * v[0] * turning;
    f[0] = q[0] * (turning * turning - p[OMEGA] * p[OMEGA]) + p[TWIST] * f[1];
}

static void FN(bead_energy)(const param *p, real t, const real *q, const real *v, real *H)
{
    const real turning = v[1] + p[TWIST] * v[0] + p[SPIN];
    H[0] = (v[0] * v[0] + q[0] * q[0] * (turning * turning + p[OMEGA] * p[OMEGA])) / 2;
}
