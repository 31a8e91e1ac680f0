/* scout.c - which events happen, and when to the accuracy of doubles
 *
 * Three runs with steps chosen by error control: a rough one, which shows how large the unknowns become, and two
 * of tolerances relative to that. What these two do not agree on, rounding decides.
 */
#include "piecewise.h"

#include "base/numbers.h"
#include "driver/guards.h"
#include "base/parts.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* rtol of the two runs; where rounding does not let the finer one end, the next two. */
static const double tolerances[][2] = {{1e-10, 1e-12}, {1e-9, 1e-11}, {1e-8, 1e-10}};
enum { ATTEMPTS = sizeof tolerances / sizeof *tolerances };
static const double rough = 1e-6;
static const double least_part = 1e-3;          /* of the largest of its class counts an unknown for */

typedef struct {
    const dae_problem *problem;
    const double *parameters;
    const dae_formulation_options *options;
    const dae_formulation *form;
    double t_end;
    const dae_reference_watch *watch;
    int size, modes;
    double *largest;            /* [size] |x_i| in the latest run */
    double *others;             /* [modes] the same of the unknowns behind x */
    double *atols;              /* [unknowns of all modes] */
} search;

/* ---- sizes --------------------------------------------------------------------------------- */

static int measure(void *context, dae_hybrid *h)
{
    search *s = context;
    const double *u = dae_hybrid_unknowns(h);
    const int mode = dae_hybrid_mode(h), n = dae_hybrid_size(h, mode);
    for (int i = 0; i < s->size; i++)
        s->largest[i] = fmax(s->largest[i], fabs(u[i]));
    s->others[mode] = fmax(s->others[mode], dae_largest(n - s->size, u + s->size));
    return s->watch && s->watch->tell && s->watch->tell(s->watch->context, dae_hybrid_time(h));
}

/* Unknowns of one class, one that hardly moves measured by the others; where their units may differ, one that
 * does not move at all. */
static void set_atols_of(double rtol, const double *size, int count, int one_unit, double *atols)
{
    const double least = least_part * dae_largest(count, size);
    for (int i = 0; i < count; i++) {
        const double of = one_unit || size[i] == 0 ? fmax(size[i], least) : size[i];
        atols[i] = rtol * (of > 0 ? of : 1);
    }
}

static void set_atols(const search *s, const dae_hybrid *h, double rtol)
{
    double *atols = s->atols;
    const int nq = h->mode[0].sys->nq, class = nq ? nq : s->size;
    for (int m = 0; m < s->modes; m++) {
        for (int i = 0; i < s->size; i += class)
            set_atols_of(rtol, s->largest + i, class, nq > 0, atols + i);
        for (int i = s->size; i < h->mode[m].n; i++)
            atols[i] = rtol * (s->others[m] > 0 ? s->others[m] : 1);
        atols += h->mode[m].n;
    }
}

/* Before the first run: the start, and what its derivative makes of it in the interval. */
static dae_status guess_sizes(search *s, dae_hybrid *h, dae_report *report)
{
    dae_system *sys = h->mode[0].sys;
    const double span = s->t_end - s->problem->t0;
    const int n = sys->n;
    double *u = calloc(2 * (size_t)n, sizeof *u), *F = u + n;
    if (!u)
        return dae_fail(report, DAE_NO_MEMORY, "no memory for %d unknowns", n);
    dae_status status = dae_system_start(sys, u, report);
    if (!status)
        status = dae_consistent_start(sys, s->problem->t0, u, NULL, report);
    if (!status) {
        dae_system_rhs(sys, s->problem->t0, u, F);
        for (int i = 0; i < s->size; i++) {
            const double rate = sys->diagonal[i] != 0 ? F[i] / sys->diagonal[i] : 0;
            s->largest[i] = fmax(fabs(u[i]), isfinite(rate) ? fabs(rate) * span : 0);
        }
        s->others[0] = dae_largest(n - s->size, u + s->size);
    }
    free(u);
    return status;
}

