/* idas.c - du/dp by radau with dae_sensitivity beside SUNDIALS IDAS with forward sensitivities, time at equal error
 *
 *     0 = M u' - F(t, u, p),    0 = M s' + M_p u' - F_u s - F_p
 *
 * Both have the same functions of the model: IDAS the residual from dae_system_rhs, that of s, by exact derivatives,
 * from dae_system_rhs_along, the Newton matrix c M - dF/du from dae_matrices, dense or by KLU. Its sensitivities are
 * corrected with the state (simultaneous) or behind it (staggered), in the error test or not: four ways. As in
 * daelab's ida, rtol = atol, and algebraic unknowns are left out of the error test. Both get the consistent start and
 * du/dp there.
 *
 * An error is that of |p| s of all parameters at the end, over differential unknowns, in the Euclidean norm beside its
 * size; the reference is radau at a tolerance near rounding. Each way is a curve of time against error over tolerances,
 * of smallest times in rounds that all of them share, through the points that no other beats in both.
 */
#include "speed/rounds.h"
#include "speed/yardsticks.h"

#include "host/allocate.h"

#include <daelab/description.h>
#include <daelab/matrices.h>
#include <daelab/sensitivity.h>
#include <daelab/study.h>

#include <idas/idas.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sundials/sundials_config.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

#if SUNDIALS_VERSION_MAJOR < 7
#define NO_COMMUNICATOR NULL
#define KEEP_QUIET(w) IDASetErrFile((w)->memory, NULL)
#else
#define NO_COMMUNICATOR SUN_COMM_NULL
#define KEEP_QUIET(w) SUNContext_ClearErrHandlers((w)->context)
#endif

/* ---- cases ---- */

enum { DIRECTIONS = 2 };

typedef struct {
    const char *problem, *form, *by[DIRECTIONS];
    double copies;              /* the first parameter, where it is a number of links; 0: as it is */
    int sparse;
} idas_case;

static const idas_case cases[] = {
    {"pendulum", "index1", {"g0", "L"}, 0, 0},
    {"akzo_nobel", "native", {"k1", "Ks"}, 0, 0},
    {"slider_crank", "index1", {"m1", "m2"}, 0, 0},
    {"chain", "index1", {"g", "L"}, 100, 1},
};
enum { CASES = sizeof cases / sizeof *cases };

/* ---- a case as both see it ---- */

typedef struct {
    const idas_case *c;
    dae_system *sys;
    int n;
    double t0, t_end;
    double *from, *u0, *slope, *s0, *s_slope;   /* [n], s [DIRECTIONS x n]: the start as given, made consistent */
    double *dp[DIRECTIONS], size[DIRECTIONS];   /* [parameters]; |p| */
    double *mass;               /* [n] the diagonal of M */
    int mass_moves;             /* M depends on p */
    dae_directions directions;
    int which[DIRECTIONS];
    double *reference;          /* [DIRECTIONS x n] |p| s at the end */
} scene;

/* |p| s over differential unknowns, beside the reference */
static double error_of(const scene *x, const double *s)
{
    double square = 0, size = 0;
    for (int c = 0; c < DIRECTIONS; c++)
        for (int i = 0; i < x->n; i++) {
            const double exact = x->reference[c * x->n + i], e = x->size[c] * s[c * x->n + i] - exact;
            square += x->mass[i] != 0 ? e * e : 0;
            size += x->mass[i] != 0 ? exact * exact : 0;
        }
    return sqrt(square / size);
}

/* ---- radau ---- */

typedef struct {
    const scene *x;
    double rtol, error;
    dae_solver *solver;
    dae_sensitivity *along;
    double *u, *s;
} radau_run;

