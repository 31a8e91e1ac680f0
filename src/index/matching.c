/* matching.c - the assignment of least order, by shortest augmenting paths
 *
 * Row after row finds the nearest free column, by Dijkstra's algorithm in the lengths
 * order_ij - p_i - q_j >= 0, which are small whole numbers: columns at one distance are taken
 * together.
 *
 * Kuhn (1955), Naval Res. Logist. Q. 2, 83-97; Jonker, Volgenant (1987), Computing 38, 325-340. On
 * a pencil M - h J with orders 0 and 1 it is the structural analysis of Pryce (2001), BIT 41,
 * 364-394.
 */
#include "growth.h"
#include "base/parts.h"

#include <limits.h>
#include <stdlib.h>

typedef struct {
    const dae_orders *orders;
    dae_matching *m;
    int *distance;              /* [n] of columns from the row; INT_MAX: not seen */
    int *done;                  /* [n] */
    int *from;                  /* [n] the row before a column */
    int *seen, *near;           /* [n] columns that are seen; those at the present distance */
    int count, waiting;
} search;

enum { ARRAYS = 5 };

/* Columns next to a row that is itself at distance level. */
static void look_around(search *s, int row, int level)
{
    const dae_orders *o = s->orders;
    for (int k = o->row[row]; k < o->row[row + 1]; k++) {
        const int j = o->column[k], far = level + o->order[k] - s->m->p[row] - s->m->q[j];
        if (s->done[j] || far >= s->distance[j])
            continue;
        if (s->distance[j] == INT_MAX)
            s->seen[s->count++] = j;
        s->distance[j] = far;
        s->from[j] = row;
        if (far == level)
            s->near[s->waiting++] = j;
    }
}

/* The next column in the order of distances, or -1. */
static int next_column(search *s)
{
    int level = INT_MAX;
    while (s->waiting > 0)
        if (!s->done[s->near[--s->waiting]])
            return s->near[s->waiting];
    for (int k = 0; k < s->count; k++)
        if (!s->done[s->seen[k]] && s->distance[s->seen[k]] < level)
            level = s->distance[s->seen[k]];
    for (int k = 0; level < INT_MAX && k < s->count; k++)
        if (!s->done[s->seen[k]] && s->distance[s->seen[k]] == level)
            s->near[s->waiting++] = s->seen[k];
    return s->waiting > 0 ? s->near[--s->waiting] : -1;
}

static void forget(search *s)
{
    for (int k = 0; k < s->count; k++) {
        s->distance[s->seen[k]] = INT_MAX;
        s->done[s->seen[k]] = 0;
    }
    s->count = s->waiting = 0;
}

/* The nearest free column from a row, or -1; potentials change so that the way there has length
 * 0. */
static int find_free(search *s, int row)
{
    dae_matching *m = s->m;
    look_around(s, row, 0);
    int j = next_column(s);
    while (j >= 0 && m->row_of[j] >= 0) {
        s->done[j] = 1;
        look_around(s, m->row_of[j], s->distance[j]);
        j = next_column(s);
    }
    if (j < 0)
        return j;
    const int length = s->distance[j];
    m->p[row] += length;
    for (int k = 0; k < s->count; k++) {
        const int c = s->seen[k];
        if (s->done[c]) {
            m->q[c] -= length - s->distance[c];
            m->p[m->row_of[c]] += length - s->distance[c];
        }
    }
    return j;
}

static int match_row(search *s, int row)
{
    dae_matching *m = s->m;
    int j = find_free(s, row), i = -1;
    while (j >= 0 && i != row) {                        /* back along the way */
        i = s->from[j];
        const int before = m->column_of[i];
        m->row_of[j] = i;
        m->column_of[i] = j;
        j = before;
    }
    forget(s);
    return i == row;
}

static int allocate(int n, dae_matching *m, search *s)
{
    const size_t size = (size_t)n + 1;
    m->memory = DAE_PARTS(m,
                          DAE_PART(dae_matching, p, size), DAE_PART(dae_matching, q, size),
                          DAE_PART(dae_matching, row_of, size), DAE_PART(dae_matching, column_of, size));
    return m->memory && DAE_PARTS(s,
                                  DAE_PART(search, distance, size), DAE_PART(search, done, size),
                                  DAE_PART(search, from, size), DAE_PART(search, seen, size),
                                  DAE_PART(search, near, size));
}

int dae_match(const dae_orders *orders, dae_matching *m)
{
    const int n = orders->n;
    search s = {.orders = orders, .m = m};
    int found = allocate(n, m, &s) ? 1 : -1;
    for (int i = 0; found > 0 && i < n; i++) {
        s.distance[i] = INT_MAX;
        m->row_of[i] = m->column_of[i] = -1;
        m->p[i] = INT_MAX;
        for (int k = orders->row[i]; k < orders->row[i + 1]; k++)
            m->p[i] = orders->order[k] < m->p[i] ? orders->order[k] : m->p[i];
        if (m->p[i] == INT_MAX)
            found = 0;
    }
    for (int i = 0; found > 0 && i < n; i++)
        found = match_row(&s, i);
    free(s.distance);
    if (found <= 0)
        dae_matching_free(m);
    return found;
}

void dae_matching_free(dae_matching *m)
{
    free(m->memory);
    *m = (dae_matching){0};
}
