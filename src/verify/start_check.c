#include "subject.h"

#include "base/small_dense.h"
#include "base/numbers.h"
#include "daelab/study.h"
#include "driver/guards.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Do all equations have a value at u? The first that has none is told. */
static int has_values(dae_subject *s, const double *u, double *F)
{
    const int n = dae_system_size(s->sys);
    char name[32], unit[32];
    dae_system_rhs(s->sys, s->problem.t0, u, F);
    for (int i = 0; i < n; i++)
        if (!isfinite(F[i])) {
            dae_system_unknown(s->sys, i, name, unit, (int)sizeof name);
            dae_tell(&s->found, 1, 0, s->places.nq ? "force" : "rhs", s->places.nq ? 0 : i + 1, F[i], NAN,
                     "%s, t = %.9g: the equations have no value at the start: row %d (%s) is %g", s->name,
                     s->problem.t0, i + 1, name, F[i]);
            return 0;
        }
    return 1;
}

/* A part of the size of the motion that is far away. */
static const double far_away = 0.1;

static void tell_state(dae_subject *s, const dae_start_change *by, const double *given, const double *u)
{
    const int differs = by->position > 0 && dae_assembly_differs(s, given, u);
    if (by->relative > far_away || differs)
        dae_tell(&s->found, 1, 0, "start", 0, by->relative, 0, "%s: the start is not consistent, and the nearest that "
                 "is lies %s: positions move by %.3g, velocities by %.3g, %.2g of the size of the motion", s->name,
                 differs ? "in another assembly" : "far away", by->position, by->velocity, by->relative);
    else if (by->position > 0 || by->velocity > 0)
        dae_tell(&s->found, 0, 0, "start", 0, by->relative, 0, "%s: the start is made consistent: positions move by "
                 "%.3g, velocities by %.3g", s->name, by->position, by->velocity);
}

/* The unknown that moves most beside its size. */
static int moved_most(const dae_subject *s, const double *given, const double *u)
{
    double most = 0;
    int which = 0;
    for (int i = 0; i < dae_system_size(s->sys); i++) {
        const double size = fmax(fabs(given[i]), fabs(u[i])), part = size > 0 ? fabs(u[i] - given[i]) / size : 0;
        if (part > most) {
            most = part;
            which = i;
        }
    }
    return which;
}

static void tell_unknowns(dae_subject *s, const dae_start_change *by, const double *given, const double *u)
{
    char name[32], unit[32];
    const int i = moved_most(s, given, u), far = by->relative > far_away;
    dae_system_unknown(s->sys, i, name, unit, (int)sizeof name);
    if (by->changed)
        dae_tell(&s->found, far, 0, "start", i + 1, given[i], u[i], "%s: the start is not consistent, and the nearest "
                 "that is %s: %s is %.6g %s where %.6g is given", s->name, far ? "lies far away" : "is taken", name,
                 u[i], unit, given[i]);
    if (by->open)
        dae_tell(&s->found, 0, 0, "start", 0, NAN, NAN, "%s: derivatives of the constraints were not solved for the "
                 "start, where they may not hold", s->name);
}

/* The first algebraic unknown in which a solution said to be exact is not u, where the others are those of u. */
static int other_branch(const dae_subject *s, const double *u, const double *exact)
{
    const double part = 1e-6;
    int other = -1;
    for (int i = s->places.n - 1; i >= 0; i--) {
        const int same = fabs(u[i] - exact[i]) <= part * fmax(fabs(u[i]), fabs(exact[i]));
        if (!same && !dae_system_is_algebraic(s->sys, i))
            return -1;                                  /* from another start */
        other = same ? other : i;
    }
    return other;
}

static void check_exact(dae_subject *s, const double *u, double *exact)
{
    char name[32], unit[32];
    if (s->places.nq || !s->problem.first_order.exact.f)
        return;
    s->problem.first_order.exact.f(s->p, s->problem.t0, exact);
    const int i = other_branch(s, u, exact);
    if (i < 0)
        return;
    dae_system_unknown(s->sys, i, name, unit, (int)sizeof name);
    dae_tell(&s->found, 1, 0, "exact", i + 1, exact[i], u[i], "%s, t = %.9g: exact, row %d ([%d] in C): %s is %.9g, "
             "and in the consistent start %.9g: it is on another branch of the algebraic equations", s->name,
             s->problem.t0, i + 1, i, name, exact[i], u[i]);
}

