/* entry_plan.c - dF/du of every formulation from the entries that a model puts (sparse_partials)
 *
 * The rows are those of system/analytic.c. An entry of a block stands in J with a constant factor, perhaps at several
 * places; in index 1 and Baumgarte's form there are products as well, of d2g/dt2 at a = A r, A = M^-1,
 *
 *     G A (r_q, r_v, -G^T),    r = f - G^T lambda.
 *
 * Once it is listed where each goes. The pattern is that of all lists, of q' = v and of the diagonal of M; a
 * Jacobian is a pass through the lists.
 */
#include "entry_plan.h"

#include "sparse_partials.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A block in J, with its first row and column; transposed: its rows are columns. */
typedef struct {
    const dae_entries *of;
    double factor;
    int transposed, row, column, rows;  /* of the block only so many rows */
    int *target;                /* [of->count] */
} placed_block;

/* G A sign (right block), whose columns begin at column. */
typedef struct {
    const dae_entries *right;
    double sign;
    int transposed, column;
    int *start, *order;         /* [nq + 1] of each of its rows in order, its entries by rows */
    int count, *target;         /* [count] place in J of each product, by entries of G, then in order */
} block_product;

enum { MOST_BLOCKS = 10, PRODUCTS = 4 };

struct dae_entry_plan {
    dae_system *sys;
    int level, feedback, has_mu;
    dae_sparse_partials lambda, mu;
    placed_block block[MOST_BLOCKS];
    block_product product[PRODUCTS];
    int blocks, products;
    int *unit;                  /* [nq] of q' = v */
    int nnz;
    int strayed;                /* 1: an entry once stood elsewhere: the lists do not know where */
};

int dae_entries_exist(const dae_system *s)
{
    return s->nq && s->compose->kind == DAE_FORM_MECHANICAL && !s->general_mass
           && s->problem->mechanical.sparse_partials;
}

/* ---- the lists ---------------------------------------------------------------------------- */

static void place(dae_entry_plan *w, const dae_entries *of, double factor, int row, int column, int rows)
{
    w->block[w->blocks++] = (placed_block){.of = of, .factor = factor, .row = row, .column = column, .rows = rows};
}

static void place_transposed(dae_entry_plan *w, const dae_entries *of, double factor, int row, int column)
{
    place(w, of, factor, row, column, w->sys->nl);
    w->block[w->blocks - 1].transposed = 1;
}

static void list_constraints(dae_entry_plan *w)
{
    const dae_system *s = w->sys;
    const double alpha = s->options.alpha, beta = s->options.beta;
    const int nq = s->nq, nl = s->nl, at = 2 * nq;
    const dae_sparse_partials *d = &w->lambda;
    place_transposed(w, &d->G, -1, nq, at);
    if (w->level == 0) {
        place(w, &d->G, 1, at, 0, nl);
    } else if (w->level == 1) {
        place(w, &d->rate_q, 1, at, 0, nl);
        place(w, &d->G, 1, at, nq, nl);
    } else {
        place(w, &d->acc_q, 1, at, 0, nl);
        place(w, &d->acc_v, 1, at, nq, nl);
        w->product[w->products++] = (block_product){.right = &d->f_q, .sign = 1};
        w->product[w->products++] = (block_product){.right = &d->r_q, .sign = -1};
        w->product[w->products++] = (block_product){.right = &d->f_v, .sign = 1, .column = nq};
        w->product[w->products++] = (block_product){.right = &d->G, .sign = -1, .column = at, .transposed = 1};
    }
    if (w->feedback) {
        place(w, &d->rate_q, 2 * alpha, at, 0, nl);
        place(w, &d->G, 2 * alpha, at, nq, nl);
        place(w, &d->G, beta * beta, at, 0, s->holonomic);
    }
    if (w->has_mu) {
        place(w, &d->G, 1, at + nl, 0, nl);
        place(w, &w->mu.r_q, -1, 0, 0, nq);
        place_transposed(w, &d->G, -1, 0, at + nl);
    }
}

static void list_blocks(dae_entry_plan *w)
{
    const int nq = w->sys->nq;
    const dae_sparse_partials *d = &w->lambda;
    place(w, &d->f_q, 1, nq, 0, nq);
    place(w, &d->f_v, 1, nq, nq, nq);
    if (w->sys->nl == 0)
        return;
    place(w, &d->r_q, -1, nq, 0, nq);
    list_constraints(w);
}

