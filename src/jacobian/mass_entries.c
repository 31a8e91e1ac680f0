/* mass_entries.c - M on the pattern of the Jacobian, from its action on groups of columns */
#include "providers.h"

#include <string.h>

static void fill_diagonal(dae_jacobian *jac)
{
    const dae_pattern *p = &jac->pair.pattern;
    for (int j = 0; j < p->n; j++)
        for (int k = p->column[j]; k < p->column[j + 1]; k++)
            jac->pair.M[k] = p->row[k] == j ? jac->sys->diagonal[j] : 0;
}

/* M on the pattern, from its action on the columns of each group together, or one by one. */
void dae_fill_mass(dae_jacobian *jac)
{
    if (!jac->sys->carried && !jac->sys->nondiagonal_mass) {
        fill_diagonal(jac);
        return;
    }
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
            for (int k = jac->pair.pattern.column[j]; k < jac->pair.pattern.column[j + 1]; k++)
                jac->pair.M[k] = Me[jac->pair.pattern.row[k]];
        }
    }
}
