/* structured_diagonal.h - the velocities eliminated too, where their block is diagonal
 *
 * Behind the positions remain, with X = J_q, gamma complex, C and E real,
 *
 *     S = [     D     -gamma C ]      D = M_v - gamma J_v - gamma^2 X_v, diagonal
 *         [ -gamma B  -gamma E ]      B = J_l + gamma X_l
 *
 *     W = gamma D^-1 C,   Q = E + B W
 *     Q k_l = -r_l/gamma - B D^-1 r_v,   k_v = D^-1 r_v + W k_l
 *
 * so arranged that little waits for Q^-1. This is Gaussian elimination with the zeros left out, and
 * taken only where in units of the unknowns all |W| <= MOST_GROWTH: the reactions move the bodies
 * within a step by no more than so many times their velocities. Rounding B W then disturbs E by no
 * more than so many eps of the largest term in its row, whatever the units.
 *
 * A body much lighter than that is left to pivoting. re and im hold one after the other D^-1 [nq],
 * B [nl x nq], Q [nl x nl], W [nq x nl].
 */

static const double MOST_GROWTH = 128;

/* Off the diagonal X_v and J_v are zero: no bit but a sign is set. J points to the first row below
 * those of q' = v. */
static inline int is_diagonal(int nq, int all, const double *restrict J)
{
    uint64_t bits = 0, x, v;
    for (int j = 0; j < nq; j++)
        for (int i = 0; i < nq; i++)
            if (i != j) {
                memcpy(&x, J + j * all + i, sizeof x);
                memcpy(&v, J + (nq + j) * all + i, sizeof v);
                bits |= x | v;
            }
    return bits << 1 == 0;
}

/* D^-1 and B; 0 where the D are no pivots. */
static inline int divide(structured *s, int nq, int nl, const double *restrict J,
                         const double *restrict M)
{
    const int all = 2 * nq + nl;
    const double a = s->gamma_re, b = s->gamma_im, c = a * a - b * b, d = 2 * a * b;
    double *restrict re = s->re, *restrict im = s->im, *restrict X = s->J_q;
    int good = 1;
    for (int j = 0; j < nq; j++, X += nq + nl) {
        const double *by_q = J + j * all, *by_v = by_q + nq * all;
        const double x = M[(nq + j) * all + j] - a * by_v[j] - c * by_q[j];
        const double y = -b * by_v[j] - d * by_q[j];
        const double over = 1 / (x * x + y * y);
        good &= over > 0;                               /* infinite: W becomes NaN */
        X[j] = by_q[j];
        re[j] = x * over;
        im[j] = -y * over;
        for (int k = nq; k < nq + nl; k++) {
            X[k] = by_q[k];
            re[j * nl + k] = by_v[k] + a * by_q[k];
            im[j * nl + k] = b * by_q[k];
        }
    }
    return good;
}

/* Q and W; 0 where W is too large. */
static inline int complement(structured *s, int nq, int nl, const double *restrict J,
                             const double *restrict size)
{
    int good = 1;
    const double a = s->gamma_re, b = s->gamma_im;
    double *restrict re = s->re, *restrict im = s->im;
    double *restrict Q_re = re + nq + nl * nq, *restrict Q_im = im + nq + nl * nq;
    double *restrict W_re = Q_re + nl * nl, *restrict W_im = Q_im + nl * nl;
    for (int l = 0; l < nl; l++) {
        const double *by_l = J + (2 * nq + l) * (2 * nq + nl);
        for (int j = 0; j < nq; j++) {
            W_re[l * nq + j] = (a * re[j] - b * im[j]) * by_l[j];
            W_im[l * nq + j] = (a * im[j] + b * re[j]) * by_l[j];
            good &= (fabs(W_re[l * nq + j]) + fabs(W_im[l * nq + j])) * size[nq + l]
                    <= MOST_GROWTH * size[j];
        }
        for (int k = 0; k < nl; k++) {
            double x = by_l[nq + k], y = 0;
            for (int j = 0; j < nq; j++) {
                const double B_re = re[nq + j * nl + k], B_im = im[nq + j * nl + k];
                x += B_re * W_re[l * nq + j] - B_im * W_im[l * nq + j];
                y += B_re * W_im[l * nq + j] + B_im * W_re[l * nq + j];
            }
            Q_re[l * nl + k] = x;
            Q_im[l * nl + k] = y;
        }
    }
    return good;
}

