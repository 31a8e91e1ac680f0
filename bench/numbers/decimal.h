/* decimal.h - numbers in decimals: the shortest that read back, and levels that are decades */
#ifndef DAELAB_DECIMAL_H
#define DAELAB_DECIMAL_H

enum { DECIMAL = 32 };          /* characters that hold any double */

/* The shortest decimal that reads back as x, "1e-06"; x finite. Answers text. */
const char *decimal(double x, char text[DECIMAL]);

/* The double nearest to the decimal of at most 15 digits that x stands for, computed with an error
 * of a few units in the last place: 1e-6 for 1.0000000000000002e-06. */
double decimal_clean(double x);

/* Level i of a ladder of tolerances, first/ratio^i. */
double decimal_level(double first, double ratio, int i);

/* x is a decimal of at most 12 digits, so many of them after the point; < 0 where it is not. */
int decimal_places(double x);

/* The double nearest to t0 + k every, two decimals of that many places or fewer: 0.6, not
 * 0.6000000000000001, for 6 times 0.1. With places < 0 the sum as it is. */
double decimal_multiple(double t0, double every, long k, int places);

#endif
