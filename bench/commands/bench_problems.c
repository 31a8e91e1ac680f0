/* bench_problems.c - daelab bench of several problems: the result of each, and one table of all */
#include "commands/bench_problems.h"

#include "cli/choices.h"
#include "cli/usage.h"
#include "commands/bench_digits.h"

#include <math.h>
#include <stdlib.h>

enum { MAX_PROBLEMS = 256 };

/* Of the formulations that were named those the problem has, else the one it is written in. */
static void keep_forms(cli_options *o)
{
    const int named = o->study.forms;
    o->study.forms = 0;
    for (int i = 0; i < named; i++)
        if (dae_formulation_applies(o->study.form[i], o->study.run.problem))
            o->study.form[o->study.forms++] = o->study.form[i];
    if (named && !o->study.forms)
        study_default_form(&o->study);
}

/* The options of one problem among several. */
static cli_options options_for(const cli_options *given, const dae_problem *problem)
{
    cli_options o = *given;
    o.study.run.problem = problem;
    o.subject = problem->name;
    o.one_of_several = 1;
    const run_setting own = run_default_setting(problem);
    o.study.run.parameters = own.parameters;
    if (!given->given[O_ALPHA])
        o.study.run.baumgarte.alpha = own.baumgarte.alpha;
    if (!given->given[O_BETA])
        o.study.run.baumgarte.beta = own.baumgarte.beta;
    keep_forms(&o);
    return o;
}

/* Mistakes in any of them are told before the first one runs. */
static int prepare(const cli_options *given, const dae_problem *const *problems, int count,
                   cli_options *each)
{
    int status = count ? EXIT_DONE : cli_last_status();
    for (int i = 0; !status && i < count; i++) {
        each[i] = options_for(given, problems[i]);
        status = bench_prepare(&each[i]);
    }
    return status ? status : usage_check(each, count);
}

static int run_each(const cli_options *each, int count, document *doc, grid *summary)
{
    int status = EXIT_DONE;
    for (int i = 0; i < count; i++) {
        document *part;
        const int one = bench_problem(&each[i], summary, &part);
        status = one > status ? one : status;
        if (part)
            document_part_add(doc, part);
    }
    return status;
}

study_specification bench_common(const cli_options *given, const study_specification *of_first)
{
    study_specification common = *of_first;
    if (!given->given[O_ALPHA])
        common.run.baumgarte.alpha = NAN;
    if (!given->given[O_BETA])
        common.run.baumgarte.beta = NAN;
    return common;
}

static int run(const cli_options *given, const cli_options *each, int count, document **doc)
{
    grid *summary = work_summary_new();
    const study_specification common = bench_common(given, &given->study);
    *doc = summary ? report_begin_several("bench", given->subject, &common) : NULL;
    if (!*doc) {
        grid_free(summary);
        return cli_error(EXIT_SYSTEM, "out of memory");
    }
    const int status = run_each(each, count, *doc, summary);
    document_set(*doc, "summary", grid_json(summary));
    document_section_add(*doc, "all problems", summary);
    return status;
}

int bench_problems(const cli_options *given, document **doc)
{
    const dae_problem *problems[MAX_PROBLEMS];
    *doc = NULL;
    if (given->plot)
        return cli_error(EXIT_USAGE, "--plot draws one problem, not several");
    const int count = choose_problems(given->subject, "bench", given->study.run.no_events, problems,
                                      MAX_PROBLEMS);
    cli_options *each = calloc((size_t)count + 1, sizeof *each);
    if (!each)
        return cli_error(EXIT_SYSTEM, "out of memory");
    int status = prepare(given, problems, count, each);
    if (!status)
        status = given->study.digits ? bench_digits(given, each, count, doc) : run(given, each, count, doc);
    free(each);
    return status;
}