/* u := consistent; of another mode it is another state that a run enters. given[n]: work */
static void check_consistency(dae_subject *s, double *u, double *given)
{
    dae_start_change by = {0};
    dae_report why = {0};
    memcpy(given, u, (size_t)dae_system_size(s->sys) * sizeof *u);
    const dae_status status = dae_consistent_start(s->sys, s->problem.t0, u, &by, &why);
    if (status == DAE_NO_MEMORY)
        s->found.status = status;
    if (s->mode > 0 || status == DAE_NO_MEMORY)
        return;
    if (status) {
        dae_tell(&s->found, 1, 0, "start", 0, NAN, NAN, "%s", why.message);
        return;
    }
    (s->places.nq ? tell_state : tell_unknowns)(s, &by, given, u);
    check_exact(s, u, given);
}

/* A solver that chooses its steps asks for the index of each unknown. */
static void check_index(dae_subject *s)
{
    dae_solver *solver = NULL;
    dae_report why = {0};
    if (!s->places.nq
        && dae_solver_create(&solver, s->sys, dae_other_judge(), NULL, &why) == DAE_BAD_ARGUMENT)
        dae_tell(&s->found, 1, 0, "index", 0, NAN, s->problem.first_order.index, "%s", why.message);
    dae_solver_free(solver);
}

/* ---- the pencil ---------------------------------------------------------------------------
 *
 * Is it singular for every gamma, det(M - gamma dF/du) = 0? A polynomial in gamma that is not 0 has n roots at most;
 * gammas here are parts of the interval, a factor of 1000 apart, and the rank is taken with complete pivoting
 * (small_dense.h). Where it is below n for all of them, at the start and beside it, the same equations depend on each
 * other. */

enum { MOST = 200, GAMMAS = 5 };

/* A[n x n] := M - gamma J, row-major; J is column-major */
static void set_pencil(const dae_system *sys, int n, double gamma, const double *J, double *e, double *A)
{
    double *column = e + n;
    for (int j = 0; j < n; j++) {
        e[j] = 1;
        dae_system_mass(sys, e, column);
        e[j] = 0;
        for (int i = 0; i < n; i++)
            A[i * n + j] = column[i] - gamma * J[j * n + i];
    }
}

/* The row of z that says how the equations at u depend on each other, for every gamma; NULL: for some they do
 * not, or there are no derivatives. */
static const double *dependence(const dae_subject *s, int n, double *u, double *J)
{
    double *A = J + n * n, *z = A + n * n, *F_t = z + n * n, *e = F_t + n, *work = e + 2 * n;
    double gamma = s->span;
    if (dae_system_jacobian(s->sys, DAE_JACOBIAN_DUAL, s->problem.t0, u, J, F_t, NULL))
        return NULL;
    if (!dae_vector_finite(n * n, J))
        return NULL;
    for (int k = 0; k < GAMMAS; k++, gamma *= 1e-3) {
        set_pencil(s->sys, n, gamma, J, e, A);
        if (!dae_null_space(n, A, z, work))
            return NULL;
    }
    return z;
}

static void look_at_pencil(dae_subject *s, int n, double *u, double *J)
{
    const double beside = 1e-3;
    const double *z = dependence(s, n, u, J);
    uint64_t random = 19740717;
    const dae_state_mass *carried = s->sys->carried;
    char rows[100];
    int row;
    for (int i = 0; i < n; i++)                         /* w = P u' behind u has no size but its own */
        u[i] += beside * ((i < s->m ? s->size[i] : 0) + fabs(u[i])) * dae_random_direction(&random);
    z = z ? dependence(s, n, u, J) : NULL;
    if (!z)
        return;
    dae_rank_name_rows(s->problem.first_order.n, z, carried ? carried->place : NULL, rows, sizeof rows, &row);
    dae_tell(&s->found, 1, 0, "index", row, NAN, s->problem.first_order.index, "%s, t = %.9g: the equations do "
             "not determine the unknowns: M - gamma dF/du is singular for every gamma, rows %s depend on each other",
             s->name, s->problem.t0, rows);
}

/* Up to 200 unknowns; u[system], the start made consistent, is moved. */
static void check_pencil(dae_subject *s, double *u)
{
    const int n = dae_system_size(s->sys);
    if (s->places.nq || n > MOST)
        return;
    double *J = calloc(4 * (size_t)n * ((size_t)n + 1), sizeof *J);
    if (J)
        look_at_pencil(s, n, u, J);
    else
        s->found.status = DAE_NO_MEMORY;
    free(J);
}

/* ---- all of it ---------------------------------------------------------------------------- */

void dae_check_start(dae_subject *s)
{
    const size_t n = (size_t)dae_system_size(s->sys);
    double *u = calloc(2 * n + 1, sizeof *u);
    if (!u)
        s->found.status = DAE_NO_MEMORY;
    if (u && dae_system_start(s->sys, u, NULL) == DAE_OK && has_values(s, u, u + n)) {
        check_index(s);
        check_consistency(s, u, u + n);
        if (dae_subject_goes_on(s))
            check_pencil(s, u);
    }
    free(u);
}
