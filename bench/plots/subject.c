#include "plots/subject.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { WORDS = 240, NAME = 64 };

typedef struct {
    char text[WORDS];
} words;

static void add(words *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(words *w, const char *format, ...)
{
    const size_t used = strlen(w->text);
    va_list arguments;
    va_start(arguments, format);
    if (used)
        snprintf(w->text + used, WORDS - used, ", ");
    vsnprintf(w->text + strlen(w->text), WORDS - strlen(w->text), format, arguments);
    va_end(arguments);
}

static int differ(double a, double b) { return !(a == b || (isnan(a) && isnan(b))); }

/* Settings that are numbers: their names, and where they are. */
typedef double number_of(const run_setting *s);
static double t_end(const run_setting *s) { return run_end(s); }
static double step(const run_setting *s) { return s->step; }
static double rtol(const run_setting *s) { return s->rtol; }
static double atol_of(const run_setting *s) { return s->atol; }
static double max_step(const run_setting *s) { return s->max_step; }
static double first_step(const run_setting *s) { return s->first_step; }
static double alpha(const run_setting *s) { return s->baumgarte.alpha; }
static double beta(const run_setting *s) { return s->baumgarte.beta; }
static const struct { const char *name; number_of *value; } numbers[] = {
    {"t-end", t_end}, {"step", step}, {"rtol", rtol}, {"atol", atol_of}, {"max-step", max_step},
    {"first-step", first_step},
    {"alpha", alpha}, {"beta", beta}};

/* Those that are words. */
typedef const char *word_of(const run_setting *s);
static const char *jacobian(const run_setting *s) { return run_jacobian_name(s->jacobian); }
static const char *linear(const run_setting *s) { return run_linear_name(s->linear); }
static const char *error_test(const run_setting *s) { return run_error_test_name(s->error_test); }
static const char *start(const run_setting *s) { return run_start_name(s->as_given); }
static const char *project(const run_setting *s) { return run_project_name(s->project); }
static const struct { const char *name; word_of *value; } choices[] = {
    {"jacobian", jacobian}, {"linear", linear}, {"error-test", error_test}, {"start", start}, {"project", project}};

static void add_parameters(words *w, const run_setting *mine, const study_specification *const *of, int count)
{
    char name[NAME];
    for (int i = 0; i < dae_parameter_count(mine->problem); i++) {
        int differs = 0;
        for (int k = 0; k < count; k++)
            differs |= of[k]->run.problem == mine->problem
                       && differ(run_parameter(&of[k]->run, i), run_parameter(mine, i));
        dae_parameter_name(mine->problem, i, name, NAME);
        if (differs)
            add(w, "%s = %g", name, run_parameter(mine, i));
    }
}

static void add_settings(words *w, const run_setting *mine, const study_specification *const *of, int count)
{
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        int differs = 0;
        for (int k = 0; k < count; k++)
            differs |= of[k]->run.problem == mine->problem
                && differ(numbers[i].value(&of[k]->run), numbers[i].value(mine));
        if (differs)
            add(w, "%s %g", numbers[i].name, numbers[i].value(mine));
    }
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
        int differs = 0;
        for (int k = 0; k < count; k++)
            differs |= of[k]->run.problem == mine->problem
                && strcmp(choices[i].value(&of[k]->run), choices[i].value(mine));
        if (differs)
            add(w, "%s %s", choices[i].name, choices[i].value(mine));
    }
}

const char *subject_of(plot_sheet *s, const study_specification *const *of, int count, int i)
{
    words w = {""};
    int problems = 0;
    for (int k = 0; k < count; k++)
        problems |= of[k]->run.problem != of[i]->run.problem;
    if (problems)
        add(&w, "%s", of[i]->run.problem->name);
    add_parameters(&w, &of[i]->run, of, count);
    add_settings(&w, &of[i]->run, of, count);
    return sheet_text(s, "%s", w.text);
}

const char *subject_with(plot_sheet *s, const char *subject, const char *text)
{
    return *subject ? sheet_text(s, "%s, %s", subject, text) : text;
}
