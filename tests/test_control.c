/* test_control.c - the step-size controller on errors of its own making: e_n = phi_n h_n^k */
#include "support.h"

#include "stepper/control.h"

static const dae_controller *const controllers[] = {&dae_control_pi, &dae_control_elementary};
enum { CONTROLLERS = sizeof controllers / sizeof *controllers };

typedef struct { double t, h, error; int steps, rejected; double ratios; } history;

/* phi as a function of time */
typedef double density(double t, void *noise);

/* From t = 0 with this step to t = 1; ratios: the sum of |ln h_(n+1)/h_n| of steps kept. */
static history follow(const dae_controller *c, density *phi, double k, double h)
{
    uint64_t noise = 1;
    dae_control m;
    history y = {.h = h};
    dae_control_start(&m, 1e-6);
    while (y.t < 1 && y.steps + y.rejected < 100000) {
        y.error = phi(y.t, &noise) * pow(y.h, k);
        const double factor = dae_control_factor(c, &m, y.h, y.error, k, 1);
        if (y.error <= 1) {
            dae_control_keep(&m, y.h, y.error, k);
            y.t += y.h;
            y.steps++;
            y.ratios += fabs(log(factor));
        } else {
            dae_control_reject(&m);
            y.rejected++;
            assert_true(factor < 1);
        }
        y.h *= factor;
    }
    return y;
}

static double constant(double t, void *noise) { (void)noise; return 1e9; }

/* Where phi is constant the error settles where the factor is 1: sigma^(now + before) = 1/safety, or by the
 * elementary filter; the first step of any size is soon forgotten. */
TEST(test_settles)
{
    for (int c = 0; c < CONTROLLERS; c++)
        for (double k = 2; k <= 9; k++)
            for (double first = 1e-12; first < 2; first *= 1e3) {
                const dae_controller *x = controllers[c];
                const history y = follow(x, constant, k, first);
                const double settled = pow(x->safety, k / (x->now + x->before));
                assert_close(log(y.error / settled), 0, 0.02 * k);
                const double wanted = pow(1e9 / settled, 1 / k);
                const double growth = fabs(log(first * wanted)) / log(1 / x->least > x->most ? x->most : 1 / x->least);
                if (y.steps + y.rejected > 1.02 * wanted + growth + 40)
                    fail_msg("%d steps and %d rejected tries from %g, where %.0f are needed", y.steps, y.rejected,
                             first, wanted);
            }
}

/* Steps of a fourth of what is left of the time: phi rises in each by the same factor. */
static double layer(double t, void *noise)
{
    return pow(4 / (1 - t + 1e-9), 4);
}

/* Few steps are tried in vain; a controller that takes phi for constant loses one of two. */
TEST(test_layer)
{
    for (int c = 0; c < CONTROLLERS; c++) {
        const history y = follow(controllers[c], layer, 4, 1e-3);
        if (y.steps < 50 || y.rejected > 5)
            fail_msg("%d of %d steps rejected before a layer", y.rejected, y.steps + y.rejected);
    }
}

static double noisy(double t, void *noise)
{
    uint64_t *n = noise;
    *n = *n * 6364136223846793005u + 1442695040888963407u;
    return 1e12 * exp(2 * ((double)(*n >> 11) * 0x1p-53 - 0.5));
}

/* Noise in the estimate, of high order: PI passes less of it on to the steps than the elementary controller. */
TEST(test_noise)
{
    for (double k = 4; k <= 6; k++) {
        const history pi = follow(&dae_control_pi, noisy, k, 1e-4),
                      plain = follow(&dae_control_elementary, noisy, k, 1e-4);
        assert_true(pi.steps > 20 && plain.steps > 20);
        assert_true(pi.rejected * 20 <= pi.steps);
        if (!(pi.ratios / pi.steps < plain.ratios / plain.steps))
            fail_msg("k = %g: steps change by %g with PI, by %g without", k, pi.ratios / pi.steps,
                     plain.ratios / plain.steps);
    }
}

/* Limits; what is not known is not used; errors that are 0, huge or no number make a step, too. */
TEST(test_limits)
{
    for (int c = 0; c < CONTROLLERS; c++) {
        const dae_controller *x = controllers[c];
        dae_control m;
        dae_control_start(&m, 1e-6);
        assert_close(dae_control_factor(x, &m, 1, 0, 2, 1), x->first, 0);
        dae_control_keep(&m, 1, 0, 2);
        assert_close(dae_control_factor(x, &m, 1, 0, 2, 1), x->most, 0);
        dae_control_reject(&m);
        assert_close(dae_control_factor(x, &m, 1, 0, 2, 1), x->again, 0);
        assert_close(dae_control_factor(x, &m, 1, 1e300, 2, 1), x->least, 0);
        assert_close(dae_control_factor(x, &m, 1, 2, 2, 1), x->safety * sqrt(0.5), 1e-15);
        assert_close(dae_control_factor(x, &m, 1, 2, 2, 0.5), 0.5 * x->safety * sqrt(0.5), 1e-15);
        assert_true(isfinite(dae_control_factor(x, &m, 1, NAN, 2, 1)));
        dae_control_forget(&m);
        assert_close(dae_control_factor(x, &m, 1, 0.5, 2, 1), fmin(x->again, x->safety * sqrt(2)), 1e-15);
    }
}

/* No time has a unit: in other ones the same factors. */
TEST(test_units)
{
    for (int c = 0; c < CONTROLLERS; c++) {
        dae_control m[2];
        double factor[2];
        for (int i = 0; i < 2; i++) {
            const double unit = i ? 1e-20 : 1;
            dae_control_start(&m[i], 1e-6);
            dae_control_keep(&m[i], 0.3 * unit, 0.2, 4);
            factor[i] = dae_control_factor(controllers[c], &m[i], 0.2 * unit, 0.9, 4, 1);
        }
        assert_close(factor[1] / factor[0], 1, 1e-13);
    }
}