/* ---- runs ---------------------------------------------------------------------------------- */

static dae_status create_run(const search *s, double rtol, const double *atols, dae_hybrid **h,
                             dae_report *report)
{
    dae_options options = dae_default_options();
    options.rtol = rtol;
    options.atols = atols;
    options.error_test = DAE_TEST_DIFFERENTIAL;
    return dae_hybrid_create(h, s->problem, s->form, s->parameters, s->options, dae_other_judge(),
                             &options, report);
}

/* *h := a run that is over, at t_end or at an event that ends it. */
static dae_status run(search *s, double rtol, dae_hybrid **h, dae_report *report)
{
    dae_status status = create_run(s, rtol, s->atols, h, report);
    if (status)
        return status;
    memset(s->largest, 0, (size_t)s->size * sizeof *s->largest);
    memset(s->others, 0, (size_t)s->modes * sizeof *s->others);
    dae_hybrid_observe(*h, measure, s);
    status = dae_hybrid_start(*h, 0, NULL);
    if (!status)
        status = dae_hybrid_advance(*h, s->t_end);
    dae_hybrid_observe(*h, NULL, NULL);
    if (status)
        dae_fail(report, status, "%s", dae_hybrid_report(*h)->message);
    return status;
}

/* The formulation whose run is the most accurate: the accelerations, else as the problem is written. */
static dae_status choose_form(search *s, dae_hybrid **h, dae_report *report)
{
    static const int wanted[] = {1, -1, 2, 3};
    dae_status status = dae_fail(report, DAE_UNSUPPORTED, "%s has no formulation for a run of all its modes",
                                 s->problem->name);
    for (size_t k = 0; status == DAE_UNSUPPORTED && k < sizeof wanted / sizeof *wanted; k++)
        for (int i = 0; status == DAE_UNSUPPORTED && dae_formulation_at(i); i++) {
            const dae_formulation_info info = dae_formulation_describe(dae_formulation_at(i));
            s->form = dae_formulation_at(i);
            if (info.index == wanted[k] && info.stabilised == DAE_NOT_STABILISED
                && dae_formulation_applies(s->form, s->problem))
                status = create_run(s, rough, NULL, h, report);
        }
    return status;
}

static dae_status begin(search *s, dae_report *report)
{
    dae_hybrid *h = NULL;
    dae_status status = choose_form(s, &h, report);
    if (status)
        return status;
    size_t unknowns = 0;
    s->size = h->size;
    s->modes = h->modes;
    for (int m = 0; m < h->modes; m++)
        unknowns += (size_t)h->mode[m].n;
    status = DAE_PARTS(s,
                       DAE_PART(search, largest, s->size), DAE_PART(search, others, s->modes),
                       DAE_PART(search, atols, unknowns))
                 ? guess_sizes(s, h, report)
                 : dae_fail(report, DAE_NO_MEMORY, "no memory for a run of %s", s->problem->name);
    if (!status)
        set_atols(s, h, rough);
    dae_hybrid_free(h);
    return status;
}

/* ---- two runs that agree ------------------------------------------------------------------- */

static const char *name_of(const dae_hybrid *h, int i)
{
    return i < h->happenings ? dae_hybrid_event(h, i).name : "none";
}

static double time_of(const dae_hybrid *h, int i) { return i < h->happenings ? h->happening[i].t : h->t; }

static const char *mode_after(const dae_hybrid *h, int i)
{
    return h->mode[i < h->happenings ? h->happening[i].to : h->now].name;
}

static int same(const dae_happening *a, const dae_happening *b)
{
    return a->event == b->event && a->direction == b->direction && a->from == b->from && a->to == b->to
           && a->group == b->group && a->round == b->round;
}

