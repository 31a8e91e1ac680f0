/* pencil_check.c - a pencil that is singular for every gamma: det(M - gamma dF/du) = 0
 *
 * A polynomial in gamma that is not 0 has n roots at most; gammas here are parts of the interval, a factor of
 * 1000 apart, and the rank is taken with complete pivoting (null_space.h). Where it is below n for all of them,
 * at the start and beside it, the same equations depend on each other.
 */
#include "pencil_check.h"

#include "base/no_fast_math.h"
#include "base/null_space.h"
#include "base/numbers.h"
#include "daelab/study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* "2, 5": the problem's equations in a combination z[n] of rows of the system that is zero, as many as there
 * is room for; the last of them */
static int name_rows(const dae_system *sys, const double *z, char *text, size_t length)
{
    const dae_state_mass *carried = sys->carried;
    const int equations = sys->problem->first_order.n;
    int last = 0;
    size_t used = 0;
    text[0] = 0;
    for (int i = 0; i < equations; i++)
        if (z[carried ? carried->place[i] : i] != 0) {
            last = i + 1;
            if (used + 8 < length)
                used += (size_t)snprintf(text + used, length - used, "%s%d", used ? ", " : "", last);
        }
    return last;
}

/* The row of z that says how the equations at u depend on each other, for every gamma; NULL: for some they do
 * not, or there are no derivatives. */
static const double *dependence(const dae_subject *s, int n, double *u, double *J)
{
    double *F_t = u + n, *e = F_t + n, *A = J + n * n, *z = A + n * n, *work = z + n * n;
    double gamma = s->span;
    if (dae_system_jacobian(s->sys, DAE_JACOBIAN_DUAL, s->problem.t0, u, J, F_t, NULL))
        return NULL;
    for (int i = 0; i < n * n; i++)
        if (!isfinite(J[i]))
            return NULL;
    for (int k = 0; k < GAMMAS; k++, gamma *= 1e-3) {
        set_pencil(s->sys, n, gamma, J, e, A);
        if (!dae_null_space(n, A, z, work))
            return NULL;
    }
    return z;
}

static void look(dae_subject *s, int n, double *u, double *J)
{
    const double beside = 1e-3;
    const double *z = dependence(s, n, u, J);
    uint64_t random = 19740717;
    char rows[100];
    for (int i = 0; i < n; i++)                         /* w = P u' behind u has no size but its own */
        u[i] += beside * ((i < s->m ? s->size[i] : 0) + fabs(u[i])) * dae_random_direction(&random);
    z = z ? dependence(s, n, u, J) : NULL;
    if (!z)
        return;
    const int row = name_rows(s->sys, z, rows, sizeof rows);
    dae_subject_tell(s, 1, "index", row, NAN, s->problem.first_order.index, "%s, t = %.9g: the equations do "
                     "not determine the unknowns: M - gamma dF/du is singular for every gamma, rows %s depend "
                     "on each other", s->name, s->problem.t0, rows);
}

dae_status dae_check_pencil(dae_subject *s, dae_report *report)
{
    const int n = s->sys ? dae_system_size(s->sys) : 0;
    if (s->places.nq || n > MOST || !n)
        return DAE_OK;
    const size_t square = (size_t)n * (size_t)n;
    double *u = calloc(4 * (size_t)n, sizeof *u), *J = calloc(4 * square + (size_t)n, sizeof *J);
    if (!u || !J) {
        free(u);
        free(J);
        return dae_fail(report, DAE_NO_MEMORY, "no memory for a pencil of %d unknowns", n);
    }
    if (dae_system_start(s->sys, u, NULL) == DAE_OK) {
        (void)dae_consistent_start(s->sys, s->problem.t0, u, NULL, NULL);
        look(s, n, u, J);
    }
    free(u);
    free(J);
    return DAE_OK;
}
