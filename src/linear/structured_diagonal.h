/* structured_diagonal.h - the velocities eliminated too, where their block is diagonal
 *
 * Behind the positions remain, with X = J_q, gamma complex, C and E real,
 *
 *     S = [ D  -gamma C ]      D = M_v - gamma J_v - gamma^2 X_v, diagonal
 *         [ B  -gamma E ]      B = -gamma (J_l + gamma X_l)
 *
 *     L = B D^-1,   W = gamma D^-1 C,   Q = E - L C
 *     Q k_l = (L r_v - r_l)/gamma,      k_v = D^-1 r_v + W k_l
 *
 * so arranged that little waits for Q^-1. This is Gaussian elimination with the zeros left out, and
 * taken only where in units of the unknowns all |W| <= MOST_GROWTH: the reactions move the bodies
 * within a step by no more than so many times their velocities. Rounding L C then disturbs E by no
 * more than so many eps of the largest term in its row, whatever the units.
 *
 * A body much lighter than that is left to pivoting. re and im hold one after the other D^-1 [nq],
 * L [nl x nq], Q [nl x nl], W [nq x nl].
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

/* D^-1 and L; 0 where the D are no pivots. */
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
        good &= over > 0;                               /* infinite: L becomes NaN */
        X[j] = by_q[j];
        re[j] = x * over;
        im[j] = -y * over;
        for (int k = nq; k < nq + nl; k++) {
            const double B_re = -a * by_v[k] - c * by_q[k], B_im = -b * by_v[k] - d * by_q[k];
            const double L_re = (x * B_re + y * B_im) * over;
            const double L_im = (x * B_im - y * B_re) * over;
            X[k] = by_q[k];
            re[j * nl + k] = L_re;
            im[j * nl + k] = L_im;
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
        for (int k = 0; k < nl; k++) {
            double x = by_l[nq + k], y = 0;
            for (int j = 0; j < nq; j++) {
                x -= re[nq + j * nl + k] * by_l[j];
                y -= im[nq + j * nl + k] * by_l[j];
            }
            Q_re[l * nl + k] = x;
            Q_im[l * nl + k] = y;
        }
        for (int j = 0; j < nq; j++) {
            W_re[l * nq + j] = (a * re[j] - b * im[j]) * by_l[j];
            W_im[l * nq + j] = (a * im[j] + b * re[j]) * by_l[j];
            good &= (fabs(W_re[l * nq + j]) + fabs(W_im[l * nq + j])) * size[nq + l]
                    <= MOST_GROWTH * size[j];
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

/* v := v + gamma X_v q, l := (l + gamma X_l q - L v)/-gamma, v := D^-1 v */
static inline void forward_diagonal(const structured *s, int nq, int nl, double *restrict z_re,
                                    double *restrict z_im)
{
    const double a = s->gamma_re, b = s->gamma_im, *restrict X = s->J_q;
    const double *restrict re = s->re, *restrict im = s->im;
    double *restrict l_re = z_re + 2 * nq, *restrict l_im = z_im + 2 * nq;
    for (int j = 0; j < nq; j++, X += nq + nl) {
        const double x = a * z_re[j] - b * z_im[j], y = a * z_im[j] + b * z_re[j];
        double v_re = z_re[nq + j] + X[j] * x, v_im = z_im[nq + j] + X[j] * y;
        for (int k = 0; k < nl; k++) {
            const double c = re[nq + j * nl + k], d = im[nq + j * nl + k];
            l_re[k] += X[nq + k] * x - (c * v_re - d * v_im);
            l_im[k] += X[nq + k] * y - (c * v_im + d * v_re);
        }
        multiply(re[j], im[j], &v_re, &v_im);
        z_re[nq + j] = v_re;
        z_im[nq + j] = v_im;
    }
    for (int k = 0; k < nl; k++)
        multiply(s->inverse_re, s->inverse_im, &l_re[k], &l_im[k]);
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
