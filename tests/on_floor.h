/* on_floor.h - a unit mass in a plane, and the floor y = 0 as its constraint */
static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *r)
{
    r[0] = a[0];
    r[1] = a[1];
}
static void FN(constraint)(const param *p, real t, const real *q, real *g) { g[0] = -q[1]; }
static void FN(rate)(const param *p, real t, const real *q, const real *v, real *r)
{
    r[0] = -v[1];
}
static void FN(acceleration)(const param *p, real t, const real *q, const real *v, const real *a,
                             real *r)
{
    r[0] = -a[1];
}
static void FN(reaction)(const param *p, real t, const real *q, const real *n, real *r)
{
    r[0] = 0;
    r[1] = -n[0];
}
