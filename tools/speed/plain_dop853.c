/* plain_dop853.c - the 8(5,3) pair of Dormand and Prince, each sum of stages written out
 *
 * Coefficients, estimate, choice of the step and of the first one: Hairer, Norsett, Wanner (1993),
 * Solving Ordinary Differential Equations I, II.4 and II.10; safety 0.9, 0.333 <= h_new/h <= 6, no
 * growth after a rejection, no memory of the last error.
 *
 * Compiled without vectors: to load two numbers of a stage that were just stored one by one waits for both. For
 * many unknowns plain_dop853_wide.c compiles it with them.
 */
#include "plain_dop853.h"

#include <math.h>
#include <string.h>

typedef struct {
    int n;
    plain_rhs *f;
    double t, h, rtol, atol;
    double y[PLAIN_MOST], y_new[PLAIN_MOST], Y[PLAIN_MOST];
    double k[12][PLAIN_MOST];           /* k[0] = f(t, y) */
    plain_counts count;
} plain;

static void evaluate(plain *s, double t, const double *y, double *dy)
{
    s->count.rhs++;
    s->f(t, y, dy);
}

/* Y := y + h sum_j a_j k_j */
#define STAGE(sum)                                                                                \
    do {                                                                                          \
        for (int i = 0; i < n; i++)                                                               \
            Y[i] = y[i] + h * (sum);                                                              \
    } while (0)
#define K(j) (k[j][i])

/* k_1 .. k_11, and y_new */
static void stages(plain *s)
{
    const int n = s->n;
    const double t = s->t, h = s->h, *restrict y = s->y;
    double (*restrict k)[PLAIN_MOST] = s->k, *restrict Y = s->Y;
    STAGE(0.052600151958767731879 * K(0));
    evaluate(s, t + 0.052600151958767731879 * h, Y, k[1]);
    STAGE(0.019725056984537899454 * K(0) + 0.059175170953613698363 * K(1));
    evaluate(s, t + 0.078900227938151597818 * h, Y, k[2]);
    STAGE(0.029587585476806849182 * K(0) + 0.088762756430420547545 * K(2));
    evaluate(s, t + 0.11835034190722739673 * h, Y, k[3]);
    STAGE(0.2413651341592666855 * K(0) - 0.88454947932828608534 * K(2) + 0.92483400326179200312 * K(3));
    evaluate(s, t + 0.2816496580927726033 * h, Y, k[4]);
    STAGE(0.037037037037037037037 * K(0) + 0.17082860872947387128 * K(3) + 0.12546768756682242502 * K(4));
    evaluate(s, t + h / 3, Y, k[5]);
    STAGE(0.037109375 * K(0) + 0.17025221101954403931 * K(3) + 0.060216538980455960685 * K(4)
          - 0.017578125 * K(5));
    evaluate(s, t + 0.25 * h, Y, k[6]);
    STAGE(0.037092000118504792711 * K(0) + 0.17038392571223999381 * K(3) + 0.10726203044637328465 * K(4)
          - 0.015319437748624401753 * K(5) + 0.0082737891638140228876 * K(6));
    evaluate(s, t + 4. / 13 * h, Y, k[7]);
    STAGE(0.62411095871607571711 * K(0) - 3.3608926294469412941 * K(3) - 0.86821934684172600682 * K(4)
          + 27.592099699446708305 * K(5) + 20.154067550477893409 * K(6) - 43.489884181069958848 * K(7));
    evaluate(s, t + 127. / 195 * h, Y, k[8]);
    STAGE(0.47766253643826436589 * K(0) - 2.4881146199716676419 * K(3) - 0.59029082683684299637 * K(4)
          + 21.230051448181194235 * K(5) + 15.279233632882423583 * K(6) - 33.288210968984862919 * K(7)
          - 0.020331201708508626136 * K(8));
    evaluate(s, t + 0.6 * h, Y, k[9]);
    STAGE(-0.93714243008598732572 * K(0) + 5.1863724288440637083 * K(3) + 1.0914373489967295782 * K(4)
          - 8.1497870107469261251 * K(5) - 18.520065659996959864 * K(6) + 22.739487099350504282 * K(7)
          + 2.4936055526796523899 * K(8) - 3.0467644718982195004 * K(9));
    evaluate(s, t + 6. / 7 * h, Y, k[10]);
    STAGE(2.2733101475165382079 * K(0) - 10.534495466737250198 * K(3) - 2.0008720582248624991 * K(4)
          - 17.958931863118798917 * K(5) + 27.948884529419960051 * K(6) - 2.8589982771350236947 * K(7)
          - 8.8728569335306295443 * K(8) + 12.360567175794303065 * K(9) + 0.64339274601576353036 * K(10));
    evaluate(s, t + h, Y, k[11]);
    Y = s->y_new;
    STAGE(0.054293734116568762238 * K(0) + 4.4503128927524088814 * K(5) + 1.891517899314500383 * K(6)
          - 5.8012039600105847815 * K(7) + 0.31116436695781989441 * K(8) - 0.15216094966251607856 * K(9)
          + 0.20136540080403034837 * K(10) + 0.044710615727772590518 * K(11));
}

