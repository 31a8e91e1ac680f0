/* groups.c - columns that are differentiated together, and M by the same groups */
#include "providers.h"

#include <stdlib.h>
#include <string.h>

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

/* M on the pattern, from its action on the columns of each group together, or one by one. */
void dae_fill_mass(dae_jacobian *jac)
{
    const dae_groups *groups = &jac->groups;
    const int n = jac->sys->n, count = groups->count > 0 ? groups->count : n;
    double *e = jac->work, *Me = e + n;
    memset(e, 0, (size_t)n * sizeof *e);
    for (int c = 0; c < count; c++) {
        const int grouped = groups->count > 0;
        const int begin = grouped ? groups->start[c] : c;
        const int end = grouped ? groups->start[c + 1] : c + 1;
        for (int i = begin; i < end; i++)
            e[grouped ? groups->column[i] : i] = 1;
        dae_system_mass(jac->sys, e, Me);
        for (int i = begin; i < end; i++) {
            const int j = grouped ? groups->column[i] : i;
            e[j] = 0;
            for (int k = jac->pattern.column[j]; k < jac->pattern.column[j + 1]; k++)
                jac->M[k] = Me[jac->pattern.row[k]];
        }
    }
}
