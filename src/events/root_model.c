/* root_model.c - how many zeros a function has between two samples, as far as a cubic tells */
#include "root_model.h"

#include <math.h>
#include <string.h>

enum { CUTS = 6, NEVER = -100 };
static const double RESOLVED = 8;       /* values over the errors of their models */

static int largest(const int x[2])
{
    return x[0] > x[1] ? x[0] : x[1];
}

double dae_root_model_value(const dae_root_model *m, double s)
{
    const double rise = m->g_r - m->g_l;
    const double bend = (1 - s) * (m->Y_l - rise) - s * (m->Y_r - rise);
    return m->g_l + s * rise + s * (1 - s) * bend;
}

/* de Casteljau: the coefficients from 0 to 1/2, and in b those from 1/2 to 1 */
static void halve(double b[5], double low[5])
{
    for (int k = 0; k < 5; k++) {
        low[k] = b[0];
        for (int j = 0; j < 4 - k; j++)
            b[j] = (b[j] + b[j + 1]) / 2;
    }
}

/* most[1], most[0]: the most changes of sign so far that end with +, with -. After: with those of
 * b_1 to b_4, between low and high; where they are several, of b cut in halves. */
static void changes(const double low[5], const double high[5], int cuts, int most[2])
{
    int now[2] = {most[0], most[1]};
    for (int k = 1; k < 5; k++) {
        const int plus = now[0] + 1 > now[1] ? now[0] + 1 : now[1];
        const int minus = now[1] + 1 > now[0] ? now[1] + 1 : now[0];
        if (low[k] == 0 && high[k] == 0)
            continue;
        now[1] = high[k] > 0 ? plus : NEVER;
        now[0] = low[k] < 0 ? minus : NEVER;
    }
    if (largest(now) > largest(most) + 1 && cuts) {
        double first[2][5], second[2][5];
        memcpy(second[0], low, sizeof second[0]);
        memcpy(second[1], high, sizeof second[1]);
        halve(second[0], first[0]);
        halve(second[1], first[1]);
        changes(first[0], first[1], cuts - 1, most);
        changes(second[0], second[1], cuts - 1, most);
        return;
    }
    most[0] = now[0];
    most[1] = now[1];
}

static void bernstein(const dae_root_model *m, double b[5])
{
    b[0] = m->g_l;
    b[1] = m->g_l + m->Y_l / 4;
    b[2] = (m->g_l + m->g_r) / 2 + (m->Y_l - m->Y_r) / 6;
    b[3] = m->g_r - m->Y_r / 4;
    b[4] = m->g_r;
}

/* Zeros of g behind a sign, at most; 2 for more. Coefficients within noise have no sign. */
static int zeros(const dae_root_model *m, int lead)
{
    const double off = 8. / 3 * m->E + (m->noise_Y_l + m->noise_Y_r) / 6;
    const double noise[5] = {m->noise_l, m->noise_l + m->noise_Y_l / 4,
                             (m->noise_l + m->noise_r) / 2 + (m->noise_Y_l + m->noise_Y_r) / 4,
                             m->noise_r + m->noise_Y_r / 4, m->noise_r};
    double b[2][5];
    int most[2] = {lead > 0 ? NEVER : 0, lead < 0 ? NEVER : 0};
    for (int k = 0; k < 2; k++) {
        bernstein(m, b[k]);
        b[k][2] += k ? off : -off;
        for (int j = 0; j < 5; j++)
            b[k][j] = dae_sign(b[k][j], noise[j]) ? b[k][j] : 0;
    }
    changes(b[0], b[1], CUTS, most);
    return largest(most) < 2 ? largest(most) : 2;
}

/* 1 where g is convex, -1 concave, 0 neither, or unknown */
static int curvature(const dae_root_model *m)
{
    double b[5];
    bernstein(m, b);
    const double noise = 2 * (m->noise_l + m->noise_r) + (m->noise_Y_l + m->noise_Y_r) / 2;
    const double E = 8. / 3 * m->E + noise;
    const int first = dae_sign(b[0] - 2 * b[1] + b[2], E);
    const int middle = dae_sign(b[1] - 2 * b[2] + b[3], 2 * E);
    return first == middle && middle == dae_sign(b[2] - 2 * b[3] + b[4], E) ? first : 0;
}

int dae_root_model_heading(const dae_root_model *m, int side)
{
    return side ? side : dae_sign(m->g_l + m->Y_l / 4, m->noise_l + m->noise_Y_l / 4);
}

/* Whether the model is good enough to tell that a wave between the samples would show. */
static int resolved(const dae_root_model *m)
{
    return RESOLVED * m->E <= fmax(fmax(fabs(m->g_l), fabs(m->g_r)), RESOLVED * fmax(m->noise_l, m->noise_r));
}

dae_root_plan dae_root_model_plan(const dae_root_model *m, int side, int last_cut)
{
    const int lead = dae_root_model_heading(m, side), end = dae_sign(m->g_r, m->noise_r);
    const int count = zeros(m, lead);
    const int toward = side ? -side : lead;
    if (!last_cut && !resolved(m))
        return DAE_ROOT_CUT;
    if (!lead)
        return count == 0 || last_cut ? DAE_ROOT_DONE : DAE_ROOT_CUT;
    if (side ? count == 0 || (count == 1 && end == -side) : count == 0 && end == lead)
        return DAE_ROOT_DONE;
    if (curvature(m) == -toward)
        return DAE_ROOT_HUNT;
    return !last_cut ? DAE_ROOT_CUT : side && end == -side ? DAE_ROOT_DONE : DAE_ROOT_HUNT;
}

double dae_root_model_extremum(const dae_root_model *m, int toward)
{
    const double rise = m->g_r - m->g_l;
    const double A = 3 * (m->Y_l + m->Y_r - 2 * rise), C = m->Y_l;
    const double B = 6 * rise - 4 * m->Y_l - 2 * m->Y_r;
    const double s = 2 * C / (toward * sqrt(B * B - 4 * A * C) - B);
    return s > 0.01 && s < 0.99 ? s : 0.5;
}
