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

/* Do the entries say all of G? r[nq] := G^T d less what they say, size[nq] what those are in all. */
static int SUFFIX(is_complete)(const dae_schur_plan *plan, const dae_mechanical *m, const double *p,
                               SCALAR t, const SCALAR *q, const SCALAR *G, SCALAR *e, SCALAR *r,
                               SCALAR *size)
{
    int complete = 1;
    for (int k = 0; k < plan->nl; k++)
        e[k] = plan->direction[k];
    m->reaction.REACTION(p, t, q, e, r);
    memset(size, 0, (size_t)plan->nq * sizeof *size);
    for (int k = 0; k < plan->nl; k++)
        for (int a = plan->pattern.column[k]; a < plan->pattern.column[k + 1]; a++) {
            const SCALAR term = G[a] * e[k];
            r[plan->pattern.row[a]] -= term;
            size[plan->pattern.row[a]] += term < 0 ? -term : term;
        }
    for (int i = 0; i < plan->nq; i++) {
        const SCALAR most = plan->rounding[i] * size[i];
        if (r[i] > most || -r[i] > most)
            complete = 0;
    }
    return complete;
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
    SCALAR *r = work + plan->nl, *size = r + plan->nq;
    SUFFIX(gather)(plan, m, p, t, q, G, work, r);
    if (!SUFFIX(is_complete)(plan, m, p, t, q, G, work, r, size))
        return DAE_SCHUR_GROWN;
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

/* ---- where G has entries ------------------------------------------------------------------- */

/* The reaction to multipliers at a few points: what the pattern of G^T is asked of. */
typedef struct {
    const dae_mechanical *m;
    const double *p;
    SCALAR t, *q, *r, *e;       /* [POINTS x nq], [nq], [nl] */
    int nq;
    const dae_pattern *known;   /* entries that stand already, or NULL */
} SUFFIX(reactions);

static void SUFFIX(react)(void *context, const double *lambda, unsigned char *hit)
{
    const SUFFIX(reactions) *x = context;
    const dae_pattern *known = x->known;
    const int nl = (int)(x->r - x->e);
    for (int k = 0; k < nl; k++)
        x->e[k] = lambda[k];
    for (int point = 0; point < POINTS; point++) {
        x->m->reaction.REACTION(x->p, x->t, x->q + point * x->nq, x->e, x->r);
        for (int i = 0; i < x->nq; i++)                 /* outside its domain G says nothing */
            hit[i] |= x->r[i] != 0 && x->r[i] - x->r[i] == 0;
    }
    for (int k = 0; known && k < nl; k++)
        for (int a = known->column[k]; lambda[k] != 0 && a < known->column[k + 1]; a++)
            hit[known->row[a]] = 1;
}

/* q itself; by a part of every position; and of the largest. */
static void SUFFIX(choose_points)(int nq, const SCALAR *q, SCALAR *points)
{
    SCALAR largest = 0;
    uint64_t random = 20090217;
    for (int i = 0; i < nq; i++)
        largest = q[i] > largest ? q[i] : -q[i] > largest ? -q[i] : largest;
    const SCALAR size = largest > 0 ? largest : 1;
    for (int k = 0; k < POINTS; k++)
        for (int i = 0; i < nq; i++) {
            const double a = dae_random(&random) / 10, b = dae_random(&random) / 10;
            points[k * nq + i] = q[i] + (k > 0) * a * q[i] + (k > 1 || (k && q[i] == 0)) * b * size;
        }
}

static dae_status SUFFIX(find_pattern)(const dae_schur_plan *plan, const dae_mechanical *m,
                                       const double *p, SCALAR t, const SCALAR *q,
                                       const dae_pattern *known, dae_pattern *pattern)
{
    const size_t nq = (size_t)plan->nq, nl = (size_t)plan->nl;
    SCALAR *points = malloc(((POINTS + 1) * nq + nl + 1) * sizeof *points);
    if (!points)
        return DAE_NO_MEMORY;
    SUFFIX(choose_points)(plan->nq, q, points);
    SUFFIX(reactions) x = {.m = m, .p = p, .t = t, .q = points, .e = points + POINTS * nq,
                           .r = points + POINTS * nq + nl, .nq = plan->nq, .known = known};
    const dae_status status = dae_pattern_detect(pattern, plan->nq, plan->nl, SUFFIX(react), &x);
    free(points);
    return status;
}

/* Where G^T d and its entries do not agree though the pattern holds all, their rounding is larger. */
static int SUFFIX(learn_rounding)(dae_schur_plan *plan, const dae_mechanical *m, const double *p,
                                  SCALAR t, const SCALAR *q)
{
    const size_t nq = (size_t)plan->nq, nl = (size_t)plan->nl;
    SCALAR *G = malloc((dae_schur_entries(plan) + nl + 2 * nq + 1) * sizeof *G);
    if (!G)
        return -1;
    SCALAR *e = G + dae_schur_entries(plan), *r = e + nl, *size = r + nq;
    SUFFIX(gather)(plan, m, p, t, q, G, e, r);
    SUFFIX(is_complete)(plan, m, p, t, q, G, e, r, size);
    for (size_t i = 0; i < nq; i++) {
        const SCALAR off = r[i] < 0 ? -r[i] : r[i];
        if (off > plan->rounding[i] * size[i])
            plan->rounding[i] = size[i] > 0 ? (double)(100 * off / size[i]) : HUGE_VAL;
    }
    free(G);
    return 0;
}

int SUFFIX(dae_schur_extend)(dae_schur_plan *plan, const dae_mechanical *m, const double *p,
                             SCALAR t, const SCALAR *q)
{
    dae_schur_plan larger = {.nq = plan->nq, .nl = plan->nl};
    dae_pattern pattern = {0};
    int answer = -1;
    if (!SUFFIX(find_pattern)(plan, m, p, t, q, &plan->pattern, &pattern)) {
        if (pattern.nnz == plan->pattern.nnz)
            answer = SUFFIX(learn_rounding)(plan, m, p, t, q);
        else if (make_plan(&larger, &pattern))
            answer = 1;
    }
    dae_pattern_free(&pattern);
    if (answer < 1) {
        dae_schur_plan_free(&larger);
        return answer;
    }
    memcpy(larger.rounding, plan->rounding, (size_t)plan->nq * sizeof *plan->rounding);
    dae_schur_plan_free(plan);
    *plan = larger;
    return 1;
}
