/* plain_terms.h - terms that many small models have: for the second half of a model */

/* Two masses of 1 */
static inline void FN(unit_masses)(const param *p, real t, const real *q, const real *a, real *r)
{
    r[0] = a[0];
    r[1] = a[1];
}

/* M = diag(1, 0) */
static inline void FN(first_of_two)(const param *p, real t, const real *u, const real *x, real *r)
{
    r[0] = x[0];
    r[1] = 0;
}

/* M = diag(1, 1, 0) */
static inline void FN(two_of_three)(const param *p, real t, const real *u, const real *x, real *r)
{
    r[0] = x[0];
    r[1] = x[1];
    r[2] = 0;
}
