/* ratio_spread.h - the ratio of two times, taken in the same rounds */
#ifndef DAELAB_RATIO_SPREAD_H
#define DAELAB_RATIO_SPREAD_H

#include <stddef.h>

typedef struct {
    double ratio, low, high;    /* median over the rounds, and quartiles; NaN: in no round both are known */
    int rounds;                 /* in which both are known */
    int differs;                /* the median is not 1, at a level of 95 % (sign test): six rounds at least */
} ratio_spread;

/* Of a[i]/b[i], i < rounds: times of two programs in the same round; what is not finite and positive is left
 * out. */
ratio_spread ratio_spread_of(const double *a, const double *b, int rounds);

/* "1.82 (1.79 .. 1.9)", with "; not told from 1" where it does not differ; "" where nothing is known. */
enum { RATIO_WORDS = 80 };
const char *ratio_spread_words(const ratio_spread *r, char words[RATIO_WORDS]);

#endif
