/* converge.c - daelab converge: errors at falling steps or tolerances, and the orders they show */
#include "converge.h"

#include "choices.h"
#include "plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Which form by which method at how many levels; the number of runs. */
static int plan(const study *s, converge_study *studies)
{
    const cli_options *o = s->options;
    int runs = 0;
    for (int f = 0; f < o->forms; f++)
        for (int m = 0; m < o->methods; m++) {
            converge_study *c = &studies[f * o->methods + m];
            c->form = o->form[f];
            c->method = o->method[m];
            c->info = dae_method_describe(c->method);
            c->adaptive = study_adaptive(s, c->method);
            c->ratio = !isnan(o->ratio) ? o->ratio : c->adaptive ? 10 : 2;
            c->levels = o->levels ? o->levels : c->adaptive ? 7 : 5;
            runs += c->levels;
        }
    return runs;
}

/* Level i: a tolerance, or the step that divides the interval and is nearest below first/ratio^i. The
 * error of a multiplier depends on the last step, so that none may be shorter than the others. */
static double level_at(const study *s, const converge_study *c, int i)
{
    if (c->adaptive)
        return (isnan(s->options->rtol) ? 1e-4 : s->options->rtol) * pow(c->ratio, -i);
    const double span = s->t_end - s->t0;
    return span / ceil(span / (study_level(s, c->method) * pow(c->ratio, -i)) * (1 - 1e-9));
}

static int run_levels(const study *s, converge_study *c)
{
    c->runs = calloc((size_t)c->levels, sizeof *c->runs);
    if (!c->runs)
        return 0;
    for (int i = 0; i < c->levels; i++) {
        monitor m;
        memset(&m, 0, sizeof m);
        c->runs[i] = study_run(s, c->form, c->method, level_at(s, c, i), &m);
        monitor_free(&m);
    }
    return 1;
}

/* A finest level that no run can reach is refused before the first one starts. */
static int too_fine(const study *s, const converge_study *studies, int count)
{
    const double most = (double)dae_default_options().max_steps;
    for (int i = 0; i < count; i++) {
        const converge_study *c = &studies[i];
        const double finest = level_at(s, c, c->levels - 1);
        if (c->adaptive ? !(finest > 1e-16) : !((s->t_end - s->t0) / finest <= most))
            return cli_error(EXIT_USAGE, "level %d of %s would be %g, which is too fine; fewer "
                             "--levels or a smaller --ratio", c->levels, c->info.name, finest);
    }
    return 0;
}

/* The index of the system decides which orders are declared. */
static int form_index(const cli_options *o, const dae_formulation *form)
{
    const int index = dae_formulation_describe(form).index;
    return index >= 0 ? index : o->problem->first_order.index;
}

static void observe(const study *s, converge_study *c)
{
    for (dae_class k = 0; k < DAE_CLASSES; k++)
        if (run_shows(s->options, k))
            c->order[k] = order_observe(c->runs, c->levels, k, &c->info,
                                        form_index(s->options, c->form),
                                        c->adaptive ? NAN : c->ratio);
}

static void note_failures(document *doc, const converge_study *studies, int count)
{
    for (int i = 0; i < count; i++)
        for (int k = 0; k < studies[i].levels; k++)
            if (studies[i].runs[k].status) {
                document_note(doc, "%s %s: %s", dae_formulation_describe(studies[i].form).name,
                              studies[i].info.name, studies[i].runs[k].message);
                break;
            }
}

static document *report(const study *s, const converge_study *studies, int count)
{
    const cli_options *o = s->options;
    document *doc = document_new("converge", o, s->t0, s->t_end);
    grid *levels = doc ? converge_level_grid(o) : NULL;
    json_t *array = json_array();
    if (!doc || !levels || !array) {
        json_decref(array);
        document_free(doc);
        return NULL;
    }
    for (int i = 0; i < count; i++) {
        grid_rule(levels);
        for (int k = 0; k < studies[i].levels; k++)
            converge_add_level(levels, o, &studies[i], &studies[i].runs[k]);
        json_array_append_new(array, converge_json(o, &studies[i]));
    }
    document_set(doc, "reference", run_reference_json(s));
    document_set(doc, "studies", array);
    document_section_add(doc, "largest error of any component at the end", levels);
    document_section_add(doc, "orders: slope of log error against log step (ida: log rtol)",
                         converge_order_grid(o, studies, count));
    run_note_reference(doc, s);
    if (run_people(o))
        document_note(doc, "estimated*: the error as Richardson's rule sees it without a reference; "
                           "where it is far below the error, the method converges to something "
                           "else");
    note_failures(doc, studies, count);
    return doc;
}

/* 1 where a run failed numerically, 2 where nothing that was asked for exists. */
static int worst(const converge_study *studies, int count)
{
    int status = EXIT_DONE, supported = 0;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < studies[i].levels; k++) {
            const dae_status run = studies[i].runs[k].status;
            supported += run != DAE_UNSUPPORTED;
            if (run && run != DAE_UNSUPPORTED)
                status = EXIT_NUMERICAL;
        }
    return supported ? status : EXIT_USAGE;
}

static int finish(const study *s, const converge_study *studies, int count)
{
    dae_report why = {0};
    document *doc = report(s, studies, count);
    int status = doc ? document_write(doc, s->options) : cli_error(EXIT_SYSTEM, "out of memory");
    document_free(doc);
    if (!status && s->options->plot && converge_plot(s, studies, count, &why))
        status = cli_error(EXIT_SYSTEM, "%s", why.message);
    return status ? status : worst(studies, count);
}

static void free_studies(converge_study *studies, int count)
{
    for (int i = 0; studies && i < count; i++) {
        for (int k = 0; studies[i].runs && k < studies[i].levels; k++)
            run_free(&studies[i].runs[k]);
        free(studies[i].runs);
    }
    free(studies);
}

int command_converge(const cli_options *given)
{
    cli_options options = *given;
    study s;
    const int wrong = choose_defaults(&options);
    const int count = options.forms * options.methods;
    int status = wrong ? wrong : study_begin(&s, &options, 1);
    if (status)
        return status;
    converge_study *studies = calloc((size_t)count, sizeof *studies);
    progress p = progress_begin(studies ? plan(&s, studies) : 0, options.quiet);
    status = studies ? too_fine(&s, studies, count) : cli_error(EXIT_SYSTEM, "out of memory");
    int good = 1;
    s.progress = &p;
    for (int i = 0; !status && good && i < count; i++) {
        good = run_levels(&s, &studies[i]);
        if (good)
            observe(&s, &studies[i]);
    }
    progress_end(&p);
    if (!status)
        status = good ? finish(&s, studies, count) : cli_error(EXIT_SYSTEM, "out of memory");
    free_studies(studies, count);
    study_end(&s);
    return status;
}
