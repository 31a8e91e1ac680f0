/* pencil_check.c - a pencil that is singular for every gamma: det(M - gamma dF/du) = 0
 *
 * A polynomial in gamma that is not 0 has n roots at most; gammas here are parts of the interval, a factor of
 * 1000 apart, and the rank is taken with complete pivoting (null_space.h). Where it is below n for all of them,
 * at the start and beside it, the same equations depend on each other.
 */
#include "subject.h"

#include "base/null_space.h"
#include "base/numbers.h"
#include "rank_watch.h"

#include <stdlib.h>

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

static void look(dae_subject *s, int n, double *u, double *J)
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

void dae_check_pencil(dae_subject *s, double *u)
{
    const int n = dae_system_size(s->sys);
    if (s->places.nq || n > MOST)
        return;
    double *J = calloc(4 * (size_t)n * ((size_t)n + 1), sizeof *J);
    if (J)
        look(s, n, u, J);
    else
        s->found.status = DAE_NO_MEMORY;
    free(J);
}
