#include "deliver/strict.h"

#include "report/orders.h"

#include <stdlib.h>

int strict_status(const study_item *item, const cli_options *o)
{
    const int converge = item->kind == STUDY_CONVERGE;
    dae_report why = {0};
    if (!o->given[O_STRICT] || item->status < 0 || (!converge && item->kind != STUDY_WORK))
        return EXIT_DONE;
    curve_orders *curves = converge ? orders_of_converge(&item->result.converge) : orders_of_work(&item->result.work);
    if (!curves)
        return cli_error(EXIT_SYSTEM, "out of memory");
    const int count = converge ? item->result.converge.count : item->result.work.count;
    const int below = orders_below(curves, count, &why);
    free(curves);
    return below ? cli_error(EXIT_NUMERICAL, "%s: %s", item->spec.run.problem->name, why.message) : EXIT_DONE;
}
