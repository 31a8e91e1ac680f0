/* ratio_spread.c - a change of the processor's clock that lasts longer than a round is in both times of a ratio */
#include "numbers/ratio_spread.h"

#include "numbers/median_interval.h"
#include "numbers/quantile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double LEVEL = 0.95;

static int usable(double x) { return isfinite(x) && x > 0; }

ratio_spread ratio_spread_of(const double *a, const double *b, int rounds)
{
    ratio_spread r = {NAN, NAN, NAN, 0, 0};
    double *ratio = malloc(((size_t)rounds + 1) * sizeof *ratio), low, high, covered;
    for (int i = 0; ratio && i < rounds; i++)
        if (usable(a[i]) && usable(b[i]))
            ratio[r.rounds++] = a[i] / b[i];
    if (ratio && r.rounds > 0) {
        r.ratio = median_interval(ratio, r.rounds, LEVEL, &low, &high, &covered);
        r.low = quantile(ratio, r.rounds, 0.25);
        r.high = quantile(ratio, r.rounds, 0.75);
        r.differs = low > 1 || high < 1;
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
