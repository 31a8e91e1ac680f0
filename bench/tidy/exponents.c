/* exponents.c - the powers of the size with which cost grows */
#include "tidy/tidy_run.h"

#include <math.h>

static void add(const tidy_item *item, const scale_pair *pair, scale_quantity q, tidy_run run)
{
    const scale_result *r = &item->item->result.scale;
    const scale_fit fit = scale_pair_fit(&r->spec, pair, q);
    char name[STUDY_NAME];
    table *t = dataset_add(item->data, "exponents");
    run.number = 0;
    run.varied = -1;
    tidy_begin_row(t, item, &run);
    if (!t)
        return;
    table_text(t, "parameter", study_varied_name(&r->spec, name));
    table_text(t, "quantity", scale_names[q]);
    table_number(t, "exponent", "", fit.exponent);
    table_number(t, "last", "", fit.last);
    table_count(t, "points", fit.points);
}

/* Once for each pair: at its first point. */
static void add_pair(const tidy_item *item, const tidy_run *run)
{
    const scale_result *r = &item->item->result.scale;
    for (int i = 0; i < r->count; i++)
        for (scale_quantity q = 0; run->size == &r->pairs[i].point[0] && q < SCALE_QUANTITIES; q++)
            add(item, &r->pairs[i], q, *run);
}

void tidy_exponents(const tidy_item *item)
{
    if (item->item->kind == STUDY_SCALE)
        tidy_each_run(item, add_pair);
}
