#include "cli/options.h"

#include "catalogue/events_off.h"
#include "study/scale.h"

#include <math.h>
#include <string.h>

/* What the chosen methods and formulations have, some of them. */
typedef struct {
    int fixed, chosen;          /* steps */
    int adaptive;               /* can choose them */
    int implicit, stabilised, redundant;
    int tests_all;              /* can test the error of multipliers: an implicit method that has fixed steps */
} features;

static features features_of(const cli_options *o)
{
    features f = {0};
    for (int i = 0; i < o->study.methods; i++) {
        const dae_method_info info = dae_method_describe(o->study.method[i]);
        const int scale = o->command & SCALE;
        const int chosen = scale ? scale_chooses_steps(&o->study, o->study.method[i])
                                 : run_chooses_steps(&o->study.run, o->study.method[i]);
        f.chosen |= chosen;
        f.adaptive |= info.adaptive;
        f.fixed |= scale ? info.fixed : !chosen;        /* scale times a fixed step besides */
        f.implicit |= info.implicit;
        f.tests_all |= info.implicit && info.fixed;
    }
    for (int i = 0; i < o->study.forms; i++) {
        const dae_formulation_info info = dae_formulation_describe(o->study.form[i]);
        f.stabilised |= info.stabilised == DAE_BY_FEEDBACK;
        f.redundant |= info.index != 0;
    }
    return f;
}

static const char *why_not_chosen(const cli_options *o, features f)
{
    return f.chosen           ? NULL
           : !f.adaptive      ? "the chosen methods estimate no error and take fixed steps; give --step"
           : o->given[O_STEP] ? "--step makes the steps fixed; leave one of them out"
                              : "the steps are fixed; give --rtol, too";
}

/* Every method has its steps or tolerances one by one. */
static int all_listed(const study_specification *s, features f)
{
    return (s->steps.count || s->rtols.count) && (s->steps.count || !f.fixed) && (s->rtols.count || !f.chosen);
}

static const char *why_no_levels(const cli_options *o, features f, option_id id)
{
    if (id != O_RTOL && id != O_STEP && all_listed(&o->study, f))
        return "the levels are given one by one; leave it out";
    if (id == O_RATIO && o->study.levels == 1)
        return "--levels 1 has no second level; leave one of them out";
    const study_range *range = id == O_RTOL ? &o->study.rtols : &o->study.steps;
    if ((id == O_RTOL || id == O_STEP) && !isnan(range->last) && o->given[O_LEVELS] && o->given[O_RATIO])
        return "its end is not used beside --levels and --ratio; leave one of the three out";
    return NULL;
}

static const char *why_no_digits(const cli_options *o)
{
    return o->study.digits ? "--digits makes one run of each and takes no times; leave one of them out" : NULL;
}

static const char *why_setting(const cli_options *o, features f, setting_when when)
{
    switch (when) {
    case WHEN_CHOSEN: return why_not_chosen(o, f);
    case WHEN_STABILISED: return f.stabilised ? NULL : "it belongs to --form ";
    case WHEN_IMPLICIT: return f.implicit ? NULL : "explicit methods take none; name an implicit --method";
    case WHEN_WITH_EVENTS:
        return !run_is_smooth(o->study.run.problem) ? NULL
               : o->study.run.no_events             ? "--no-events leaves no events; leave one of them out"
                                                    : "the problem has no events; leave it out";
    default: return NULL;
    }
}