/* h e_5^2/sqrt(e_5^2 + 0.01 e_3^2) in the weighted root mean square */
static double estimate(const plain *s)
{
    const double (*k)[PLAIN_MOST] = s->k;
    double fine = 0, coarse = 0;
    for (int i = 0; i < s->n; i++) {
        const double weight = 1 / (s->atol + s->rtol * fmax(fabs(s->y[i]), fabs(s->y_new[i])));
        const double e5 = 0.013120044994194880733 * K(0) - 1.2251564463762044407 * K(5)
                          - 0.49575894965725019152 * K(6) + 1.664377182454986537 * K(7)
                          - 0.35032884874997368169 * K(8) + 0.33417911871301747903 * K(9)
                          + 0.081923206485115712466 * K(10) - 0.022355307863886295259 * K(11);
        const double e3 = -0.18980075407240761571 * K(0) + 4.4503128927524088814 * K(5)
                          + 1.891517899314500383 * K(6) - 5.8012039600105847815 * K(7)
                          - 0.42268232132379196293 * K(8) - 0.15216094966251607856 * K(9)
                          + 0.20136540080403034837 * K(10) + 0.022651792198360825812 * K(11);
        fine += weight * e5 * weight * e5;
        coarse += weight * e3 * weight * e3;
    }
    return fine > 0 ? fabs(s->h) * fine / sqrt((fine + 0.01 * coarse) * s->n) : 0;
}

/* From |y|, |y'| and |y''| in units of the tolerance (II.4). */
static double first_step(plain *s)
{
    double square_y = 0, square_f = 0, square_d = 0;
    for (int i = 0; i < s->n; i++) {
        const double weight = 1 / (s->atol + s->rtol * fabs(s->y[i]));
        square_y += weight * s->y[i] * weight * s->y[i];
        square_f += weight * s->k[0][i] * weight * s->k[0][i];
    }
    const double h = square_f <= 1e-10 || square_y <= 1e-10 ? 1e-6 : 0.01 * sqrt(square_y / square_f);
    for (int i = 0; i < s->n; i++)
        s->Y[i] = s->y[i] + h * s->k[0][i];
    evaluate(s, s->t + h, s->Y, s->k[1]);
    for (int i = 0; i < s->n; i++) {
        const double weight = 1 / (s->atol + s->rtol * fabs(s->y[i]));
        const double d = weight * (s->k[1][i] - s->k[0][i]) / h;
        square_d += d * d;
    }
    const double most = fmax(sqrt(square_d), sqrt(square_f));
    return fmin(100 * h, most <= 1e-15 ? fmax(1e-6, 1e-3 * h) : pow(0.01 / most, 1.0 / 8));
}

#ifndef PLAIN_NAME
#define PLAIN_NAME plain_dop853
#endif

int PLAIN_NAME(int n, plain_rhs *f, double t, double t_end, double *y, double rtol, double atol,
                 plain_counts *count)
{
    plain s = {.n = n, .f = f, .t = t, .rtol = rtol, .atol = atol};
    const size_t bytes = (size_t)n * sizeof *y;
    int rejected = 0;
    memcpy(s.y, y, bytes);
    evaluate(&s, t, s.y, s.k[0]);
    s.h = fmin(first_step(&s), t_end - t);
    while (s.t < t_end) {
        const int last = s.t + 1.01 * s.h >= t_end;
        if (last)
            s.h = t_end - s.t;
        if (0.1 * s.h <= s.t * 2.3e-16)
            return 0;
        stages(&s);
        const double error = estimate(&s), factor = pow(error, 1.0 / 8) / 0.9;
        const double h_new = s.h / fmax(1.0 / 6, fmin(1 / 0.333, factor));
        if (!(error <= 1)) {
            s.h = error > 1 ? s.h / fmin(1 / 0.333, factor) : s.h / 4;
            s.count.rejected++;
            rejected = 1;
            continue;
        }
        s.count.steps++;
        s.t = last ? t_end : s.t + s.h;
        memcpy(s.y, s.y_new, bytes);
        evaluate(&s, s.t, s.y, s.k[0]);
        s.h = rejected ? fmin(h_new, s.h) : h_new;
        rejected = 0;
    }
    memcpy(y, s.y, bytes);
    *count = s.count;
    return 1;
}