static dae_status compare(const dae_hybrid *a, const dae_hybrid *b, const double *rtol, dae_report *report)
{
    const int most = a->happenings > b->happenings ? a->happenings : b->happenings;
    for (int i = 0; i < most; i++)
        if (i >= a->happenings || i >= b->happenings || !same(&a->happening[i], &b->happening[i]))
            return dae_fail(report, DAE_NO_CONVERGENCE, "two runs in doubles, of tolerances %g and %g, have "
                            "different events: number %d is %s at t = %.9g, to mode %s, in one and %s at t = %.9g, "
                            "to mode %s, in the other", rtol[0], rtol[1], i + 1,
                            name_of(a, i), time_of(a, i), mode_after(a, i), name_of(b, i), time_of(b, i),
                            mode_after(b, i));
    return DAE_OK;
}

/* What the two runs say of each event. */
static dae_status keep(dae_scout *scout, const search *s, const dae_hybrid *coarse, dae_report *report)
{
    const dae_hybrid *h = scout->hybrid;
    const size_t events = (size_t)h->happenings, size = (size_t)s->size;
    if (!DAE_PARTS(scout,
                   DAE_PART(dae_scout, apart, events), DAE_PART(dae_scout, after_apart, events * size),
                   DAE_PART(dae_scout, size, size)))
        return dae_fail(report, DAE_NO_MEMORY, "no memory for %zu events", events);
    scout->events = h->happenings;
    scout->happening = h->happening;
    memcpy(scout->size, s->largest, size * sizeof *s->largest);
    for (size_t k = 0; k < events; k++) {
        scout->apart[k] = fabs(h->happening[k].t - coarse->happening[k].t);
        for (size_t i = 0; i < size; i++)
            scout->after_apart[k * size + i] = fabs(h->states[(2 * k + 1) * size + i]
                                                    - coarse->states[(2 * k + 1) * size + i]);
    }
    return DAE_OK;
}

static int over(dae_status status) { return status == DAE_OK || status == DAE_EVENT; }

/* Both runs by the tolerances of one attempt. */
static dae_status attempt(dae_scout *scout, search *s, int k, dae_report *report)
{
    dae_hybrid *coarse = NULL;
    dae_status status = run(s, tolerances[k][0], &coarse, report);
    if (over(status)) {
        set_atols(s, coarse, tolerances[k][1]);
        status = run(s, tolerances[k][1], &scout->hybrid, report);
    }
    if (over(status)) {
        scout->ended = status == DAE_EVENT;
        status = compare(coarse, scout->hybrid, tolerances[k], report);
    }
    if (!status)
        status = keep(scout, s, coarse, report);
    dae_hybrid_free(coarse);
    return status;
}

/* The sizes of a rough run; where it fails early they are those of its beginning. */
static dae_status explore(search *s, dae_report *report)
{
    dae_hybrid *h = NULL;
    dae_report why = {0};
    const dae_status status = run(s, rough, &h, &why);
    if (!h || status == DAE_STOPPED) {
        dae_hybrid_free(h);
        *report = why;
        return status;
    }
    set_atols(s, h, tolerances[0][0]);
    dae_hybrid_free(h);
    return DAE_OK;
}

dae_status dae_scout_run(dae_scout *scout, const dae_problem *problem, const double *parameters,
                         const dae_formulation_options *options, double t_end,
                         const dae_reference_watch *watch, dae_report *report)
{
    search s = {.problem = problem, .parameters = parameters, .options = options, .t_end = t_end, .watch = watch};
    dae_report why = {0};
    memset(scout, 0, sizeof *scout);
    dae_status status = begin(&s, &why);
    if (!status)
        status = explore(&s, &why);
    for (int k = 0; !status && k < ATTEMPTS; k++) {
        dae_scout_free(scout);
        status = attempt(scout, &s, k, &why);
        if (status != DAE_ERROR_TEST && status != DAE_SMALL_STEP)
            break;
        status = k < ATTEMPTS - 1 ? DAE_OK : status;
    }
    free(s.largest);
    if (status)
        dae_fail(report, status, "%s", why.message);
    return status;
}

void dae_scout_free(dae_scout *scout)
{
    dae_hybrid_free(scout->hybrid);
    free(scout->apart);
    memset(scout, 0, sizeof *scout);
}
