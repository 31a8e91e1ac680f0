/* band_order.c - Cuthill and McKee's order, and a better one near it */
#include "band_order.h"
#include "base/parts.h"

#include <stdlib.h>
#include <string.h>

enum { PATIENCE = 2,             /* sweeps in a row that may be in vain: ... */
       LEAST_PART = 32 };        /* ... that make the band narrower by less than such a part */

/* The graph of A + A^T without its diagonal: neighbours of j are neighbour[start[j]] ..., each once. */
typedef struct {
    int n;
    int *start;                 /* [n + 1] */
    int *neighbour;
    int *order, *place;         /* [n] place[order[i]] = i */
    int *mark, *key, *count;    /* [n], [n], [2 n + 2] scratch */
} graph;

static void destroy(graph *g)
{
    free(g->start);
}

static int degree(const graph *g, int j)
{
    return g->start[j + 1] - g->start[j];
}

/* ---- the graph ---------------------------------------------------------------------------- */

/* Both directions of each entry, some twice. */
static void fill_in(graph *g, const dae_pattern *p)
{
    int *end = g->count;
    for (int j = 0; j < p->n; j++)
        for (int k = p->column[j]; k < p->column[j + 1]; k++)
            if (p->row[k] != j) {
                g->start[j + 1]++;
                g->start[p->row[k] + 1]++;
            }
    for (int j = 0; j < p->n; j++) {
        g->start[j + 1] += g->start[j];
        end[j] = g->start[j];
    }
    for (int j = 0; j < p->n; j++)
        for (int k = p->column[j]; k < p->column[j + 1]; k++)
            if (p->row[k] != j) {
                g->neighbour[end[j]++] = p->row[k];
                g->neighbour[end[p->row[k]]++] = j;
            }
}

/* Each neighbour once. */
static void unify(graph *g)
{
    int begin = 0, at = 0;
    for (int j = 0; j < g->n; j++)
        g->mark[j] = -1;
    for (int j = 0; j < g->n; j++) {
        const int end = g->start[j + 1];
        for (int k = begin; k < end; k++)
            if (g->mark[g->neighbour[k]] != j) {
                g->mark[g->neighbour[k]] = j;
                g->neighbour[at++] = g->neighbour[k];
            }
        begin = end;
        g->start[j + 1] = at;
    }
}

static int create(graph *g, const dae_pattern *p)
{
    const size_t n = (size_t)p->n;
    *g = (graph){.n = p->n};
    if (!DAE_PARTS(g,
                   DAE_PART(graph, start, n + 1), DAE_PART(graph, order, n), DAE_PART(graph, place, n),
                   DAE_PART(graph, mark, n), DAE_PART(graph, key, n), DAE_PART(graph, count, 2 * n + 3),
                   DAE_PART(graph, neighbour, 2 * p->nnz)))
        return 0;
    fill_in(g, p);
    unify(g);
    return 1;
}

/* ---- breadth first ------------------------------------------------------------------------ */

/* key of each node: how many neighbours are not marked yet. Those of few first; nodes are not many, but where a row
 * is full. */
static void sort_by_new_neighbours(graph *g, int count, int *node, int visit)
{
    for (int i = 0; i < count; i++) {
        g->key[node[i]] = 0;
        for (int k = g->start[node[i]]; k < g->start[node[i] + 1]; k++)
            g->key[node[i]] += g->mark[g->neighbour[k]] < visit;
    }
    for (int gap = count / 2; gap > 0; gap /= 2)
        for (int i = gap; i < count; i++) {
            const int moved = node[i];
            int j = i;
            for (; j >= gap && g->key[node[j - gap]] > g->key[moved]; j -= gap)
                node[j] = node[j - gap];
            node[j] = moved;
        }
}

/* Levels of the component of root into list, each unknown with mark := visit; answers how many unknowns
 * there are, and in *depth how many levels, in *last where the last one begins. */
