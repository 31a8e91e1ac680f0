/* remarks.c - sentences below the tables: what runs were compared with, and what speaks against their numbers */
#include "report/report.h"

#include "catalogue/events_off.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

run_words report_run(const dae_formulation *form, const dae_method *method)
{
    run_words words;
    snprintf(words.text, sizeof words.text, "%s %s", dae_formulation_describe(form).name,
             dae_method_describe(method).name);
    return words;
}

enum { DEFAULTS = 512 };

/* ---- against the numbers ---- */

/* The sentence of a kind, where there is one. */
void remark_doubt(document *doc, const dae_doubt *run, dae_saying what, int i)
{
    char text[640];
    if (dae_doubt_says(run, what, i, text, sizeof text))
        document_remark(doc, "%s", text);
}

void remark_wrong(document *doc, const run_setting *o, const dae_formulation *form,
                  const dae_method *method)
{
    const dae_doubt run = run_doubt(o, form, method);
    for (dae_class c = 0; c < DAE_CLASSES; c++)
        remark_doubt(doc, &run, DAE_SAYS_WRONG, (int)c);
}

void remark_slow(document *doc, const run_setting *o, const dae_formulation *form,
                       const dae_method *method)
{
    const dae_doubt run = run_doubt(o, form, method);
    remark_doubt(doc, &run, DAE_SAYS_SLOW, 0);
}

/* By steps that are too long for the problem? */
static int may_be_steps(dae_status status)
{
    return status == DAE_NO_CONVERGENCE || status == DAE_NOT_FINITE || status == DAE_SINGULAR
           || status == DAE_ERROR_TEST;
}

/* The fixed steps of a method that could choose them, and that nobody has set */
static int by_default(const run_setting *o, const dae_method *method)
{
    return dae_method_describe(method).adaptive && !run_chooses_steps(o, method) && isnan(o->step);
}

void remark_fixed(document *doc, const run_setting *o, const dae_formulation *form,
                  const dae_method *method, dae_status status)
{
    if (may_be_steps(status) && by_default(o, method))
        document_remark(doc, "%s failed with fixed steps of %g: with %s it chooses them",
                        report_run(form, method).text, run_level(o, method), front_field(&o->front, "rtol").text);
}

/* Behind what stands there, which is then followed by a comma. */
static __attribute__((format(printf, 2, 3))) void add(char words[DEFAULTS], const char *format, ...)
{
    const size_t at = strlen(words);
    va_list arguments;
    va_start(arguments, format);
    snprintf(words + at, DEFAULTS - at, "%s", at ? ", " : "");
    vsnprintf(words + strlen(words), DEFAULTS - strlen(words), format, arguments);
    va_end(arguments);
}

/* "3 forms", or the only one */
static void add_choice(char words[DEFAULTS], const char *what, int count, const char *name)
{
    if (count > 1)
        add(words, "%d %ss", count, what);
    else
        add(words, "%s %s", what, name);
}

/* ", rtol 1e-06, 1e-07 .. 1e-12": the longest ladder of tolerances, or of steps, where there is one. */
static void add_ladder(char words[DEFAULTS], const study_item *item, int tolerances)
{
    tidy_curve longest = {.levels = 0};
    for (int i = 0; i < tidy_curves(item); i++) {
        const tidy_curve c = tidy_curve_at(item, i);
        if (c.tolerances == tolerances && c.levels > longest.levels)
            longest = c;
    }
    const int last = longest.levels - 1;
    for (int k = 0; k <= last; k += k < 1 || last < 3 ? 1 : last - 1) {
        const run_result *run = tidy_curve_result(&longest, k);
        const double level = tolerances ? run->rtol : run->step;
        if (k == 0)
            add(words, "%s %g", tolerances ? "rtol" : "step", level);
        else
            snprintf(words + strlen(words), DEFAULTS - strlen(words), "%s%g", k > 1 && last > 2 ? " .. " : ", ", level);
    }
}

/* Steps of converge that nobody has given differ from method to method. */
static void add_ladders(char words[DEFAULTS], const study_item *item)
{
    const int by_order = item->kind == STUDY_CONVERGE && item->result.converge.spec.lacked & LACKED_LEVEL;
    int steps = 0;
    for (int i = 0; i < tidy_curves(item); i++)
        steps |= !tidy_curve_at(item, i).tolerances;
    if (steps && by_order)
        add(words, "fixed steps by the order of the method");
    else
        add_ladder(words, item, 0);
    add_ladder(words, item, 1);
}

static void add_levels(char words[DEFAULTS], const study_item *item, const study_specification *o)
{
    const run_setting *run = &o->run;
    if (item->kind == STUDY_CONVERGE || item->kind == STUDY_WORK) {
        add_ladders(words, item);
        return;
    }
    for (int m = 0; m < o->methods; m++) {
        const double h = run_level(run, o->method[m]);
        if (run_chooses_steps(run, o->method[m]))
            add(words, "rtol %g", h);
        else
            add(words, "%.0f fixed steps of %g by %s", (run_end(run) - run->problem->t0) / h, h,
                dae_method_describe(o->method[m]).name);
    }
}

