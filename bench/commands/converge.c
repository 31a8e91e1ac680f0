/* converge.c - daelab converge: errors at falling steps or tolerances, and the orders they show */
#include "study/converge.h"

#include "cli/choices.h"
#include "report/doubt.h"
#include "picture/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Which form by which method; the number of runs. */
static int plan(const study *s, converge_study *studies)
{
    const cli_options *o = s->options;
    int runs = 0;
    for (int i = 0; i < o->forms * o->methods; i++) {
        converge_plan(&studies[i], s, o->form[i / o->methods], o->method[i % o->methods]);
        runs += studies[i].levels;
    }
    return runs;
}

/* A finest level that no run can reach is refused before the first one starts. */
static int too_fine(const study *s, const converge_study *studies, int count)
{
    const double most = (double)dae_default_options().max_steps;
    for (int i = 0; i < count; i++) {
        const converge_study *c = &studies[i];
        const double finest = converge_level(s, c, c->levels - 1);
        if (c->subject.tolerances ? !(finest > 1e-16) : !((s->t_end - s->t0) / finest <= most))
            return cli_error(EXIT_USAGE, "level %d of %s would be %g, which is too fine; fewer "
                             "--levels or a smaller --ratio", c->levels, c->info.name, finest);
    }
    return 0;
}

/* Levels that were asked for, before the reference is computed, which those by default need. */
static int check_levels(const cli_options *o)
{
    const study s = {.options = o, .t0 = o->problem->t0,
                     .t_end = isnan(o->t_end) ? o->problem->t_end : o->t_end};
    int status = 0;
    for (int i = 0; !status && i < o->forms * o->methods; i++) {
        converge_study c = {.value = 0};
        converge_plan(&c, &s, o->form[i / o->methods], o->method[i % o->methods]);
        if (c.subject.tolerances || !isnan(o->step))
            status = too_fine(&s, &c, 1);
    }
    return status;
}

static void note_failures(document *doc, const converge_study *studies, int count)
{
    for (int i = 0; i < count; i++)
        for (int k = 0; k < studies[i].levels; k++)
            if (studies[i].runs[k].status) {
                document_note(doc, "%s %s: %s",
                              dae_formulation_describe(studies[i].subject.form).name,
                              studies[i].info.name, studies[i].runs[k].message);
                break;
            }
}

/* How many are not determined, and where the table has no room for the reasons, each with its own.
 * */
static void note_reasons(document *doc, const cli_options *o, const converge_study *studies,
                         int count)
{
    for (int i = 0; i < count; i++)
        for (dae_class k = 0; k < DAE_CLASSES; k++)
            if (*studies[i].order[k].reason)
                document_note(doc, "not determined: %s %s %s: %s",
                              dae_formulation_describe(studies[i].subject.form).name,
                              studies[i].info.name, run_class_names[k],
                              studies[i].order[k].reason);
    int quad = 0;
    for (int i = 0; i < count * DAE_CLASSES; i++) {
        const order_result *k = &studies[i / DAE_CLASSES].order[i % DAE_CLASSES];
        quad += k->in_quad && k->term == 0;
    }
    if (quad > 0)
        document_note(doc, "%d of the orders, which rounding hides in double precision, are those of "
                      "the same steps in quad precision", quad);
    if (o->problem->mechanical.square)
        document_note(doc, "declared of multipliers recovered in index 3: the order of q or twice "
                           "that of v, as %s", o->problem->mechanical.square);
}

/* Orders that no ladder comes down to. */
static void note_terms(document *doc, const converge_study *studies, int count)
{
    for (int i = 0; i < count; i++)
        for (dae_class k = 0; k < DAE_CLASSES; k++)
            if (studies[i].order[k].term > 0)
                document_note(doc, "below: %s %s %s: in quad precision the error has a term of order %g, "
                              "at large steps %.0e of the unknowns, which rounding of the coefficients "
                              "does not explain: one of them is wrong",
                              dae_formulation_describe(studies[i].subject.form).name,
                              studies[i].info.name, run_class_names[k],
                              studies[i].order[k].observed, studies[i].order[k].term);
}

/* A study for each value of --vary, or one; s[values], studies[values x forms x methods]. */
typedef struct {
    cli_options options;
    int values, count, begun;
    study *s;
    converge_study *studies;
    progress p;
} series;

