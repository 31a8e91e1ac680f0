/* growth_law.h - the law by which a drift grows with time
 *
 * Looked at is the running maximum M of |y| in the last seven eighths of the interval, at times that grow
 * geometrically, with x = (t - t0)/(t_end - t0): its ratio to what each law makes of it, in the least squares of the
 * logarithms.
 *   bounded      M grows by less than a tenth from T/8 to T
 *   linear       a + b x, a, b >= 0: at the end b x is the larger part, and a quadratic term no part
 *   quadratic    a + b x + c x^2: at the end c x^2 is the larger part
 *   exponential  C exp(lambda x), over three e-foldings at least
 * A law is told where it leaves 15 % at most, and half of what each of the others leaves. Otherwise nothing is
 * said, with the reason. Pure numbers: the law is the same in all units of t and y.
 */
#ifndef DAELAB_GROWTH_LAW_H
#define DAELAB_GROWTH_LAW_H

typedef enum { GROWTH_NOT_DETERMINED, GROWTH_BOUNDED, GROWTH_LINEAR, GROWTH_QUADRATIC, GROWTH_EXPONENTIAL, GROWTH_LAWS }
    growth_law;
extern const char *const growth_names[GROWTH_LAWS];     /* "not determined", "bounded", ... */

typedef struct {
    growth_law law;
    double rate;                /* b in y/t, c in y/t^2, lambda in 1/t; of a bounded drift its largest value */
    double low, high;           /* the rate in the first and the second half of what was looked at; NaN: none */
    double scatter;             /* of M about the law, relative; NaN */
    double power;               /* of t where M is taken for a power of it; NaN: not enough to look at */
    char brief[24];             /* why nothing is said: "t^0.51", "at rounding"; "" */
    char reason[120];           /* the same in a sentence; "" */
} growth;

/* Of |y| at times t[count] that increase, from t0 on; NaN: no value. What is at most 30 times its rounding, in the
 * unit of y, grows by no law. */
growth growth_observe(const double *t, const double *y, int count, double t0, double rounding);

#endif
