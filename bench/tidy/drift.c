/* drift.c - drift against time, as the largest values so far */
#include "tidy/tidy_run.h"

#include <math.h>

/* A time at which nothing has grown says nothing, but for the first and the last one. */
static void add(const tidy_item *item, const tidy_run *run)
{
    const monitor *m = &run->drift->monitor;
    double largest[SERIES];
    for (int k = 0; k < SERIES; k++)
        largest[k] = NAN;
    for (int i = 0; i < m->count; i++) {
        int grown = i == 0 || i + 1 == m->count;
        for (int k = 0; k < SERIES; k++)
            if (m->value[k] && !(m->value[k][i] <= largest[k]) && !isnan(m->value[k][i])) {
                largest[k] = m->value[k][i];
                grown = 1;
            }
        table *t = grown ? dataset_add(item->data, "drift") : NULL;
        if (!t)
            continue;
        tidy_begin_row(t, item, run);
        table_number(t, "t", item->time, m->t[i]);
        for (int k = 0; k < drift_series(&item->item->spec); k++)
            table_number(t, drift_names[k], "", largest[k]);
    }
}

void tidy_drift(const tidy_item *item)
{
    if (item->item->kind == STUDY_DRIFT)
        tidy_each_run(item, add);
}
