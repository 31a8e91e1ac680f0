/* scale.c - cost against size, and the powers with which it grows */
#include "report/report.h"

#include "host/platform.h"

#include <math.h>
#include <stdio.h>

static const double MB = 1e6;

static table *point_table(const study_item *item)
{
    static const shown_column who[] = {{.name = "form", .title = "form"}, {.name = "method", .title = "method"}, {0}},
        status[] = {{.name = "status", .title = "status"}, {.name = "unknowns", .title = "n", .format = "%.0f"}, {0}},
        median[] = {{.name = "seconds_step", .title = "step", .format = "%.3e"},
                    {.name = "seconds_solve", .title = "solve", .format = "%.3e"}, {0}},
        smallest[] = {{.name = "step_smallest", .title = "step", .format = "%.3e"},
                      {.name = "solve_smallest", .title = "solve", .format = "%.3e"}, {0}},
        setup = {.name = "seconds_setup", .title = "setup", .format = "%.3e"},
        memory = {.name = "bytes_memory", .title = "memory", .format = "%.3f"},
        peak = {.name = "bytes_peak", .title = "peak", .format = "%.1f"};
    const study_specification *o = &item->result.scale.spec;
    char varied[STUDY_NAME];
    table *points = tidy_rows(item, "scale");
    selection s = select_rows(points, NULL);
    select_columns(&s, who);
    select_column(&s, &(shown_column){.name = "value", .title = study_varied_name(o, varied), .format = "%.7g"}, 1);
    select_columns(&s, status);
    select_columns(&s, o->smallest ? smallest : median);
    select_column(&s, &setup, 1);
    select_counters(&s, "steps rhs jacobians factorizations nonzeros fill", SHOW_DASH);
    select_column(&s, &memory, MB);
    select_column(&s, &peak, MB);
    select_reasons(&s);
    table *shown = select_end(&s);
    table_free(points);
    return shown;
}

static table *fit_table(const scale_result *r)
{
    table *t = table_new();
    table_head(t, "form", "form", NULL);
    table_head(t, "method", "method", NULL);
    for (scale_quantity q = 0; q < SCALE_QUANTITIES; q++) {
        table_head(t, scale_names[q], scale_names[q], "%.2f");
        table_head(t, "last", "last", "%.2f");
    }
    for (int i = 0; i < r->count; i++) {
        table_put_text(t, dae_formulation_describe(r->pairs[i].form).name);
        table_put_text(t, r->pairs[i].info.name);
        for (scale_quantity q = 0; q < SCALE_QUANTITIES; q++) {
            const scale_fit fit = scale_pair_fit(&r->spec, &r->pairs[i], q);
            table_put(t, fit.exponent);
            table_put(t, fit.last);
        }
    }
    return t;
}

static void notes(document *doc, const scale_result *all)
{
    const study_specification *o = &all->spec;
    const char *which = o->smallest ? "smallest" : "median";
    int mean = 0;
    for (int i = 0; i < all->count; i++)
        mean = mean || !all->pairs[i].info.fixed;
    document_note(doc, "step: time of one fixed step after a first one, %s%s", which,
                  mean ? "; of a method without fixed steps: a solve, divided by its steps" : "");
    document_note(doc, "solve: time of a run from t = %g to %g, %s after a warm-up run; a first "
                       "run that lasts longer than 2 s counts", all->s.t0, all->s.t_end, which);
    document_note(doc, "setup: time for system, consistent start and solver, once");
    document_note(doc, "memory: bytes on the heap that system, state and solver hold after the "
                       "solve (%s)", platform_heap_source);
    document_note(doc, "peak: how far the resident set of the point's own process grew at most "
                       "(ru_maxrss): with pages of the program, without those never touched; its "
                       "exponent is fitted from %g MB on", scale_peak_resolved / 1e6);
    note_sundials(doc);
}

void report_scale(document *doc, const study_item *item)
{
    const scale_result *r = &item->result.scale;
    const study_specification *o = &r->spec;
    char heading[192], varied[STUDY_NAME];
    document_set(doc, "limit", json_real(isnan(o->limit) ? scale_limit : o->limit));
    document_set(doc, "time", json_string(o->smallest ? "smallest" : "median"));
    document_section_add(doc, "time [s] and memory [MB] of a point", point_table(item));
    snprintf(heading, sizeof heading, "exponents p of C %s^p: least squares over all points, and "
             "between the last two", study_varied_name(o, varied));
    document_section_add(doc, heading, fit_table(r));
    notes(doc, r);
}
