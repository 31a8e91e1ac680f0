/* planted_rules.h - which planted changes contradict something else that the record states, and which do not
 *
 * A record states some things twice: then a change of one contradicts the other. What it states once (the
 * force, where nothing else knows of it) is another model, as good as the first. The rules are those of
 * mechanics, asked of numbers along a run of the model as it was:
 *
 *     force, inertia      an energy sees v^T df, the power of the change; minimal coordinates its part along
 *                         the constraints, N^T df with N = dq/ds; analytic derivatives those of df
 *     inertia             M is symmetric and positive definite
 *     energy, invariants  any multiple of a constant is constant, and so is any exchange of constants
 *     rhs, mass           analytic derivatives, a reduced form, an exact solution, invariants
 *     start, events       data, stated once
 *
 * In one pass only, a change contradicts the other passes wherever it changes a value, or, of dual numbers,
 * a derivative.
 */
#ifndef DAELAB_TEST_PLANTED_RULES_H
#define DAELAB_TEST_PLANTED_RULES_H

#include "planted_scene.h"

static const double rounding_of_doubles = 1e-12;

#define IS(w, field) ((w)->kind < PARTIALS && planted_functions[(w)->function].at == AT(field))

/* ---- what a change changes ---------------------------------------------------------------- */

static inline int differ(double x, double y, double part)
{
    return fabs(x - y) > part * fmax(fabs(x), fabs(y));
}

static inline void random_direction(scene *s, const scene_arguments *arg, scene_arguments *along, double *dp)
{
    along->t = scene_random(s);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < SCENE_LONGEST; j++)
            along->x[i][j] = scene_random(s) * fmax(fabs(arg->x[i][j]), 1e-3);
    for (int i = 0; i < dae_parameter_count(&s->record); i++)
        dp[i] = dae_parameter_at(&s->record, i)->range == DAE_COUNT
                ? 0 : scene_random(s) * (s->p.value[i] < 0 || s->p.value[i] > 0 ? s->p.value[i] : 1);
}

/* Bits of the rows whose value, or derivative along a random direction, is another at these arguments. A row
 * that cancels there is measured by its size[] elsewhere, which is raised. */
static inline uint64_t rows_apart(scene *s, const planting *w, const scene_arguments *arg, double *size)
{
    const int rows = planted_rows(w);
    uint64_t apart = 0;
    if (w->passes == IN_DUAL || w->passes == IN_TANGENT) {
        double was[SCENE_LONGEST], now[SCENE_LONGEST], dp[MOST_PARAMETERS];
        scene_arguments along;
        random_direction(s, arg, &along, dp);
        scene_slope(s, w, 0, arg, &along, w->passes == IN_DUAL ? NULL : dp, was);
        scene_slope(s, w, 1, arg, &along, w->passes == IN_DUAL ? NULL : dp, now);
        for (int i = 0; i < rows; i++)
            apart |= (uint64_t)differ(was[i], now[i], 1e-12) << i;
    } else if (w->passes == IN_DOUBLE) {
        double was[SCENE_LONGEST], now[SCENE_LONGEST];
        scene_double(s, w, 0, arg, was);
        scene_double(s, w, 1, arg, now);
        for (int i = 0; i < rows; i++)
            apart |= (uint64_t)differ(was[i], now[i], rounding_of_doubles) << i;
    } else {
        const dae_quad part = w->passes == IN_QUAD ? 0 : IS(w, first_order.reduced) ? 1e-6 : DAE_QUAD_C(1e-25);
        dae_quad was[SCENE_LONGEST], now[SCENE_LONGEST];
        scene_quad(s, w, 0, arg, was);
        scene_quad(s, w, 1, arg, now);
        for (int i = 0; i < rows; i++) {
            size[i] = fmax(size[i], fmax(fabs((double)was[i]), fabs((double)now[i])));
            apart |= (uint64_t)(dae_quad_fabs(was[i] - now[i]) > part * size[i]) << i;
        }
    }
    return apart;
}

