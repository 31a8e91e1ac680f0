/* schur_kernel.h - the numbers of S for one scalar: included with SCALAR, SUFFIX(name), REACTION
 * (the member of the model's map), EPSILON and SIZE(x) = |x| defined */

/* G from the reactions to one vector for each colour; sum[nq] := what its entries say of G^T d. */
static void SUFFIX(gather)(const dae_schur_plan *plan, const dae_mechanical *m, const SCALAR *p,
                           SCALAR t, const SCALAR *q, SCALAR *restrict G, SCALAR *restrict e,
                           SCALAR *restrict r, SCALAR *restrict sum)
{
    const int *row = plan->pattern.row, *column = plan->pattern.column;
    memset(e, 0, (size_t)plan->multipliers * sizeof *e);
    memset(sum, 0, (size_t)plan->nq * sizeof *sum);
    for (int colour = 0; colour < plan->colours.count; colour++) {
        const int *begin = plan->colours.column + plan->colours.start[colour];
        const int *end = plan->colours.column + plan->colours.start[colour + 1];
        for (const int *k = begin; k < end; k++)
            e[*k] = 1;
        m->reaction.REACTION(p, t, q, e, r);
        for (const int *k = begin; k < end; k++) {
            const SCALAR d = plan->direction[*k];
            e[*k] = 0;
            for (int a = column[*k], last = column[*k + 1]; a < last; a++) {
                G[a] = r[row[a]];
                sum[row[a]] += d * r[row[a]];
            }
        }
    }
}

/* r[nq] := |G^T d - sum|, for which e[multipliers], 0 behind nl, is scratch; is it rounding of each sum? */
static int SUFFIX(compare)(const dae_schur_plan *plan, const dae_mechanical *m, const SCALAR *p,
                           SCALAR t, const SCALAR *q, const SCALAR *restrict sum,
                           SCALAR *restrict e, SCALAR *restrict r)
{
    int off = 0;
    for (int k = 0; k < plan->nl; k++)
        e[k] = plan->direction[k];
    m->reaction.REACTION(p, t, q, e, r);
    for (int i = 0; i < plan->nq; i++) {
        r[i] = SIZE(r[i] - sum[i]);
        off |= r[i] > plan->rounding[i] * SIZE(sum[i]);
    }
    return !off;
}

/* The same beside size[nq], all terms of the sum without their signs. */
static int SUFFIX(compare_terms)(const dae_schur_plan *plan, const SCALAR *G, const SCALAR *r,
                                 SCALAR *size)
{
    int off = 0;
    memset(size, 0, (size_t)plan->nq * sizeof *size);
    for (int k = 0; k < plan->nl; k++)
        for (int a = plan->pattern.column[k]; a < plan->pattern.column[k + 1]; a++)
            size[plan->pattern.row[a]] += SIZE(G[a] * plan->direction[k]);
    for (int i = 0; i < plan->nq; i++)
        off |= r[i] > plan->rounding[i] * size[i];
    return !off;
}

/* G, and do its entries say all of it? Where terms of G^T d cancel, their sizes are looked at.
 * work[multipliers + 2 nq]: scratch, |G^T d - sum|, the sizes where the answer is no. */
static int SUFFIX(is_complete)(const dae_schur_plan *plan, const dae_mechanical *m, const SCALAR *p,
                               SCALAR t, const SCALAR *q, SCALAR *G, SCALAR *work)
{
    SCALAR *r = work + plan->multipliers, *sum = r + plan->nq;
    SUFFIX(gather)(plan, m, p, t, q, G, work, r, sum);
    return SUFFIX(compare)(plan, m, p, t, q, sum, work, r)
           || SUFFIX(compare_terms)(plan, G, r, sum);
}

/* S = L D L^T row by row of its band; the row where D is lost beside S_ii, or -1. Where a points to
 * the diagonal of row i, (i, i - m) is a[-m] and (i + m, i) is a[m band]. */