static int radau_open(radau_run *r, const scene *x, double rtol)
{
    dae_options options = dae_default_options();
    dae_report why = {0};
    options.rtol = options.atol = rtol;
    *r = (radau_run){.x = x, .rtol = rtol};
    r->u = allocate((size_t)x->n, sizeof *r->u);
    r->s = allocate((size_t)(DIRECTIONS * x->n), sizeof *r->s);
    if (!dae_solver_create(&r->solver, x->sys, dae_find_method("radau"), &options, &why)
        && !dae_sensitivity_create(&r->along, r->solver, &x->directions, &why))
        return 1;
    fprintf(stderr, "%s: %s\n", x->c->problem, why.message);
    return 0;
}

static void radau_close(radau_run *r)
{
    dae_sensitivity_free(r->along);
    dae_solver_free(r->solver);
    free(r->u);
    free(r->s);
}

static int radau_run_once(void *data)
{
    radau_run *r = data;
    const scene *x = r->x;
    return !dae_solver_start(r->solver, x->t0, x->u0) && !dae_sensitivity_start(r->along, x->from, NULL)
           && !dae_solver_advance(r->solver, x->t_end, r->u) && !dae_sensitivity_at(r->along, r->s, NULL, NULL);
}

/* ---- IDAS ---- */

typedef struct { const char *name; int corrector, tested; } idas_way;
static const idas_way ways[] = {
    {"simultaneous", IDA_SIMULTANEOUS, 1}, {"simultaneous, s not tested", IDA_SIMULTANEOUS, 0},
    {"staggered", IDA_STAGGERED, 1}, {"staggered, s not tested", IDA_STAGGERED, 0},
};
enum { WAYS = sizeof ways / sizeof *ways };

typedef struct {
    const scene *x;
    const idas_way *way;
    double rtol, error;
    dae_solver *solver;         /* of the Jacobian alone */
    dae_matrices *matrices;
    double *work;               /* [n] */
    int entries;                /* of the sparse matrix */
    SUNContext context;
    void *memory;
    N_Vector u, du, id, *s, *ds;
    SUNMatrix A;
    SUNLinearSolver linear;
    double *end;                /* [DIRECTIONS x n] s there */
} idas_run;

/* 1, try a smaller step, where a number is not finite */
static int judged(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += 0 * x[i];
    return sum != 0;
}

static int residual(double t, N_Vector u, N_Vector du, N_Vector r, void *data)
{
    idas_run *w = data;
    double *out = N_VGetArrayPointer(r);
    const double *slope = N_VGetArrayPointer(du), *mass = w->x->mass;
    dae_system_rhs(w->x->sys, t, N_VGetArrayPointer(u), out);
    for (int i = 0; i < w->x->n; i++)
        out[i] = mass[i] * slope[i] - out[i];
    return judged(out, w->x->n);
}

static int residual_along(int count, double t, N_Vector u, N_Vector du, N_Vector r, N_Vector *s, N_Vector *ds,
                          N_Vector *rs, void *data, N_Vector a, N_Vector b, N_Vector c)
{
    idas_run *w = data;
    const scene *x = w->x;
    (void)r, (void)a, (void)b, (void)c;
    for (int k = 0; k < count; k++) {
        const dae_tangent along = {.u = N_VGetArrayPointer(s[k]), .p = x->dp[k]};
        const dae_tangent slope = {.u = N_VGetArrayPointer(ds[k]), .p = x->dp[k]};
        double *out = N_VGetArrayPointer(rs[k]);
        if (dae_system_rhs_along(x->sys, t, N_VGetArrayPointer(u), &along, out, NULL))
            return -1;
        if (x->mass_moves && dae_system_mass_along(x->sys, N_VGetArrayPointer(du), &slope, w->work, NULL))
            return -1;
        for (int i = 0; i < x->n; i++)
            out[i] = (x->mass_moves ? w->work[i] : x->mass[i] * slope.u[i]) - out[i];
        if (judged(out, x->n))
            return 1;
    }
    return 0;
}

