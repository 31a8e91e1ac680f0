#include "deliver/strict.h"

#include "report/report.h"

int strict_status(const study_item *item, const cli_options *o)
{
    dae_report why = {0};
    if (!o->given[O_STRICT] || item->status < 0 || (item->kind != STUDY_CONVERGE && item->kind != STUDY_WORK))
        return EXIT_DONE;
    const int below = orders_below(item, &why);
    return below ? cli_error(EXIT_NUMERICAL, "%s: %s", item->spec.run.problem->name, why.message) : EXIT_DONE;
}
