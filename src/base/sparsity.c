/* sparsity.c - the pattern of a linear map from few probes, by blocks of columns that shrink */
#include "sparsity.h"

#include "numbers.h"
#include "parts.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS = 4 };             /* a block splits into; 2 or 4 need the fewest probes */

typedef struct {
    dae_pattern blocks;         /* rows x blocks: where a column of the block may have an entry */
    int columns;
    long width;                 /* of a block */
    int *colour;                /* [columns] of each block */
    unsigned char *part;        /* [blocks.nnz] bit c: the row answers to part c of the block */
    double *x;                  /* [columns] 0 between two probes */
    int *on, count;             /* [columns] where it is not, so many of them */
    unsigned char *hit, *parts; /* [rows] answers to one probe, to those of a colour */
    uint64_t random;
    dae_probe *probe;
    void *context;
} search;

/* The number of blocks of a width that hold all columns. */
static int block_count(const search *s, long width)
{
    return (int)((s->columns + width - 1) / width);
}

/* x := a random direction in one part of the blocks of a colour; answers in how many columns. */
static int aim(search *s, int colour, int part)
{
    const long width = s->width / PARTS;
    const int children = block_count(s, width);
    s->count = 0;
    for (int b = 0, k = part; k < children; b++, k += PARTS) {
        const long begin = k * width, end = begin + width < s->columns ? begin + width : s->columns;
        for (long j = begin; s->colour[b] == colour && j < end; j++) {
            s->x[j] = dae_random_direction(&s->random);
            s->on[s->count++] = (int)j;
        }
    }
    return s->count;
}

static void ask(search *s)
{
    const dae_probe_vector direction = {s->x, s->count, s->on};
    memset(s->hit, 0, (size_t)s->blocks.rows);
    s->probe(s->context, &direction, s->hit);
    for (int k = 0; k < s->count; k++)
        s->x[s->on[k]] = 0;
}

/* Bit by bit the parts that each row answered to. */
static void add_answers(search *s, int part)
{
    for (int i = 0; i < s->blocks.rows; i++)
        s->parts[i] = (unsigned char)(s->parts[i] | s->hit[i] << part);
}

/* Each row that answered has its parts from the one block of this colour that stands in it. */
static void collect(search *s, int colour)
{
    const dae_pattern *blocks = &s->blocks;
    for (int b = 0; b < blocks->n; b++)
        for (int k = blocks->column[b]; s->colour[b] == colour && k < blocks->column[b + 1]; k++)
            s->part[k] = s->parts[blocks->row[k]];
}

/* The rows of all parts, column by column; counts only where row is NULL. */
static long list_parts(const search *s, int children, int *column, int *row)
{
    const dae_pattern *blocks = &s->blocks;
    long nnz = 0;
    for (int c = 0; c < children; c++) {
        const int b = c / PARTS, bit = 1 << c % PARTS;
        for (int k = blocks->column[b]; k < blocks->column[b + 1]; k++) {
            if (!(s->part[k] & bit))
                continue;
            if (row)
                row[nnz] = blocks->row[k];
            nnz++;
        }
        if (row)
            column[c + 1] = (int)nnz;
    }
    return nnz;
}

/* The parts become the blocks. */
static dae_status split(search *s)
{
    dae_pattern *blocks = &s->blocks;
    const int children = block_count(s, s->width / PARTS);
    const long nnz = list_parts(s, children, NULL, NULL);
    if (nnz > INT32_MAX / PARTS)
        return DAE_NO_MEMORY;
    int *column = calloc((size_t)children + 1, sizeof *column);
    int *row = malloc(((size_t)nnz + 1) * sizeof *row);
    unsigned char *part = calloc((size_t)nnz + 1, 1);
    if (!column || !row || !part) {
        free(column);
        free(row);
        free(part);
        return DAE_NO_MEMORY;
    }
    list_parts(s, children, column, row);
    free(s->part);
    s->part = part;
    const int rows = blocks->rows;
    dae_pattern_free(blocks);
    *blocks = (dae_pattern){.rows = rows, .n = children, .nnz = (int)nnz, .column = column,
                            .row = row};
    s->width /= PARTS;
    return DAE_OK;
}

