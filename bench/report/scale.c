/* scale.c - cost against size, and the powers with which it grows */
#include "report/report.h"

#include "host/platform.h"

#include <math.h>
#include <stdio.h>

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
    report_table(doc, "time and memory of a point", item, "scale", "form method @value @status unknowns "
                 "@costs "
                 "seconds_setup steps rhs jacobians factorizations nonzeros fill @memory @reasons", NULL);
    snprintf(heading, sizeof heading, "exponents p of C %s^p: least squares over all points, and "
             "between the last two", study_varied_name(o, varied));
    document_section_add(doc, heading, fit_table(r));
    notes(doc, r);
}