static int allocate_targets(dae_entry_plan *w)
{
    int good = 1;
    for (int b = 0; b < w->blocks; b++) {
        w->block[b].target = calloc((size_t)w->block[b].of->count + 1, sizeof(int));
        good &= w->block[b].target != NULL;
    }
    w->unit = calloc((size_t)w->sys->nq, sizeof *w->unit);
    return good && w->unit;
}

/* The row of J's part r that entry k of the right block stands in */
static int inner_row(const block_product *p, int k)
{
    return p->transposed ? p->right->column[k] : p->right->row[k];
}

/* The entries of the right block by rows, and how many products there are. */
static int list_product(block_product *p, const dae_entries *G, int nq)
{
    p->start = calloc((size_t)nq + 2, sizeof *p->start);
    p->order = malloc(((size_t)p->right->count + 1) * sizeof *p->order);
    if (!p->start || !p->order)
        return 0;
    for (int k = 0; k < p->right->count; k++)
        p->start[inner_row(p, k) + 2]++;
    for (int i = 1; i <= nq; i++)
        p->start[i + 1] += p->start[i];
    for (int k = 0; k < p->right->count; k++)
        p->order[p->start[inner_row(p, k) + 1]++] = k;
    for (int l = 0; l < G->count; l++)
        p->count += p->start[G->column[l] + 1] - p->start[G->column[l]];
    p->target = malloc(((size_t)p->count + 1) * sizeof *p->target);
    return p->target != NULL;
}

static int list_all_products(dae_entry_plan *w)
{
    int good = 1;
    for (int b = 0; good && b < w->products; b++)
        good = list_product(&w->product[b], &w->lambda.G, w->sys->nq);
    return good;
}

/* ---- the pattern -------------------------------------------------------------------------- */

/* Told of each place in J, and of what is to know its number; of the diagonal of M: NULL. */
typedef void see_place(void *context, int row, int column, int *target);

static void see_all(dae_entry_plan *w, see_place *see, void *context)
{
    const int nq = w->sys->nq;
    for (int i = 0; i < nq; i++) {
        see(context, i, nq + i, &w->unit[i]);
        see(context, i, i, NULL);
        see(context, nq + i, nq + i, NULL);
    }
    for (int b = 0; b < w->blocks; b++) {
        const placed_block *p = &w->block[b];
        for (int k = 0; k < p->of->count; k++) {
            const int i = p->of->row[k], j = p->of->column[k];
            if (i < p->rows)
                see(context, p->row + (p->transposed ? j : i), p->column + (p->transposed ? i : j), &p->target[k]);
            else
                p->target[k] = -1;
        }
    }
    const dae_entries *G = &w->lambda.G;
    for (int b = 0; b < w->products; b++) {
        const block_product *p = &w->product[b];
        int *target = p->target;
        for (int l = 0; l < G->count; l++)
            for (int m = p->start[G->column[l]]; m < p->start[G->column[l] + 1]; m++) {
                const int k = p->order[m], column = p->transposed ? p->right->row[k] : p->right->column[k];
                see(context, 2 * nq + G->row[l], p->column + column, target++);
            }
    }
}

typedef struct {
    int *start;                 /* [n + 1] of the rows, while they are filled of the next ones */
    int *column;                /* of the places, row by row */
    int *many;                  /* [n + 1] places in each column */
} sorted_places;

static void count_place(void *context, int row, int column, int *target)
{
    sorted_places *s = context;
    (void)target;
    s->start[row + 1]++;
    s->many[column + 1]++;
}

static void sort_place(void *context, int row, int column, int *target)
{
    sorted_places *s = context;
    (void)target;
    s->column[s->start[row]++] = column;
}

/* Compressed columns from the places by rows, each once: begin[n + 1] has the number of them in columns before. */
static void compress(const sorted_places *s, int n, dae_pattern *pattern)
{
    int *next = s->many;
    for (int i = 0, k = 0; i < n; i++)                  /* start: of the next row by now */
        for (; k < s->start[i]; k++) {
            const int j = s->column[k];
            if (next[j] == pattern->column[j] || pattern->row[next[j] - 1] != i)
                pattern->row[next[j]++] = i;
        }
    int count = 0;
    for (int j = 0; j < n; j++) {
        const int begin = pattern->column[j], length = next[j] - begin;
        memmove(pattern->row + count, pattern->row + begin, (size_t)length * sizeof(int));
        pattern->column[j] = count;
        count += length;
    }
    pattern->column[n] = pattern->nnz = count;
}

