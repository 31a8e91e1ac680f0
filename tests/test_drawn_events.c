/* test_drawn_events.c - event functions drawn at random, in units of time from 1e-6 to 1e6, near t = 0 and long after
 *
 * x' = 1/T: the functions are those of x, whose zeros are known. Every passage is found, at its time and with every
 * method: behind poles, where values span many decades in a step, through zeros without a slope, and where a function
 * leaves an interval of zeros. Two functions that pass near each other are in the order of their times, or in that
 * of the record at one time.
 */
#ifndef DAE_PASS
enum { UNIT, KIND, RATE, GAP, ACTS, ROOT };
enum { POLYNOMIAL, GROWING, DECAYING, TANGENT, POLE, WELL, CUBE, PLAY, BRANCH, STEEP, JUMP, KINDS };
enum { ROOTS = 4, MOST = 16, SPAN = 10 };
#include <daelab/model.h>

#include "base/numbers.h"
#include "support.h"

enum { DRAWN = 2 };                      /* of each kind */

static const dae_event passages[] = {
    {.name = "late", .value = DAE_MODEL(later), .action = DAE_MODEL(count)},
    {.name = "early", .value = DAE_MODEL(drawn), .action = DAE_MODEL(count)}, {0}};

static const dae_problem clock_ = {
    .name = "clock", .variables = "x n", .units = "- -", .start = DAE_MODEL(begin), .t_end = 1,
    .parameters = {{"T", 1, "s", "unit of time", DAE_POSITIVE}, {"kind", 0, "-", ""}, {"rate", 1, "-", ""},
                   {"gap", 0, "-", "", DAE_ANY_VALUE}, {"acts", 0, "-", "", DAE_ANY_VALUE},
                   {"root", 0, "-", "", DAE_ANY_VALUE, .count = ROOTS}},
    .first_order = {.n = 2, .rhs = DAE_MODEL(rhs)}, .events = passages};

typedef struct {
    double T, t0, at[MOST];
    int count;
    double p[ROOT + ROOTS];
} family;

static uint64_t drawn;

static double between(double low, double high)
{
    return low + (high - low) * (dae_random(&drawn) + 1) / 2;
}

static void add(family *f, double x)
{
    f->at[f->count++] = x;
}

static void know_roots(family *f)
{
    const double r = f->p[ROOT], rate = f->p[RATE], pi = acos(-1);
    const int kind = (int)f->p[KIND];
    f->count = 0;
    for (int k = 0; k < ROOTS && kind == POLYNOMIAL; k++)
        add(f, f->p[ROOT + k]);
    for (int k = -5; k <= 5 && kind == TANGENT; k++)
        add(f, r + k * pi / 2);
    if (kind == WELL)
        add(f, r - 1 / rate);
    if (kind == WELL)
        add(f, r + 1 / rate);
    if (kind == PLAY)
        add(f, r + 1 / rate);
    if (kind != POLYNOMIAL && kind != TANGENT && kind != WELL && kind != PLAY)
        add(f, r);
}

static void draw(family *f, int kind)
{
    static const double units[] = {1e-6, 1e-3, 1, 1e6}, starts[] = {0, 0, 1, 1e3, 1e6};
    f->T = units[(int)between(0, 4)];
    f->t0 = starts[(int)between(0, 5)] * f->T;
    const double values[] = {f->T, kind, kind == WELL ? between(0.6, 20) : between(1, 50), 0, 0};
    memcpy(f->p, values, sizeof values);
    for (int k = 0; k < ROOTS; k++)
        f->p[ROOT + k] = between(2.4 * k + 0.3, 2.4 * k + 2.3);
    if (kind != POLYNOMIAL)
        f->p[ROOT] = between(2, 8);
    know_roots(f);
}

static dae_hybrid *run_of(const family *f, const dae_method *method, double t_end)
{
    dae_problem problem = clock_;
    dae_options options = tolerance(between(0, 1) < 0.5 ? 1e-6 : 1e-9);
    dae_hybrid *run = NULL;
    dae_report why = {0};
    problem.t0 = f->t0;
    problem.t_end = t_end;
    options.max_step = SPAN * f->T / 8;             /* a tangent passes zero and infinity on its own scale */
    if (!dae_method_describe(method).adaptive)
        options.step = SPAN * f->T / 80;
    dae_status status = dae_hybrid_create(&run, &problem, dae_find_formulation("native"), f->p, NULL, method,
                                          &options, &why);
    if (!status)
        status = dae_hybrid_start(run, 0, NULL);
    if (!status)
        status = dae_hybrid_advance(run, t_end);
    if (status)
        fail_msg("%s: kind %d: %s", dae_method_describe(method).name, (int)f->p[KIND],
                 run ? dae_hybrid_report(run)->message : why.message);
    return run;
}

/* How far a time may be off: rounding of t and x, and what they are of the function where it has no slope. */
static double allowed(const family *f)
{
    return 1e-9 * SPAN * f->T + 64 * DBL_EPSILON * fabs(f->t0);
}

