#include "report/scale_report.h"

#include "host/platform.h"
#include "report/run_output.h"

#include <math.h>
#include <stdio.h>

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
    run_note_sundials(doc);
}

document *scale_report(const scale_result *all)
{
    const study_specification *o = &all->spec;
    char heading[192], varied[STUDY_NAME];
    document *doc = report_begin("scale", o, all->s.t0, all->s.t_end);
    if (!doc)
        return NULL;
    document_set(doc, "limit", json_real(isnan(o->limit) ? scale_limit : o->limit));
    document_set(doc, "time", json_string(o->smallest ? "smallest" : "median"));
    document_section_add(doc, "time [s] and memory [MB] of a point",
                         scale_point_grid(o, all->pairs, all->count));
    snprintf(heading, sizeof heading, "exponents p of C %s^p: least squares over all points, and "
             "between the last two", study_varied_name(o, varied));
    document_section_add(doc, heading, scale_fit_grid(o, all->pairs, all->count));
    notes(doc, all);
    return doc;
}