static inline int SUFFIX(factor)(int n, int band, SCALAR *S)
{
    SCALAR *a = S + band;
    for (int i = 0; i < n; i++, a += band + 1) {
        const int width = i < band ? i : band;
        const SCALAR tiny = (band + 1) * EPSILON * a[0];        /* beside S_ii */
        for (int m = width; m > 0; m--) {                       /* a_j = L_ij d_j, j = i - m */
            const SCALAR *b = a - (ptrdiff_t)m * (band + 1);
            for (int k = width; k > m; k--)
                a[-m] -= a[-k] * b[m - k];
        }
        for (int m = width; m > 0; m--) {
            const SCALAR l = a[-m] / a[-(ptrdiff_t)m * (band + 1)];
            a[0] -= l * a[-m];
            a[-m] = l;
        }
        if (!(a[0] > tiny) || a[0] - a[0] != 0)
            return i;
    }
    return -1;
}

static void SUFFIX(assemble)(const dae_schur_plan *plan, const SCALAR *restrict w,
                             const SCALAR *restrict G, SCALAR *restrict S)
{
    memset(S, 0, dae_schur_band(plan) * sizeof *S);
    for (int k = 0; k < plan->pairs; k++) {
        const int a = plan->first[k];
        S[plan->target[k]] += G[a] * w[plan->pattern.row[a]] * G[plan->second[k]];
    }
}

/* -1; the multiplier whose constraint depends on others; DAE_SCHUR_GROWN */
static int SUFFIX(factor_plan)(const dae_schur_plan *plan, const dae_mechanical *m, const SCALAR *p, SCALAR t,
                               const SCALAR *q, const SCALAR *w, SCALAR *G, SCALAR *S, SCALAR *work)
{
    if (!SUFFIX(is_complete)(plan, m, p, t, q, G, work))
        return DAE_SCHUR_GROWN;
    SUFFIX(assemble)(plan, w, G, S);
    const int lost = plan->band == 1 ? SUFFIX(factor)(plan->nl, 1, S)       /* written out */
                                     : SUFFIX(factor)(plan->nl, plan->band, S);
    if (lost < 0)
        return -1;
    int k = 0;
    while (plan->place[k] != lost)
        k++;
    return k;
}

/* x[n] := S^-1 x */
static inline void SUFFIX(solve)(int n, int band, const SCALAR *S, SCALAR *restrict x)
{
    const SCALAR *a = S + band;
    for (int i = 0; i < n; i++, a += band + 1)
        for (int m = i < band ? i : band; m > 0; m--)
            x[i] -= a[-m] * x[i - m];
    for (int i = n - 1; i >= 0; i--) {
        a -= band + 1;
        x[i] /= a[0];
        for (int m = 1; m <= band && m < n - i; m++)
            x[i] -= a[(ptrdiff_t)m * band] * x[i + m];
    }
}

void SUFFIX(dae_schur_solve)(const dae_schur_plan *plan, const SCALAR *S, SCALAR *c, SCALAR *work)
{
    const int n = plan->nl;
    for (int k = 0; k < n; k++)
        work[plan->place[k]] = c[k];
    if (plan->band == 1)                                        /* written out */
        SUFFIX(solve)(n, 1, S, work);
    else
        SUFFIX(solve)(n, plan->band, S, work);
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
    const SCALAR *p;
    SCALAR t, *q, *r, *e;       /* [POINTS x nq], [nq], [multipliers] */
    int nq, first;              /* point that is asked */
    const dae_pattern *known;   /* entries that stand already, or NULL */
} SUFFIX(reactions);

