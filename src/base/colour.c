/* colour.c - columns without a common row, by greedy colouring in three orders
 *
 * Two columns are neighbours where they share a row. A column gets the first colour that none of
 * its neighbours has: of each row is kept, bit by bit, which of 64 colours stand in it. The work of two orders is
 * the sum of squares of the rows' lengths; as a row of length d costs a Jacobian d evaluations of F, that is no more
 * than one Jacobian takes. Blocks that are probed once take the natural order alone, whose work is the number of
 * entries.
 */
#include "sparsity.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const dae_pattern *by_column;
    int *start, *column;        /* [rows + 1], [nnz] the same by rows */
    int *mark;                  /* [n] */
    int *order, *degree;        /* [n] */
    int *head, *next, *previous;/* [n] lists of columns by degree */
    uint64_t *seen;             /* [rows] bit c: colour c stands in the row */
    int *memory;
} graph;

static int allocate(graph *g)
{
    const dae_pattern *p = g->by_column;
    const size_t m = (size_t)p->rows, n = (size_t)p->n;
    g->memory = calloc(m + 1 + (size_t)p->nnz + 6 * n + 1, sizeof *g->memory);
    g->seen = malloc((m + 1) * sizeof *g->seen);
    if (!g->memory || !g->seen)
        return 0;
    g->start = g->memory;
    g->column = g->start + m + 1;
    int **const arrays[] = {&g->mark, &g->order, &g->degree, &g->head, &g->next, &g->previous};
    for (size_t i = 0; i < 6; i++)
        *arrays[i] = g->column + p->nnz + i * n;
    return 1;
}

/* The pattern by rows; answers the length of the longest row. */
static int transpose(graph *g)
{
    const dae_pattern *p = g->by_column;
    int longest = 0;
    for (int k = 0; k < p->nnz; k++)
        g->start[p->row[k]]++;
    for (int i = 0, sum = 0; i <= p->rows; i++) {
        const int length = i < p->rows ? g->start[i] : 0;
        longest = length > longest ? length : longest;
        sum += length;
        g->start[i] = sum;                              /* the end, until it is filled */
    }
    for (int j = p->n - 1; j >= 0; j--)
        for (int k = p->column[j]; k < p->column[j + 1]; k++)
            g->column[--g->start[p->row[k]]] = j;
    return longest;
}

/* for each neighbour w of column j, some of them more than once, and j itself */
#define FOR_NEIGHBOURS(g, j, w)                                                                   \
    for (int k_ = (g)->by_column->column[j]; k_ < (g)->by_column->column[(j) + 1]; k_++)          \
        for (int i_ = (g)->by_column->row[k_], l_ = (g)->start[i_], w;                            \
             l_ < (g)->start[i_ + 1] && (w = (g)->column[l_], 1); l_++)

enum { BITS = 64 };

/* Among the first colours, by the rows of column j; BITS where all are taken. */
static int first_free(const graph *g, int j)
{
    const dae_pattern *p = g->by_column;
    uint64_t taken = 0;
    int c = 0;
    for (int k = p->column[j]; k < p->column[j + 1]; k++)
        taken |= g->seen[p->row[k]];
    while (c < BITS && taken >> c & 1)
        c++;
    return c;
}

/* colour[n] in the graph's order; the number of colours, or more than BITS, and then colour is not complete. */
static int greedy_few(graph *g, int *colour)
{
    const dae_pattern *p = g->by_column;
    int colours = 0;
    memset(g->seen, 0, (size_t)p->rows * sizeof *g->seen);
    for (int i = 0; i < p->n && colours <= BITS; i++) {
        const int j = g->order[i], c = first_free(g, j);
        for (int k = p->column[j]; c < BITS && k < p->column[j + 1]; k++)
            g->seen[p->row[k]] |= (uint64_t)1 << c;
        colour[j] = c;
        colours = c + 1 > colours ? c + 1 : colours;
    }
    return colours;
}

/* The same with any number of colours. */
static int greedy_many(graph *g, int *colour)
{
    const int n = g->by_column->n;
    int colours = 0;
    for (int i = 0; i < n; i++) {
        colour[i] = -1;
        g->mark[i] = -1;
    }
    for (int i = 0; i < n; i++) {
        const int j = g->order[i];
        int c = 0;
        FOR_NEIGHBOURS(g, j, w)
            if (colour[w] >= 0)
                g->mark[colour[w]] = j;                 /* taken */
        while (g->mark[c] == j)
            c++;
        colour[j] = c;
        colours = c + 1 > colours ? c + 1 : colours;
    }
    return colours;
}

static int greedy(graph *g, int *colour)
{
    const int colours = greedy_few(g, colour);
    return colours <= BITS ? colours : greedy_many(g, colour);
}

