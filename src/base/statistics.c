/* statistics.c - counts of several solvers as one, by the kinds of statistics.def */
#include "base/statistics.h"

#include "base/no_fast_math.h"

#include <math.h>
#include <stddef.h>

#define TO_SUM(name) sum->name += c->name;
#define TO_LARGEST(name) sum->name = c->name > sum->name ? c->name : sum->name;
#define WORK TO_SUM
#define COST TO_SUM
#define SUM TO_SUM
#define LARGEST TO_LARGEST
#define ENTRIES TO_LARGEST
#define EVENTS TO_SUM
void dae_statistics_add(dae_statistics *sum, const dae_statistics *c)
{
#define DAE_STATISTIC(type, name, kind, title, meaning) kind(name)
#include "daelab/statistics.def"
}
#undef WORK
#undef COST
#undef SUM
#undef LARGEST
#undef ENTRIES
#undef EVENTS

#define WORK(name) sum->name += now->name - before->name;
#define COST(name)
#define SUM(name)
#define LARGEST(name)
#define ENTRIES(name)
#define EVENTS(name)
void dae_statistics_add_work(dae_statistics *sum, const dae_statistics *before, const dae_statistics *now)
{
#include "daelab/statistics.def"
}
#undef DAE_STATISTIC

double dae_statistic(const dae_statistics *s, int i, const char **name, const char **title)
{
    const struct { const char *name, *title; double value; } all[] = {
#define DAE_STATISTIC(type, name, kind, title, meaning) {#name, title, (double)s->name},
#include "daelab/statistics.def"
#undef DAE_STATISTIC
    };
    const int is_one = i >= 0 && i < (int)(sizeof all / sizeof *all);
    if (name)
        *name = is_one ? all[i].name : NULL;
    if (title)
        *title = is_one ? all[i].title : NULL;
    return is_one ? all[i].value : NAN;
}
