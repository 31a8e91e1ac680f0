/* excros_columns.c - the columns of an extrapolation of CROS, and their combinations */
#include "excros.h"
#include "base/parts.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMNS = DAE_EXCROS_COLUMNS };
enum { ROWS = COLUMNS * (COLUMNS + 3) / 2 };            /* CROS steps with n_j = 2 .. 11 */

/* Is lambda solved for from the acceleration level, and does the expansion begin at n = 1? */
dae_excros_plan dae_excros_choose(const dae_system *sys)
{
    const int mechanical = sys->compose->kind == DAE_FORM_MECHANICAL;
    const int recovers =
        mechanical && sys->n > 2 * sys->nq && (sys->compose->eliminates || sys->index == 2);
    return (dae_excros_plan){.n0 = sys->index == 0 || recovers ? 1 : 2, .recovers = recovers,
                             .raw = !recovers && sys->index == 2};
}

static void set_weights(dae_excros_table *c)
{
    for (int k = 0; k < COLUMNS; k++) {
        c->work[k] = (k ? c->work[k - 1] : 0) + c->plan.n0 + k;
        for (int p = 1; p <= 2; p++) {
            double *w = c->weight[p - 1][k], *d = c->difference[p - 1][k];
            dae_excros_weights(p, c->plan.n0, k + 1, w);
            if (k)
                dae_excros_weights(p, c->plan.n0 + 1, k, d + 1);
            for (int j = 0; j <= k; j++)
                d[j] = w[j] - d[j];
        }
    }
}

dae_status dae_excros_table_create(dae_solver *s, dae_excros_table *c)
{
    const size_t n = (size_t)s->n;
    c->plan = dae_excros_choose(s->sys);
    set_weights(c);
    const dae_status status = dae_linearised_create(s, &c->stage);
    if (status)
        return status;
    if (!DAE_PARTS(c,
                   DAE_PART(dae_excros_table, F0, n), DAE_PART(dae_excros_table, F0_t, n),
                   DAE_PART(dae_excros_table, F, n), DAE_PART(dae_excros_table, F_t, n),
                   DAE_PART(dae_excros_table, re, n), DAE_PART(dae_excros_table, im, n),
                   DAE_PART(dae_excros_table, raw, n), DAE_PART(dae_excros_table, changes, (size_t)ROWS * n),
                   DAE_PART(dae_excros_table, slopes, (COLUMNS + 2) * n))
        || !dae_jacobian_make_room(c->stage.jac))
        return dae_fail(&s->report, DAE_NO_MEMORY, "no memory for excros with %d unknowns", s->n);
    return DAE_OK;
}

void dae_excros_table_free(dae_excros_table *c)
{
    dae_linearised_free(&c->stage);
    free(c->F0);
}

void dae_excros_begin(dae_solver *s, dae_excros_table *c)
{
    dae_jacobian *jac = c->stage.jac;
    if (c->evaluated)
        return;
    dae_linearise(jac, s->t, s->u, c->F0, c->F0_t);
    dae_jacobian_put_aside(jac);                        /* J0 */
    c->evaluated = 1;
}

/* Changes, not states, are added and combined: their rounding is smaller. */
dae_status dae_excros_column(dae_solver *s, dae_excros_table *c, int j, double H)
{
    dae_jacobian *jac = c->stage.jac;
    const int n = s->n, nj = c->plan.n0 + j;
    const double h = H / nj;
    double *y = s->u_new, *d = dae_excros_total(c, n, j) - (nj - 1) * n;
    dae_jacobian_take_back(jac);
    dae_status status =
        dae_stage_solve(s, &c->stage, h, 0.5, 0.5, c->F0, c->F0_t, c->re, c->im);
    for (int i = 0; i < n; i++)
        d[i] = h * c->re[i];
    for (int m = 1; !status && m < nj; m++, d += n) {
        const double t = s->t + m * h;
        dae_excros_add(n, 1, d, s->u, y);
        if (c->plan.recovers)
            status = dae_excros_recover(s, t, y, d, c->im);
        if (status)
            break;
        dae_linearise(jac, t, y, c->F, c->F_t);
        memcpy(c->slopes + m * n, c->F, (size_t)n * sizeof *c->F);
        status = dae_stage_solve(s, &c->stage, h, 0.5, 0.5, c->F, c->F_t, c->re, c->im);
        dae_excros_add(n, h, c->re, d, d + n);
    }
    return status;
}

void dae_excros_combine_of(const dae_solver *s, const dae_excros_table *c, int k, dae_excros_rows w[2],
                           const double *const *totals, double *restrict x)
{
    const int n = s->n;
    for (int i = 0; i < n; i++)
        x[i] = w[1][k][0] * totals[0][i];
    for (int j = 1; j <= k; j++)
        for (int i = 0; i < n; i++)
            x[i] += w[1][k][j] * totals[j][i];
    if (!c->plan.raw)
        return;
    double *raw = c->raw;
    memset(raw, 0, (size_t)n * sizeof *raw);
    for (int j = 0; j <= k; j++)
        for (int i = 0; i < n; i++)
            raw[i] += w[0][k][j] * totals[j][i];
    dae_system_take_kernel(s->sys, raw, x);
}

void dae_excros_combine(const dae_solver *s, const dae_excros_table *c, int k, dae_excros_rows w[2],
                        double *restrict x)
{
    const double *totals[COLUMNS];
    for (int j = 0; j <= k; j++)
        totals[j] = dae_excros_total(c, s->n, j);
    dae_excros_combine_of(s, c, k, w, totals, x);
}
