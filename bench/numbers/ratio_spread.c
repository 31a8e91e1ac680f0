/* ratio_spread.c - a change of the processor's clock that lasts longer than a round is in both times of a ratio */
#include "numbers/ratio_spread.h"

#include "host/allocate.h"
#include "numbers/quantile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double LEVEL = 0.95;

/* The probability that of n fair coins at most k show heads. */
static double at_most(int n, int k)
{
    double sum = 0;
    for (int i = 0; i <= k; i++)
        sum += exp(lgamma(n + 1.0) - lgamma(i + 1.0) - lgamma(n - i + 1.0) - n * log(2));
    return sum;
}

/* Does the narrowest interval of two of x[n], symmetric in rank, that holds their median with a probability of LEVEL
 * leave 1 out? By the sign test: how many of them lie below the median is binomial. x ascends. */
static int median_is_not_1(const double *x, int n)
{
    int k = -1;
    while (2 * (k + 2) <= n && 1 - 2 * at_most(n, k + 1) >= LEVEL)
        k++;
    return k >= 0 && (x[k] > 1 || x[n - 1 - k] < 1);
}

static int usable(double x) { return isfinite(x) && x > 0; }

ratio_spread ratio_spread_of(const double *a, const double *b, int rounds)
{
    ratio_spread r = {NAN, NAN, NAN, 0, 0};
    double *ratio = allocate((size_t)rounds, sizeof *ratio);
    for (int i = 0; i < rounds; i++)
        if (usable(a[i]) && usable(b[i]))
            ratio[r.rounds++] = a[i] / b[i];
    if (r.rounds > 0) {
        quantile_sort(ratio, r.rounds);
        r.ratio = quantile(ratio, r.rounds, 0.5);
        r.low = quantile(ratio, r.rounds, 0.25);
        r.high = quantile(ratio, r.rounds, 0.75);
        r.differs = median_is_not_1(ratio, r.rounds);
    }
    free(ratio);
    return r;
}

const char *ratio_spread_words(const ratio_spread *r, char words[RATIO_WORDS])
{
    *words = 0;
    if (r->low == 1 && r->high == 1)                    /* of itself */
        snprintf(words, RATIO_WORDS, "1");
    else if (isfinite(r->ratio))
        snprintf(words, RATIO_WORDS, "%.3g (%.3g .. %.3g)%s", r->ratio, r->low, r->high,
                 r->differs ? "" : "; not told from 1");
    return words;
}
