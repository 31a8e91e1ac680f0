/* drift.c - drift against time, as the largest values so far, and the laws by which it grows */
#include "tidy/tidy_run.h"

#include <math.h>

/* A time at which nothing has grown says nothing, but for the first and the last one. */
void tidy_drift(const tidy_item *item, const tidy_run *run)
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
        if (!grown)
            continue;
        table *t = tidy_row(item, run, "drift");
        table_number(t, "t", item->time, m->t[i]);
        for (int k = 0; k < drift_series(&item->item->spec); k++)
            table_number(t, drift_names[k], "", largest[k]);
    }
}

static void add_quantity(const tidy_item *item, const tidy_run *run, int k)
{
    const growth *g = &run->drift->growth[k];
    const monitor *m = &run->drift->monitor;
    char unit[RATE_UNIT];
    table *t = tidy_row(item, run, "growth");
    table_text(t, "quantity", drift_names[k]);
    table_text(t, "law", growth_names[g->law]);
    table_number(t, "rate", "", g->rate);
    table_text(t, "rate_unit", drift_rate_unit(run->setting->problem, g->law, unit));
    table_number(t, "rate_low", "", g->low);
    table_number(t, "rate_high", "", g->high);
    table_number(t, "power", "", g->power);
    table_number(t, "scatter", "", g->scatter);
    table_number(t, "largest", "", m->largest[k]);
    table_number(t, "t_largest", item->time, m->at[k]);
    table_number(t, "rounding", "", m->rounding[k]);
    table_text(t, "reason", g->reason);
}

/* A row for each quantity that the run has. */
void tidy_growth(const tidy_item *item, const tidy_run *run)
{
    for (int k = 0; k < drift_series(&item->item->spec); k++)
        if (drift_has(run->drift, k))
            add_quantity(item, run, k);
}