static int find_pattern(dae_entry_plan *w, dae_pattern *pattern)
{
    const int n = w->sys->n;
    sorted_places s = {.start = calloc((size_t)n + 1, sizeof(int)), .many = calloc((size_t)n + 1, sizeof(int))};
    int good = s.start && s.many;
    *pattern = (dae_pattern){.rows = n, .n = n};
    pattern->column = malloc(((size_t)n + 1) * sizeof(int));
    if (good)
        see_all(w, count_place, &s);
    for (int i = 0; good && i < n; i++) {
        s.start[i + 1] += s.start[i];
        s.many[i + 1] += s.many[i];
    }
    const size_t places = good ? (size_t)s.start[n] : 0;
    s.column = malloc((places + 1) * sizeof(int));
    pattern->row = malloc((places + 1) * sizeof(int));
    good = good && s.column && pattern->row && pattern->column;
    if (good) {
        memcpy(pattern->column, s.many, ((size_t)n + 1) * sizeof(int));
        see_all(w, sort_place, &s);
        compress(&s, n, pattern);
    }
    free(s.column);
    free(s.start);
    free(s.many);
    return good;
}

/* By bisection in the column. */
static void find_target(void *context, int row, int column, int *target)
{
    const dae_pattern *p = context;
    int low = p->column[column], high = p->column[column + 1] - 1;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (p->row[middle] < row)
            low = middle + 1;
        else
            high = middle;
    }
    if (target)
        *target = low;
}

/* What has no place goes behind the last entry. */
static void find_targets(dae_entry_plan *w, dae_pattern *pattern)
{
    w->nnz = pattern->nnz;
    see_all(w, find_target, pattern);
    for (int b = 0; b < w->blocks; b++)
        for (int k = 0; k < w->block[b].of->count; k++)
            if (w->block[b].target[k] < 0)
                w->block[b].target[k] = w->nnz;
}

/* ---- creation ----------------------------------------------------------------------------- */

void dae_entry_plan_free(dae_entry_plan *w)
{
    if (!w)
        return;
    for (int b = 0; b < w->blocks; b++)
        free(w->block[b].target);
    for (int b = 0; b < w->products; b++) {
        free(w->product[b].start);
        free(w->product[b].order);
        free(w->product[b].target);
    }
    dae_sparse_partials_free(&w->lambda);
    dae_sparse_partials_free(&w->mu);
    free(w->unit);
    free(w);
}

/* At u, the multipliers lambda with the level of the form, or mu, of which r_q alone counts; 0: no memory. */
static int ask(dae_entry_plan *w, double t, const double *u, int of_mu)
{
    const dae_system *s = w->sys;
    const int nq = s->nq;
    dae_sparse_partials *d = of_mu ? &w->mu : &w->lambda;
    const dae_partials_point at = {s->p, t, u, u + nq, s->a, u + 2 * nq + (of_mu ? s->nl : 0)};
    d->level = of_mu ? 0 : w->level;
    return dae_sparse_partials_at(&s->problem->mechanical, &at, d);
}

static int ask_all(dae_entry_plan *w, double t, const double *u)
{
    return ask(w, t, u, 0) && (!w->has_mu || ask(w, t, u, 1));
}

static int all_stayed(const dae_entry_plan *w)
{
    return dae_sparse_partials_stayed(&w->lambda) && (!w->has_mu || dae_sparse_partials_stayed(&w->mu));
}

/* Twice, at the start of the problem: in the second call all stands where it stood. */
static dae_status ask_first(dae_entry_plan *w, dae_report *report)
{
    const dae_system *s = w->sys;
    const double t = s->problem->t0;
    if (!ask_all(w, t, s->start) || !ask_all(w, t, s->start))
        return dae_fail(report, DAE_NO_MEMORY, "no memory for derivatives of %d positions", s->nq);
    if (!dae_sparse_partials_fit(&w->lambda, s->nq, s->nl)
        || (w->has_mu && !dae_sparse_partials_fit(&w->mu, s->nq, s->nl)))
        return dae_fail(report, DAE_BAD_MODEL, "%s: sparse_partials puts an entry outside of its block: there are %d "
                        "positions and %d multipliers", s->problem->name, s->nq, s->nl);
    return all_stayed(w) ? DAE_OK
                         : dae_fail(report, DAE_BAD_MODEL, "%s: sparse_partials puts its entries at other places when "
                                    "it is called again", s->problem->name);
}