void note_defaults(document *doc, const study_item *item)
{
    const study_specification *o = &item->result.solve.spec;
    const run_front *front = &o->run.front;
    char words[DEFAULTS] = "", options[DEFAULTS] = "";
    if (o->lacked & LACKED_FORM)
        add_choice(words, "form", o->forms, dae_formulation_describe(o->form[0]).name);
    if (o->lacked & LACKED_METHOD)
        add_choice(words, "method", o->methods, dae_method_describe(o->method[0]).name);
    if (o->lacked & (LACKED_LEVEL | LACKED_LEVELS))
        add_levels(words, item, o);
    static const struct { int lacked; const char *field; } fields[] = {
        {LACKED_FORM, "form"}, {LACKED_METHOD, "method"}, {LACKED_LEVEL, "step"}, {LACKED_LEVEL, "rtol"},
        {LACKED_LEVELS, "levels"}};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (o->lacked & fields[i].lacked)
            add(options, "%s", front_field(front, fields[i].field).text);
    if (*words)
        document_note(doc, "by default: %s; %s say%s otherwise", words, options, strchr(options, ',') ? "" : "s");
}

/* Places of unknowns are none where their number is varied. */
void remark_start(document *doc, const study_item *item, const study *s, int value)
{
    const study_specification *o = &item->spec;
    const int counts = o->values && dae_parameter_at(o->run.problem, o->varied)->range == DAE_COUNT;
    char words[START_WORDS], varied[VARIED_WORDS];
    if (*study_start_words(s, !counts, words))
        document_remark(doc, "%s%s: %s", o->run.problem->name, varied_words(item, value, varied), words);
}

void remark_events(document *doc, const dae_problem *problem)
{
    char words[1024];
    if (events_off_words(problem, words, sizeof words))
        document_remark(doc, "%s: %s", problem->name, words);
}

void remark_rank(document *doc, const run_setting *o, const dae_formulation *form, const dae_method *method,
                 const char *run, const dae_rank_loss *lost)
{
    dae_doubt doubt = run_doubt(o, form, method);
    doubt.run = run;
    doubt.lost = lost;
    remark_doubt(doc, &doubt, DAE_SAYS_RANK, 0);
}

void remark_loose(document *doc, const run_setting *o)
{
    const front_word rtol = front_value(&o->front, "rtol", o->rtol);
    if (isnan(o->step))
        remark_doubt(doc, &(dae_doubt){.problem = o->problem, .rtol = o->rtol, .rtol_is = rtol.text}, DAE_SAYS_LOOSE,
                     0);
}

/* ---- what runs were compared with ---- */

/* The first multiplier (or the first unknown) of the reference, for people to compare with. */
static void note_values(document *doc, const study *s)
{
    const dae_reference *r = &s->reference;
    char text[DAE_QUAD_TEXT];
    study_quad_text(s, r->nl > 0 ? r->lambda[0] : r->q[0], text);
    document_note(doc, "reference at t = %g: %s = %s", study_reference_end(s),
                  r->nl > 0 ? "first multiplier" : "first unknown", text);
}

/* How many, and the last one. */
static void note_events(document *doc, const study *s)
{
    const dae_event_reference *e = &s->events;
    char text[DAE_QUAD_TEXT];
    if (e->events == 0) {
        document_note(doc, "the reference has no event in the interval");
        return;
    }
    const dae_reference_event *last = &e->event[e->events - 1];
    study_quad_text(s, last->t, text);
    document_note(doc, "the reference has %d event%s; the last one is %s at t = %s%s", e->events,
                  e->events == 1 ? "" : "s", last->name, text, e->ended ? ", where the run ends" : "");
}

/* What the classes of derivatives are, and what they are compared with. */
static void note_derivatives(document *doc, const study *s)
{
    if (!s->setting->sensitivities)
        return;
    document_note(doc, "d: |p| du/dp, in the unit of u, of all parameters p of %s together",
                  front_field(&s->setting->front, "sensitivity").text);
    if (s->along)
        document_note(doc, "reference of du/dp: differences of references at six neighbours of p, %.0f digits",
                      s->along_digits);
    else
        document_note(doc, "no reference of du/dp: %s", s->along_why);
}

void note_reference(document *doc, const study *s)
{
    if (!s->referenced) {
        document_note(doc, "no reference: %s", s->why_not);
        return;
    }
    document_note(doc, "reference: %s, quad precision, %.0f digits%s", s->reference.source,
                  s->reference.digits, s->from_cache ? " (from the cache)" : "");
    note_values(doc, s);
    if (s->events.size)
        note_events(doc, s);
    note_derivatives(doc, s);
}

void note_sundials(document *doc)
{
    const dae_sundials_build sundials = dae_sundials_describe();
    document_note(doc, "SUNDIALS %s, %s, %s", sundials.version,
                  sundials.distribution ? "the distribution's" : "own build",
                  sundials.optimised > 0 ? "optimised"
                  : sundials.optimised ? "NOT optimised, and slower than it can be (scripts/sundials builds "
                                         "another)"
                                       : "not known whether optimised");
}