/* 0 where S is not of this kind, is singular or not finite. */
static inline int factor_diagonal(structured *s, int nq, int nl, const double *restrict J,
                                  const double *restrict M, const double *restrict size)
{
    const int Q = nq + nl * nq;
    if (!is_diagonal(nq, 2 * nq + nl, J) || !divide(s, nq, nl, J, M)
        || !complement(s, nq, nl, J, size))
        return 0;
    const double a = s->gamma_re, b = s->gamma_im, over = 1 / (a * a + b * b);
    s->inverse_re = -a * over;
    s->inverse_im = b * over;
    if (nl != 1)
        return dae_dense_factor(nl, s->re + Q, s->im + Q, size + nq, s->row, s->pivot) < 0;
    s->over_Q = 1 / (s->re[Q] * s->re[Q] + s->im[Q] * s->im[Q]);
    return s->over_Q > 0 && s->over_Q < HUGE_VAL;
}

/* v := D^-1 (v + gamma X_v q), l := -l/gamma - X_l q - B v */
static inline void forward_diagonal(const structured *s, int nq, int nl, double *restrict z_re,
                                    double *restrict z_im)
{
    const double a = s->gamma_re, b = s->gamma_im, *restrict X = s->J_q;
    const double *restrict re = s->re, *restrict im = s->im;
    double *restrict l_re = z_re + 2 * nq, *restrict l_im = z_im + 2 * nq;
    for (int k = 0; k < nl; k++)
        multiply(s->inverse_re, s->inverse_im, &l_re[k], &l_im[k]);
    for (int j = 0; j < nq; j++, X += nq + nl) {
        const double q_re = z_re[j], q_im = z_im[j];
        double v_re = z_re[nq + j] + X[j] * (a * q_re - b * q_im);
        double v_im = z_im[nq + j] + X[j] * (a * q_im + b * q_re);
        multiply(re[j], im[j], &v_re, &v_im);
        for (int k = 0; k < nl; k++) {
            const double c = re[nq + j * nl + k], d = im[nq + j * nl + k];
            l_re[k] -= X[nq + k] * q_re + (c * v_re - d * v_im);
            l_im[k] -= X[nq + k] * q_im + (c * v_im + d * v_re);
        }
        z_re[nq + j] = v_re;
        z_im[nq + j] = v_im;
    }
}

/* v := v + W l, q := q + gamma v */
static inline void backward_diagonal(const structured *s, int nq, int nl, double *restrict z_re,
                                     double *restrict z_im)
{
    const double a = s->gamma_re, b = s->gamma_im, *l_re = z_re + 2 * nq, *l_im = z_im + 2 * nq;
    const double *restrict W_re = s->re + nq + nl * (nq + nl);
    const double *restrict W_im = s->im + nq + nl * (nq + nl);
    for (int j = 0; j < nq; j++) {
        double x = z_re[nq + j], y = z_im[nq + j];
        for (int l = 0; l < nl; l++) {
            const double c = W_re[l * nq + j], d = W_im[l * nq + j];
            x += c * l_re[l] - d * l_im[l];
            y += c * l_im[l] + d * l_re[l];
        }
        z_re[nq + j] = x;
        z_im[nq + j] = y;
        z_re[j] += a * x - b * y;
        z_im[j] += a * y + b * x;
    }
}

static inline void solve_diagonal(const structured *s, int nq, int nl, double *restrict re,
                                  double *restrict im)
{
    const int Q = nq + nl * nq;
    forward_diagonal(s, nq, nl, re, im);
    if (nl == 1) {                                      /* 1/Q = conj(Q)/|Q|^2 */
        multiply(s->re[Q], -s->im[Q], &re[2 * nq], &im[2 * nq]);
        re[2 * nq] *= s->over_Q;
        im[2 * nq] *= s->over_Q;
    } else
        dae_dense_solve(nl, s->re + Q, s->im + Q, s->pivot, re + 2 * nq, im + 2 * nq);
    backward_diagonal(s, nq, nl, re, im);
}

