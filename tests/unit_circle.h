/* unit_circle.h - a mass of 1 on the circle |q| = 1, but for its force: for the second half of a model */

static inline void FN(inertia)(const param *p, real t, const real *q, const real *a, real *r)
{
    r[0] = a[0];
    r[1] = a[1];
}

static inline void FN(constraint)(const param *p, real t, const real *q, real *g)
{
    g[0] = (q[0] * q[0] + q[1] * q[1] - 1) / 2;
}

static inline void FN(rate)(const param *p, real t, const real *q, const real *v, real *dg)
{
    dg[0] = q[0] * v[0] + q[1] * v[1];
}

static inline void FN(acceleration)(const param *p, real t, const real *q, const real *v, const real *a, real *ddg)
{
    ddg[0] = q[0] * a[0] + q[1] * a[1] + v[0] * v[0] + v[1] * v[1];
}

static inline void FN(reaction)(const param *p, real t, const real *q, const real *lambda, real *r)
{
    r[0] = q[0] * lambda[0];
    r[1] = q[1] * lambda[0];
}
