/* partial_check.c - the derivatives that a model states as matrices, B w = d/ds F(x + s w) at s = 0 for a random w */
#include "checker.h"

#include "base/numbers.h"
#include "jacobian/sparse_partials.h"
#include "pass_path.h"
#include "base/parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A block of derivatives of a function by some of its arguments, or by t. */
typedef struct {
    const char *name, *function;
    int first, columns;         /* of the arguments of the function; t is behind them */
    const double *entries;
    int row_step, column_step;  /* in entries */
} block;

typedef struct {
    const dae_checker *of;
    dae_model_point at;
    dae_state_places places;
    dae_model_map *maps;
    int count;                  /* of maps */
    double *state, *sizes, *beside;     /* [places.count] */
    double *all;                /* [places.count + 1] directions */
    double *entries;            /* [size] of all blocks; those of d follow */
    size_t size;
    dae_partials d;
    dae_status status;          /* of the latest evaluation */
} partials;

/* ---- what a model states ------------------------------------------------------------------ */

/* All blocks at a state. f is no number until a model writes it, which it need not. */
static dae_status evaluate(partials *b, const double *state, double t)
{
    const dae_problem *problem = b->of->problem;
    const dae_state_places *s = &b->places;
    memset(b->entries, 0, b->size * sizeof *b->entries);
    if (!s->nq) {
        problem->first_order.jacobian(b->at.p, t, state, b->entries, b->entries + s->n * s->n);
        return DAE_OK;
    }
    for (int i = 0; i < s->nq; i++)
        b->d.f[i] = NAN;
    const dae_partials_point at = {b->at.p, t, state + s->q, state + s->v, state + s->a, state + s->lambda};
    return dae_dense_partials(&problem->mechanical, &at, s->nq, s->nl, &b->d);
}

static int along(const dae_stated_slope *d, dae_pass_path *c, const double *x, double *out)
{
    partials *b = c->context;
    const block *B = d->own;
    memcpy(b->beside, b->state, (size_t)b->places.count * sizeof *b->beside);
    dae_map_place(c->map, x, b->beside);
    b->status = evaluate(b, b->beside, c->at->t);
    for (int i = 0; i < c->m; i++) {
        out[i] = 0;
        for (int j = 0; j < B->columns; j++)
            out[i] += B->entries[i * B->row_step + j * B->column_step]
                      * (B->first == c->n ? c->tau : c->w[B->first + j]);
    }
    return !b->status;
}

static void blame(const dae_stated_slope *d, const dae_pass_path *c, int row, int direction, double found,
                  double expected, double part)
{
    const block *B = d->own;
    const int by_time = B->first == c->n;
    char why[96];
    snprintf(why, sizeof why, "is not the derivative of %s%s, by differences", B->function, by_time ? " by t" : "");
    dae_blame(c->found, B->name, row + 1, by_time ? 0 : direction - B->first + 1, found + 0, expected + 0, part, why);
}

/* ---- each block --------------------------------------------------------------------------- */

/* Where a model writes f beside its derivatives it is the force. */
static void check_force(partials *b, dae_pass_path *c)
{
    const double wrong = 1e-9;
    evaluate(b, b->state, c->at->t);
    for (int i = 0; i < c->m; i++) {
        const double f = b->d.f[i], force = (double)c->F[i], size = fmax(fabs(force), (double)c->terms[i]);
        const double part = isnan(f) ? 0 : dae_difference(f, c->F[i], 4 * c->rounding[i], size);
        if (part > wrong)
            dae_blame(c->found, "partials.f", i + 1, 0, f, force, part, "is not force");
    }
}

/* A row of the equations of motion has the size of all of its forces: beside them a derivative may be nothing. */
static void add_forces(const partials *b, dae_pass_path *c)
{
    static const char *const forces[] = {"force", "inertia", "reaction"};
    for (int i = 0; i < 3 * b->count; i++) {
        const dae_model_map *map = &b->maps[i / 3];
        if (strcmp(map->name, forces[i % 3]) != 0)
            continue;
        dae_map_arguments(map, b->state, b->beside);
        dae_map_double(map, c->at->p, c->at->t, b->beside, c->value);
        for (int k = 0; k < c->m; k++)
            c->terms[k] = dae_quad_fmax(c->terms[k], fabs(c->value[k]));
    }
}

static void check_block(partials *b, dae_comparison *found, const block *B)
{
    uint64_t random = 19750501;
    int i = 0;
    while (i < b->count && strcmp(b->maps[i].name, B->function) != 0)
        i++;
    if (i == b->count)
        return;                                         /* it has no rows */
    dae_pass_path c;
    if (dae_pass_create(&c, &b->at, b->maps + i, found)) {
        const dae_stated_slope d = {0, B->first, B->columns, along, blame, B};
        c.context = b;
        dae_pass_set_rounding(&c);
        if (!strcmp(B->function, "force") || !strcmp(B->function, "reaction"))
            add_forces(b, &c);
        memset(b->all, 0, ((size_t)c.n + 1) * sizeof *b->all);
        for (int j = B->first; j < B->first + B->columns; j++)
            b->all[j] = (j < c.n ? c.size[j] : b->at.span) * dae_random_direction(&random);
        dae_pass_look(&c, 0, B->first, B->columns, b->all);
        dae_pass_check_slope(&c, &d, b->all);
        if (b->places.nq && !strcmp(B->function, "force") && B->first == c.n)
            check_force(b, &c);
    }
    dae_pass_destroy(&c);
}

