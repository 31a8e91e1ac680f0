/* bench.c - daelab bench: how long each method takes to reach which accuracy */
#include "cli/choices.h"
#include "cli/finish.h"
#include "commands/bench_digits.h"
#include "commands/bench_problems.h"
#include "deliver/outputs.h"
#include "deliver/strict.h"
#include "plots/plots.h"

static int finish(const study_item *item, const cli_options *o, grid *summary, document **doc)
{
    const work_result *r = &item->result.work;
    const study_plan plan = {.title = "", .question = "", .count = 1, .item = (study_item *)item};
    dae_report why = {0};
    *doc = work_report(r, finish_people(o));
    if (!*doc)
        return cli_error(EXIT_SYSTEM, "out of memory");
    outputs_add(*doc, &plan);
    if (summary)
        work_summary_add(summary, r);
    if (o->plot && work_plot(r, o->plot, &why))
        return cli_error(EXIT_SYSTEM, "%s", why.message);
    const int failed = finish_tally(&r->tally), low = strict_status(item, o);
    return failed ? failed : low;
}

int bench_prepare(cli_options *o)
{
    dae_report why = {0};
    const dae_status status = work_fill_in(&o->study, &why);
    return status ? cli_fail(status, &why) : choose_defaults(o);
}

int bench_problem(const cli_options *o, grid *summary, document **doc)
{
    study_item item = {.part = study_kind_names[STUDY_WORK], .kind = STUDY_WORK, .spec = o->study};
    dae_report why = {0};
    *doc = NULL;
    const dae_status status = work_study(&item.result.work, &o->study, &why);
    item.spec = item.result.work.spec;
    const int code = status ? cli_fail(status, &why) : finish(&item, o, summary, doc);
    work_result_free(&item.result.work);
    return code;
}

static int one_problem(const cli_options *given, document **doc)
{
    cli_options options = *given;
    *doc = NULL;
    const int wrong = bench_prepare(&options);
    return wrong ? wrong : options.study.digits ? bench_digits(given, &options, 1, doc)
                                                : bench_problem(&options, NULL, doc);
}

int command_bench(const cli_options *o)
{
    document *doc;
    const int status = choose_several(o->subject) ? bench_problems(o, &doc) : one_problem(o, &doc);
    const int unwritten = doc ? finish_document(doc, o) : 0;
    return unwritten ? unwritten : status;
}
