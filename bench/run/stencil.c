/* stencil.c - du/dp by central differences of references, in quad precision
 *
 *     du/dp = [8 (u(p + d) - u(p - d)) - (u(p + 2 d) - u(p - 2 d))] / (12 d) + O(d^4)
 *
 * with d and with d/2, whose difference is what is not known. d is a power of two, so that the neighbours of p are
 * exact. Rounding of u is divided by d. So the start moves with p in quad precision: as the model's start does, where
 * differences show that runs begin there, else, of a mechanical problem, along the derivative that runs begin with,
 * once differences have shown that this is one; that is a double. Other starts are made anew, and are rounded to
 * doubles where they depend on p: then d is larger. */
#include "run/stencil.h"

#include "host/allocate.h"
#include "pool/runner.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int places[STENCIL_POINTS] = {-4, -2, -1, 1, 2, 4};        /* in d/2 */
static const int fine[STENCIL_POINTS] = {0, 1, -8, 8, -1, 0}, coarse[STENCIL_POINTS] = {1, -8, 0, 0, 8, -1};

enum { OF_DOUBLES = -12, OF_QUADS = -21 };      /* d/2 against p, as powers of two: eps^(1/5) of the start's rounding */

/* The setting with one parameter a little off. */
static stencil_point neighbour_at(const study *s, int parameter, double p)
{
    stencil_point n = {.setting = *s->setting, .parameters = run_copy_parameters(s->setting)};
    n.setting.parameters = n.parameters;
    n.setting.sensitivities = 0;
    n.setting.no_check = 1;
    n.parameters[parameter] = p;
    return n;
}

/* Number point of a stencil of parameter number i of the setting. */
static stencil_point point_of(const study *s, int i, int point, double half)
{
    const int parameter = s->setting->sensitivity[i];
    const dae_quad by = derivatives_factor(s->setting, i) / (12 * (dae_quad)half);
    stencil_point n = neighbour_at(s, parameter, run_parameter(s->setting, parameter) + places[point] * half);
    n.in = fine[point] * by;
    n.in_wrong = fine[point] * by - coarse[point] * by / 2;
    return n;
}

static dae_quad *start_of(const stencil_sums *x, int i, int point)
{
    return x->from + (size_t)((i * STENCIL_POINTS + point) * x->size);
}

stencil_point stencil_at(const study *s, int i, int point)
{
    stencil_point n = point_of(s, i, point, s->errors.half[i]);
    n.from = start_of(&s->errors, i, point);
    return n;
}

/* A system of the first formulation, at the start. */
static dae_status first_start(const run_setting *o, const study *s, dae_system **sys, double **u)
{
    study at = *s;
    dae_start_change change;
    int i = 0;
    at.setting = o;
    while (!dae_formulation_applies(dae_formulation_at(i), o->problem))
        i++;
    return study_system(&at, dae_formulation_at(i), sys, u, &change, NULL);
}

/* du0[n] := by how much the start moves with a parameter, by differences at p + x and p - x; the largest difference of
 * an unknown that does not follow from others, as multipliers and algebraic ones do. */
static double start_difference(const study *s, int parameter, double p, double x, double *du0)
{
    double largest = 0;
    for (int side = -1; side <= 1; side += 2) {
        const stencil_point n = neighbour_at(s, parameter, p + side * x);
        dae_system *sys = NULL;
        double *u = NULL;
        const dae_status status = first_start(&n.setting, s, &sys, &u);
        for (int i = 0; !status && i < dae_system_size(sys); i++) {
            const dae_class c = dae_system_class(sys, i);
            du0[i] += side * u[i] / (2 * x);
            if (c != DAE_MULTIPLIER && c != DAE_ALGEBRAIC && c != DAE_AUXILIARY)
                largest = fmax(largest, fabs(u[i] - s->start[i]));
        }
        dae_system_free(sys);
        free(u);
        free(n.parameters);
    }
    return largest;
}

/* du0[n] := the derivative of the start by parameter number i, of a mechanical problem, by the first method that has
 * derivatives; 0 where none has. */
static int start_derivative(const study *s, int i, double *du0)
{
    run_setting one = *s->setting;
    dae_system *sys = NULL;
    double *u = NULL;
    int found = 0;
    one.sensitivity[0] = s->setting->sensitivity[i];
    one.sensitivities = 1;
    if (first_start(&one, s, &sys, &u) || !dae_system_positions(sys) || !run_is_smooth(one.problem)) {
        dae_system_free(sys);
        free(u);
        return 0;
    }
    for (int m = 0; !found && dae_method_at(m); m++) {
        const dae_options options = run_options(&one, dae_method_at(m), run_level(&one, dae_method_at(m)));
        run_derivatives along = {.of = NULL};
        dae_solver *solver = NULL;
        found = !dae_solver_create(&solver, sys, dae_method_at(m), &options, NULL)
                && !derivatives_create(&along, &one, sys, solver) && !derivatives_start(&along, solver, s->t0, u)
                && !dae_sensitivity_at(along.of, du0, NULL, NULL);
        derivatives_free(&along);
        dae_solver_free(solver);
    }
    dae_system_free(sys);
    free(u);
    return found;
}

