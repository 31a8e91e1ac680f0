/* work_problems.c - daelab bench of several problems: the result of each, and one table of all */
#include "choices.h"
#include "work.h"

enum { MAX_PROBLEMS = 256 };

/* Of the formulations that were named those the problem has, else the one it is written in. */
static void keep_forms(cli_options *o)
{
    const int named = o->forms;
    o->forms = 0;
    for (int i = 0; i < named; i++)
        if (dae_formulation_applies(o->form[i], o->problem))
            o->form[o->forms++] = o->form[i];
    if (named && !o->forms)
        choose_default_form(o);
}

/* The options of one problem among several. */
static cli_options options_for(const cli_options *given, const dae_problem *problem)
{
    cli_options o = *given;
    o.problem = problem;
    o.subject = problem->name;
    for (int i = 0; i < dae_parameter_count(problem); i++)
        o.parameters[i] = problem->parameters[i].value;
    keep_forms(&o);
    return o;
}

static int run_each(const cli_options *given, document *doc, grid *summary)
{
    const dae_problem *problems[MAX_PROBLEMS];
    const int count = choose_problems(given->subject, problems, MAX_PROBLEMS);
    int status = count ? EXIT_DONE : EXIT_USAGE;
    for (int i = 0; i < count; i++) {
        const cli_options o = options_for(given, problems[i]);
        document *part;
        const int one = work_problem(&o, summary, &part);
        status = one > status ? one : status;
        if (part)
            document_part_add(doc, part);
    }
    return status;
}

int work_problems(const cli_options *given, document **doc)
{
    cli_options all = *given;
    all.problem = NULL;
    *doc = NULL;
    if (given->plot)
        return cli_error(EXIT_USAGE, "--plot draws one problem, not several");
    grid *summary = work_summary_new();
    *doc = summary ? document_new("bench", &all, 0, 0) : NULL;
    if (!*doc) {
        grid_free(summary);
        return cli_error(EXIT_SYSTEM, "out of memory");
    }
    const int status = run_each(given, *doc, summary);
    document_set(*doc, "summary", grid_json(summary));
    document_section_add(*doc, "all problems", summary);
    return status;
}
