/* transformed.h - problems of the table in other units, from another origin, and beside a copy
 *
 * A view of a base problem is a record of its own whose functions bring their arguments into the
 * units of the base, call its function, and bring the result into the new units. With powers of two
 * for units nothing is rounded. Mechanical, for units of length L, time tau, mass m, constraint c:
 *
 *     q: L    v: L/tau    force: m L/tau^2    g: c    lambda, by G^T lambda: m L^2/(tau^2 c)
 *
 * and first order, M u' = F: u_i in a unit s_i, row i of F in r_i, of M u in r_i tau (M = I: r_i =
 * s_i/tau). A view has one or two parts, copies of the base each in its own units side by side, and
 * maybe a body that stands idle far off. A shift moves the origin of all q or u of a part, before
 * they are scaled.
 *
 * The view in force is a variable of the test: functions of a model have no room for one.
 */
#ifndef DAELAB_TEST_TRANSFORMED_H
#define DAELAB_TEST_TRANSFORMED_H

#include "support.h"

#include "system/system.h"

enum { MOST = 160, MOST_SQUARE = 16, MOST_ENTRIES = 4096, BLOCKS = 7, MOST_EVENTS = 8, MOST_MODES = 4 };

typedef struct {
    const dae_problem *base;
    double length, mass, row, angle;    /* units; of constraints, of minimal coordinates */
    double shift;                       /* of all positions or unknowns, in the units of the base */
    double unit[MOST], equation[MOST];  /* first order: of each unknown, of each row of F */
    int nq, nl, ns;                     /* of this part; nq: n of a first-order problem */
    int holonomic;                      /* constraints on positions, the first of nl */
    int q_at, l_at, s_at;               /* their places, l_at of the holonomic ones; */
    int other_at;                       /* of the others, behind the holonomic ones of all parts */
    dae_partials partials;              /* of the base, in store */
    double store[12 * MOST_SQUARE * MOST_SQUARE];
    dae_sparse_partials sparse;         /* of the base, in the arrays below */
    int rows[BLOCKS][MOST_ENTRIES], columns[BLOCKS][MOST_ENTRIES];
    double values[BLOCKS][MOST_ENTRIES], by_time[5][MOST];
} part;

static struct {
    int parts, idle, nq, nl, ns, holonomic;
    double time, time_shift;            /* t = time t_base + time_shift */
    part part[2];
    dae_problem record;
} view;

static const double IDLE_AT = 1e8, IDLE_MASS = 3, INVARIANT_UNIT = 0x1p9;

static inline double acceleration_unit(const part *w)
{
    return w->length / (view.time * view.time);
}

static inline double force_unit(const part *w) { return w->mass * acceleration_unit(w); }

static inline double energy_unit(const part *w) { return force_unit(w) * w->length; }

static inline double multiplier_unit(const part *w) { return force_unit(w) * w->length / w->row; }

/* The place of constraint k of a part. */
static inline int row_of(const part *w, int k)
{
    return k < w->holonomic ? w->l_at + k : w->other_at + k - w->holonomic;
}

#define DAE_SOURCE "transformed_maps.h"
#include <daelab/model.h>

/* ---- derivatives and start ------------------------------------------------------------------ */

/* Rows and columns of a block, scaled, into their places of a larger one; row-major. */
static inline void spread(int rows, int columns, const double *block, double scale, int row_at,
                          int column_at, int width, double *out)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            out[(row_at + i) * width + column_at + j] = block[i * columns + j] * scale;
}

/* The same of rows of constraints. */
static inline void spread_rows(const part *w, const double *block, double scale, double *out)
{
    for (int k = 0; k < w->nl; k++)
        spread(1, w->nq, block + k * w->nq, scale, row_of(w, k), w->q_at, view.nq, out);
}