/* d/2, next to 2^power |p| */
static double half_step(double p, int power)
{
    int exponent = 0;
    frexp(p, &exponent);
    return ldexp(1, exponent - 1 + power);
}

static int is_exact(double p, double half)
{
    int exact = 1;
    for (int k = 0; k < STENCIL_POINTS; k++)
        exact = exact && (dae_quad)p + (dae_quad)places[k] * half == (dae_quad)(p + places[k] * half);
    return exact;
}

/* ---- sums of references ---- */

/* What is differentiated, and how many rows of it: the path, or where the motion through events ends. */
static const dae_reference *rows_of(const study *s, int *rows)
{
    const int smooth = run_is_smooth(s->setting->problem);
    *rows = smooth ? RUN_SAMPLES : 1;
    return smooth ? &s->path : &s->reference;
}

dae_reference stencil_zero(const dae_reference *x, int rows)
{
    const size_t q = (size_t)(rows * x->nq), nl = (size_t)(rows * x->nl);
    return (dae_reference){.nq = x->nq, .nl = x->nl, .source = x->source,
                           .q = allocate(q, sizeof(dae_quad)), .v = x->v ? allocate(q, sizeof(dae_quad)) : NULL,
                           .lambda = x->v ? allocate(nl + 1, sizeof(dae_quad)) : NULL};
}

static void add(dae_quad *to, const dae_quad *x, int count, dae_quad factor)
{
    for (int i = 0; to && i < count; i++)
        to[i] += factor * x[i];
}

void stencil_add(dae_reference *to, const dae_reference *x, int rows, dae_quad factor)
{
    add(to->q, x->q, rows * x->nq, factor);
    add(to->v, x->v, rows * x->nq, factor);
    add(to->lambda, x->lambda, rows * x->nl, factor);
}

/* largest[c] := the largest number of each class, where it is larger than what is there */
static void find_largest(const dae_system *sys, const dae_reference *r, int rows, double largest[DAE_CLASSES])
{
    for (int i = 0; i < rows * r->nq; i++) {
        const dae_class c = r->v ? DAE_POSITION : dae_system_class(sys, i % r->nq);
        largest[c] = fmax(largest[c], fabs((double)r->q[i]));
        if (r->v)
            largest[DAE_VELOCITY] = fmax(largest[DAE_VELOCITY], fabs((double)r->v[i]));
    }
    for (int i = 0; r->v && i < rows * r->nl; i++)
        largest[DAE_MULTIPLIER] = fmax(largest[DAE_MULTIPLIER], fabs((double)r->lambda[i]));
    largest[DAE_RECOVERED] = largest[DAE_MULTIPLIER];
}

/* ---- one parameter ---- */

static int same_events(const dae_event_reference *a, const dae_event_reference *b)
{
    int same = a->events == b->events && a->ended == b->ended;
    for (int k = 0; same && k < a->events; k++)
        same = a->event[k].number == b->event[k].number && a->event[k].to == b->event[k].to;
    return same;
}

/* How the neighbours of p begin: at starts of their own, with the start that the model states in quad, or along du0. */
typedef struct {
    double p, half;
    enum { ANEW, AS_STATED, ALONG } by;
    double *du0;                /* [n] */
    dae_quad *u0, *stated;      /* [n] of one neighbour; of p */
    int n;
} neighbours;

/* u[n] := the start that the model states; 0: it states none in quad, or memory is short */
static int stated_start(const study *s, int parameter, double p, int n, dae_quad *u)
{
    const dae_problem *problem = s->setting->problem;
    const int count = dae_parameter_count(problem), nq = problem->mechanical.nq;
    const int given = nq ? 2 * nq + problem->mechanical.nl : problem->first_order.n;
    dae_quad *all = dae_parameters_new(count, sizeof *all, NULL);
    const int known = all && problem->start.quad && given <= n;
    for (int i = 0; known && i < count; i++)
        all[i] = i == parameter ? p : run_parameter(s->setting, i);
    memset(u, 0, (size_t)n * sizeof *u);
    if (known)
        problem->start.quad(all, u);
    dae_parameters_free(all);
    return known;
}

