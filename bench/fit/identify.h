/* identify.h - which numbers the data determine, and how well: the singular values of the scaled Jacobian
 *
 * S = J diag(size), the residuals in units of their standard deviations: so it does not depend on units. Of S = U Sigma
 * V^T the columns of V are directions of relative changes, and the data know a change along direction k to 1/sigma_k.
 * The covariance is diag(size) V Sigma^-2 V^T diag(size), over the directions that are determined.
 */
#ifndef DAELAB_IDENTIFY_H
#define DAELAB_IDENTIFY_H

/* What is asked: J[count x numbers], column-major, and the residuals r[count]. counts[i] 0: the number does not count,
 * as a bound holds it. */
typedef struct {
    int count, numbers;
    const double *J, *r, *size;
    const int *counts;
    double noise, least;        /* of S: relative to its largest singular value, and whatever that is */
} identify_request;

typedef struct {
    int directions;             /* numbers that count */
    int rank;                   /* so many are determined, the first ones */
    double *sigma;              /* [directions] falling */
    double *direction;          /* [directions x numbers] row by row; 0 of a number that does not count. Of those that
                                   are not determined a basis, of vectors of length 1 with few numbers in each */
    double *covariance;         /* [numbers x numbers]; NaN where a number is not determined, or does not count */
    int *determined;            /* [numbers] */
    int *stays;                 /* [numbers] 1: held, so that the others are determined; one for each direction that
                                   is not */
    double offset;              /* how far the least is away yet, in standard errors: |P r| sqrt((count - rank)/rank) /
                                   |r - P r|, P onto the range of J (Bates, Watts (1981), Technometrics 23, 179-183) */
    double step;                /* and of the numbers, in their sizes: the largest part of the next step */
} identification;

/* 0: LAPACK's dgesvd has found no singular values. To be freed in any case. */
int identify(identification *id, const identify_request *request);
void identify_free(identification *id);

#endif