/* One reference, or one for each value. */
static void report_references(document *doc, const series *all)
{
    const cli_options *o = &all->options;
    json_t *list = o->values ? json_array() : NULL;
    const char *name = o->problem->parameters[o->varied].name;
    if (!o->values)
        document_set(doc, "reference", run_reference_json(&all->s[0]));
    for (int v = 0; v < all->values; v++) {
        if (o->values) {
            json_array_append_new(list, json_pack("{s:f, s:o}", name, o->value[v], "reference",
                                                  run_reference_json(&all->s[v])));
            document_note(doc, "%s = %g:", name, o->value[v]);
        }
        run_note_reference(doc, &all->s[v]);
    }
    if (o->values)
        document_set(doc, "references", list);
}

static document *report(const series *all)
{
    const cli_options *o = &all->options;
    const converge_study *studies = all->studies;
    const int count = all->count;
    document *doc = document_new("converge", o, all->s[0].t0, all->s[0].t_end);
    json_t *array = json_array();
    if (!doc || !array) {
        json_decref(array);
        document_free(doc);
        return NULL;
    }
    for (int i = 0; i < count; i++)
        json_array_append_new(array, converge_json(o, &studies[i]));
    document_set(doc, "studies", array);
    document_section_add(doc, "largest error of any component at the end",
                         converge_level_grid(o, studies, count));
    document_section_add(doc, "orders: p of error ~ C h^p for small h, between low and high, and "
                              "the slopes of the last steps above rounding (ida: against log rtol)",
                         converge_order_grid(o, studies, count));
    report_references(doc, all);
    if (run_people(o))
        document_note(doc, "estimated*: the error as Richardson's rule sees it without a "
                           "reference; where it is far below the error, the method converges to "
                           "something else");
    for (int i = 0; i < count / all->values; i++)
        doubt_remark(doc, o, studies[i].subject.form, studies[i].subject.method);
    note_reasons(doc, o, studies, count);
    note_terms(doc, studies, count);
    note_failures(doc, studies, count);
    return doc;
}

static int worst(const converge_study *studies, int count)
{
    run_tally tally = {0};
    for (int i = 0; i < count; i++)
        for (int k = 0; k < studies[i].levels; k++)
            run_count(&tally, studies[i].runs[k].status, studies[i].runs[k].message);
    return run_tally_status(&tally);
}

static int finish(const series *all)
{
    dae_report why = {0};
    const cli_options *o = &all->options;
    int status = document_finish(report(all), o);
    if (!status && o->plot && converge_plot(&all->s[0], all->studies, all->count, &why))
        status = cli_error(EXIT_SYSTEM, "%s", why.message);
    return status ? status : worst(all->studies, all->count);
}

static void free_studies(converge_study *studies, int count)
{
    for (int i = 0; studies && i < count; i++)
        converge_free(&studies[i]);
    free(studies);
}

static void set_value(series *all, int v)
{
    if (all->options.values)
        all->options.parameters[all->options.varied] = all->options.value[v];
}

/* References and plans of all values. */
static int begin(series *all)
{
    const int each = all->count / all->values;
    int status = 0, runs = 0;
    for (int v = 0; !status && v < all->values; v++) {
        converge_study *studies = all->studies + v * each;
        set_value(all, v);
        status = study_begin(&all->s[v], &all->options, REFERENCE_ON_PATH);
        if (status)
            break;
        all->begun++;
        all->s[v].progress = &all->p;
        for (int i = 0; i < each; i++)
            studies[i].value = all->options.value[v];
        runs += plan(&all->s[v], studies);
        status = too_fine(&all->s[v], studies, each);
    }
    all->p = progress_begin(runs, all->options.quiet);
    return status;
}

static int run_series(series *all)
{
    const int each = all->count / all->values;
    int status = begin(all);
    for (int i = 0; !status && i < all->count; i++) {
        const study *s = &all->s[i / each];
        set_value(all, i / each);
        if (!converge_run(s, &all->studies[i]))
            status = cli_error(EXIT_SYSTEM, "out of memory");
    }
    progress_end(&all->p);
    set_value(all, 0);
    return status ? status : finish(all);
}

int command_converge(const cli_options *given)
{
    series all = {.options = *given, .values = given->values ? given->values : 1};
    int status = choose_defaults(&all.options);
    if (!status)
        status = check_levels(&all.options);
    if (status)
        return status;
    all.count = all.values * all.options.forms * all.options.methods;
    all.s = calloc((size_t)all.values, sizeof *all.s);
    all.studies = calloc((size_t)all.count, sizeof *all.studies);
    status = all.s && all.studies ? run_series(&all) : cli_error(EXIT_SYSTEM, "out of memory");
    free_studies(all.studies, all.count);
    for (int v = 0; v < all.begun; v++)
        study_end(&all.s[v]);
    free(all.s);
    return status;
}