static void view_partials(const double *p, double t, const double *q, const double *v,
                          const double *a, const double *lambda, dae_partials *d)
{
    const int nq = view.nq;
    const double T = view.time;
    for (part *w = view.part; w < view.part + view.parts; w++) {
        double x[MOST], y[MOST], b[MOST], l[MOST];
        const int m = w->nq, at = w->q_at;
        const double L = w->length, F = force_unit(w), c = w->row;
        dae_partials *e = &w->partials;
        positions_double(w, q, x);
        velocities_double(w, v, y);
        e->level = d->level;
        if (d->level > 1)
            take_double(m, a + at, acceleration_unit(w), 0, b);
        multipliers_double(w, lambda, l);
        for (int i = 0; i < m; i++)
            e->f[i] = NAN;
        w->base->mechanical.partials(p, base_time_double(t), x, y, b, l, e);
        put_double(m, e->f, F, d->f + at);
        spread(m, m, e->f_q, F / L, at, at, nq, d->f_q);
        spread(m, m, e->f_v, F * T / L, at, at, nq, d->f_v);
        put_double(m, e->f_t, F / T, d->f_t + at);
        spread(m, m, e->r_q, F / L, at, at, nq, d->r_q);
        put_double(m, e->r_t, F / T, d->r_t + at);
        spread_rows(w, e->G, c / L, d->G);
        put_rows_double(w, w->nl, e->g_t, c / T, d->g_t);
        if (d->level > 0) {
            spread_rows(w, e->rate_q, c / (L * T), d->rate_q);
            put_rows_double(w, w->nl, e->rate_t, c / (T * T), d->rate_t);
        }
        if (d->level > 1) {
            spread_rows(w, e->acc_q, c / (L * T * T), d->acc_q);
            spread_rows(w, e->acc_v, c / (L * T), d->acc_v);
            put_rows_double(w, w->nl, e->acc_t, c / (T * T * T), d->acc_t);
        }
    }
    if (view.idle)
        d->f[nq - 1] = 0;
}

static void put_scaled(const dae_entries *block, double scale, int row_at, int column_at, dae_entries *out)
{
    assert_true(block->count <= block->room);
    for (int i = 0; i < block->count; i++)
        dae_put(out, block->row[i] + row_at, block->column[i] + column_at, block->value[i] * scale);
}

/* The same, row k of the base being that of constraint k. */
static void put_constraints(const part *w, const dae_entries *block, double scale, dae_entries *out)
{
    assert_true(block->count <= block->room);
    for (int i = 0; i < block->count; i++)
        dae_put(out, row_of(w, block->row[i]), block->column[i] + w->q_at, block->value[i] * scale);
}

static void view_sparse_partials(const double *p, double t, const double *q, const double *v,
                                 const double *a, const double *lambda, dae_sparse_partials *d)
{
    const double T = view.time;
    for (part *w = view.part; w < view.part + view.parts; w++) {
        double x[MOST], y[MOST], b[MOST] = {0}, l[MOST];
        const int m = w->nq, at = w->q_at;
        const double L = w->length, F = force_unit(w), c = w->row;
        dae_sparse_partials *e = &w->sparse;
        positions_double(w, q, x);
        velocities_double(w, v, y);
        e->level = d->level;
        e->f_q.count = e->f_v.count = e->r_q.count = e->G.count = 0;
        e->rate_q.count = e->acc_q.count = e->acc_v.count = 0;
        if (d->level > 1)
            take_double(m, a + at, acceleration_unit(w), 0, b);
        multipliers_double(w, lambda, l);
        w->base->mechanical.sparse_partials(p, base_time_double(t), x, y, b, l, e);
        put_scaled(&e->f_q, F / L, at, at, &d->f_q);
        put_scaled(&e->f_v, F * T / L, at, at, &d->f_v);
        put_scaled(&e->r_q, F / L, at, at, &d->r_q);
        put_constraints(w, &e->G, c / L, &d->G);
        put_constraints(w, &e->rate_q, c / (L * T), &d->rate_q);
        put_constraints(w, &e->acc_q, c / (L * T * T), &d->acc_q);
        put_constraints(w, &e->acc_v, c / (L * T), &d->acc_v);
        put_double(m, e->f_t, F / T, d->f_t + at);
        put_double(m, e->r_t, F / T, d->r_t + at);
        put_rows_double(w, w->nl, e->g_t, c / T, d->g_t);
        if (d->level > 0)
            put_rows_double(w, w->nl, e->rate_t, c / (T * T), d->rate_t);
        if (d->level > 1)
            put_rows_double(w, w->nl, e->acc_t, c / (T * T * T), d->acc_t);
    }
}