/* How far du0 is from the differences, beside the largest of these, in what does not follow from others. */
static double apart(const dae_system *sys, int n, const double *du0, const double *difference)
{
    double largest = 0, most = 0;
    for (int i = 0; i < n; i++) {
        const dae_class c = dae_system_class(sys, i);
        if (c == DAE_MULTIPLIER || c == DAE_ALGEBRAIC || c == DAE_AUXILIARY)
            continue;
        largest = fmax(largest, fabs(difference[i]));
        most = fmax(most, fabs(du0[i] - difference[i]));
    }
    return most / largest;
}

/* du0[n] := differences of the stated start, as those of the start of runs are made */
static int stated_difference(const study *s, int parameter, const neighbours *b, double x, double *du0)
{
    dae_quad *u = b->u0;
    memset(du0, 0, (size_t)b->n * sizeof *du0);
    for (int side = -1; side <= 1; side += 2) {
        if (!stated_start(s, parameter, b->p + side * x, b->n, u))
            return 0;
        for (int i = 0; i < b->n; i++)
            du0[i] += (double)(side * (u[i] - b->stated[i]) / (2 * x));
    }
    return 1;
}

static void choose_neighbours(neighbours *b, const study *s, int number, const dae_system *sys)
{
    static const double ROUNDING = 1e-8, TRUNCATION = 1e-3;
    const int parameter = s->setting->sensitivity[number], n = dae_system_size(sys);
    const double size = derivatives_factor(s->setting, number), x = 4 * half_step(size, OF_DOUBLES);
    const int smooth = run_is_smooth(s->setting->problem);
    double *difference = allocate((size_t)n, sizeof *difference);
    *b = (neighbours){.p = run_parameter(s->setting, parameter), .half = half_step(size, OF_QUADS), .n = n};
    b->du0 = allocate((size_t)n, sizeof *b->du0);
    b->u0 = allocate((size_t)n, sizeof *b->u0);
    b->stated = allocate((size_t)n, sizeof *b->stated);
    const int moves = start_difference(s, parameter, b->p, x, difference) > 0;
    if (moves && smooth && stated_start(s, parameter, b->p, n, b->stated)
        && stated_difference(s, parameter, b, x, b->du0) && apart(sys, n, b->du0, difference) <= ROUNDING)
        b->by = AS_STATED;
    else if (moves && start_derivative(s, number, b->du0) && apart(sys, n, b->du0, difference) <= TRUNCATION)
        b->by = ALONG;
    else if (moves)
        b->half = half_step(size, OF_DOUBLES);
    free(difference);
}

static void free_neighbours(neighbours *b)
{
    free(b->du0);
    free(b->u0);
    free(b->stated);
}

/* b->u0 of a neighbour at p + place d/2; 0: it begins at a start of its own. */
static int start_at(const study *s, neighbours *b, int parameter, int place)
{
    const double away = place * b->half;
    if (b->by == ANEW || (b->by == AS_STATED && !stated_start(s, parameter, b->p + away, b->n, b->u0)))
        return 0;
    for (int i = 0; i < b->n; i++)
        b->u0[i] = s->start[i] + (b->by == AS_STATED ? b->u0[i] - b->stated[i] : (dae_quad)away * b->du0[i]);
    return 1;
}

/* at: the study at p + place d/2, with a reference; a failure with a report where there is none of the same motion. */
static dae_status begin_at(study *at, const run_setting *setting, const study *s, neighbours *b, int number, int place,
                           double limit, dae_report *report)
{
    dae_status status = start_at(s, b, s->setting->sensitivity[number], place)
                            ? study_begin_from(at, setting, b->u0, b->n, limit, report)
                            : study_begin(at, setting, REFERENCE_AT_END, limit, report);
    if (status)
        return status;
    if (!at->referenced)
        status = dae_fail(report, DAE_NO_CONVERGENCE, "%s", at->why_not);
    else if (!same_events(&s->events, &at->events))
        status = dae_fail(report, DAE_NO_CONVERGENCE, "the motion has other events");
    if (status)
        study_end(at);
    return status;
}

/* Rows of a neighbour to the sums, and where it began. */
static void take_point(stencil_sums *to, int number, int point, const stencil_point *n, const study *at)
{
    int rows;
    const dae_reference *path = rows_of(at, &rows);
    dae_quad *from = start_of(to, number, point);
    stencil_add(&to->along[number], path, rows, n->in);
    stencil_add(&to->wrong[number], path, rows, n->in_wrong);
    for (int i = 0; i < to->size; i++)
        from[i] = at->from ? at->from[i] : at->start[i];
}

/* to->along := |p| du/dp; to->wrong := what it differs by from that with d in the place of d/2. far: by neighbours for
 * errors. */
