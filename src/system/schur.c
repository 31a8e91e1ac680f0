/* schur.c - the plan of S: pattern of G, colours, order and band */
#include "schur.h"

#include "base/numbers.h"
#include "base/parts.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Append to queue[tail] the neighbours of k in the graph of S that have no place yet. */
static int visit(const dae_schur_plan *plan, const dae_by_rows *rows, int k, int *queue, int tail)
{
    for (int a = plan->pattern.column[k]; a < plan->pattern.column[k + 1]; a++) {
        const int row = plan->pattern.row[a];
        for (int b = rows->start[row]; b < rows->start[row + 1]; b++) {
            const int l = rows->column[b];
            if (plan->place[l] < 0) {
                plan->place[l] = tail;
                queue[tail++] = l;
            }
        }
    }
    return tail;
}

/* Breadth first from root over what has no place; the last one reached, *tail behind it. */
static int search(const dae_schur_plan *plan, const dae_by_rows *rows, int root, int *queue,
                  int *tail)
{
    int head = *tail;
    plan->place[root] = head;
    queue[(*tail)++] = root;
    while (head < *tail)
        *tail = visit(plan, rows, queue[head++], queue, *tail);
    return queue[*tail - 1];
}

/* Cuthill, McKee (1969), Proc. 24th ACM Nat. Conf., 157-172, reversed: each part of the graph from
 * an end that a first search finds. */
static int order(dae_schur_plan *plan, const dae_by_rows *rows)
{
    const int n = plan->nl;
    int *queue = malloc(((size_t)n + 1) * sizeof *queue), done = 0;
    if (!queue)
        return 0;
    for (int k = 0; k < n; k++)
        plan->place[k] = -1;
    for (int k = 0; k < n; k++) {
        if (plan->place[k] >= 0)
            continue;
        int tail = done;
        const int end = search(plan, rows, k, queue, &tail);
        for (int i = done; i < tail; i++)
            plan->place[queue[i]] = -1;
        tail = done;
        search(plan, rows, end, queue, &tail);
        done = tail;
    }
    for (int k = 0; k < n; k++)
        plan->place[k] = n - 1 - plan->place[k];
    free(queue);
    return 1;
}

/* The lower triangle of S from all pairs of entries in a row of G^T; targets with first NULL: only
 * counts, and finds the band. */
static size_t pair(dae_schur_plan *plan, const dae_by_rows *rows)
{
    const int fills = plan->first != NULL;
    size_t pairs = 0;
    for (int i = 0; i < plan->nq; i++)
        for (int a = rows->start[i]; a < rows->start[i + 1]; a++)
            for (int b = rows->start[i]; b < rows->start[i + 1]; b++) {
                const int k = plan->place[rows->column[a]];
                const int l = plan->place[rows->column[b]];
                if (k < l)
                    continue;
                if (fills) {
                    plan->first[pairs] = rows->entry[a];
                    plan->second[pairs] = rows->entry[b];
                    plan->target[pairs] = k * (plan->band + 1) + plan->band - (k - l);
                } else if (k - l > plan->band) {
                    plan->band = k - l;
                }
                pairs++;
            }
    return pairs;
}

static int plan_sums(dae_schur_plan *plan, const dae_by_rows *rows)
{
    const size_t pairs = pair(plan, rows);
    if ((double)plan->nl * (plan->band + 1.0) > INT32_MAX || pairs > INT32_MAX)
        return 0;
    plan->pairs = (int)pairs;
    if (!DAE_PARTS(plan,
                   DAE_PART(dae_schur_plan, first, pairs), DAE_PART(dae_schur_plan, second, pairs),
                   DAE_PART(dae_schur_plan, target, pairs)))
        return 0;
    pair(plan, rows);
    return 1;
}

static int finish(dae_schur_plan *plan)
{
    dae_by_rows rows = {0};                                /* of G^T: entries of each position, by multipliers */
    plan->place = calloc((size_t)plan->nl + 1, sizeof *plan->place);
    const int good = !dae_group_columns(&plan->pattern, &plan->colours) && plan->place
                     && dae_pattern_rows(&plan->pattern, &rows) && order(plan, &rows) && plan_sums(plan, &rows);
    free(rows.start);
    return good;
}

static const double AGREES = 1e-11;     /* G^T d and its entries, at first */

static int choose_direction(dae_schur_plan *plan)
{
    uint64_t random = 19750501;
    if (!DAE_PARTS(plan,
                   DAE_PART(dae_schur_plan, direction, plan->nl), DAE_PART(dae_schur_plan, rounding, plan->nq)))
        return 0;
    for (int k = 0; k < plan->nl; k++)
        plan->direction[k] = dae_random_direction(&random);
    for (int i = 0; i < plan->nq; i++)
        plan->rounding[i] = AGREES;
    return 1;
}