static int newton_matrix(double t, double c, N_Vector u, N_Vector du, N_Vector r, SUNMatrix A, void *data, N_Vector a,
                         N_Vector b, N_Vector e)
{
    idas_run *w = data;
    (void)du, (void)r, (void)a, (void)b, (void)e;
    if (dae_matrices_evaluate(w->matrices, t, N_VGetArrayPointer(u), NULL, NULL))
        return 1;
    const dae_matrix_view v = dae_matrices_view(w->matrices);
    if (!w->x->c->sparse) {
        for (int j = 0; j < v.n; j++)
            for (int k = v.column[j]; k < v.column[j + 1]; k++)
                SM_COLUMN_D(A, j)[v.row[k]] = c * v.M[k] - v.J[k];
        return 0;
    }
    if (v.entries != w->entries)
        return -1;                                      /* the pattern has grown: not here */
    for (int k = 0; k < v.entries; k++) {
        SM_DATA_S(A)[k] = c * v.M[k] - v.J[k];
        SM_INDEXVALS_S(A)[k] = v.row[k];
    }
    for (int j = 0; j <= v.n; j++)
        SM_INDEXPTRS_S(A)[j] = v.column[j];
    return 0;
}

/* ---- the Jacobian needs a solver: a method that takes no step ---- */

static dae_status own_create(dae_solver *s)
{
    dae_matrices **m = allocate(1, sizeof *m);
    s->stepper = m;
    return dae_matrices_create(m, s);
}

static dae_status own_step(dae_solver *s, double h, double t_stop)
{
    return dae_fail(&s->report, DAE_UNSUPPORTED, "no steps are here: h = %g to %g", h, t_stop);
}

static void own_destroy(dae_solver *s)
{
    dae_matrices **m = s->stepper;
    if (m)
        dae_matrices_free(*m);
    free(m);
}

static const dae_method matrices_only = {
    .info = {.name = "matrices", .title = "M and J, without steps", .stages = 1, .adaptive = 1, .implicit = 1},
    .own_control = 1, .create = own_create, .step = own_step, .destroy = own_destroy,
};

/* ---- creation ---- */

static int make_matrix(idas_run *w)
{
    const int n = w->x->n;
    if (!w->x->c->sparse) {
        w->A = SUNDenseMatrix(n, n, w->context);
        w->linear = SUNLinSol_Dense(w->u, w->A, w->context);
        return w->A && w->linear;
    }
    if (dae_matrices_evaluate(w->matrices, w->x->t0, w->x->u0, NULL, NULL))
        return 0;
    w->entries = dae_matrices_view(w->matrices).entries;
    w->A = SUNSparseMatrix(n, n, w->entries, CSC_MAT, w->context);
    w->linear = SUNLinSol_KLU(w->u, w->A, w->context);
    return w->A && w->linear;
}

static void begin(const idas_run *w)
{
    const scene *x = w->x;
    const size_t size = (size_t)x->n * sizeof *x->u0;
    memcpy(N_VGetArrayPointer(w->u), x->u0, size);
    memcpy(N_VGetArrayPointer(w->du), x->slope, size);
    for (int c = 0; c < DIRECTIONS; c++) {
        memcpy(N_VGetArrayPointer(w->s[c]), x->s0 + c * x->n, size);
        memcpy(N_VGetArrayPointer(w->ds[c]), x->s_slope + c * x->n, size);
    }
}

static int set_sensitivities(idas_run *w)
{
    double atol[DIRECTIONS];
    for (int c = 0; c < DIRECTIONS; c++)
        atol[c] = w->rtol / w->x->size[c];
    return IDASensInit(w->memory, DIRECTIONS, w->way->corrector, residual_along, w->s, w->ds) == 0
           && IDASensSStolerances(w->memory, w->rtol, atol) == 0
           && IDASetSensErrCon(w->memory, w->way->tested) == 0;
}

