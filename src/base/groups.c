/* groups.c - columns without a common row, which may share a probe */
#include "groups.h"

#include <stdlib.h>

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