static dae_status refine(search *s)
{
    const int colours = dae_colour_blocks(&s->blocks, s->colour);
    if (colours < 0)
        return DAE_NO_MEMORY;
    for (int colour = 0; colour < colours; colour++) {
        memset(s->parts, 0, (size_t)s->blocks.rows);
        for (int part = 0; part < PARTS; part++) {
            if (!aim(s, colour, part))
                continue;
            ask(s);
            add_answers(s, part);
        }
        collect(s, colour);
    }
    return split(s);
}

/* One block of all columns, which may stand in every row. */
static dae_status begin(search *s, int rows, int columns)
{
    const size_t m = (size_t)rows, n = (size_t)columns;
    dae_pattern *blocks = &s->blocks;
    s->columns = columns;
    for (s->width = PARTS; s->width < columns; s->width *= PARTS)
        ;
    *blocks = (dae_pattern){.rows = rows, .n = columns > 0, .nnz = columns > 0 ? rows : 0};
    blocks->column = calloc(2, sizeof *blocks->column);
    blocks->row = malloc((m + 1) * sizeof *blocks->row);
    s->part = calloc(m + 1, 1);
    s->colour = calloc(n + 1, sizeof *s->colour);
    s->x = calloc(n + 1, sizeof *s->x);
    s->on = malloc((n + 1) * sizeof *s->on);
    s->hit = calloc(m + 1, 1);
    s->parts = calloc(m + 1, 1);
    if (!blocks->column || !blocks->row || !s->part || !s->colour || !s->x || !s->on || !s->hit || !s->parts)
        return DAE_NO_MEMORY;
    blocks->column[1] = blocks->nnz;
    for (int i = 0; i < rows; i++)
        blocks->row[i] = i;
    return DAE_OK;
}

dae_status dae_pattern_detect(dae_pattern *pattern, int rows, int columns, dae_probe *probe,
                              void *context)
{
    search s = {.random = 20090217, .probe = probe, .context = context};
    dae_status status = begin(&s, rows, columns);
    while (!status && s.width > 1)
        status = refine(&s);
    free(s.part);
    free(s.colour);
    free(s.x);
    free(s.on);
    free(s.hit);
    free(s.parts);
    *pattern = s.blocks;
    pattern->full = rows == columns && (long)rows * columns == pattern->nnz;
    return status;
}

dae_status dae_pattern_full(dae_pattern *pattern, int n)
{
    const size_t nnz = (size_t)n * (size_t)n;
    *pattern = (dae_pattern){.rows = n, .n = n, .nnz = (int)nnz, .full = 1};
    if (nnz > INT32_MAX)
        return DAE_NO_MEMORY;
    pattern->column = malloc(((size_t)n + 1) * sizeof *pattern->column);
    pattern->row = malloc((nnz + 1) * sizeof *pattern->row);
    if (!pattern->column || !pattern->row)
        return DAE_NO_MEMORY;
    for (int j = 0; j <= n; j++)
        pattern->column[j] = j * n;
    for (int k = 0; k < n * n; k++)
        pattern->row[k] = k % n;
    return DAE_OK;
}

void dae_pattern_free(dae_pattern *pattern)
{
    free(pattern->column);
    free(pattern->row);
    *pattern = (dae_pattern){0};
}

int dae_pattern_rows(const dae_pattern *p, dae_by_rows *rows)
{
    if (!DAE_PARTS(rows,
                   DAE_PART(dae_by_rows, start, p->rows + 2), DAE_PART(dae_by_rows, entry, p->nnz),
                   DAE_PART(dae_by_rows, column, p->nnz)))
        return 0;
    for (int k = 0; k < p->nnz; k++)
        rows->start[p->row[k] + 2]++;
    for (int i = 0; i < p->rows; i++)
        rows->start[i + 2] += rows->start[i + 1];
    for (int j = 0; j < p->n; j++)
        for (int k = p->column[j]; k < p->column[j + 1]; k++) {
            const int at = rows->start[p->row[k] + 1]++;        /* runs through the row before it */
            rows->entry[at] = k;
            rows->column[at] = j;
        }
    return 1;
}