/* S^T y = b: y_l = -Q^-T (b_l + W^T b_v)/gamma, y_v = D^-1 (b_v + gamma B^T y_l) */
static inline void solve_diagonal_transposed(const structured *s, int nq, int nl,
                                             double *restrict v_re, double *restrict v_im)
{
    const int Q = nq + nl * nq, W = Q + nl * nl;
    const double *restrict re = s->re, *restrict im = s->im;
    double *restrict l_re = v_re + nq, *restrict l_im = v_im + nq;
    for (int l = 0; l < nl; l++)
        for (int j = 0; j < nq; j++) {
            const double c = re[W + l * nq + j], d = im[W + l * nq + j];
            l_re[l] += c * v_re[j] - d * v_im[j];
            l_im[l] += c * v_im[j] + d * v_re[j];
        }
    if (nl == 1) {
        multiply(re[Q], -im[Q], &l_re[0], &l_im[0]);
        l_re[0] *= s->over_Q;
        l_im[0] *= s->over_Q;
    } else
        dae_dense_solve_transposed(nl, re + Q, im + Q, s->pivot, l_re, l_im);
    for (int j = 0; j < nq; j++)                        /* gamma y_l, then y_l */
        for (int l = 0; l < nl; l++) {
            const double c = re[nq + j * nl + l], d = im[nq + j * nl + l];
            v_re[j] -= c * l_re[l] - d * l_im[l];
            v_im[j] -= c * l_im[l] + d * l_re[l];
        }
    for (int j = 0; j < nq; j++)
        multiply(re[j], im[j], &v_re[j], &v_im[j]);
    for (int l = 0; l < nl; l++)
        multiply(s->inverse_re, s->inverse_im, &l_re[l], &l_im[l]);
}

/* ---- both at once, of one constraint ------------------------------------------------------- */

/* Two positions at a time: the same operations on both. */
typedef double two __attribute__((vector_size(2 * sizeof(double))));

/* x and the entry `apart` behind it; alone: `missing` stands for that. Both were stored one by one a moment ago:
 * loaded at once, as compilers like to where they are neighbours, they would have to leave the store buffer
 * first. */
static inline two of_both(const double *x, int apart, int alone, double missing)
{
    return (two){x[0], alone ? missing : *(const volatile double *)(x + apart)};
}

static inline void put_both(double *x, int alone, two y)
{
    x[0] = y[0];
    if (!alone)
        x[1] = y[1];
}

/* What two positions, their velocities and l are made of */
typedef struct { two q_re, q_im, v_re, v_im, W_re, W_im, over; } of_two;

/* Positions j and j + 1, or j alone. Adds B W to Q and -X_l q - B v to l. */
static inline of_two eliminate_two(structured *s, int nq, int j, const double *restrict J, const double *restrict M,
                                   const double *restrict r_re, const double *restrict r_im, two *Q_re, two *Q_im,
                                   two *l_re, two *l_im)
{
    const int all = 2 * nq + 1, alone = j + 1 == nq, W = 2 * nq + 1;
    const double a = s->gamma_re, b = s->gamma_im, c = a * a - b * b, d = 2 * a * b;
    const double *by_q = J + j * all, *by_v = by_q + nq * all;
    const two X_v = of_both(by_q + j, all + 1, alone, 0), X_l = of_both(by_q + nq, all, alone, 0);
    const two J_v = of_both(by_v + j, all + 1, alone, 0), J_l = of_both(by_v + nq, all, alone, 0);
    const two m = of_both(M + (nq + j) * all + j, all + 1, alone, 1);
    const two C = of_both(J + 2 * nq * all + j, 1, alone, 0);
    const two x = m - a * J_v - c * X_v, y = -b * J_v - d * X_v, over = 1 / (x * x + y * y);
    const two D_re = x * over, D_im = -y * over, B_re = J_l + a * X_l, B_im = b * X_l;
    of_two z = {.q_re = of_both(r_re + j, 1, alone, 0), .q_im = of_both(r_im + j, 1, alone, 0), .over = over};
    const two f_re = of_both(r_re + nq + j, 1, alone, 0) + X_v * (a * z.q_re - b * z.q_im);
    const two f_im = of_both(r_im + nq + j, 1, alone, 0) + X_v * (a * z.q_im + b * z.q_re);
    z.v_re = D_re * f_re - D_im * f_im;
    z.v_im = D_re * f_im + D_im * f_re;
    z.W_re = (a * D_re - b * D_im) * C;
    z.W_im = (a * D_im + b * D_re) * C;
    *Q_re += B_re * z.W_re - B_im * z.W_im;
    *Q_im += B_re * z.W_im + B_im * z.W_re;
    *l_re -= X_l * z.q_re + (B_re * z.v_re - B_im * z.v_im);
    *l_im -= X_l * z.q_im + (B_re * z.v_im + B_im * z.v_re);
    for (int i = 0; i < 2 - alone; i++) {
        s->J_q[(j + i) * (nq + 1) + j + i] = X_v[i];
        s->J_q[(j + i) * (nq + 1) + nq] = X_l[i];
    }
    put_both(s->re + j, alone, D_re);
    put_both(s->im + j, alone, D_im);
    put_both(s->re + nq + j, alone, B_re);
    put_both(s->im + nq + j, alone, B_im);
    put_both(s->re + W + j, alone, z.W_re);
    put_both(s->im + W + j, alone, z.W_im);
    return z;
}