static void SUFFIX(react)(void *context, const dae_probe_vector *lambda, unsigned char *hit)
{
    const SUFFIX(reactions) *x = context;
    const dae_pattern *known = x->known;
    for (int c = 0; c < lambda->count; c++)
        x->e[lambda->column[c]] = lambda->x[lambda->column[c]];
    for (int point = x->first; point < POINTS; point++) {
        x->m->reaction.REACTION(x->p, x->t, x->q + point * x->nq, x->e, x->r);
        for (int i = 0; i < x->nq; i++)                 /* outside its domain G says nothing */
            hit[i] |= x->r[i] != 0 && x->r[i] - x->r[i] == 0;
    }
    for (int c = 0; c < lambda->count; c++) {
        const int k = lambda->column[c];
        x->e[k] = 0;
        for (int a = known ? known->column[k] : 0; known && a < known->column[k + 1]; a++)
            hit[known->row[a]] = 1;
    }
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

/* points[POINTS x nq], and scratch[nq + multipliers] behind them; from the first one on that is asked. */
static dae_status SUFFIX(find_pattern_at)(const dae_schur_plan *plan, const dae_mechanical *m, const SCALAR *p,
                                          SCALAR t, SCALAR *points, int first, const dae_pattern *known,
                                          dae_pattern *pattern)
{
    SCALAR *r = points + (size_t)POINTS * (size_t)plan->nq;
    SUFFIX(reactions) x = {.m = m, .p = p, .t = t, .q = points, .r = r, .e = r + plan->nq,
                           .nq = plan->nq, .first = first, .known = known};
    return dae_pattern_detect(pattern, plan->nq, plan->nl, SUFFIX(react), &x);
}

static SCALAR *SUFFIX(make_points)(const dae_schur_plan *plan, const SCALAR *q)
{
    const size_t nq = (size_t)plan->nq, multipliers = (size_t)plan->multipliers;
    SCALAR *points = calloc((POINTS + 1) * nq + multipliers + 1, sizeof *points);
    if (points)
        SUFFIX(choose_points)(plan->nq, q, points);
    return points;
}

static dae_status SUFFIX(find_pattern)(const dae_schur_plan *plan, const dae_mechanical *m,
                                       const SCALAR *p, SCALAR t, const SCALAR *q,
                                       const dae_pattern *known, dae_pattern *pattern)
{
    SCALAR *points = SUFFIX(make_points)(plan, q);
    const dae_status status = points ? SUFFIX(find_pattern_at)(plan, m, p, t, points, 0, known, pattern)
                                     : DAE_NO_MEMORY;
    free(points);
    return status;
}

/* Where G^T d and its entries do not agree though the pattern holds all, their rounding is
 * larger. */
static int SUFFIX(learn_rounding)(dae_schur_plan *plan, const dae_mechanical *m, const SCALAR *p,
                                  SCALAR t, const SCALAR *q)
{
    const size_t nq = (size_t)plan->nq, multipliers = (size_t)plan->multipliers;
    SCALAR *G = malloc((dae_schur_entries(plan) + multipliers + 2 * nq + 1) * sizeof *G);
    if (!G)
        return -1;
    SCALAR *work = G + dae_schur_entries(plan), *r = work + multipliers, *size = r + nq;
    const int complete = SUFFIX(is_complete)(plan, m, p, t, q, G, work);
    for (size_t i = 0; !complete && i < nq; i++)
        if (r[i] > plan->rounding[i] * size[i])
            plan->rounding[i] = size[i] > 0 ? (double)(100 * r[i] / size[i]) : HUGE_VAL;
    free(G);
    return 0;
}

/* 1, the pattern has been extended by the entries near (t, q), which changes the lengths of G and S; 0, the difference
 * was rounding, and the plan's bound for it has been raised; -1, no memory. */
static int SUFFIX(extend)(dae_schur_plan *plan, const dae_mechanical *m, const SCALAR *p, SCALAR t, const SCALAR *q)
{
    dae_schur_plan larger = {.nq = plan->nq, .nl = plan->nl, .multipliers = plan->multipliers};
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

int SUFFIX(dae_schur_make_room)(const dae_schur_plan *plan, SCALAR **G, SCALAR **S)
{
    const size_t entries = dae_schur_entries(plan);
    SCALAR *room = calloc(entries + dae_schur_band(plan), sizeof *room);
    if (!room)
        return 0;
    free(*G);
    *G = room;
    *S = room + entries;
    return 1;
}

int SUFFIX(dae_schur_renew)(dae_schur_plan *plan, const dae_mechanical *m, const SCALAR *p, SCALAR t, const SCALAR *q,
                            const SCALAR *w, SCALAR **G, SCALAR **S, SCALAR *work)
{
    for (;;) {
        const int lost = SUFFIX(factor_plan)(plan, m, p, t, q, w, *G, *S, work);
        const int grown = lost == DAE_SCHUR_GROWN ? SUFFIX(extend)(plan, m, p, t, q) : -1;
        if (grown < 0 || (grown && !SUFFIX(dae_schur_make_room)(plan, G, S)))
            return lost;
    }
}