/* A chart, an energy and invariants are asked of consistent states only, a reduced form on solutions. */
static inline int on_constraints_only(const planting *w)
{
    return IS(w, mechanical.minimal.chart) || IS(w, mechanical.energy) || IS(w, invariants.value)
           || IS(w, first_order.reduced);
}

static inline uint64_t changed_rows(scene *s, const planting *w)
{
    uint64_t apart = 0;
    scene_arguments arg;
    double size[SCENE_LONGEST] = {0};
    for (int k = 0; k < s->count; k++) {
        scene_arguments_at(s, w, k, 1, &arg);
        const uint64_t beside = rows_apart(s, w, &arg, size);
        apart |= on_constraints_only(w) && w->passes == IN_ALL ? 0 : beside;
    }
    for (int k = 0; k < s->count; k++) {
        scene_arguments_at(s, w, k, 0, &arg);
        apart |= rows_apart(s, w, &arg, size);
    }
    return apart;
}

/* ---- derivatives that are coded by hand --------------------------------------------------- */

/* The row and the column, from 1, of an entry; column 0: of dF/dt. */
static inline void entry_place(const planting *w, int entry, int *row, int *column)
{
    const int n = planted_size(w, N), columns = w->kind == PARTIALS
                                                ? planted_size(w, planted_blocks[w->function].columns) : 0;
    *row = w->kind == PARTIALS ? entry / columns + 1 : entry % n + 1;
    *column = w->kind == PARTIALS ? (columns > 1 ? entry % columns + 1 : 0)
                                  : entry < n * n ? entry / n + 1 : 0;
}

/* Does the change make an entry another one, at states of the run or beside them? */
static inline int entry_changes(scene *s, const planting *w)
{
    static double was[PLANTED_BLOCKS][PLANTED_ENTRIES], now[PLANTED_BLOCKS][PLANTED_ENTRIES];
    const int nq = planted_size(w, NQ), nl = planted_size(w, NL), n = planted_size(w, N);
    int differs = 0;
    for (int k = 0; k < 2 * s->count; k++) {
        double u[SCENE_LONGEST], a[SCENE_LONGEST];
        for (int i = 0; i < (nq ? 2 * nq + nl : n); i++)
            u[i] = s->state[k / 2].u[i] * (1 + 0.1 * (k % 2) * scene_random(s));
        for (int i = 0; i < nq; i++)
            a[i] = s->state[k / 2].a[i];
        memset(was, 0, sizeof was);
        memset(now, 0, sizeof now);
        const double t = s->state[k / 2].t;
        if (w->kind == JACOBIAN) {
            planted_in->first_order.jacobian(s->p.value, t, u, was[0], was[0] + n * n);
            wrap_jacobian(s->p.value, t, u, now[0], now[0] + n * n);
            for (int i = 0; i < n * (n + 1); i++)
                differs |= was[0][i] < now[0][i] || was[0][i] > now[0][i];
            continue;
        }
        dae_partials d[2] = {{.level = 2}, {.level = 2}};
        for (int b = 0; b < PLANTED_BLOCKS; b++)
            for (int j = 0; j < 2; j++) {
                double *to = j ? now[b] : was[b];
                memcpy((char *)&d[j] + planted_blocks[b].at, &to, sizeof to);
            }
        for (int i = 0; i < nq; i++)
            d[0].f[i] = d[1].f[i] = NAN;
        planted_in->mechanical.partials(s->p.value, t, u, u + nq, a, u + 2 * nq, &d[0]);
        wrap_partials(s->p.value, t, u, u + nq, a, u + 2 * nq, &d[1]);
        for (int i = 0; i < PLANTED_ENTRIES; i++)
            differs |= was[w->function][i] != now[w->function][i] && !isnan(was[w->function][i]);
    }
    return differs;
}

/* ---- who else knows ----------------------------------------------------------------------- */

/* Sums are zero where they are rounding of their terms. */
typedef struct { double sum, size; } total;

static inline void add(total *x, double term)
{
    x->sum += term;
    x->size += fabs(term);
}

static inline int is_zero(const total *x)
{
    return fabs(x->sum) <= 1e-9 * x->size;
}

