#include "run/tolerance.h"

#include "host/allocate.h"

#include <math.h>
#include <stdlib.h>

static int is_there(const dae_system *sys, const run_atol *entry)
{
    const dae_atol one = {entry->of, 1};
    return !sys || dae_system_atols(sys, 1, &one, 1, NULL, NULL) == DAE_OK;
}

/* list := the entries that sys has, of values fixed + by_rtol rtol with these factors; how many. */
static int collect(const run_setting *s, const dae_system *sys, double fixed, double rtol, dae_atol *list)
{
    int count = 0;
    for (int k = 0; k < s->atols; k++)
        if (is_there(sys, &s->atol_of[k]))
            list[count++] = (dae_atol){s->atol_of[k].of,
                                       s->atol_of[k].value * (s->atol_of[k].by_rtol ? rtol : fixed)};
    return count;
}

void run_set_atols(const run_setting *s, const dae_system *sys, dae_options *options,
                   dae_atol list[MAX_ATOLS])
{
    if (options->step > 0)
        return;
    options->atol_count = collect(s, sys, 1, options->rtol, list);
    options->atol_of = options->atol_count ? list : NULL;
}

/* to[n] := x[n], the unknowns of each class one behind the other. */
static void sort_by_class(const dae_system *sys, const double *x, double *to, int *first)
{
    int place = 0;
    for (dae_class c = 0; c < DAE_CLASSES; c++) {
        first[c] = place;
        for (int i = 0; i < dae_system_size(sys); i++)
            if (dae_system_class(sys, i) == c)
                to[place++] = x[i];
    }
}

void run_absolute_begin(run_absolute *a, const run_setting *s, const dae_system *sys)
{
    const size_t n = (size_t)dae_system_size(sys);
    dae_atol list[MAX_ATOLS];
    const int by_rtol = isnan(s->atol) || s->atol_by_rtol;
    *a = (run_absolute){.same_fixed = by_rtol ? 0 : s->atol,
                        .same_by_rtol = !by_rtol ? 0 : isnan(s->atol) ? 1 : s->atol};
    if (!s->atols)
        return;
    double *x = allocate(n, sizeof *x);
    a->fixed = allocate(2 * n, sizeof *x);
    a->by_rtol = a->fixed + n;
    a->count = (int)n;
    dae_system_atols(sys, a->same_fixed, list, collect(s, sys, 1, 0, list), x, NULL);
    sort_by_class(sys, x, a->fixed, a->first);
    dae_system_atols(sys, a->same_by_rtol, list, collect(s, sys, 0, 1, list), x, NULL);
    sort_by_class(sys, x, a->by_rtol, a->first);
    a->first[DAE_RECOVERED] = a->first[DAE_MULTIPLIER];
    free(x);
}

void run_absolute_free(run_absolute *a)
{
    free(a->fixed);
    *a = (run_absolute){.fixed = NULL};
}

double run_absolute_at(const run_absolute *a, dae_class c, int i, double rtol)
{
    const int k = a->first[c] + i;
    return a->fixed && k < a->count ? a->fixed[k] / rtol + a->by_rtol[k] : a->same_fixed / rtol + a->same_by_rtol;
}
