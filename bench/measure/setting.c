#include "measure/setting.h"

#include "catalogue/catalogue.h"

#include <math.h>
#include <stdlib.h>

run_setting run_default_setting(const dae_problem *problem)
{
    return (run_setting){.problem = problem, .t_end = NAN, .step = NAN, .rtol = NAN, .atol = NAN,
                         .max_step = NAN, .first_step = NAN, .accumulation = NAN,
                         .baumgarte = dae_default_formulation_options(problem)};
}

double run_parameter(const run_setting *s, int i)
{
    return s->parameters ? s->parameters[i] : dae_parameter_default(s->problem, i);
}

double *run_copy_parameters(const run_setting *s)
{
    const int count = dae_parameter_count(s->problem);
    double *values = malloc(((size_t)count + 1) * sizeof *values);
    for (int i = 0; values && i < count; i++)
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
    const struct { const char *field; double h; } sizes[] = {
        {"step", s->step}, {"max_step", s->max_step}, {"first_step", s->first_step}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (sizes[i].h > t_end - t0)
            return dae_fail(report, DAE_BAD_ARGUMENT, "%s is larger than the interval from %g to %g",
                            front_value(&s->front, sizes[i].field, sizes[i].h).text, t0, t_end);
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

const char *const run_class_names[DAE_CLASSES] = {
    [DAE_POSITION] = "position", [DAE_VELOCITY] = "velocity", [DAE_MULTIPLIER] = "multiplier",
    [DAE_RECOVERED] = "recovered", [DAE_DIFFERENTIAL] = "differential",
    [DAE_ALGEBRAIC] = "algebraic"};

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
    if (run_chooses_steps(s, method)) {
        options.rtol = level;
        options.atol = isnan(s->atol) ? level : s->atol * (s->atol_by_rtol ? level : 1);
        options.max_step = isnan(s->max_step) ? 0 : s->max_step;
        options.first_step = isnan(s->first_step) ? 0 : s->first_step;
    } else {
        options.step = level;
    }
    if (s->max_steps)
        options.max_steps = s->max_steps;
    if (s->max_events)
        options.max_events = s->max_events;
    if (!isnan(s->accumulation))
        options.accumulation = s->accumulation;
    options.error_test = s->error_test;
    options.project = s->project;
    options.jacobian = s->jacobian;
    options.linear = s->linear;
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

const char *run_jacobian_name(dae_jacobian_kind kind)
{
    static const char *const names[] = {"best", "analytic", "dual", "fd"};
    return names[kind];
}

const char *run_linear_name(dae_linear_kind kind)
{
    static const char *const names[] = {"best", "dense", "klu", "band"};
    return names[kind];
}

const char *run_error_test_name(dae_error_test which)
{
    static const char *const names[] = {"all", "differential"};
    return names[which];
}

const char *run_project_name(unsigned project)
{
    static const char *const names[] = {
        "none", "position", "velocity", "position,velocity", "invariant", "position,invariant",
        "velocity,invariant", "position,velocity,invariant"};
    return names[project & 7];
}

const char *run_start_name(int as_given) { return as_given ? "as-given" : "consistent"; }

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