static int set_up(idas_run *w)
{
    return KEEP_QUIET(w) == 0 && IDAInit(w->memory, residual, w->x->t0, w->u, w->du) == 0
           && IDASetUserData(w->memory, w) == 0
           && IDASStolerances(w->memory, w->rtol, w->rtol) == 0 && make_matrix(w)
           && IDASetLinearSolver(w->memory, w->linear, w->A) == 0 && IDASetJacFn(w->memory, newton_matrix) == 0
           && IDASetId(w->memory, w->id) == 0 && IDASetSuppressAlg(w->memory, 1) == 0
           && IDASetMaxNumSteps(w->memory, -1) == 0 && set_sensitivities(w);
}

static int idas_open(idas_run *w, const scene *x, const idas_way *way, double rtol)
{
    const dae_options options = dae_default_options();
    dae_report why = {0};
    *w = (idas_run){.x = x, .way = way, .rtol = rtol};
    w->work = allocate((size_t)x->n, sizeof *w->work);
    w->end = allocate((size_t)(DIRECTIONS * x->n), sizeof *w->end);
    if (dae_solver_create(&w->solver, x->sys, &matrices_only, &options, &why)) {
        fprintf(stderr, "%s: %s\n", x->c->problem, why.message);
        return 0;
    }
    w->matrices = *(dae_matrices **)w->solver->stepper;
    if (SUNContext_Create(NO_COMMUNICATOR, &w->context))
        return 0;
    w->u = N_VNew_Serial(x->n, w->context);
    w->du = N_VNew_Serial(x->n, w->context);
    w->id = N_VNew_Serial(x->n, w->context);
    w->s = N_VCloneVectorArray(DIRECTIONS, w->u);
    w->ds = N_VCloneVectorArray(DIRECTIONS, w->u);
    w->memory = IDACreate(w->context);
    for (int i = 0; i < x->n; i++)
        N_VGetArrayPointer(w->id)[i] = x->mass[i] != 0;
    begin(w);
    if (set_up(w))
        return 1;
    fprintf(stderr, "%s: IDAS cannot be created\n", x->c->problem);
    return 0;
}

static void idas_close(idas_run *w)
{
    if (w->memory)
        IDAFree(&w->memory);
    if (w->linear)
        SUNLinSolFree(w->linear);
    if (w->A)
        SUNMatDestroy(w->A);
    if (w->u) {
        N_VDestroyVectorArray(w->s, DIRECTIONS);
        N_VDestroyVectorArray(w->ds, DIRECTIONS);
        N_VDestroy(w->u);
        N_VDestroy(w->du);
        N_VDestroy(w->id);
    }
    if (w->context)
        SUNContext_Free(&w->context);
    dae_solver_free(w->solver);
    free(w->work);
    free(w->end);
}

static int idas_run_once(void *data)
{
    idas_run *w = data;
    const scene *x = w->x;
    double t;
    begin(w);
    if (IDAReInit(w->memory, x->t0, w->u, w->du) || IDASensReInit(w->memory, w->way->corrector, w->s, w->ds)
        || IDASetStopTime(w->memory, x->t_end) || IDASolve(w->memory, x->t_end, &t, w->u, w->du, IDA_NORMAL) < 0
        || IDAGetSens(w->memory, &t, w->s))
        return 0;
    for (int c = 0; c < DIRECTIONS; c++)
        memcpy(w->end + c * x->n, N_VGetArrayPointer(w->s[c]), (size_t)x->n * sizeof *w->end);
    return 1;
}

/* ---- a scene ---- */

/* The mass has to be diagonal and constant. */
static int take_mass(scene *x)
{
    double *one = allocate(3 * (size_t)x->n, sizeof *one), *other = one + x->n, *out = other + x->n;
    int good = 1;
    for (int i = 0; i < x->n; i++) {
        one[i] = 1;
        other[i] = sin(i + 1);
    }
    dae_system_mass(x->sys, one, x->mass);
    dae_system_mass(x->sys, other, out);
    for (int i = 0; i < x->n; i++)
        good = good && fabs(out[i] - x->mass[i] * other[i]) <= 1e-14 * fabs(x->mass[i]);
    for (int c = 0; good && c < DIRECTIONS; c++) {
        const dae_tangent along = {.p = x->dp[c]};
        good = !dae_system_mass_along(x->sys, one, &along, out, NULL);
        for (int i = 0; i < x->n; i++)
            x->mass_moves |= out[i] != 0;
    }
    free(one);
    if (!good)
        fprintf(stderr, "%s: its mass is not diagonal\n", x->c->problem);
    return good;
}