static void check_blocks(partials *b, dae_comparison *found)
{
    const int n = b->places.n, nq = b->places.nq;
    const dae_partials *d = &b->d;
    const block mechanical[] = {
        {"partials.G", "rate", nq, nq, d->G, nq, 1},            {"partials.g_t", "constraint", nq, 1, d->g_t, 1, 1},
        {"partials.f_q", "force", 0, nq, d->f_q, nq, 1},        {"partials.f_v", "force", nq, nq, d->f_v, nq, 1},
        {"partials.f_t", "force", 2 * nq, 1, d->f_t, 1, 1},     {"partials.r_q", "reaction", 0, nq, d->r_q, nq, 1},
        {"partials.r_t", "reaction", nq + b->places.nl, 1, d->r_t, 1, 1},
        {"partials.rate_q", "rate", 0, nq, d->rate_q, nq, 1},   {"partials.rate_t", "rate", 2 * nq, 1, d->rate_t, 1, 1},
        {"partials.acc_q", "acceleration", 0, nq, d->acc_q, nq, 1},
        {"partials.acc_v", "acceleration", nq, nq, d->acc_v, nq, 1},
        {"partials.acc_t", "acceleration", 3 * nq, 1, d->acc_t, 1, 1}};
    const block first_order[] = {{"jacobian", "rhs", 0, n, b->entries, 1, n},
                                 {"jacobian", "rhs", n, 1, b->entries + n * n, 1, 1}};
    const int count = (int)(nq ? sizeof mechanical / sizeof *mechanical : 2);
    for (int i = 0; i < count && found->status != DAE_NO_MEMORY; i++)
        check_block(b, found, nq ? mechanical + i : first_order + i);
}

/* ---- room --------------------------------------------------------------------------------- */

static int create(partials *b, const dae_checker *c)
{
    const dae_system *sys = c->rows->sys;
    const int nq = c->nq, nl = c->nl, n = nq ? 0 : c->n;
    *b = (partials){.of = c, .places = dae_places_of(c->problem, dae_problem_copies(c->problem, sys->p)),
                    .size = (size_t)(3 * nq * nq + 4 * nl * nq + 3 * nq + 3 * nl + n * n + n), .d = {.level = 2}};
    const size_t count = (size_t)b->places.count;
    if (!DAE_PARTS(b,
                   DAE_PART(partials, state, count), DAE_PART(partials, sizes, count),
                   DAE_PART(partials, beside, count), DAE_PART(partials, all, count + 1),
                   DAE_PART(partials, entries, n * n + n), DAE_PART(partials, d.f_q, nq * nq),
                   DAE_PART(partials, d.f_v, nq * nq), DAE_PART(partials, d.r_q, nq * nq),
                   DAE_PART(partials, d.G, nl * nq), DAE_PART(partials, d.rate_q, nl * nq),
                   DAE_PART(partials, d.acc_q, nl * nq), DAE_PART(partials, d.acc_v, nl * nq),
                   DAE_PART(partials, d.f, nq), DAE_PART(partials, d.f_t, nq), DAE_PART(partials, d.r_t, nq),
                   DAE_PART(partials, d.g_t, nl), DAE_PART(partials, d.rate_t, nl), DAE_PART(partials, d.acc_t, nl),
                   DAE_PART(partials, maps, DAE_MOST_MAPS)))
        return 0;
    b->count = dae_list_maps(c->problem, &b->places, b->maps);
    for (int i = 0; i < c->n; i++) {
        b->state[i] = (double)c->q[i];
        b->sizes[i] = (double)c->size_q[i];
    }
    for (int k = 0; k < nl; k++)
        b->state[b->places.lambda + k] = (double)c->lambda[k];
    for (int i = 0; i < nq; i++)
        b->state[b->places.a + i] = (double)c->a[i];
    b->at = (dae_model_point){.problem = c->problem, .p = sys->p, .t = (double)c->t, .span = (double)c->span,
                              .state = b->state, .size = b->sizes, .rough = c->rows->rough};
    return 1;
}

void dae_check_partials(dae_checker *c)
{
    const int given = c->nq ? dae_gives_partials(c->e) : c->problem->first_order.jacobian != NULL;
    partials b;
    if (!given || c->nq > DAE_MANY_POSITIONS)
        return;                             /* blocks of nq^2 entries are not used there */
    if (!create(&b, c))
        b.status = DAE_NO_MEMORY;
    else if (!(b.status = evaluate(&b, b.state, b.at.t)))
        check_blocks(&b, &c->found);
    if (b.status)
        c->found.status = dae_fail(c->found.report, b.status, b.status == DAE_BAD_MODEL ? "sparse_partials puts an "
                                   "entry outside of its block" : "no memory for derivatives");
    free(b.state);
}