static int breadth_first(graph *g, int root, int visit, int *list, int *depth, int *last)
{
    int count = 1, level_end = 0;
    list[0] = root;
    g->mark[root] = visit;
    *depth = 0;
    for (int i = 0; i < count; i++) {
        if (i == level_end) {
            *last = i;
            level_end = count;
            ++*depth;
        }
        const int first = count;
        for (int k = g->start[list[i]]; k < g->start[list[i] + 1]; k++)
            if (g->mark[g->neighbour[k]] < visit) {
                g->mark[g->neighbour[k]] = visit;
                list[count++] = g->neighbour[k];
            }
        sort_by_new_neighbours(g, count - first, list + first, visit);
    }
    return count;
}

static int fewest_neighbours(const graph *g, int begin, int end, const int *list)
{
    int best = list[begin];
    for (int i = begin + 1; i < end; i++)
        if (degree(g, list[i]) < degree(g, best))
            best = list[i];
    return best;
}

/* The component of an unknown into list, from an end: from there to the farthest, until none is farther.
 * Answers its size; *visit is what its unknowns are marked with. */
static int component(graph *g, int root, int *list, int *visit)
{
    int depth, last = 0, deeper, size = breadth_first(g, root, ++*visit, list, &depth, &last);
    for (;;) {
        const int next = fewest_neighbours(g, last, size, list);
        breadth_first(g, next, ++*visit, list, &deeper, &last);
        if (deeper <= depth)
            return size;
        depth = deeper;
    }
}

static void cuthill_mckee(graph *g)
{
    int visit = 0, done = 0;
    for (int j = 0; j < g->n; j++)
        g->mark[j] = 0;
    for (int j = 0; j < g->n; j++)
        if (g->mark[j] == 0)
            done += component(g, j, g->order + done, &visit);
}

/* ---- the bandwidth, and a smaller one ----------------------------------------------------- */

static int bandwidth(graph *g)
{
    int most = 0;
    for (int i = 0; i < g->n; i++)
        g->place[g->order[i]] = i;
    for (int j = 0; j < g->n; j++)
        for (int k = g->start[j]; k < g->start[j + 1]; k++) {
            const int apart = g->place[g->neighbour[k]] - g->place[j];
            most = apart > most ? apart : most;
        }
    return most;
}

/* Twice the middle between the first and the last of an unknown and its neighbours. */
static int middle(const graph *g, int j)
{
    int first = g->place[j], last = g->place[j];
    for (int k = g->start[j]; k < g->start[j + 1]; k++) {
        const int at = g->place[g->neighbour[k]];
        first = at < first ? at : first;
        last = at > last ? at : last;
    }
    return first + last;
}

/* The unknowns by their middles; those of the same in the order of before. */
static void to_the_middle(graph *g)
{
    memset(g->count, 0, (2 * (size_t)g->n + 1) * sizeof *g->count);
    for (int j = 0; j < g->n; j++) {
        g->key[j] = middle(g, j);
        g->count[g->key[j] + 1]++;
    }
    for (int k = 0; k < 2 * g->n; k++)
        g->count[k + 1] += g->count[k];
    for (int i = 0; i < g->n; i++)
        g->mark[g->count[g->key[g->order[i]]]++] = g->order[i];
    memcpy(g->order, g->mark, (size_t)g->n * sizeof *g->order);
}

/* order[n] := the best of what comes of moving to the middle, as long as it helps: after a wide band has
 * become narrower by one column, the next sweep often does no more, and there are as many as columns. */
static int improve(graph *g, int *order)
{
    int best = bandwidth(g);
    memcpy(order, g->order, (size_t)g->n * sizeof *order);
    for (int vain = 0; best > 1 && vain < PATIENCE; vain++) {
        to_the_middle(g);
        const int now = bandwidth(g);
        if (now >= best)
            continue;
        if (best - now >= best / LEAST_PART)
            vain = -1;
        best = now;
        memcpy(order, g->order, (size_t)g->n * sizeof *order);
    }
    return best;
}

int dae_band_order(const dae_pattern *pattern, int *order)
{
    graph g;
    int K = -1;
    if (create(&g, pattern)) {
        cuthill_mckee(&g);
        K = improve(&g, order);
    }
    destroy(&g);
    return K;
}
