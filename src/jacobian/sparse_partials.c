/* sparse_partials.c - room for the entries that a model puts, and the same as dense blocks */
#include "sparse_partials.h"
#include "base/parts.h"

#include <stdlib.h>

enum { BLOCKS = 7 };

static void list_blocks(dae_sparse_partials *d, dae_entries *list[BLOCKS])
{
    dae_entries *const all[BLOCKS] = {&d->f_q, &d->f_v, &d->r_q, &d->G, &d->rate_q, &d->acc_q, &d->acc_v};
    for (int i = 0; i < BLOCKS; i++)
        list[i] = all[i];
}

int dae_sparse_partials_create(dae_sparse_partials *d, int nq, int nl)
{
    const size_t q = (size_t)nq, l = (size_t)nl;
    *d = (dae_sparse_partials){.f_t = NULL};
    return DAE_PARTS(d,
                     DAE_PART(dae_sparse_partials, f_t, q), DAE_PART(dae_sparse_partials, r_t, q),
                     DAE_PART(dae_sparse_partials, g_t, l), DAE_PART(dae_sparse_partials, rate_t, l),
                     DAE_PART(dae_sparse_partials, acc_t, l))
           != NULL;
}

void dae_sparse_partials_free(dae_sparse_partials *d)
{
    dae_entries *blocks[BLOCKS];
    list_blocks(d, blocks);
    for (int i = 0; i < BLOCKS; i++) {
        free(blocks[i]->row);
        free(blocks[i]->value);
    }
    free(d->f_t);
    *d = (dae_sparse_partials){0};
}

/* For as many entries as were put; what it held is lost. */
static int make_room(dae_entries *e)
{
    const size_t room = (size_t)e->count;
    if (e->count <= e->room)
        return 1;
    free(e->row);
    free(e->value);
    e->row = calloc(2 * room, sizeof *e->row);
    e->value = calloc(room, sizeof *e->value);
    e->column = e->row ? e->row + room : NULL;
    e->room = e->row && e->value ? e->count : 0;
    return e->room > 0;
}

static void ask(const dae_mechanical *m, const dae_partials_point *at, dae_entries *blocks[BLOCKS],
                dae_sparse_partials *d)
{
    for (int i = 0; i < BLOCKS; i++)
        blocks[i]->count = blocks[i]->moved = 0;
    m->sparse_partials(at->p, at->t, at->q, at->v, at->a, at->lambda, d);
}

int dae_sparse_partials_at(const dae_mechanical *m, const dae_partials_point *at, dae_sparse_partials *d)
{
    dae_entries *blocks[BLOCKS];
    int short_of = 0;
    list_blocks(d, blocks);
    ask(m, at, blocks, d);
    for (int i = 0; i < BLOCKS; i++)
        short_of |= blocks[i]->count > blocks[i]->room;
    if (!short_of)
        return 1;
    for (int i = 0; i < BLOCKS; i++)
        if (!make_room(blocks[i]))
            return 0;
    ask(m, at, blocks, d);
    return 1;
}

int dae_sparse_partials_fit(const dae_sparse_partials *d, int nq, int nl)
{
    const struct { const dae_entries *e; int rows; } all[BLOCKS] = {
        {&d->f_q, nq}, {&d->f_v, nq}, {&d->r_q, nq}, {&d->G, nl}, {&d->rate_q, nl}, {&d->acc_q, nl}, {&d->acc_v, nl}};
    for (int i = 0; i < BLOCKS; i++)
        for (int k = 0; k < all[i].e->count; k++)
            if (all[i].e->row[k] < 0 || all[i].e->row[k] >= all[i].rows || all[i].e->column[k] < 0
                || all[i].e->column[k] >= nq)
                return 0;
    return 1;
}

int dae_sparse_partials_stayed(const dae_sparse_partials *d)
{
    const dae_entries *all[BLOCKS] = {&d->f_q, &d->f_v, &d->r_q, &d->G, &d->rate_q, &d->acc_q, &d->acc_v};
    int stayed = 1;
    for (int i = 0; i < BLOCKS; i++)
        stayed &= all[i]->count == all[i]->room && !all[i]->moved;
    return stayed;
}

static void spread(const dae_entries *e, int columns, double *block)
{
    for (int k = 0; k < e->count; k++)
        block[e->row[k] * columns + e->column[k]] += e->value[k];
}

static void spread_all(const dae_sparse_partials *s, int nq, int nl, dae_partials *d)
{
    spread(&s->f_q, nq, d->f_q);
    spread(&s->f_v, nq, d->f_v);
    spread(&s->r_q, nq, d->r_q);
    spread(&s->G, nq, d->G);
    spread(&s->rate_q, nq, d->rate_q);
    spread(&s->acc_q, nq, d->acc_q);
    spread(&s->acc_v, nq, d->acc_v);
    for (int i = 0; i < nq; i++) {
        d->f_t[i] = s->f_t[i];
        d->r_t[i] = s->r_t[i];
    }
    for (int k = 0; k < nl; k++) {
        d->g_t[k] = s->g_t[k];
        d->rate_t[k] = s->rate_t[k];
        d->acc_t[k] = s->acc_t[k];
    }
}

dae_status dae_dense_partials(const dae_mechanical *m, const dae_partials_point *at, int nq, int nl,
                              dae_partials *d)
{
    dae_sparse_partials s;
    dae_status status = DAE_NO_MEMORY;
    if (m->partials) {
        m->partials(at->p, at->t, at->q, at->v, at->a, at->lambda, d);
        return DAE_OK;
    }
    if (dae_sparse_partials_create(&s, nq, nl)) {
        s.level = d->level;
        if (dae_sparse_partials_at(m, at, &s))
            status = dae_sparse_partials_fit(&s, nq, nl) ? DAE_OK : DAE_BAD_MODEL;
    }
    if (!status)
        spread_all(&s, nq, nl, d);
    dae_sparse_partials_free(&s);
    return status;
}
