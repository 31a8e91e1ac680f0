/* growth.c - the laws by which drifts grow */
#include "tidy/tidy_run.h"

static void add_quantity(table *t, const tidy_item *item, const tidy_run *run, int k)
{
    const growth *g = &run->drift->growth[k];
    char unit[RATE_UNIT];
    tidy_begin_row(t, item, run);
    table_as(t, ROLE_SETTING);
    table_text(t, "quantity", drift_names[k]);
    table_as(t, ROLE_OUTCOME);
    table_text(t, "law", growth_names[g->law]);
    table_as(t, ROLE_VALUE);
    table_number(t, "rate", "", g->rate);
    table_as(t, ROLE_NONE);
    table_text(t, "rate_unit", drift_rate_unit(run->setting->problem, g->law, unit));
    table_number(t, "rate_low", "", g->low);
    table_number(t, "rate_high", "", g->high);
    table_number(t, "power", "", g->power);
    table_number(t, "scatter", "", g->scatter);
    table_number(t, "largest", "", run->drift->monitor.largest[k]);
    table_number(t, "t_largest", item->time, run->drift->monitor.at[k]);
    table_number(t, "rounding", "", run->drift->monitor.rounding[k]);
    table_text(t, "reason", g->reason);
}

/* A row for each quantity that the run has. */
static void add(const tidy_item *item, const tidy_run *run)
{
    for (int k = 0; k < drift_series(&item->item->spec); k++) {
        table *t = drift_has(run->drift, k) ? dataset_add(item->data, "growth") : NULL;
        if (t)
            add_quantity(t, item, run, k);
    }
}

void tidy_growth(const tidy_item *item)
{
    if (item->item->kind == STUDY_DRIFT)
        tidy_each_run(item, add);
}