/* change[rows] of the function's value at state k of the run; an inertia takes the accelerations */
static inline void value_change(scene *s, const planting *w, int k, double *change)
{
    dae_quad was[SCENE_LONGEST], now[SCENE_LONGEST];
    scene_arguments arg;
    scene_arguments_at(s, w, k, 0, &arg);
    scene_quad(s, w, 0, &arg, was);
    scene_quad(s, w, 1, &arg, now);
    for (int i = 0; i < SCENE_LONGEST; i++) {
        const dae_quad apart = now[i] - was[i];
        change[i] = dae_quad_fabs(apart) > 1e-14 * dae_quad_fabs(was[i]) ? (double)apart : 0;
    }
}

/* v^T df is not zero at all states, where the record says that its energy stays. */
static inline int energy_knows(scene *s, const planting *w)
{
    double df[SCENE_LONGEST];
    const int nq = planted_size(w, NQ);
    int knows = 0;
    for (int k = 0; k < s->count && s->record.mechanical.conservative; k++) {
        total power = {0, 0};
        value_change(s, w, k, df);
        for (int i = 0; i < nq; i++)
            add(&power, s->state[k].u[nq + i] * df[i]);
        knows |= !is_zero(&power);
    }
    return knows;
}

/* N^T df is not zero, N = dv/ds' by dual numbers. */
static inline int minimal_knows(scene *s, const planting *w)
{
    const dae_minimal *m = &s->record.mechanical.minimal;
    const int nq = planted_size(w, NQ);
    double df[SCENE_LONGEST];
    int knows = 0;
    for (int k = 0; k < s->count; k++)
        for (int j = 0; j < m->n; j++) {
            dae_dual x[SCENE_LONGEST], out[SCENE_LONGEST];
            total along = {0, 0};
            value_change(s, w, k, df);
            for (int i = 0; i < 2 * m->n; i++)
                x[i] = dae_dual_make(s->state[k].s[i], i == m->n + j);
            m->embed.dual(s->p.value, s->state[k].t, x, x + m->n, out);
            for (int i = 0; i < nq; i++)
                add(&along, dae_dual_derivative(out[nq + i]) * df[i]);
            knows |= !is_zero(&along);
        }
    return knows;
}

/* Do the derivatives of the change vanish? */
static inline int slopes_change(scene *s, const planting *w)
{
    double was[SCENE_LONGEST], now[SCENE_LONGEST], dp[MOST_PARAMETERS];
    scene_arguments arg, along;
    int change = 0;
    for (int k = 0; k < s->count; k++) {
        scene_arguments_at(s, w, k, 1, &arg);
        random_direction(s, &arg, &along, dp);
        scene_slope(s, w, 0, &arg, &along, NULL, was);
        scene_slope(s, w, 1, &arg, &along, NULL, now);
        for (int i = 0; i < planted_rows(w); i++)
            change |= differ(was[i], now[i], 1e-12);
    }
    return change;
}

/* Analytic derivatives may state f itself, too. */
static inline int partials_know(scene *s, const planting *w)
{
    static double scratch[PLANTED_BLOCKS][PLANTED_ENTRIES];
    const int nq = planted_size(w, NQ);
    dae_partials d = {.level = 0};
    if (!s->record.mechanical.partials)
        return 0;
    memset(scratch, 0, sizeof scratch);
    for (int b = 0; b < PLANTED_BLOCKS; b++) {
        double *to = scratch[b];
        memcpy((char *)&d + planted_blocks[b].at, &to, sizeof to);
    }
    d.f[0] = NAN;
    s->record.mechanical.partials(s->p.value, s->state[0].t, s->state[0].u, s->state[0].u + nq,
                                  s->state[0].a, s->state[0].u + 2 * nq, &d);
    return !isnan(d.f[0]) || slopes_change(s, w);
}

