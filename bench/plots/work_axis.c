#include "plots/work_axis.h"

#include "study/drift.h"

#include <math.h>

static const char *label_of(plot_sheet *s, const study_specification *o, work_quantity q)
{
    static const char *const labels[WORK_ERROR] = {
        "time [s]", "CPU time [s]", "steps", "evaluations of F", "Jacobians", "factorizations",
        "solutions of linear systems", "relative tolerance"};
    if (q < WORK_ERROR)
        return labels[q];
    if (q < WORK_SCD)
        return sheet_text(s, "error, %s", sheet_class(s, &o->run, (dae_class)(q - WORK_ERROR)));
    if (q < WORK_DRIFT)
        return q == WORK_SCD ? "correct digits, relative (scd)" : "correct digits, mixed (mescd)";
    return sheet_text(s, "largest %s", drift_title(o->run.problem, (int)(q - WORK_DRIFT)));
}

work_axis work_axis_of(plot_sheet *s, const study_specification *o, int up)
{
    const work_quantity by_default = up ? (work_quantity)(WORK_ERROR + o->of) : WORK_TIME;
    const work_quantity q = !o->axes ? by_default : up ? o->up : o->across;
    return (work_axis){q, label_of(s, o, q), q != WORK_SCD && q != WORK_MESCD};
}

static double count_of(const dae_statistics *n, work_quantity q)
{
    switch (q) {
    case WORK_STEPS: return (double)n->steps;
    case WORK_RHS: return (double)n->rhs;
    case WORK_JACOBIANS: return (double)n->jacobians;
    case WORK_FACTORIZATIONS: return (double)n->factorizations;
    default: return (double)n->solves;
    }
}

double work_axis_value(const study_specification *o, const work_axis *a, const work_point *p)
{
    const run_result *r = &p->run;
    if (r->status)
        return NAN;
    switch (a->q) {
    case WORK_TIME: return work_seconds(o, p);
    case WORK_CPU: return p->cpu;
    case WORK_RTOL: return r->rtol;
    case WORK_SCD: return p->scd;
    case WORK_MESCD: return p->mescd;
    case WORK_ENERGY: return r->energy;
    case WORK_INVARIANT: return r->invariant;
    default:
        return a->q < WORK_ERROR    ? count_of(&r->count, a->q)
               : a->q < WORK_SCD ? r->error[a->q - WORK_ERROR] : r->drift[a->q - WORK_DRIFT];
    }
}
