/* inside.c - features of F inside a step: a pulse that does not show at its ends, a jump in time
 *
 * The error estimates of cros and cros4 see F at few points of a step from (t, u) to (t + h, u+). Where they allow a
 * far longer next step (dae_step_leaps), F is evaluated inside, too:
 *
 *     c Re (M - a h J)^-1 h (F(t + x h, u + x (u+ - u)) - (1 - x) F(t, u) - x F(t + h, u+)),
 *                                                                              x = 1/8 .. 7/8
 *
 * with c = 1/Re(1/a), is what F less the straight line between its ends would have made of u: a pulse between the ends
 * is found.
 *
 * Where F jumps in time, so do algebraic unknowns, and the error of a step across the jump does not fall with h. Such a
 * step is accepted once it is SHORT, if the jump explains more than half of its error.
 */
#include "complex_stage.h"

#include <math.h>
#include <string.h>

enum { PARTS = 8 };
static const double SHORT = 1e-12;      /* of the time: a step that places a jump */

dae_status dae_look_inside(dae_solver *s, dae_pencil *pencil, double h, double c, const double *F,
                           const double *F_end, double *re, double *im)
{
    if (!dae_step_leaps(s, h))
        return DAE_OK;
    for (int k = 1; k < PARTS && s->error <= 1; k++) {
        const double x = (double)k / PARTS;
        for (int i = 0; i < s->n; i++)
            im[i] = s->u[i] + x * (s->u_new[i] - s->u[i]);
        dae_system_rhs(s->sys, s->t + x * h, im, re);
        s->count.rhs++;
        dae_status status = dae_solver_check_finite(s, re, "F", s->t + x * h);
        if (status)
            return status;
        for (int i = 0; i < s->n; i++)
            re[i] = c * h * (re[i] - (1 - x) * F[i] - x * F_end[i]);
        memset(im, 0, (size_t)s->n * sizeof *im);
        status = dae_implicit_solve(s, pencil, h, re, im);
        if (status)
            return status;
        s->error = fmax(s->error, dae_error_norm(s, re, h));
    }
    return DAE_OK;
}

dae_status dae_pass_jump(dae_solver *s, dae_pencil *pencil, double h, double c, const double *F,
                         double *re, double *im)
{
    if (s->error <= 1 || h > SHORT * fmax(fabs(s->t), s->t_end - s->t_begin))
        return DAE_OK;
    dae_system_rhs(s->sys, s->t_new, s->u, re);
    s->count.rhs++;
    for (int i = 0; i < s->n; i++)
        re[i] = c * h * (re[i] - F[i]);
    memset(im, 0, (size_t)s->n * sizeof *im);
    const dae_status status = dae_implicit_solve(s, pencil, h, re, im);
    if (status)
        return status;
    if (dae_vector_finite(s->n, re) && dae_error_norm(s, re, h) > s->error / 2)
        s->error = 1;
    return DAE_OK;
}
