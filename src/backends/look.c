/* look.c - steps of ARKODE's explicit method are looked at between their ends, as those of the library's own are
 *
 * ARKODE keeps what passes its own test. A step that this look refuses is undone: the run begins anew where it began,
 * with a shorter one. The polynomial is Hermite's of order 4, whose defect is of the order of the estimate.
 */
#include "look.h"

#include "ode.h"

static const double REJECTED = 2;       /* an estimate seems so much larger in a step that ARKODE has tried before */

int dae_look_create(dae_look *look, const dae_integration *r)
{
    look->e = N_VClone(r->u);
    look->w = N_VClone(r->u);
    look->f = N_VClone(r->u);
    return look->e && look->w && look->f;
}

void dae_look_free(dae_look *look)
{
    N_Vector vectors[] = {look->e, look->w, look->f};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        if (vectors[i])
            N_VDestroy(vectors[i]);
}

/* w := weights of the larger state of both ends */
static int weigh(dae_solver *s, const dae_look *look)
{
    const dae_integration *r = s->stepper;
    const double *end = NV_DATA_S(look->f);
    double *w = NV_DATA_S(look->w);
    if (ARKodeGetErrWeights(r->memory, look->w) || dae_ode_weights(r->u, look->f, s))
        return 0;
    for (int i = 0; i < r->length; i++)
        w[i] = fmin(w[i], end[i]);
    return 1;
}

/* |d(x)| in tolerances; negative: f is not defined there */
static double defect(dae_solver *s, const dae_look *look, double x)
{
    const dae_integration *r = s->stepper;
    const double h = r->counts.last, t = r->counts.now - (1 - x) * h;
    if (r->code->dense(r->memory, t, 0, r->dense) || r->code->dense(r->memory, t, 1, look->e)
        || dae_ode_slope(t, r->dense, look->f, s))
        return -1;
    N_VLinearSum(h, look->e, -h, look->f, look->e);
    return N_VWrmsNorm(look->e, look->w);
}

int dae_look_refuses(dae_solver *s, dae_look *look, double k)
{
    const dae_integration *r = s->stepper;
    const double h = r->counts.last;
    if (ARKodeGetEstLocalErrors(r->memory, look->e) || !weigh(s, look))
        return 0;
    const double rough = N_VWrmsNorm(look->e, look->w);
    const double more = r->counts.error_fails > look->fails ? REJECTED : 1;
    int refused = 0;
    if (look->refused || dae_is_doubtful(&look->kept, more * rough, h, k, s->options.rtol))
        for (int i = 0; !refused && i < DAE_DEFECTS; i++) {
            const double size = defect(s, look, dae_defect_at[i]);
            refused = !(size >= 0 && size <= DAE_USUAL_DEFECT);
        }
    look->refused = refused;
    look->fails = r->counts.error_fails;
    if (!refused)
        look->kept = (dae_doubt){rough, h};
    return refused;
}