static dae_status differentiate(study *s, stencil_sums *to, int number, const dae_system *sys, int far, double limit,
                                dae_report *why)
{
    const run_parameter_name name = run_sensitivity_name(s->setting, number);
    neighbours b;
    dae_status status = DAE_OK;
    choose_neighbours(&b, s, number, sys);
    if (far)
        b.half = half_step(derivatives_factor(s->setting, number), OF_DOUBLES);
    to->half[number] = b.half;
    if (!is_exact(b.p, b.half))
        status = dae_fail(why, DAE_UNSUPPORTED, "%s = %.17g has no neighbours that are doubles", name.text, b.p);
    for (int k = 0; k < STENCIL_POINTS && status != DAE_UNSUPPORTED; k++) {
        const long open = runner_open(s->setting->runner);
        const stencil_point n = point_of(s, number, k, b.half);
        dae_report report = {0};
        study at;
        const dae_status found = begin_at(&at, &n.setting, s, &b, number, places[k], limit, &report);
        if (!found) {
            take_point(to, number, k, &n, &at);
            study_end(&at);
        } else if (!status || runner_open(s->setting->runner) != open) {
            status = dae_fail(why, found, "%s = %.17g: %s", name.text, b.p + places[k] * b.half, report.message);
        }
        free(n.parameters);
    }
    s->along_start[number] = b.by == ALONG;
    free_neighbours(&b);
    return status;
}

/* ---- all ---- */

static void free_sums(stencil_sums *x, int count)
{
    for (int i = 0; x->along && i < count; i++) {
        dae_reference_free(&x->along[i]);
        dae_reference_free(&x->wrong[i]);
    }
    free(x->along);
    free(x->wrong);
    free(x->from);
    *x = (stencil_sums){.along = NULL};
}

void stencil_end(study *s)
{
    stencil_sums near = {.along = s->along, .wrong = s->along_wrong};
    free_sums(&near, s->setting->sensitivities);
    free_sums(&s->errors, s->setting->sensitivities);
    s->along = s->along_wrong = NULL;
}

/* Sums of all parameters, to be freed in any case. */
static dae_status make_sums(study *s, stencil_sums *to, const dae_system *sys, int far, double limit, dae_report *why)
{
    const size_t count = (size_t)s->setting->sensitivities;
    int rows;
    const dae_reference *path = rows_of(s, &rows);
    dae_status status = DAE_OK;
    *to = (stencil_sums){.size = dae_system_size(sys)};
    to->along = allocate(count, sizeof *to->along);
    to->wrong = allocate(count, sizeof *to->wrong);
    to->from = allocate(count * STENCIL_POINTS * (size_t)to->size, sizeof *to->from);
    for (size_t i = 0; i < count; i++) {
        to->along[i] = stencil_zero(path, rows);
        to->wrong[i] = stencil_zero(path, rows);
        const dae_status one = differentiate(s, to, (int)i, sys, far, limit, why);
        status = status ? status : one;
    }
    return status;
}

/* s->along_error, and in how many digits the derivatives are known: against these and the unknowns. */
static void judge(study *s, const dae_system *sys)
{
    double size[DAE_CLASSES] = {0};
    int rows;
    const dae_reference *path = rows_of(s, &rows);
    find_largest(sys, path, rows, size);
    for (int i = 0; i < s->setting->sensitivities; i++) {
        find_largest(sys, &s->along[i], rows, size);
        find_largest(sys, &s->along_wrong[i], rows, s->along_error);
    }
    s->along_digits = s->reference.digits;
    for (int c = 0; c < DAE_CLASSES; c++)
        if (s->along_error[c] > 0)
            s->along_digits = fmin(s->along_digits, -log10(s->along_error[c] / size[c]));
}

dae_status stencil_begin(study *s, double limit, dae_report *report)
{
    const long open = runner_open(s->setting->runner);
    const int sampled = s->sampled && run_is_smooth(s->setting->problem);
    dae_system *sys = NULL;
    double *u = NULL;
    stencil_sums near = {.along = NULL};
    dae_report why = {0}, none = {0};
    dae_status status = first_start(s->setting, s, &sys, &u);
    if (!status)
        status = make_sums(s, &near, sys, 0, limit, &why);
    s->along = near.along;
    s->along_wrong = near.wrong;
    free(near.from);
    if (!status)
        judge(s, sys);
    if (!status && sampled && make_sums(s, &s->errors, sys, 1, limit, &none)) {
        free_sums(&s->errors, s->setting->sensitivities);       /* errors are those of doubles then */
        status = runner_open(s->setting->runner) == open ? DAE_OK : dae_fail(&why, none.status, "%s", none.message);
    }
    free(u);
    dae_system_free(sys);
    if (!status)
        return DAE_OK;
    stencil_end(s);
    snprintf(s->along_why, sizeof s->along_why, "%s", why.message);
    return runner_open(s->setting->runner) == open ? DAE_OK : dae_fail(report, status, "%s", why.message);
}
