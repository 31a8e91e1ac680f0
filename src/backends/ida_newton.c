/* ida_newton.c - when Newton's iteration ends where M has entries off its diagonal
 *
 * IDA accepts a correction d where ss |d| <= tolerance with ss = theta/(1 - theta), theta the
 * observed contraction, and takes the first one on trust: with the ss of earlier steps. One that
 * converged fast makes ss tiny, and the next, with a Newton matrix of another c_j, accepts whatever
 * its first correction is. In a combination of unknowns that has no derivative in M u' the rest
 * appears in the differences of the next predictions, and the error test sees nothing else: the
 * transistor amplifier took 120092 steps and 110727 failed tests at rtol 1e-8. (Unknowns without a
 * derivative could be kept out of the test, combinations of them can not.)
 *
 * Here the trust is 100 in every step, theta is of this step, the tolerance is 1e-4 of the error
 * test's and the matrix that of c_j: 6151 steps, 78 tests failed. (At rtol 3e-10 the amplifier
 * still takes 160507 steps, and 13080 at 1e-10, where IDA's own test made it 2725474.)
 */
#include "ida.h"

#include <ida/ida.h>
#include <math.h>
#include <sunnonlinsol/sunnonlinsol_newton.h>

static const double TRUST = 100;        /* ss before a contraction is known */
static const double SLOWEST = 0.9;      /* contraction, as in IDA */
static const double TOLERANCE = 1e-4;   /* of the error test's ... */
static const double ROUNDING = 1e-14;   /* ... but not below this part of the unknowns */
enum { MOST_ITERATIONS = 8 };

static int converged(SUNNonlinearSolver newton, N_Vector u, N_Vector correction, sunrealtype tolerance,
                     N_Vector weight, void *data)
{
    dae_ida *w = data;
    const double size = N_VWrmsNorm(correction, weight);
    int iteration = 0;
    double ss = TRUST;
    (void)u;
    SUNNonlinSolGetCurIter(newton, &iteration);
    if (iteration == 0) {
        w->first_correction = size;
    } else {
        const double theta = pow(size / w->first_correction, 1.0 / iteration);
        if (theta > SLOWEST)
            return SUN_NLS_CONV_RECVR;
        ss = theta / (1 - theta);
    }
    return ss * size <= tolerance ? SUN_SUCCESS : SUN_NLS_CONTINUE;
}

int dae_ida_newton(dae_ida *w, double rtol)
{
    const double tolerance = fmin(0.33, fmax(TOLERANCE, ROUNDING / rtol));
    w->newton = SUNNonlinSol_Newton(w->run.u, w->run.context);
    int flag = w->newton ? IDASetNonlinearSolver(w->run.memory, w->newton) : IDA_MEM_FAIL;
    if (!flag)
        flag = SUNNonlinSolSetConvTestFn(w->newton, converged, w);
    if (!flag)
        flag = IDASetMaxNonlinIters(w->run.memory, MOST_ITERATIONS);
    if (!flag)
        flag = IDASetNonlinConvCoef(w->run.memory, tolerance);
    if (!flag)
        flag = IDASetDeltaCjLSetup(w->run.memory, 0);
    return flag;
}