static void take_slope(const scene *x, double *slope, const double *F)
{
    for (int i = 0; i < x->n; i++)
        slope[i] = x->mass[i] != 0 ? F[i] / x->mass[i] : 0;
}

/* s at the start from the library, s' from the equations */
static int take_start(scene *x)
{
    double *F = allocate(2 * (size_t)x->n, sizeof *F), *moved = F + x->n;
    radau_run r;
    dae_system_rhs(x->sys, x->t0, x->u0, F);
    take_slope(x, x->slope, F);
    int good = radau_open(&r, x, 1e-6) && !dae_solver_start(r.solver, x->t0, x->u0)
               && !dae_sensitivity_start(r.along, x->from, NULL) && !dae_sensitivity_at(r.along, x->s0, NULL, NULL);
    for (int c = 0; good && c < DIRECTIONS; c++) {
        const dae_tangent along = {.u = x->s0 + c * x->n, .p = x->dp[c]}, mass = {.p = x->dp[c]};
        good = !dae_system_rhs_along(x->sys, x->t0, x->u0, &along, F, NULL)
               && !dae_system_mass_along(x->sys, x->slope, &mass, moved, NULL);
        for (int i = 0; i < x->n; i++)
            F[i] -= moved[i];
        take_slope(x, x->s_slope + c * x->n, F);
    }
    radau_close(&r);
    free(F);
    return good;
}

static double *copied_parameters(const dae_problem *problem, const idas_case *c, int count)
{
    double *p = allocate((size_t)count, sizeof *p);
    for (int i = 0; i < count; i++)
        p[i] = i == 0 && c->copies > 0 ? c->copies : dae_parameter_default(problem, i);
    return p;
}

static int take_directions(scene *x, const dae_problem *problem, const double *p, int count)
{
    for (int c = 0; c < DIRECTIONS; c++) {
        x->which[c] = dae_parameter_index(problem, x->c->by[c]);
        if (x->which[c] < 0)
            return 0;
        x->dp[c] = allocate((size_t)count, sizeof *x->dp[c]);
        x->dp[c][x->which[c]] = 1;
        x->size[c] = fabs(p[x->which[c]]);
    }
    x->directions = (dae_directions){.parameters = x->which, .parameter_count = DIRECTIONS};
    return 1;
}

static int take_reference(scene *x)
{
    static const double NEAR_ROUNDING = 1e-13;
    radau_run r;
    const int good = radau_open(&r, x, NEAR_ROUNDING) && radau_run_once(&r);
    for (int c = 0; good && c < DIRECTIONS; c++)
        for (int i = 0; i < x->n; i++)
            x->reference[c * x->n + i] = x->size[c] * r.s[c * x->n + i];
    radau_close(&r);
    return good;
}

static int scene_open(scene *x, const idas_case *c)
{
    const dae_problem *problem = speed_problem(c->problem);
    const int count = problem ? dae_parameter_count(problem) : 0;
    dae_report why = {0};
    *x = (scene){.c = c};
    if (!problem)
        return 0;
    double *p = copied_parameters(problem, c, count);
    int good = take_directions(x, problem, p, count)
               && !dae_system_create(&x->sys, problem, dae_find_formulation(c->form), p, NULL, &why);
    free(p);
    if (!good) {
        fprintf(stderr, "%s: %s\n", c->problem, why.message);
        return 0;
    }
    x->n = dae_system_size(x->sys);
    x->t0 = problem->t0;
    x->t_end = problem->t_end;
    const size_t n = (size_t)x->n;
    x->from = allocate((4 + 3 * DIRECTIONS) * n, sizeof *x->from);
    x->u0 = x->from + n;
    x->slope = x->u0 + n;
    x->mass = x->slope + n;
    x->s0 = x->mass + n;
    x->s_slope = x->s0 + DIRECTIONS * n;
    x->reference = x->s_slope + DIRECTIONS * n;
    good = !dae_system_start(x->sys, x->from, &why) && memcpy(x->u0, x->from, n * sizeof *x->u0)
           && !dae_consistent_start(x->sys, x->t0, x->u0, NULL, &why);
    if (!good)
        fprintf(stderr, "%s: %s\n", c->problem, why.message);
    return good && take_mass(x) && take_start(x) && take_reference(x);
}

