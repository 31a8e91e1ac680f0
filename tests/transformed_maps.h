/* transformed_maps.h - the functions of a transformed problem, compiled once for each scalar by
 * model.h: arguments back into the units of the base, its function, results into the new units */

/* The function of this scalar. */
#define OF(map)                                                                                   \
    _Generic((real *)0, dae_quad *: (map).quad, double *: (map).f,                                \
             dae_dual *: _Generic((param *)0, double *: (map).dual, default: (map).tangent))

static real FN(base_time)(real t)
{
    return view.time_shift == 0 ? t * (1 / view.time) : (t - view.time_shift) * (1 / view.time);
}

/* out := (x - shift)/scale */
static void FN(take)(int n, const real *x, double scale, double shift, real *out)
{
    const double over = 1 / scale;
    for (int i = 0; i < n; i++)
        out[i] = shift == 0 ? x[i] * over : (x[i] - shift) * over;
}

static void FN(put)(int n, const real *x, double scale, real *out)
{
    for (int i = 0; i < n; i++)
        out[i] = x[i] * scale;
}

/* Rows of constraints, the first so many of a part, into their places. */
static void FN(put_rows)(const part *w, int rows, const real *x, double scale, real *out)
{
    for (int k = 0; k < rows; k++)
        out[row_of(w, k)] = x[k] * scale;
}

static void FN(multipliers)(const part *w, const real *lambda, real *out)
{
    for (int k = 0; k < w->nl; k++)
        FN(take)(1, lambda + row_of(w, k), multiplier_unit(w), 0, out + k);
}

/* ---- mechanical ----------------------------------------------------------------------------- */

static void FN(positions)(const part *w, const real *q, real *out)
{
    FN(take)(w->nq, q + w->q_at, w->length, w->shift, out);
}

static void FN(velocities)(const part *w, const real *v, real *out)
{
    FN(take)(w->nq, v + w->q_at, w->length / view.time, 0, out);
}

static void FN(inertia)(const param *p, real t, const real *q, const real *a, real *r)
{
    real x[MOST], y[MOST], z[MOST];
    for (const part *w = view.part; w < view.part + view.parts; w++) {
        FN(positions)(w, q, x);
        FN(take)(w->nq, a + w->q_at, acceleration_unit(w), 0, y);
        OF(w->base->mechanical.inertia)(p, FN(base_time)(t), x, y, z);
        FN(put)(w->nq, z, force_unit(w), r + w->q_at);
    }
    if (view.idle)
        r[view.nq - 1] = IDLE_MASS * a[view.nq - 1];
}

static void FN(force)(const param *p, real t, const real *q, const real *v, real *f)
{
    real x[MOST], y[MOST], z[MOST];
    for (const part *w = view.part; w < view.part + view.parts; w++) {
        FN(positions)(w, q, x);
        FN(velocities)(w, v, y);
        OF(w->base->mechanical.force)(p, FN(base_time)(t), x, y, z);
        FN(put)(w->nq, z, force_unit(w), f + w->q_at);
    }
    if (view.idle)
        f[view.nq - 1] = 0;
}

static void FN(constraint)(const param *p, real t, const real *q, real *g)
{
    real x[MOST], z[MOST];
    for (const part *w = view.part; w < view.part + view.parts; w++) {
        FN(positions)(w, q, x);
        OF(w->base->mechanical.constraint)(p, FN(base_time)(t), x, z);
        FN(put_rows)(w, w->holonomic, z, w->row, g);
    }
}

static void FN(rate)(const param *p, real t, const real *q, const real *v, real *g)
{
    real x[MOST], y[MOST], z[MOST];
    for (const part *w = view.part; w < view.part + view.parts; w++) {
        FN(positions)(w, q, x);
        FN(velocities)(w, v, y);
        OF(w->base->mechanical.rate)(p, FN(base_time)(t), x, y, z);
        FN(put_rows)(w, w->nl, z, w->row / view.time, g);
    }
}

static void FN(acceleration)(const param *p, real t, const real *q, const real *v, const real *a,
                             real *g)
{
    real x[MOST], y[MOST], b[MOST], z[MOST];
    for (const part *w = view.part; w < view.part + view.parts; w++) {
        FN(positions)(w, q, x);
        FN(velocities)(w, v, y);
        FN(take)(w->nq, a + w->q_at, acceleration_unit(w), 0, b);
        OF(w->base->mechanical.acceleration)(p, FN(base_time)(t), x, y, b, z);
        FN(put_rows)(w, w->nl, z, w->row / (view.time * view.time), g);
    }
}

static void FN(reaction)(const param *p, real t, const real *q, const real *lambda, real *r)
{
    real x[MOST], y[MOST], z[MOST];
    for (const part *w = view.part; w < view.part + view.parts; w++) {
        FN(positions)(w, q, x);
        FN(multipliers)(w, lambda, y);
        OF(w->base->mechanical.reaction)(p, FN(base_time)(t), x, y, z);
        FN(put)(w->nq, z, force_unit(w), r + w->q_at);
    }
    if (view.idle)
        r[view.nq - 1] = 0;
}

static void FN(energy)(const param *p, real t, const real *q, const real *v, real *h)
{
    real x[MOST], y[MOST], z[1];
    h[0] = 0;
    for (const part *w = view.part; w < view.part + view.parts; w++) {
        FN(positions)(w, q, x);
        FN(velocities)(w, v, y);
        OF(w->base->mechanical.energy)(p, FN(base_time)(t), x, y, z);
        h[0] += z[0] * energy_unit(w);
    }
    if (view.idle)
        h[0] += IDLE_MASS / 2 * v[view.nq - 1] * v[view.nq - 1];
}