/* Column-major. */
static void view_jacobian(const double *p, double t, const double *u, double *J, double *F_t)
{
    for (part *w = view.part; w < view.part + view.parts; w++) {
        double x[MOST], *block = w->store, *by_t = w->store + MOST_SQUARE * MOST_SQUARE;
        unknowns_double(w, u, 1, x);
        w->base->first_order.jacobian(p, base_time_double(t), x, block, by_t);
        for (int i = 0; i < w->nq; i++) {
            F_t[w->q_at + i] = by_t[i] * (w->equation[i] / view.time);
            for (int j = 0; j < w->nq; j++)
                J[(w->q_at + j) * view.nq + w->q_at + i] =
                    block[j * w->nq + i] * (w->equation[i] / w->unit[j]);
        }
    }
}

/* What the base says of u, (q, v, lambda) or u, in the new units. */
static inline void view_state(const part *w, const double *x, double *u)
{
    if (w->base->mechanical.nq == 0) {
        for (int i = 0; i < w->nq; i++)
            u[w->q_at + i] = (x[i] + w->shift) * w->unit[i];
        return;
    }
    for (int i = 0; i < w->nq; i++) {
        u[w->q_at + i] = (x[i] + w->shift) * w->length;
        u[view.nq + w->q_at + i] = x[w->nq + i] * (w->length / view.time);
    }
    for (int i = 0; i < w->nl; i++)
        u[2 * view.nq + row_of(w, i)] = x[2 * w->nq + i] * multiplier_unit(w);
}

static void view_start(const double *p, double *u)
{
    for (const part *w = view.part; w < view.part + view.parts; w++) {
        double x[3 * MOST] = {0};
        w->base->start.f(p, x);
        view_state(w, x, u);
    }
    if (view.idle)
        u[view.nq - 1] = IDLE_AT;
}

/* ---- making one ------------------------------------------------------------------------------ */

/* Nothing changed. */
static inline void view_begin(const dae_problem *base, int parts, int idle)
{
    memset(&view, 0, sizeof view);
    view.parts = parts;
    view.idle = idle;
    view.time = 1;
    for (part *w = view.part; w < view.part + parts; w++) {
        w->base = base;
        w->length = w->mass = w->row = w->angle = 1;
        for (int i = 0; i < MOST; i++)
            w->unit[i] = w->equation[i] = 1;
    }
}

#define VIEWED(map, name) (map).f ? (__typeof__(map))DAE_MODEL(name) : (__typeof__(map)){0}

/* The blocks of a part's derivatives, zero, and those without entries. */
static inline void view_store(part *w)
{
    double **const blocks[] = {&w->partials.f_q, &w->partials.f_v, &w->partials.r_q,
                               &w->partials.G, &w->partials.rate_q, &w->partials.acc_q,
                               &w->partials.acc_v, &w->partials.f, &w->partials.f_t,
                               &w->partials.r_t, &w->partials.g_t};
    double *next = w->store;
    memset(w->store, 0, sizeof w->store);
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++, next += MOST_SQUARE * MOST_SQUARE)
        *blocks[k] = next;
    w->partials.rate_t = next;
    w->partials.acc_t = next + MOST_SQUARE;
    dae_entries *const entries[BLOCKS] = {&w->sparse.f_q, &w->sparse.f_v, &w->sparse.r_q, &w->sparse.G,
                                          &w->sparse.rate_q, &w->sparse.acc_q, &w->sparse.acc_v};
    for (int k = 0; k < BLOCKS; k++)
        *entries[k] = (dae_entries){.room = MOST_ENTRIES, .row = w->rows[k], .column = w->columns[k],
                                    .value = w->values[k]};
    double **const by_time[] = {&w->sparse.f_t, &w->sparse.r_t, &w->sparse.g_t, &w->sparse.rate_t,
                                &w->sparse.acc_t};
    memset(w->by_time, 0, sizeof w->by_time);
    for (size_t k = 0; k < sizeof by_time / sizeof *by_time; k++)
        *by_time[k] = w->by_time[k];
}

