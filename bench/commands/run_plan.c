#include "commands/run_plan.h"

#include "cli/options.h"
#include "deliver/deliver.h"
#include "host/interrupt.h"
#include "report/report.h"
#include "pool/runner.h"

#include <stdlib.h>
#include <string.h>

/* --strict: EXIT_NUMERICAL, having named them, where an order of the item is below the declared one, or none is
 * declared and the error does not fall. */
static int strict_status(const study_item *item, const cli_options *o)
{
    dae_report why = {0};
    if (!o->given[O_STRICT] || item->status < 0 || (item->kind != STUDY_CONVERGE && item->kind != STUDY_WORK))
        return EXIT_DONE;
    const int below = orders_below(item, &why);
    return below ? cli_error(EXIT_NUMERICAL, "%s: %s", item->spec.run.problem->name, why.message) : EXIT_DONE;
}

/* How the items ended: the worst, having said what went wrong in each. */
static int tell_failures(const study_plan *plan, const cli_options *front)
{
    int worst = EXIT_DONE;
    for (int i = 0; i < plan->count; i++) {
        dae_report why = {0};
        const dae_status status = plan_item_status(&plan->item[i], &why);
        if (status == DAE_STOPPED && interrupt_noted())
            continue;                                   /* said once, at the end */
        const int one = status < 0 ? cli_fail(status, &why) : strict_status(&plan->item[i], front);
        worst = one > worst ? one : worst;
    }
    return worst;
}

static int save_to(const study_file *s, const char *path)
{
    return study_file_save(s, path) ? EXIT_DONE : cli_last_status();
}

/* The study as a file, before it is run: where --save says, and in the folder of the results. */
static int save(const study_file *source, const cli_options *front)
{
    int status = front->save ? save_to(source, front->save) : EXIT_DONE;
    if (status || !cli_output_folder(front))
        return status;
    char *path = folder_path(cli_output_folder(front), "study", ".yaml");
    status = save_to(source, path);
    free(path);
    return status;
}

static int run(study_plan *plan, const cli_options *front)
{
    plan_run(plan, front->study.run.runner);
    const int nothing = plan->count == 1 && plan->item[0].status && !plan->item[0].spec.digits;
    study_runner_results(front);
    const int unwritten = nothing ? EXIT_DONE : outputs_write(plan, overview(plan), front);
    const int status = tell_failures(plan, front);
    return unwritten ? unwritten : status;
}

int run_plan(planned *p, const cli_options *front, const study_file *source)
{
    int status = outputs_check(front);
    if (!status && !runner_follows(front->study.run.runner))
        status = save(source, front);
    if (!status)
        status = run(&p->plan, front);
    planning_free(p);
    return status;
}

/* converge, drift, bench, scale, solve: a plan of one part */
int command_run(const cli_options *o)
{
    study_file_part part = {.name = o->list->command->name, .list = *o->list};
    planned p = {.plan = {.title = "", .question = ""}};
    char title[256];
    snprintf(title, sizeof title, "daelab %s %s", part.name, o->subject);
    if (planning_add(&p, &part.list, part.name, o))
        return run_plan(&p, o, &(study_file){.title = title, .question = "", .parts = 1, .part = &part});
    planning_free(&p);
    return cli_last_status();
}