static void insert(graph *g, int j)
{
    int *head = &g->head[g->degree[j]];
    g->previous[j] = -1;
    g->next[j] = *head;
    if (*head >= 0)
        g->previous[*head] = j;
    *head = j;
}

static void remove_column(graph *g, int j)
{
    if (g->next[j] >= 0)
        g->previous[g->next[j]] = g->previous[j];
    if (g->previous[j] >= 0)
        g->next[g->previous[j]] = g->next[j];
    else
        g->head[g->degree[j]] = g->next[j];
}

/* The number of neighbours of each column, and lists of columns that have as many. */
static void sort_by_degree(graph *g)
{
    const int n = g->by_column->n;
    for (int j = 0; j < n; j++) {
        g->mark[j] = g->head[j] = -1;
        g->degree[j] = 0;
    }
    for (int j = 0; j < n; j++)
        FOR_NEIGHBOURS(g, j, w)
            if (w != j && g->mark[w] != j) {
                g->mark[w] = j;
                g->degree[j]++;
            }
    for (int j = n - 1; j >= 0; j--)
        insert(g, j);
}

static void largest_first(graph *g)
{
    const int n = g->by_column->n;
    int i = 0;
    sort_by_degree(g);
    for (int d = n - 1; d >= 0; d--)
        for (int j = g->head[d]; j >= 0; j = g->next[j])
            g->order[i++] = j;
}

/* From the end: always the column with the fewest neighbours among those that are left. */
static void smallest_last(graph *g)
{
    const int n = g->by_column->n;
    sort_by_degree(g);
    for (int j = 0; j < n; j++)
        g->mark[j] = -1;
    for (int i = n - 1, d = 0; i >= 0; i--) {
        while (g->head[d] < 0)
            d++;
        const int j = g->order[i] = g->head[d];
        remove_column(g, j);
        g->degree[j] = -1;                              /* gone */
        FOR_NEIGHBOURS(g, j, w)
            if (g->degree[w] > 0 && g->mark[w] != j) {
                g->mark[w] = j;
                remove_column(g, w);
                g->degree[w]--;
                insert(g, w);
            }
        d = d > 0 ? d - 1 : 0;
    }
}

static void natural(graph *g)
{
    for (int j = 0; j < g->by_column->n; j++)
        g->order[j] = j;
}

/* By the first so many orders, until one needs no more colours than the longest row. */
static int colour_by(int orders_tried, const dae_pattern *pattern, int *colour)
{
    static void (*const orders[])(graph *) = {natural, largest_first, smallest_last};
    graph g = {.by_column = pattern};
    int best = -1, *trial = malloc(((size_t)pattern->n + 1) * sizeof *trial);
    const int longest = trial && allocate(&g) ? transpose(&g) : -1;
    for (int i = 0; longest >= 0 && i < orders_tried && (best < 0 || best > longest); i++) {
        orders[i](&g);
        const int colours = greedy(&g, trial);
        if (best >= 0 && colours >= best)
            continue;
        memcpy(colour, trial, (size_t)pattern->n * sizeof *colour);
        best = colours;
    }
    free(g.memory);
    free(g.seen);
    free(trial);
    return best;
}

int dae_colour_columns(const dae_pattern *pattern, int *colour)
{
    return colour_by(3, pattern, colour);
}

int dae_colour_blocks(const dae_pattern *pattern, int *colour)
{
    return colour_by(1, pattern, colour);
}

/* ---- groups of one colour --------------------------------------------------------------------- */

void dae_groups_free(dae_groups *groups)
{
    free(groups->start);
    free(groups->column);
    *groups = (dae_groups){0};
}

static void sort(const dae_pattern *pattern, const int *colour, dae_groups *groups)
{
    const int n = pattern->n, count = groups->count;
    for (int j = 0; j < n; j++)
        groups->start[colour[j] + 2]++;
    for (int c = 0; c < count; c++)
        groups->start[c + 2] += groups->start[c + 1];
    for (int j = 0; j < n; j++)                         /* start[c + 1] runs through group c */
        groups->column[groups->start[colour[j] + 1]++] = j;
}

dae_status dae_group_columns(const dae_pattern *pattern, dae_groups *groups)
{
    const size_t n = (size_t)pattern->n;
    *groups = (dae_groups){0};
    if (pattern->full)
        return DAE_OK;
    int *colour = malloc((n + 1) * sizeof *colour);
    const int count = colour ? dae_colour_columns(pattern, colour) : -1;
    if (count >= 0) {
        groups->count = count;
        groups->start = calloc((size_t)count + 2, sizeof *groups->start);
        groups->column = malloc((n + 1) * sizeof *groups->column);
    }
    const int made = groups->start && groups->column;
    if (made)
        sort(pattern, colour, groups);
    else
        dae_groups_free(groups);
    free(colour);
    return made ? DAE_OK : DAE_NO_MEMORY;
}