/* The parts one behind the other, of so many copies each, and the idle ones. */
static inline void view_layout(const dae_problem *base, int copies)
{
    const dae_mechanical *m = &base->mechanical;
    const int square = m->partials || base->first_order.jacobian;
    view.nq = view.nl = view.ns = view.holonomic = 0;
    for (part *w = view.part; w < view.part + view.parts; w++) {
        w->nq = m->nq ? m->nq * copies : base->first_order.n;
        w->nl = m->nl * copies;
        w->holonomic = w->nl - m->nonholonomic * copies;
        w->ns = m->minimal.n;
        w->q_at = view.nq;
        w->l_at = view.holonomic;
        w->s_at = view.ns;
        view.nq += w->nq;
        view.nl += w->nl;
        view.holonomic += w->holonomic;
        view.ns += w->ns;
        view_store(w);
    }
    int other_at = view.holonomic;
    for (part *w = view.part; w < view.part + view.parts; w++) {
        w->other_at = other_at;
        other_at += w->nl - w->holonomic;
    }
    assert_true(view.nq < MOST && (!square || view.part->nq <= MOST_SQUARE));
    view.nq += view.idle;
    view.ns += view.idle;
}

static inline dae_mechanical view_mechanical(const dae_mechanical *m, int alone)
{
    dae_mechanical made = {
        .nq = alone ? m->nq : view.nq, .nl = alone ? m->nl : view.nl,
        .nonholonomic = alone ? m->nonholonomic : view.nl - view.holonomic,
        .inertia = DAE_MODEL(inertia), .force = DAE_MODEL(force),
        .constraint = VIEWED(m->constraint, constraint), .rate = VIEWED(m->rate, rate),
        .acceleration = VIEWED(m->acceleration, acceleration),
        .reaction = VIEWED(m->reaction, reaction), .energy = VIEWED(m->energy, energy),
        .partials = m->partials ? view_partials : NULL,
        .sparse_partials = m->sparse_partials ? view_sparse_partials : NULL};
    if (m->minimal.n)
        made.minimal = (dae_minimal){
            .n = view.ns, .acceleration = DAE_MODEL(angular_acceleration),
            .embed = DAE_MODEL(embed), .chart = DAE_MODEL(chart)};
    return made;
}

static inline dae_first_order view_first_order(const dae_first_order *f)
{
    return (dae_first_order){
        .n = view.nq, .index = f->index, .mass_kind = f->mass_kind, .mass = VIEWED(f->mass, mass),
        .rhs = DAE_MODEL(rhs),
        .reduced = VIEWED(f->reduced, reduced), .exact = VIEWED(f->exact, exact),
        .jacobian = f->jacobian ? view_jacobian : NULL};
}

/* The record of what view has been made to say. */
static inline const dae_problem *view_make(void)
{
    const dae_problem *base = view.part[0].base;
    const int alone = view.parts == 1 && !view.idle;
    dae_problem *r = &view.record;
    double p[MOST_PARAMETERS];
    *r = *base;
    for (int i = 0; i < dae_parameter_count(base); i++) {
        p[i] = dae_parameter_default(base, i);
        if (!alone && dae_parameter_at(base, i)->range == DAE_COUNT)
            r->parameters[i].range = DAE_POSITIVE;
    }
    view_layout(base, dae_problem_copies(base, p));
    if (base->mechanical.nq)
        r->mechanical = view_mechanical(&base->mechanical, alone);
    else
        r->first_order = view_first_order(&base->first_order);
    r->invariants.value = VIEWED(base->invariants.value, invariants);
    if (!alone)
        r->invariants = (dae_invariants){0};
    r->start.f = view_start;
    r->t0 = base->t0 * view.time + view.time_shift;
    r->t_end = base->t_end * view.time + view.time_shift;
    r->events = NULL;
    r->modes = NULL;
    r->mode = NULL;
    r->draw = NULL;
    r->variables = r->units = NULL;
    return r;
}

