/* trees.h - rooted trees as level sequences, all of a given number of nodes
 *
 * Beyer, Hedetniemi (1980), Constant time generation of rooted trees, SIAM J. Comput. 9, 706-712.
 */
#ifndef DAELAB_TEST_TREES_H
#define DAELAB_TEST_TREES_H

enum { MOST_NODES = 8 };

typedef struct { int nodes, level[MOST_NODES]; } tree;

static inline void first_tree(tree *t, int nodes)
{
    t->nodes = nodes;
    for (int i = 0; i < nodes; i++)
        t->level[i] = i;
}

static inline int parent(const tree *t, int node)
{
    int i = node - 1;
    while (t->level[i] != t->level[node] - 1)
        i--;
    return i;
}

/* 0 after the last one. */
static inline int next_tree(tree *t)
{
    int p = t->nodes - 1;
    while (p > 0 && t->level[p] == 1)
        p--;
    if (p == 0)
        return 0;
    const int q = parent(t, p);
    for (int i = p; i < t->nodes; i++)
        t->level[i] = t->level[i - (p - q)];
    return 1;
}

#endif