static void scene_close(scene *x)
{
    for (int c = 0; c < DIRECTIONS; c++)
        free(x->dp[c]);
    free(x->from);
    dae_system_free(x->sys);
}

/* ---- time at equal error ---- */

enum { POINTS = 19, SIDES = 1 + WAYS, DEFAULT_ROUNDS = 7, MAX_ROUNDS = 1000 };
static const double LOOSEST = 1e-1;

typedef struct {
    scene x;
    radau_run radau[POINTS];
    idas_run idas[WAYS][POINTS];
    int failed[SIDES * POINTS];
    double error[SIDES * POINTS];
    speed_time times[SIDES * POINTS];
} comparison;

static void *subject_of(comparison *k, int side, int i)
{
    return side ? (void *)&k->idas[side - 1][i] : (void *)&k->radau[i];
}

static int (*run_of(int side))(void *) { return side ? idas_run_once : radau_run_once; }

/* Runs that fail are left out, and told. */
static int open_all(comparison *k)
{
    for (int i = 0; i < POINTS; i++) {
        const double rtol = LOOSEST * pow(10, -i / 2.0);
        if (!radau_open(&k->radau[i], &k->x, rtol))
            return 0;
        for (int w = 0; w < WAYS; w++)
            if (!idas_open(&k->idas[w][i], &k->x, &ways[w], rtol))
                return 0;
        for (int side = 0; side < SIDES; side++) {
            const int at = side * POINTS + i;
            k->failed[at] = !run_of(side)(subject_of(k, side, i));
            k->error[at] = error_of(&k->x, side ? k->idas[side - 1][i].end : k->radau[i].s);
        }
    }
    return 1;
}

/* Rounds of all that went through. */
static int time_all(comparison *k, int rounds)
{
    speed_subject subjects[SIDES * POINTS];
    speed_time times[SIDES * POINTS];
    int place[SIDES * POINTS], count = 0;
    for (int at = 0; at < SIDES * POINTS; at++)
        if (!k->failed[at]) {
            const int side = at / POINTS;
            place[count] = at;
            subjects[count++] = (speed_subject){side ? ways[side - 1].name : "radau",
                                                subject_of(k, side, at % POINTS), run_of(side)};
        }
    const int good = speed_rounds(count, subjects, rounds, times);
    for (int i = 0; good && i < count; i++)
        k->times[place[i]] = times[i];
    return good;
}

static int by_time(const void *a, const void *b)
{
    const double x = ((const speed_point *)a)->time, y = ((const speed_point *)b)->time;
    return (x > y) - (x < y);
}

/* Where even the fastest point is better, its time. */
static double time_for(const comparison *k, int side, double error)
{
    speed_point points[POINTS];
    int count = 0;
    for (int i = 0; i < POINTS; i++)
        if (!k->failed[side * POINTS + i])
            points[count++] = (speed_point){k->error[side * POINTS + i], k->times[side * POINTS + i].smallest};
    qsort(points, (size_t)count, sizeof *points, by_time);
    return count && points[0].error <= error ? points[0].time : speed_time_at(points, count, error);
}

