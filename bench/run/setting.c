#include "run/setting.h"

#include "catalogue/catalogue.h"
#include "host/allocate.h"

#include <math.h>
#include <stddef.h>

/* ---- the rows of settings.def ---- */

static const char *const setting_starts[] = {"consistent", "as-given", NULL};
static const char *const setting_jacobians[] = {"best", "analytic", "dual", "fd", NULL};
static const char *const setting_linears[] = {"best", "dense", "klu", "band", NULL};
static const char *const setting_error_tests[] = {"all", "differential", NULL};
static const char *const setting_projects[] = {
    "none", "position", "velocity", "position,velocity", "invariant", "position,invariant", "velocity,invariant",
    "position,velocity,invariant", NULL};
static const char *const setting_events[] = {"on", "off", NULL};

const setting_row run_settings[SETTINGS] = {
#define OWN(type, member) offsetof(run_setting, member)
#define WITHIN(member) offsetof(run_setting, member)
#define SAID(place) place, 0
#define GIVEN(place) place, 1
#define UNSAID 0, 0
#define SETTING(ID, field, kind, words, name, when, key, said, ...) \
    {name, KIND_##kind, words, field, WHEN_##when, KEY_##key, said},
#include "run/settings.def"
#undef OWN
#undef WITHIN
};

double setting_value(const setting_row *row, const run_setting *s)
{
    const void *at = (const char *)s + row->offset;
    return row->kind <= KIND_RATE ? *(const double *)at : *(const int *)at;
}

int setting_is_given(const setting_row *row, const run_setting *s)
{
    const double x = setting_value(row, s);
    return row->kind <= KIND_RATE ? !isnan(x) : x != 0;
}

const char *setting_word(const setting_row *row, const run_setting *s)
{
    return row->words[(int)setting_value(row, s)];
}

void setting_put(const setting_row *row, run_setting *s, double value)
{
    void *at = (char *)s + row->offset;
    if (row->kind <= KIND_RATE)
        *(double *)at = value;
    else
        *(int *)at = (int)value;
}

const char *run_project_name(unsigned project) { return setting_projects[project & 7]; }

run_setting run_default_setting(const dae_problem *problem)
{
    run_setting s = {.problem = problem, .atol = NAN};
    for (const setting_row *row = run_settings; row < run_settings + SETTINGS; row++)
        if (row->kind <= KIND_RATE)
            setting_put(row, &s, NAN);
    s.baumgarte = dae_default_formulation_options(problem);
    return s;
}

/* ---- what follows from them ---- */

run_parameter_name run_sensitivity_name(const run_setting *s, int i)
{
    run_parameter_name name;
    dae_parameter_name(s->problem, s->sensitivity[i], name.text, sizeof name.text);
    return name;
}

double run_parameter(const run_setting *s, int i)
{
    return s->parameters ? s->parameters[i] : dae_parameter_default(s->problem, i);
}

double *run_copy_parameters(const run_setting *s)
{
    const int count = dae_parameter_count(s->problem);
    double *values = allocate((size_t)count, sizeof *values);
    for (int i = 0; i < count; i++)
        values[i] = run_parameter(s, i);
    return values;
}

double run_end(const run_setting *s)
{
    return isnan(s->t_end) ? s->problem->t_end : s->t_end;
}

dae_status run_check_setting(const run_setting *s, dae_report *report)
{
    const double t0 = s->problem->t0, t_end = run_end(s);
    if (!(t_end > t0))
        return dae_fail(report, DAE_BAD_ARGUMENT, "%s: it must lie after the start, t = %g",
                        front_value(&s->front, "t_end", t_end).text, t0);
    if (!isfinite(t_end - t0))
        return dae_fail(report, DAE_BAD_ARGUMENT,
                        "%s: the interval from %g on is too long for a number",
                        front_value(&s->front, "t_end", t_end).text, t0);
    for (const setting_row *row = run_settings; row < run_settings + SETTINGS; row++)
        if (row->kind == KIND_STEP && setting_value(row, s) > t_end - t0)
            return dae_fail(report, DAE_BAD_ARGUMENT, "%s is larger than the interval from %g to %g",
                            front_value(&s->front, row->name, setting_value(row, s)).text, t0, t_end);
    if (s->first_step > s->max_step)
        return dae_fail(report, DAE_BAD_ARGUMENT, "%s is longer than %s",
                        front_value(&s->front, "first_step", s->first_step).text,
                        front_value(&s->front, "max_step", s->max_step).text);
    if (s->rtol >= 1)
        return dae_fail(report, DAE_BAD_ARGUMENT, "%s must be below 1",
                        front_value(&s->front, "rtol", s->rtol).text);
    return DAE_OK;
}

int run_is_smooth(const dae_problem *problem) { return !problem->events && !problem->modes; }

int run_shows(const dae_problem *problem, dae_class c)
{
    const int mechanical = c <= DAE_RECOVERED;
    return c != DAE_AUXILIARY && mechanical == (problem->mechanical.nq > 0);
}

int run_chooses_steps(const run_setting *s, const dae_method *method)
{
    const dae_method_info info = dae_method_describe(method);
    return info.adaptive && (!info.fixed || (!isnan(s->rtol) && isnan(s->step)));
}

dae_doubt run_doubt(const run_setting *s, const dae_formulation *form, const dae_method *method)
{
    return (dae_doubt){.problem = s->problem, .form = form, .method = method, .chosen = run_chooses_steps(s, method)};
}

double run_own_rtol(const dae_problem *problem)
{
    return dae_problem_describe(problem).rtol;
}

double run_level(const run_setting *s, const dae_method *method)
{
    if (run_chooses_steps(s, method))
        return isnan(s->rtol) ? run_own_rtol(s->problem) : s->rtol;
    const dae_method_info info = dae_method_describe(method);
    const int high = info.order[1][DAE_VELOCITY] > 4;   /* fewer steps, or there is rounding only */
    return isnan(s->step) ? (run_end(s) - s->problem->t0) / (high ? 40 : 400) : s->step;
}

dae_options run_options(const run_setting *s, const dae_method *method, double level)
{
    dae_options options = dae_default_options();
    const int chosen = run_chooses_steps(s, method);
#define OWN(type, member) s->member
#define WITHIN(member) s->member
#define TO(member) options.member =
#define NOWHERE (void)
#define SETTING(ID, field, kind, words, name, when, key, said, goes, ...)                              \
    if (KIND_##kind != KIND_BY_HAND && setting_is_given(&run_settings[SETTING_##ID], s) \
        && (chosen || KIND_##kind != KIND_STEP))                                                       \
        goes field;
#include "run/settings.def"
    if (chosen) {
        options.rtol = level;
        options.atol = isnan(s->atol) ? level : s->atol * (s->atol_by_rtol ? level : 1);
    } else {
        options.step = level;
    }
    return options;
}

const dae_formulation *run_form_of_index(const dae_problem *problem, int index)
{
    for (int i = 0; dae_formulation_at(i); i++) {
        const dae_formulation *form = dae_formulation_at(i);
        const int its = dae_formulation_describe(form).index;
        if ((index < 0 ? its < 0 : its == index) && dae_formulation_applies(form, problem))
            return form;
    }
    return NULL;
}

const char *run_form_stabilised(dae_stabilisation how)
{
    for (int i = 0; dae_formulation_at(i); i++) {
        const dae_formulation_info info = dae_formulation_describe(dae_formulation_at(i));
        if (info.stabilised == how)
            return info.name;
    }
    return "";
}

const dae_method *run_method_for(unsigned role)
{
    for (int i = 0; catalogue_method(i); i++)
        if (dae_method_describe(catalogue_method(i)).roles & role)
            return catalogue_method(i);
    return NULL;
}

/* Of a method that does not say its order, 5. */
static double order_of(const dae_problem *problem, const dae_method *method)
{
    const dae_method_info info = dae_method_describe(method);
    const double order = info.order[1][problem->mechanical.nq ? DAE_POSITION : DAE_DIFFERENTIAL];
    return order >= 1 ? order : 5;
}

double run_amount(const run_setting *s, const dae_method *method, double level)
{
    static const double STEPS = 20;                     /* at rtol 1 */
    return run_chooses_steps(s, method) ? STEPS * pow(level, -1 / (order_of(s->problem, method) + 1))
                                        : (run_end(s) - s->problem->t0) / level;
}

run_outcome run_outcome_of(const run_setting *s, dae_status status)
{
    return status == DAE_MAX_STEPS && s->max_steps ? RUN_LIMIT_STEPS : RUN_BY_ITSELF;
}