/* v + W l, and q + gamma times that */
static inline void recover_two(const structured *s, int nq, int j, of_two z, double l_re, double l_im,
                               double *restrict r_re, double *restrict r_im)
{
    const int alone = j + 1 == nq;
    const double a = s->gamma_re, b = s->gamma_im;
    const two x = z.v_re + (z.W_re * l_re - z.W_im * l_im), y = z.v_im + (z.W_re * l_im + z.W_im * l_re);
    put_both(r_re + nq + j, alone, x);
    put_both(r_im + nq + j, alone, y);
    put_both(r_re + j, alone, z.q_re + (a * x - b * y));
    put_both(r_im + j, alone, z.q_im + (a * y + b * x));
}

/* Are D pivots, and |W| at most MOST_GROWTH in units of the unknowns? */
static inline int grows_little(int nq, int j, of_two z, const double *restrict size)
{
    const int alone = j + 1 == nq;
    return z.over[0] > 0 && (fabs(z.W_re[0]) + fabs(z.W_im[0])) * size[nq] <= MOST_GROWTH * size[j]
           && (alone || (z.over[1] > 0 && (fabs(z.W_re[1]) + fabs(z.W_im[1])) * size[nq]
                                              <= MOST_GROWTH * size[j + 1]));
}

enum { MOST_PAIRS = 2 };                /* of the bodies that this is compiled for */

/* factor_diagonal and solve_diagonal of one right-hand side, r = re + i im, which is left alone where the answer
 * is 0 */
static inline int factor_and_solve_diagonal(structured *s, int nq, const double *restrict J,
                                            const double *restrict M, const double *restrict size,
                                            double *restrict r_re, double *restrict r_im)
{
    const double a = s->gamma_re, b = s->gamma_im, over = 1 / (a * a + b * b);
    double l_re = r_re[2 * nq], l_im = r_im[2 * nq];
    two Q_re = {J[2 * nq * (2 * nq + 1) + nq], 0}, Q_im = {0, 0};
    of_two z[MOST_PAIRS];
    s->inverse_re = -a * over;
    s->inverse_im = b * over;
    multiply(s->inverse_re, s->inverse_im, &l_re, &l_im);
    two sum_re = {l_re, 0}, sum_im = {l_im, 0};
    if (!is_diagonal(nq, 2 * nq + 1, J))
        return 0;
    for (int j = 0; j < nq; j += 2)
        z[j / 2] = eliminate_two(s, nq, j, J, M, r_re, r_im, &Q_re, &Q_im, &sum_re, &sum_im);
    for (int j = 0; j < nq; j += 2)
        if (!grows_little(nq, j, z[j / 2], size))
            return 0;
    const double x = Q_re[0] + Q_re[1], y = Q_im[0] + Q_im[1], over_Q = 1 / (x * x + y * y);
    if (!(over_Q > 0 && over_Q < HUGE_VAL))
        return 0;
    s->re[2 * nq] = x;
    s->im[2 * nq] = y;
    s->over_Q = over_Q;
    l_re = (sum_re[0] + sum_re[1]) * over_Q;
    l_im = (sum_im[0] + sum_im[1]) * over_Q;
    multiply(x, -y, &l_re, &l_im);
    for (int j = 0; j < nq; j += 2)
        recover_two(s, nq, j, z[j / 2], l_re, l_im, r_re, r_im);
    r_re[2 * nq] = l_re;
    r_im[2 * nq] = l_im;
    return 1;
}
