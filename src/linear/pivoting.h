/* pivoting.h - what eliminations with pivots of all kinds of matrices use */
#ifndef DAE_PIVOTING_H
#define DAE_PIVOTING_H

#define SWAP(a, b)             \
    do {                       \
        const double c_ = (a); \
        (a) = (b);             \
        (b) = c_;              \
    } while (0)

/* Steps in a row choose the same pivots: a branch is foreseen, where a conditional move would wait for the
 * comparison. */
#define UNLIKELY(condition) __builtin_expect(condition, 0)

#endif