static dae_status make_lists(dae_entry_plan *w, int full, dae_pattern *pattern, dae_report *report)
{
    dae_status status = ask_first(w, report);
    if (status)
        return status;
    list_blocks(w);
    int good = allocate_targets(w) && list_all_products(w);
    if (good && full)
        status = dae_pattern_full(pattern, w->sys->n);
    else if (good)
        good = find_pattern(w, pattern);
    if (status || !good)
        return dae_fail(report, DAE_NO_MEMORY, "no memory for a Jacobian of %d unknowns", w->sys->n);
    find_targets(w, pattern);
    return DAE_OK;
}

dae_status dae_entry_plan_create(dae_entry_plan **plan, dae_system *sys, int full, dae_pattern *pattern,
                                 dae_report *report)
{
    const dae_formulation_info *form = &sys->form->info;
    dae_entry_plan *w = *plan = calloc(1, sizeof *w);
    if (!w)
        return dae_fail(report, DAE_NO_MEMORY, "no memory for derivatives of %d positions", sys->nq);
    w->sys = sys;
    w->level = sys->nl ? DAE_MAX_INDEX - form->index : 0;
    w->feedback = form->stabilised == DAE_BY_FEEDBACK;
    w->has_mu = sys->nl && form->stabilised == DAE_BY_MULTIPLIERS;
    if (!dae_sparse_partials_create(&w->lambda, sys->nq, sys->nl)
        || (w->has_mu && !dae_sparse_partials_create(&w->mu, sys->nq, sys->nl)))
        return dae_fail(report, DAE_NO_MEMORY, "no memory for derivatives of %d positions", sys->nq);
    return make_lists(w, full, pattern, report);
}

/* ---- a Jacobian --------------------------------------------------------------------------- */

static void add_block(const placed_block *p, double *restrict J)
{
    const double *restrict value = p->of->value;
    for (int k = 0; k < p->of->count; k++)
        J[p->target[k]] += p->factor * value[k];
}

static void add_product(const dae_entry_plan *w, const block_product *p, double *restrict J)
{
    const dae_entries *G = &w->lambda.G;
    const double *restrict value = p->right->value, *restrict A = w->sys->inverse_mass;
    const int *restrict order = p->order, *restrict start = p->start, *restrict target = p->target;
    for (int l = 0; l < G->count; l++) {
        const int i = G->column[l];
        const double weighted = p->sign * A[i] * G->value[l];
        for (int m = start[i], end = start[i + 1]; m < end; m++)
            J[*target++] += weighted * value[order[m]];
    }
}

static void differentiate_in_time(const dae_entry_plan *w, double *F_t)
{
    const dae_system *s = w->sys;
    const int nq = s->nq, nl = s->nl;
    const double alpha = s->options.alpha, beta = s->options.beta;
    const dae_sparse_partials *d = &w->lambda;
    double *r = F_t + nq, *c = r + nq;
    for (int i = 0; i < nq; i++) {
        F_t[i] = w->has_mu ? -w->mu.r_t[i] : 0;
        r[i] = d->f_t[i] - d->r_t[i];
    }
    for (int k = 0; k < nl; k++) {
        c[k] = (w->level == 0 ? d->g_t : w->level == 1 ? d->rate_t : d->acc_t)[k];
        if (w->feedback)
            c[k] += 2 * alpha * d->rate_t[k] + (k < s->holonomic ? beta * beta * d->g_t[k] : 0);
        if (w->has_mu)
            c[nl + k] = d->g_t[k];
    }
    for (int l = 0; w->level == 2 && l < d->G.count; l++)
        c[d->G.row[l]] += d->G.value[l] * s->inverse_mass[d->G.column[l]] * r[d->G.column[l]];
}

int dae_entry_plan_linearise(dae_entry_plan *w, double t, const double *u, double *F, double *J, double *F_t)
{
    w->sys->compose->rhs(w->sys, t, u, F);              /* a = M^-1 (f - G^T lambda) is left in sys->a */
    w->strayed |= !ask_all(w, t, u) || !all_stayed(w);
    if (w->strayed) {
        for (int k = 0; k < w->nnz; k++)
            J[k] = NAN;
        return 0;
    }
    memset(J, 0, (size_t)w->nnz * sizeof *J);
    for (int i = 0; i < w->sys->nq; i++)
        J[w->unit[i]] = 1;
    for (int b = 0; b < w->blocks; b++)
        add_block(&w->block[b], J);
    for (int b = 0; b < w->products; b++)
        add_product(w, &w->product[b], J);
    if (F_t)
        differentiate_in_time(w, F_t);
    return 1;
}
