/* control.c - how long the next step of a one-step method is
 *
 * The error of a step is e_n = phi_n h_n^k, of which e_n is known. What phi will be in the next step a linear
 * filter of the past tells (Soderlind (2003), ACM Trans. Math. Softw. 29, 1-26):
 *
 *   elementary   takes phi for constant: h_(n+1) = h_n sigma_n;
 *   PI           takes less of sigma_n and part of its change, sigma_n^0.7 sigma_(n-1)^-0.4: the gain of 0.3 does
 *                not swing where stability bounds h and not phi, and where phi falls from step to step, as that of
 *                a transient does, it keeps errors well below the tolerance, which later ones are added to
 *                (Gustafsson (1991), ACM Trans. Math. Softw. 17, 533-554);
 *   predictive   takes ln phi for linear in n: sigma_n^2 sigma_(n-1)^-1 h_n/h_(n-1)
 *                (Gustafsson (1994), ACM Trans. Math. Softw. 20, 496-517).
 *
 * Errors cost more than short steps do, so h grows by the first or second, and where phi rises, before a layer,
 * falls with the third: the smallest factor counts. A run at a loose tolerance is little but growth, from the
 * step of the first transient to that of the interval, and PI takes twice the steps for it that the elementary
 * controller does: there it is that one, where the order is high, steps are few and the index is at most 1. */
#include "control.h"

#include "base/no_fast_math.h"

#include <math.h>

const dae_controller dae_control_pi = {.now = 0.7, .before = -0.4, .tight = -3, .loose = -1, .safety = 0.9,
                                       .least = 0.2, .most = 10, .first = 20, .again = 5, .exact = -9.2};
const dae_controller dae_control_elementary = {.now = 1, .before = 0, .safety = 0.9,
                                               .least = 0.2, .most = 8, .first = 8, .again = 1, .exact = -4.6};
const dae_controller dae_control_extrapolation = {.now = 1, .before = 0, .safety = 0.93,
                                                  .least = 0.1, .most = 4, .first = 20, .again = 4, .exact = -9.2};

enum { HIGH = 4 };                      /* least k that is high */
static const double TINY = 1e-10;       /* an error below this tells no more than this */

void dae_control_start(dae_control *m, double rtol) { *m = (dae_control){.log_rtol = log10(rtol), .tried = 1}; }

void dae_control_forget(dae_control *m) { m->known = 0; }

static double ln_error(dae_control *m, double error)
{
    if (error != m->tried) {
        m->tried = error;
        m->ln_tried = log(error > TINY ? error : TINY);
    }
    return m->ln_tried;
}

/* 0 at tight tolerances, 1 at loose ones; 0 where the order is low */
static double eager(const dae_controller *c, const dae_control *m, double k)
{
    if (m->log_rtol <= c->tight || k < HIGH)
        return 0;
    return m->log_rtol >= c->loose ? 1 : (m->log_rtol - c->tight) / (c->loose - c->tight);
}

/* ln of the factor without its limits, from sigma := ln sigma_n and the logarithms of both safeties */
static double filtered(const dae_controller *c, const dae_control *m, double h, double k, double sigma, double caution)
{
    if (!m->known)
        return sigma + caution;
    const double w = eager(c, m, k), now = c->now + w * (1 - c->now), before = c->before * (1 - w);
    if (m->tries && k < HIGH)
        return now * sigma + caution;
    const double last = (m->error > c->exact ? m->error : c->exact) / m->k;     /* -ln sigma_(n-1) */
    const double x = now * sigma - before * last + caution, ahead = 2 * sigma + last;
    if (x < ahead && h >= m->h)
        return x;
    const double predicted = ahead + log(h / m->h);
    return x < predicted ? x : predicted;
}

double dae_control_factor(const dae_controller *c, dae_control *m, double h, double error, double k, double caution)
{
    const double sigma = -ln_error(m, error) / k;
    const double factor = c->safety * (error > 1 ? caution * exp(sigma)
                                       : exp(filtered(c, m, h, k, sigma, caution == 1 ? 0 : log(caution))));
    const double most = error > 1 ? 1 : m->tries ? c->again : m->steps ? c->most : c->first;
    return factor < c->least ? c->least : factor > most ? most : factor;
}

void dae_control_keep(dae_control *m, double h, double error, double k)
{
    m->error = ln_error(m, error);
    m->h = h;
    m->k = k;
    m->known = 1;
    m->tries = 0;
    m->steps++;
}

void dae_control_reject(dae_control *m) { m->tries++; }