/* The unit and the origin of each unknown of a system of the view, and the unknown of the base's
 * system that it is, -1 for an idle one; which part. */
typedef struct {
    int n;
    double unit[4 * MOST], shift[4 * MOST];
    int part[4 * MOST], of[4 * MOST];
} unknowns;

static inline void add_unknowns(unknowns *out, int count, int k, double unit, double shift, int at)
{
    for (int i = 0; i < count; i++, out->n++) {
        out->unit[out->n] = unit;
        out->shift[out->n] = shift;
        out->part[out->n] = k;
        out->of[out->n] = at + i;
    }
}

/* One kind of unknown, in all parts; idle: an idle body has one, too. */
typedef enum {
    POSITIONS, VELOCITIES, MULTIPLIERS, OTHERS, AUXILIARIES, ACCELERATIONS, ANGLES, RATES
} kind;

static inline void add_kind(unknowns *out, kind what, int at)
{
    const double T = view.time;
    for (int k = 0; k < view.parts; k++) {
        const part *w = &view.part[k];
        const double units[] = {
            [POSITIONS] = w->length, [VELOCITIES] = w->length / T,
            [MULTIPLIERS] = multiplier_unit(w), [OTHERS] = multiplier_unit(w),
            [AUXILIARIES] = w->length * w->length / (T * w->row),
            [ACCELERATIONS] = acceleration_unit(w), [ANGLES] = w->angle, [RATES] = w->angle / T};
        const int count = what == MULTIPLIERS || what == AUXILIARIES ? w->holonomic
                          : what == OTHERS ? w->nl - w->holonomic
                          : what == ANGLES || what == RATES ? w->ns : w->nq;
        add_unknowns(out, count, k, units[what],
                     what == POSITIONS ? w->shift * w->length : 0, at);
    }
    if (view.idle && what != MULTIPLIERS && what != OTHERS && what != AUXILIARIES)
        add_unknowns(out, 1, -1, 1, 0, -1);
}

/* w = P u', in the order of the unknowns with pivots */
static inline void add_slopes(unknowns *out, const dae_state_mass *m)
{
    int before = 0;
    for (int k = 0; k < m->nx; k++) {
        const int j = m->column[k], owner = out->part[j];
        before = k > 0 && owner == out->part[m->column[k - 1]] ? before + 1 : 0;
        add_unknowns(out, 1, owner, out->unit[j] / view.time, 0, owner < 0 ? -1 : view.part[0].nq + before);
    }
}

static inline void view_unknowns(const dae_system *sys, unknowns *out)
{
    const part *w = view.part;
    out->n = 0;
    if (w->base->mechanical.nq == 0) {
        for (int k = 0; k < view.parts; k++)
            for (int i = 0; i < w->nq; i++)
                add_unknowns(out, 1, k, view.part[k].unit[i],
                             view.part[k].shift * view.part[k].unit[i], i);
        if (view.idle)
            add_unknowns(out, 1, -1, 1, 0, -1);
        if (sys->carried)
            add_slopes(out, sys->carried);
        return;
    }
    if (sys->compose->kind == DAE_FORM_MINIMAL) {
        add_kind(out, ANGLES, 0);
        add_kind(out, RATES, w->ns);
        return;
    }
    add_kind(out, POSITIONS, 0);
    add_kind(out, VELOCITIES, w->nq);
    if (w->nl)
        add_kind(out, MULTIPLIERS, 2 * w->nq);
    if (w->nl > w->holonomic)
        add_kind(out, OTHERS, 2 * w->nq + w->holonomic);
    if (w->nl && sys->compose->auxiliary)
        add_kind(out, AUXILIARIES, 2 * w->nq + w->nl);
    if (sys->general_mass)
        add_kind(out, ACCELERATIONS, 2 * w->nq + w->nl * (1 + sys->compose->auxiliary));
}

#endif