/* A plan for this pattern, which it takes over. */
static int make_plan(dae_schur_plan *plan, dae_pattern *pattern)
{
    plan->pattern = *pattern;
    *pattern = (dae_pattern){0};
    plan->pattern.full = 0;                             /* it is gathered by colours all the same */
    return choose_direction(plan) && finish(plan);
}

enum { POINTS = 3 };

static inline dae_quad quad_size(dae_quad x)
{
    return x < 0 ? -x : x;
}

#define SCALAR double
#define SUFFIX(name) name##_double
#define REACTION f
#define EPSILON DBL_EPSILON
#define SIZE(x) fabs(x)
#include "schur_kernel.h"
#undef SCALAR
#undef SUFFIX
#undef REACTION
#undef EPSILON
#undef SIZE

#define SCALAR dae_quad
#define SUFFIX(name) name##_quad
#define REACTION quad
#define EPSILON ((dae_quad)2e-34)
#define SIZE(x) quad_size(x)
#include "schur_kernel.h"

/* Do the entries of the plan say all of G at this point, and can all be evaluated? -1: no memory. */
static int holds_at(const dae_schur_plan *plan, const dae_mechanical *m, const double *p, double t, const double *q)
{
    const size_t entries = dae_schur_entries(plan), multipliers = (size_t)plan->multipliers, nq = (size_t)plan->nq;
    double *G = malloc((entries + multipliers + 2 * nq + 1) * sizeof *G), *work = G + entries;
    if (!G)
        return -1;
    int holds = is_complete_double(plan, m, p, t, q, G, work);
    m->reaction.f(p, t, q, work, work + multipliers);   /* of a random direction, which is_complete leaves */
    for (size_t i = 0; holds && i < nq; i++)
        holds = isfinite(work[multipliers + i]);
    free(G);
    return holds;
}

/* A plan for the pattern at the points from first on, which holds at those before. 0: it does not; -1: no memory. */
static int try_plan(dae_schur_plan *plan, const dae_mechanical *m, const double *p, double t, double *points, int first)
{
    dae_pattern pattern = {0};
    const dae_status found = find_pattern_at_double(plan, m, p, t, points, first, NULL, &pattern);
    int good = !found && make_plan(plan, &pattern) ? 1 : -1;
    dae_pattern_free(&pattern);
    for (int k = 0; first && good > 0 && k < POINTS; k++)
        good = holds_at(plan, m, p, t, points + k * plan->nq);
    return good;
}

/* One point says most: only where its entries are not all that there are at the others are those asked, too, which
 * takes three times as long. */
dae_status dae_schur_plan_create(dae_schur_plan *plan, const dae_mechanical *m, const double *p, int nq,
                                 int nl, int multipliers, double t, const double *q, dae_report *report)
{
    const dae_schur_plan empty = {.nq = nq, .nl = nl, .multipliers = multipliers};
    *plan = empty;
    double *points = make_points_double(plan, q);
    int good = points ? try_plan(plan, m, p, t, points, POINTS - 1) : -1;
    if (good == 0) {
        dae_schur_plan_free(plan);
        *plan = empty;
        good = try_plan(plan, m, p, t, points, 0);
    }
    free(points);
    return good > 0 ? DAE_OK
                    : dae_fail(report, DAE_NO_MEMORY, "no memory for %d constraints on %d positions, S in a "
                               "band of %d", nl, nq, plan->band);
}

void dae_schur_plan_free(dae_schur_plan *plan)
{
    dae_pattern_free(&plan->pattern);
    dae_groups_free(&plan->colours);
    free(plan->place);
    free(plan->first);
    free(plan->direction);
    memset(plan, 0, sizeof *plan);
}

/* An evaluation of G^T e takes some operations for each entry of G and each position. */
static double reaction_work(const dae_schur_plan *plan)
{
    return 20 + 2.0 * plan->pattern.nnz + 2.0 * plan->nq;
}

/* By the plan: G^T e of every colour, of the direction that is tried and of the multipliers; G gathered; S and its
 * factors, where a division counts as much as 8 products. */
static double planned_work(const dae_schur_plan *plan)
{
    const double nl = plan->nl, band = plan->band;
    return (plan->colours.count + 2) * reaction_work(plan) + 6.0 * plan->pattern.nnz + 2.0 * plan->nq
           + 4.0 * plan->pairs + nl * (band * band + 12 * band + 16);
}

static double dense_work(const dae_schur_plan *plan)
{
    const double nl = plan->nl, nq = plan->nq;
    return nl * reaction_work(plan) + nl * (nl + 1) * nq + nl * (nl * nl / 3 + 6 * nl + 8) + 2 * nl * nq;
}

int dae_schur_saves_work(const dae_schur_plan *plan)
{
    return planned_work(plan) < dense_work(plan);
}
