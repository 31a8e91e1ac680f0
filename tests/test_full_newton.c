/* test_full_newton.c - Newton's method with full steps: solved to rounding, in any units, or not at all */
#include "support.h"

#include "backends/full_newton.h"

typedef struct {
    int n, evaluations;
    void (*f)(const double *x, double *r, double *J);
    const double *size, *scale;         /* units: x in scale, r in size */
    double r[4], J[16];
} equations;

static int evaluate(void *context, const double *x)
{
    equations *e = context;
    double y[4];
    e->evaluations++;
    for (int j = 0; j < e->n; j++)
        y[j] = x[j] / e->scale[j];
    e->f(y, e->r, e->J);
    for (int i = 0; i < e->n; i++)
        e->r[i] *= e->size[i];
    for (int k = 0; k < e->n * e->n; k++)
        e->J[k] *= e->size[k % e->n] / e->scale[k / e->n];
    return isfinite(e->r[0]) != 0;
}

static int solve(equations *e, double *x)
{
    const dae_full_newton newton = {.n = e->n, .context = e, .evaluate = evaluate, .r = e->r, .J = e->J,
                                    .size = e->size, .scale = e->scale};
    e->evaluations = 0;
    assert_true(evaluate(e, x));
    return dae_full_newton_solve(&newton, x);
}

/* A circle and a line: x^2 + y^2 = 25, 3 y = 4 x */
static void circle(const double *x, double *r, double *J)
{
    r[0] = x[0] * x[0] + x[1] * x[1] - 25;
    r[1] = 3 * x[1] - 4 * x[0];
    J[0] = 2 * x[0];
    J[1] = -4;
    J[2] = 2 * x[1];
    J[3] = 3;
}

static const double ones[] = {1, 1, 1, 1};

TEST(test_solved)
{
    equations e = {.n = 2, .f = circle, .size = ones, .scale = ones};
    double x[] = {3.1, 3.8};
    assert_true(solve(&e, x));
    assert_close(x[0], 3, 4 * DBL_EPSILON);
    assert_close(x[1], 4, 4 * DBL_EPSILON);
    assert_true(e.evaluations <= 6);
    e.f(x, e.r, e.J);
    assert_true(fabs(e.r[0]) <= 25 * 4 * DBL_EPSILON);
}

/* The same bits in other units */
TEST(test_units)
{
    const double size[] = {0x1p-300, 0x1p200}, scale[] = {0x1p150, 0x1p-250};
    equations plain = {.n = 2, .f = circle, .size = ones, .scale = ones};
    equations other = {.n = 2, .f = circle, .size = size, .scale = scale};
    double x[] = {3.5, 4.5}, y[] = {3.5 * scale[0], 4.5 * scale[1]};
    assert_true(solve(&plain, x));
    assert_true(solve(&other, y));
    assert_true(y[0] == x[0] * scale[0] && y[1] == x[1] * scale[1]);
}

/* Full steps of arctan leave from beyond 1.39. */
static void arctangent(const double *x, double *r, double *J)
{
    r[0] = atan(x[0]);
    J[0] = 1 / (1 + x[0] * x[0]);
}

/* A double root, to which steps fall by halves only */
static void square(const double *x, double *r, double *J)
{
    r[0] = x[0] * x[0];
    J[0] = 2 * x[0];
}

static void parabola_without_root(const double *x, double *r, double *J)
{
    r[0] = x[0] * x[0] + 1;
    J[0] = 2 * x[0];
}

static void logarithm(const double *x, double *r, double *J)
{
    r[0] = log(x[0]);
    J[0] = 1 / x[0];
}

static void check_left(void (*f)(const double *, double *, double *), double from)
{
    equations e = {.n = 1, .f = f, .size = ones, .scale = ones};
    double x = from;
    assert_false(solve(&e, &x));
    assert_true(x == from);
}

TEST(test_left_to_others)
{
    check_left(arctangent, 1.5);
    check_left(square, 0.5);
    check_left(square, 0);
    check_left(parabola_without_root, 0.7);
    check_left(logarithm, 4);                           /* the first step leaves its domain */
}

/* x = 1e200 (y + z), y = 1e200 = -z: what is added are two infinities of different sign. */
static void infinities(const double *x, double *r, double *J)
{
    const double A[] = {1, 0, 0, -1e200, 1, 0, -1e200, 0, 1};
    memcpy(J, A, sizeof A);
    r[0] = 0;
    r[1] = x[1] - 1e200;
    r[2] = x[2] + 1e200;
}

static int evaluate_finite(void *context, const double *x)
{
    const equations *e = context;
    for (int j = 0; j < e->n; j++)
        assert_true(isfinite(x[j]));
    return evaluate(context, x);
}

/* Nobody is asked at a place that is not a number. */
TEST(test_not_a_number)
{
    const double size[] = {1e200, 1, 1};
    equations e = {.n = 3, .f = infinities, .size = ones, .scale = ones};
    const dae_full_newton newton = {.n = 3, .context = &e, .evaluate = evaluate_finite, .r = e.r, .J = e.J,
                                    .size = size, .scale = ones};
    double x[3] = {0};
    assert_true(evaluate(&e, x));
    assert_false(dae_full_newton_solve(&newton, x));
    assert_true(x[0] == 0 && x[1] == 0 && x[2] == 0);
}