/* x^T M y = y^T M x and x^T M x > 0, of the changed inertia. */
static inline int mass_is_one(scene *s, const planting *w)
{
    const int nq = planted_size(w, NQ);
    int is_mass = 1;
    for (int k = 0; k < s->count; k++) {
        scene_arguments arg;
        double M[SCENE_LONGEST][SCENE_LONGEST];
        scene_arguments_at(s, w, k, 0, &arg);
        for (int j = 0; j < nq; j++) {
            memset(arg.x[1], 0, sizeof arg.x[1]);
            arg.x[1][j] = 1;
            scene_double(s, w, 1, &arg, M[j]);
        }
        for (int i = 0; i < nq; i++) {
            is_mass &= M[i][i] > 0;
            for (int j = 0; j < i; j++)
                is_mass &= !differ(M[i][j], M[j][i], 1e-12);
        }
    }
    return is_mass;
}

/* A constant of the motion stays one: d/ds of it along (t, q + s v, v + s a), or u + s u', is zero. t is held
 * for an energy, and runs for an invariant. */
static inline int still_constant(scene *s, const planting *w)
{
    const int nq = planted_size(w, NQ), n = planted_size(w, STATE);
    int constant = 1;
    for (int k = 0; k < s->count; k++) {
        scene_arguments arg, along;
        double slope[SCENE_LONGEST], size = 0;
        memset(&along, 0, sizeof along);
        scene_arguments_at(s, w, k, 0, &arg);
        along.t = IS(w, invariants.value);
        const double *a = s->state[k].a, *v = s->state[k].u + nq;
        for (int i = 0; i < n; i++) {
            double *to = IS(w, invariants.value) ? &along.x[0][i] : &along.x[i / nq][i % nq];
            *to = !nq ? a[i] : i < nq ? v[i] : a[i - nq];
        }
        scene_slope(s, w, 1, &arg, &along, NULL, slope);
        for (int i = 0; i < planted_rows(w); i++) {
            size = 0;
            for (int j = 0; j < n; j++) {               /* the terms of the sum, one by one */
                scene_arguments one;
                double term[SCENE_LONGEST];
                const int which = IS(w, invariants.value) ? 0 : j / nq;
                const int place = IS(w, invariants.value) ? j : j % nq;
                memset(&one, 0, sizeof one);
                one.x[which][place] = along.x[which][place];
                scene_slope(s, w, 1, &arg, &one, NULL, term);
                size += fabs(term[i]);
            }
            constant &= fabs(slope[i]) <= 1e-6 * size;
        }
    }
    return constant;
}

/* The change does not vanish on the exact solution: of F at u(t), of M at u'(t). */
static inline int exact_knows(scene *s, const planting *w)
{
    const dae_first_order *e = &s->record.first_order;
    int knows = 0;
    for (int k = 0; k < s->count && e->exact.f; k++) {
        dae_dual u[SCENE_LONGEST];
        dae_quad was[SCENE_LONGEST], now[SCENE_LONGEST];
        scene_arguments arg = {.t = s->state[k].t};
        e->exact.dual(s->p.value, dae_dual_make(arg.t, 1), u);
        for (int i = 0; i < e->n; i++) {
            arg.x[0][i] = dae_dual_value(u[i]);
            arg.x[1][i] = dae_dual_derivative(u[i]);
        }
        scene_quad(s, w, 0, &arg, was);
        scene_quad(s, w, 1, &arg, now);
        for (int i = 0; i < e->n; i++)
            knows |= dae_quad_fabs(now[i] - was[i]) > 1e-12 * dae_quad_fabs(was[i]);
    }
    return knows;
}

/* Invariants of M = I: dI/du dF is not zero. */
static inline int invariants_know(scene *s, const planting *w)
{
    const dae_invariants *I = &s->record.invariants;
    double dF[SCENE_LONGEST];
    int knows = 0;
    for (int k = 0; k < s->count && I->n && !s->record.first_order.mass.f; k++) {
        dae_dual u[SCENE_LONGEST], out[SCENE_LONGEST];
        value_change(s, w, k, dF);
        for (int r = 0; r < I->n; r++) {
            total slope = {0, 0};
            for (int i = 0; i < s->record.first_order.n; i++) {
                for (int j = 0; j < s->record.first_order.n; j++)
                    u[j] = dae_dual_make(s->state[k].u[j], i == j);
                I->value.dual(s->p.value, s->state[k].t, u, out);
                add(&slope, dae_dual_derivative(out[r]) * dF[i]);
            }
            knows |= !is_zero(&slope);
        }
    }
    return knows;
}