/* Those of this name have happened at the roots, in so many runs of the order of x. */
static void look_at(dae_hybrid *run, const family *f, const char *name, double gap, const char *method)
{
    int seen = 0, end = f->count;
    while (f->at[seen] + gap < 0)
        seen++;
    while (f->at[end - 1] + gap > SPAN)
        end--;
    for (int i = 0; i < dae_hybrid_events(run); i++) {
        const dae_event_record e = dae_hybrid_event(run, i);
        if (strcmp(e.name, name) != 0)
            continue;
        const double t = seen < end ? f->t0 + f->T * (f->at[seen] + gap) : NAN;
        if (!(fabs(e.t - t) <= allowed(f)))
            fail_msg("%s: kind %d, T = %g, t0 = %g, rate %g: number %d of %s at %.17g, not %.17g (off by %.3g T)",
                     method, (int)f->p[KIND], f->T, f->t0, f->p[RATE], seen + 1, name, e.t, t, (e.t - t) / f->T);
        seen++;
    }
    if (seen != end)
        fail_msg("%s: kind %d, T = %g, t0 = %g, rate %g: %d of %d %s", method, (int)f->p[KIND], f->T, f->t0,
                 f->p[RATE], seen, end, name);
}

/* early passes first, or both at once: then late, which the record has first. */
static void look_at_order(dae_hybrid *run, const family *f, const char *method)
{
    const double apart = f->p[GAP] * f->T, one = 300 * DBL_EPSILON * (f->t0 + SPAN * f->T);
    for (int i = 0; i + 1 < dae_hybrid_events(run); i += 2) {
        const dae_event_record a = dae_hybrid_event(run, i), b = dae_hybrid_event(run, i + 1);
        const int by_time = strcmp(a.name, "early") == 0 && strcmp(b.name, "late") == 0;
        if ((apart > one && !by_time) || (a.t == b.t && by_time) || a.t > b.t || strcmp(a.name, b.name) == 0)
            fail_msg("%s: kind %d, T = %g, t0 = %g: %s at %.17g, then %s at %.17g, %g T apart", method,
                     (int)f->p[KIND], f->T, f->t0, a.name, a.t, b.name, b.t, f->p[GAP]);
    }
}

static void try_with(family *f, const dae_method *method)
{
    const char *name = dae_method_describe(method).name;
    OWNED(dae_hybrid) *run = run_of(f, method, f->t0 + SPAN * f->T);
    look_at(run, f, "early", 0, name);
    look_at(run, f, "late", f->p[GAP], name);
    if (f->p[GAP] < 0.1)
        look_at_order(run, f, name);
}

static void each_kind(double smallest, double largest)
{
    for (int m = 0; dae_method_at(m); m++)
        for (int k = 0; k < KINDS * DRAWN; k++) {
            family f;
            drawn = (uint64_t)(k + 1) * 7919;
            draw(&f, k % KINDS);
            if (smallest < 0.1 && (k % KINDS == TANGENT || k % KINDS == POLE || (k + m) % 2))
                continue;                           /* what is beside a pole is beyond rounding of t */
            f.p[ACTS] = k / KINDS % 2;
            f.p[GAP] = smallest > 0 ? exp(between(log(smallest), log(largest))) : 0;
            try_with(&f, dae_method_at(m));
        }
}

TEST(far_apart)
{
    each_kind(0.1, 0.11);
}

TEST(near_each_other)
{
    each_kind(1e-16, 1e-4);
}

TEST(at_once)
{
    each_kind(0, 0);
}

#else

static void FN(begin)(const param *p, real *u) { u[0] = u[1] = (real){0}; }

static void FN(rhs)(const param *p, real t, const real *u, real *F)
{
    F[0] = 1 / p[UNIT] + 0 * u[0];
    F[1] = 0 * u[0];
}

static real FN(at)(const param *p, real x)
{
    const real s = x - p[ROOT], k = p[RATE] * s;
    switch ((int)value(p[KIND])) {
    case POLYNOMIAL:
        return s * (x - p[ROOT + 1]) * (x - p[ROOT + 2]) * (x - p[ROOT + 3]);
    case GROWING:
        return 1e-3 * (exp(k) - 1);
    case DECAYING:
        return 1e-3 * (exp(-k) - 1);
    case TANGENT:
        return tan(s);
    case POLE:
        return value(s) == 0 ? s : 1 / s;
    case WELL:
        return exp(k) + exp(-k) - exp(1.0) - exp(-1.0);
    case CUBE:
        return s * s * s;
    case PLAY:
        return fmax(k - 1, 0) + fmin(k + 1, 0);
    case BRANCH:
        return value(s) < 0 ? -sqrt(-s) : sqrt(s);
    case STEEP:
        return tanh(1e4 * s);
    default:
        return value(s) < 0 ? 0 * s - 1 : 0 * s + 2;
    }
}

static real FN(drawn)(const param *p, real t, const real *x, int k) { return FN(at)(p, x[0]); }
static real FN(later)(const param *p, real t, const real *x, int k) { return FN(at)(p, x[0] - p[GAP]); }

static int FN(count)(const param *p, real t, real *x, real *p_new, int k)
{
    x[1] += value(p[ACTS]);
    return 0;
}
#endif