/* Why the option, which was given, does nothing here; NULL where it does. */
static const char *why_unused(const cli_options *o, features f, option_id id)
{
    const int compares = o->study.targets || cli_draws(o), bench = o->command & BENCH;
    switch (id) {
    case O_AT: case O_BASELINE: case O_RUNS: case O_SECONDS: return why_no_digits(o);
    case O_STEP: return f.fixed ? why_no_levels(o, f, id) : "the chosen methods take no fixed steps; give --rtol";
    case O_RTOL: return f.chosen ? why_no_levels(o, f, id) : why_not_chosen(o, f);
    case O_ERROR_TEST:
        return f.chosen && o->study.run.error_test == DAE_TEST_ALL && !f.tests_all
                       && o->study.run.problem->mechanical.nl > 0
                   ? "the chosen methods keep multipliers out of the error test; leave it out"
                   : why_not_chosen(o, f);
    case O_START:
        return !o->study.run.as_given || f.redundant ? NULL : "minimal coordinates are always consistent; "
                                                    "name another --form";
    case O_NO_EVENTS:
        return events_off_origin(o->study.run.problem) ? NULL : "the problem has no events; leave it out";
    case O_AXES: return o->study.digits ? why_no_digits(o) : o->plot[0] || study_watches(&o->study) ? NULL
                        : "there is no plot; give --plot, too";
    case O_OF:
        return compares || o->study.digits ? NULL : "it is for --at, --plot and --digits; give one of them";
    case O_TIME:
        return o->study.digits ? why_no_digits(o) : compares || !bench || o->one_of_several
                   ? NULL : "it is for --at and --plot; give one of them";
    case O_PLOT: return why_no_digits(o);
    case O_SENSITIVITY: return o->study.digits ? "--digits is of the unknowns; leave one of them out" : NULL;
    case O_STRICT: return o->study.digits ? "--digits shows no orders; leave one of them out" : NULL;
    case O_PLOT_SIZE: case O_PLOT_FONT: case O_PLOT_TITLE: case O_TRANSPARENT: case O_PLOT_DATA:
        return cli_draws(o) ? NULL : "there is no plot; give --plot, too";
    case O_LEVELS: case O_RATIO: return why_no_levels(o, f, id);
    case O_NO_CACHE:
        return o->command & DRIFT && !o->study.referenced ? "there is no reference; give --reference, too"
                                                    : NULL;
    default: return (int)id < SETTINGS ? why_setting(o, f, run_settings[id].when) : NULL;
    }
}

static int complain(const cli_options *o, option_id id, const char *why)
{
    const option_row *row = option_rows;
    while (row->id != id)
        row++;
    const int stabilises = (int)id < SETTINGS && run_settings[id].when == WHEN_STABILISED;
    const char *form = stabilises ? run_form_stabilised(DAE_BY_FEEDBACK) : "";
    cli_at_line(o->line[id]);
    return cli_error(EXIT_USAGE, "--%s%s%s is not used: %s%s", row->name, row->argument ? " " : "",
                     o->given[id], why, form);
}

/* Has the formulation unknowns of this name? 1 also where its system cannot be created: its run says why. */
static int form_has(const run_setting *s, const dae_formulation *form, const char *of, dae_report *why)
{
    const dae_atol one = {of, 1};
    dae_system *sys;
    if (dae_system_create(&sys, s->problem, form, s->parameters, &s->baumgarte, NULL))
        return 1;
    const int has = !dae_system_atols(sys, 1, &one, 1, NULL, why->status ? NULL : why);
    dae_system_free(sys);
    return has;
}

/* Has a chosen formulation of some item? 1 where a problem has events: unknowns of modes are checked by the run. */
static int any_has(const cli_options *const *item, int items, const char *of, dae_report *why)
{
    for (int i = 0; i < items; i++) {
        const study_specification *o = &item[i]->study;
        if (!run_is_smooth(o->run.problem))
            return 1;
        for (int f = 0; f < o->forms; f++)
            if (form_has(&o->run, o->form[f], of, why))
                return 1;
    }
    return 0;
}

static int check_atols(const cli_options *const *item, int items, int common)
{
    for (int i = 0; i < items; i++) {
        const run_setting *s = &item[i]->study.run;
        if (item[i]->common[O_ATOL] != common || (i > 0 && item[i]->given[O_ATOL] == item[i - 1]->given[O_ATOL]))
            continue;                                   /* the same text */
        for (int k = 0; k < s->atols; k++) {
            dae_report why = {0};
            const int several = items > 1 || item[i]->study.forms > 1;
            if (any_has(item, items, s->atol_of[k].of, &why))
                continue;
            cli_at_line(item[i]->line[O_ATOL]);
            return cli_error(EXIT_USAGE, "--%s%s", why.message,
                             several ? " (nor has any other that was chosen)" : "");
        }
    }
    return 0;
}

int unused_options_check(const cli_options *const *item, int items, int common)
{
    for (option_id id = 0; id < OPTION_IDS; id++) {
        const cli_options *unused = NULL;
        const char *why = NULL;
        int used = 0;
        for (int i = 0; !used && i < items; i++) {
            const int given = item[i]->given[id] && item[i]->common[id] == common;
            const char *here = given ? why_unused(item[i], features_of(item[i]), id) : NULL;
            used = given && !here;
            unused = unused || !here ? unused : item[i];
            why = why ? why : here;
        }
        if (!used && unused)
            return complain(unused, id, why);
    }
    return check_atols(item, items, common);
}
