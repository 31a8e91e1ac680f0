/* schur_kernel.h - the numbers of S for one scalar: included with SCALAR, SUFFIX(name), REACTION (the
 * member of the model's map) and EPSILON defined */

/* G from the reactions to one vector for each colour. */
static void SUFFIX(gather)(const dae_schur_plan *plan, const dae_mechanical *m, const double *p,
                           SCALAR t, const SCALAR *q, SCALAR *G, SCALAR *e, SCALAR *r)
{
    for (int colour = 0; colour < plan->colours; colour++) {
        for (int k = 0; k < plan->nl; k++)
            e[k] = plan->colour[k] == colour;
        m->reaction.REACTION(p, t, q, e, r);
        for (int k = 0; k < plan->nl; k++)
            for (int a = plan->pattern.column[k]; plan->colour[k] == colour && a < plan->pattern.column[k + 1]; a++)
                G[a] = r[plan->pattern.row[a]];
    }
}

/* S = L D L^T row by row of its band; the row where D is lost beside S_ii, or -1. */
static int SUFFIX(factor)(int n, int band, SCALAR *S)
{
    for (int i = 0; i < n; i++) {
        const int begin = i > band ? i - band : 0;
        SCALAR *a = S + (size_t)i * (size_t)band + band;        /* a[j]: entry (i, j) */
        const SCALAR tiny = (band + 1) * EPSILON * a[i];        /* beside S_ii */
        for (int j = begin; j < i; j++) {                       /* a_j = L_ij d_j */
            const SCALAR *b = S + (size_t)j * (size_t)band + band;
            for (int k = j > begin + band ? j - band : begin; k < j; k++)
                a[j] -= a[k] * b[k];
        }
        for (int j = begin; j < i; j++) {
            const SCALAR l = a[j] / S[(size_t)j * (size_t)(band + 1) + (size_t)band];
            a[i] -= l * a[j];
            a[j] = l;
        }
        if (!(a[i] > tiny) || a[i] - a[i] != 0)
            return i;
    }
    return -1;
}

int SUFFIX(dae_schur_factor)(const dae_schur_plan *plan, const dae_mechanical *m, const double *p,
                             SCALAR t, const SCALAR *q, const SCALAR *w, SCALAR *G, SCALAR *S,
                             SCALAR *work)
{
    SUFFIX(gather)(plan, m, p, t, q, G, work, work + plan->nl);
    memset(S, 0, dae_schur_band(plan) * sizeof *S);
    for (int k = 0; k < plan->pairs; k++) {
        const int a = plan->first[k];
        S[plan->target[k]] += G[a] * w[plan->pattern.row[a]] * G[plan->second[k]];
    }
    const int lost = SUFFIX(factor)(plan->nl, plan->band, S);
    if (lost < 0)
        return -1;
    int k = 0;
    while (plan->place[k] != lost)
        k++;
    return k;
}

void SUFFIX(dae_schur_solve)(const dae_schur_plan *plan, const SCALAR *S, SCALAR *c, SCALAR *work)
{
    const int n = plan->nl, band = plan->band;
    for (int k = 0; k < n; k++)
        work[plan->place[k]] = c[k];
    for (int i = 0; i < n; i++) {
        const SCALAR *a = S + (size_t)i * (size_t)band + band;
        for (int j = i > band ? i - band : 0; j < i; j++)
            work[i] -= a[j] * work[j];
    }
    for (int i = n - 1; i >= 0; i--) {
        const SCALAR *a = S + (size_t)i * (size_t)band + band;
        work[i] /= a[i];
        for (int j = i + 1; j < n && j <= i + band; j++)
            work[i] -= S[(size_t)j * (size_t)band + (size_t)(band + i)] * work[j];
    }
    for (int k = 0; k < n; k++)
        c[k] = work[plan->place[k]];
}

void SUFFIX(dae_schur_add)(const dae_schur_plan *plan, const SCALAR *G, const SCALAR *w,
                           const SCALAR *c, SCALAR *x)
{
    for (int k = 0; k < plan->nl; k++)
        for (int a = plan->pattern.column[k]; a < plan->pattern.column[k + 1]; a++)
            x[plan->pattern.row[a]] -= w[plan->pattern.row[a]] * G[a] * c[k];
}