/* ---- the rules ---------------------------------------------------------------------------- */

static inline const char *force_rule(scene *s, const planting *w)
{
    if (IS(w, mechanical.inertia) && !mass_is_one(s, w))
        return NULL;
    if (energy_knows(s, w) || minimal_knows(s, w)
        || (IS(w, mechanical.force) && partials_know(s, w)))
        return NULL;
    return s->record.mechanical.conservative || s->record.mechanical.minimal.n
           ? "another force, or mass, that does no work along the constraints"
           : "another force, or mass: neither an energy nor minimal coordinates state it again";
}

/* An algebraic row is an equation: any multiple of it is the same one, any exchange of two as well. */
static inline int same_equations(const scene *s, const planting *w)
{
    const int second = w->change == PLANTED_ROWS ? w->row + 1 : w->row;
    return w->change != PLANTED_INPUTS && !s->moves[w->row] && !s->moves[second];
}

static inline const char *first_order_rule(scene *s, const planting *w)
{
    const dae_first_order *e = &s->record.first_order;
    const int of_rhs = IS(w, first_order.rhs), of_mass = IS(w, first_order.mass);
    if (IS(w, first_order.reduced))
        return same_equations(s, w) ? "the same equations" : NULL;
    if (of_rhs && ((e->jacobian && slopes_change(s, w)) || e->reduced.f || invariants_know(s, w)))
        return NULL;
    if ((!of_rhs && !of_mass) || (exact_knows(s, w) && !(of_rhs && same_equations(s, w))))
        return NULL;
    return "other equations, which derivatives, an exact solution and invariants, if any, fit as well";
}

/* Does any of these rows of the start depend on a parameter? */
static inline int start_depends(const scene *s, uint64_t rows)
{
    double u[SCENE_LONGEST] = {0}, other[SCENE_LONGEST] = {0};
    block_double p = s->p;
    for (int i = 0; i < dae_parameter_count(s->problem); i++)
        if (dae_parameter_at(s->problem, i)->range != DAE_COUNT)
            p.value[i] = 1.01 * s->p.value[i] + 0.01;
    s->record.start.f(s->p.value, u);
    s->record.start.f(p.value, other);
    for (int i = 0; i < SCENE_LONGEST; i++)
        if ((rows >> i & 1) && (u[i] < other[i] || u[i] > other[i]))
            return 1;
    return 0;
}

/* Why the change contradicts nothing; NULL: something it does. rows: bits of those that it changes. */
static inline const char *planted_nothing(scene *s, const planting *w, uint64_t *rows)
{
    *rows = 0;
    if (w->kind >= PARTIALS)
        return entry_changes(s, w) ? NULL : "the same numbers at all states tried";
    *rows = changed_rows(s, w);
    if (!*rows)
        return w->passes == IN_DUAL || w->passes == IN_TANGENT
               ? "the same derivatives at all states tried" : "the same numbers at all states tried";
    if (w->kind == START && w->passes == IN_QUAD && w->change == PLANTED_LOST && !start_depends(s, *rows))
        return "a start that depends on no parameter: rounded to double it is one, too";
    if (w->passes != IN_ALL)
        return NULL;
    if (w->kind == START || w->kind == EVENT || w->kind == ACTION)
        return "a start, an event or what it does, which are stated once";
    if (IS(w, mechanical.energy) && !s->record.mechanical.conservative)
        return "an energy that may change, which is stated once";
    if (IS(w, mechanical.energy) || IS(w, invariants.value))
        return still_constant(s, w) ? "still constant along the motion" : NULL;
    if (IS(w, mechanical.force) || IS(w, mechanical.inertia))
        return force_rule(s, w);
    return s->record.first_order.n ? first_order_rule(s, w) : NULL;
}

#endif