static void FN(angles)(const part *w, const real *s, const real *ds, real *x, real *y)
{
    FN(take)(w->ns, s + w->s_at, w->angle, 0, x);
    FN(take)(w->ns, ds + w->s_at, w->angle / view.time, 0, y);
}

static void FN(angular_acceleration)(const param *p, real t, const real *s, const real *ds,
                                     real *out)
{
    real x[MOST], y[MOST], z[MOST];
    for (const part *w = view.part; w < view.part + view.parts; w++) {
        FN(angles)(w, s, ds, x, y);
        OF(w->base->mechanical.minimal.acceleration)(p, FN(base_time)(t), x, y, z);
        FN(put)(w->ns, z, w->angle / (view.time * view.time), out + w->s_at);
    }
    if (view.idle)
        out[view.ns - 1] = 0;
}

static void FN(embed)(const param *p, real t, const real *s, const real *ds, real *u)
{
    real x[MOST], y[MOST], z[MOST];
    for (const part *w = view.part; w < view.part + view.parts; w++) {
        FN(angles)(w, s, ds, x, y);
        OF(w->base->mechanical.minimal.embed)(p, FN(base_time)(t), x, y, z);
        FN(put)(w->nq, z, w->length, u + w->q_at);
        for (int i = 0; i < w->nq; i++)
            u[w->q_at + i] += w->shift;
        FN(put)(w->nq, z + w->nq, w->length / view.time, u + view.nq + w->q_at);
    }
    if (view.idle) {
        u[view.nq - 1] = s[view.ns - 1];
        u[2 * view.nq - 1] = ds[view.ns - 1];
    }
}

static void FN(chart)(const param *p, real t, const real *q, const real *v, real *s)
{
    real x[MOST], y[MOST], z[MOST];
    for (const part *w = view.part; w < view.part + view.parts; w++) {
        FN(positions)(w, q, x);
        FN(velocities)(w, v, y);
        OF(w->base->mechanical.minimal.chart)(p, FN(base_time)(t), x, y, z);
        FN(put)(w->ns, z, w->angle, s + w->s_at);
        FN(put)(w->ns, z + w->ns, w->angle / view.time, s + view.ns + w->s_at);
    }
    if (view.idle) {
        s[view.ns - 1] = q[view.nq - 1];
        s[2 * view.ns - 1] = v[view.nq - 1];
    }
}

/* ---- first order ---------------------------------------------------------------------------- */

static void FN(unknowns)(const part *w, const real *u, int shifted, real *x)
{
    for (int i = 0; i < w->nq; i++) {
        const double over = 1 / w->unit[i];
        const real y = u[w->q_at + i];
        x[i] = shifted && w->shift != 0 ? (y - w->shift * w->unit[i]) * over : y * over;
    }
}

static void FN(mass)(const param *p, real t, const real *u, const real *du, real *out)
{
    real x[MOST], y[MOST], z[MOST];
    for (const part *w = view.part; w < view.part + view.parts; w++) {
        FN(unknowns)(w, u, 1, x);
        FN(unknowns)(w, du, 0, y);
        OF(w->base->first_order.mass)(p, FN(base_time)(t), x, y, z);
        for (int i = 0; i < w->nq; i++)
            out[w->q_at + i] = z[i] * (w->equation[i] * view.time);
    }
    if (view.idle)
        out[view.nq - 1] = du[view.nq - 1];
}

static void FN(rows)(const param *p, real t, const real *u, int reduced, real *F)
{
    real x[MOST], z[MOST];
    for (const part *w = view.part; w < view.part + view.parts; w++) {
        const dae_first_order *f = &w->base->first_order;
        FN(unknowns)(w, u, 1, x);
        OF(reduced ? f->reduced : f->rhs)(p, FN(base_time)(t), x, z);
        for (int i = 0; i < w->nq; i++)
            F[w->q_at + i] = z[i] * w->equation[i];
    }
    if (view.idle)
        F[view.nq - 1] = 0;
}

static void FN(rhs)(const param *p, real t, const real *u, real *F)
{
    FN(rows)(p, t, u, 0, F);
}

static void FN(reduced)(const param *p, real t, const real *u, real *F)
{
    FN(rows)(p, t, u, 1, F);
}

static void FN(exact)(const param *p, real t, real *u)
{
    real z[MOST];
    for (const part *w = view.part; w < view.part + view.parts; w++) {
        OF(w->base->first_order.exact)(p, FN(base_time)(t), z);
        for (int i = 0; i < w->nq; i++)
            u[w->q_at + i] = (z[i] + w->shift) * w->unit[i];
    }
    if (view.idle)
        u[view.nq - 1] = IDLE_AT;
}

/* ---- invariants ------------------------------------------------------------------------------ */

/* Of one part, in units of their own. */
static void FN(invariants)(const param *p, real t, const real *u, real *out)
{
    const part *w = view.part;
    real x[MOST];
    if (w->base->mechanical.nq > 0) {
        FN(positions)(w, u, x);
        FN(velocities)(w, u + view.nq, x + w->nq);
    } else {
        FN(unknowns)(w, u, 1, x);
    }
    OF(w->base->invariants.value)(p, FN(base_time)(t), x, out);
    FN(put)(w->base->invariants.n, out, INVARIANT_UNIT, out);
}

#undef OF