static void show(const comparison *k)
{
    printf("  %-8s  %10s", "error", "radau");
    for (int w = 0; w < WAYS; w++)
        printf("  %26s", ways[w].name);
    printf("  %s\n", "best of IDAS/radau");
    for (int digits = 2; digits <= 9; digits++) {
        const double error = pow(10, -digits), mine = time_for(k, 0, error);
        double best = INFINITY;
        printf("  %-8.0e  %7.1f us", error, 1e6 * mine);
        for (int w = 0; w < WAYS; w++) {
            const double t = time_for(k, 1 + w, error);
            printf("  %23.1f us", 1e6 * t);
            best = fmin(best, t);
        }
        printf("  %18.2f\n", best / mine);
    }
    for (int side = 0; side < SIDES; side++) {
        printf("  %s: tolerance, error, time\n", side ? ways[side - 1].name : "radau");
        for (int i = 0; i < POINTS; i += 4) {
            const int at = side * POINTS + i;
            printf("    %.0e  %.1e  %.1f us%s\n", k->radau[i].rtol, k->error[at], 1e6 * k->times[at].smallest,
                   k->failed[at] ? "  failed" : "");
        }
    }
}

static void close_all(comparison *k)
{
    for (int i = 0; i < POINTS; i++) {
        radau_close(&k->radau[i]);
        for (int w = 0; w < WAYS; w++)
            idas_close(&k->idas[w][i]);
    }
    scene_close(&k->x);
}

/* The best error of each way; a way that nowhere comes near radau is told, and is no failure unless all are such. */
static int agree(const comparison *k)
{
    static const double AGREEMENT = 1e-5;
    int agreeing = 0;
    for (int w = 0; w < WAYS; w++) {
        double apart = INFINITY;
        for (int at = (w + 1) * POINTS; at < (w + 2) * POINTS; at++)
            apart = k->failed[at] ? apart : fmin(apart, k->error[at]);
        agreeing += apart <= AGREEMENT;
        if (!(apart <= AGREEMENT))
            printf("  IDAS, %s: its s is wrong by %.1e at least\n", ways[w].name, apart);
    }
    if (!agreeing)
        fprintf(stderr, "%s: no way of IDAS comes near radau\n", k->x.c->problem);
    return agreeing > 0;
}

static int measure(const idas_case *c, int rounds)
{
    comparison *k = allocate(1, sizeof *k);
    printf("%s, %s, by %s and %s\n", c->problem, c->form, c->by[0], c->by[1]);
    const int good = scene_open(&k->x, c) && open_all(k) && agree(k) && time_all(k, rounds);
    if (good)
        show(k);
    close_all(k);
    free(k);
    return good;
}

static int usage(FILE *out, int code)
{
    fprintf(out, "usage: daelab-bench-idas [PROBLEM] [ROUNDS]\n\n"
            "Times du/dp by radau beside SUNDIALS IDAS, at equal error. PROBLEM, or all:");
    for (int i = 0; i < CASES; i++)
        fprintf(out, " %s", cases[i].problem);
    fprintf(out, "\nROUNDS: %d if not given. Exit 1 where a run fails or results do not agree, 2 for a mistake on the "
            "command line.\n", DEFAULT_ROUNDS);
    return code;
}

int main(int argc, char **argv)
{
    int first = 0, end = CASES, next = 1, good = 1;
    for (int i = 0; argc > 1 && i < CASES; i++)
        if (strcmp(argv[1], cases[i].problem) == 0) {
            first = i;
            end = i + 1;
            next = 2;
        }
    const int rounds = argc > next ? atoi(argv[next]) : DEFAULT_ROUNDS;
    if (argc > next + 1 || rounds < 1 || rounds > MAX_ROUNDS)
        return usage(stderr, 2);
    const dae_sundials_build build = dae_sundials_describe();
    printf("SUNDIALS %s, %s\n", build.version, build.optimised > 0 ? "optimised" : build.optimised
           ? "NOT optimised: the ratios of one that is (scripts/sundials) are smaller" : "not known whether optimised");
    for (int i = first; i < end; i++) {
        good &= measure(&cases[i], rounds);
        fflush(stdout);
    }
    return fflush(stdout) || ferror(stdout) || !good;
}
