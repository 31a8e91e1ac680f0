#include "findings.h"

#include "base/no_fast_math.h"

#include <string.h>

static int find(const dae_findings *list, const char *function)
{
    int i = 0;
    while (i < list->count && strcmp(list->item[i].function, function) != 0)
        i++;
    return i;
}

void dae_findings_add(dae_findings *list, const dae_finding *f, double part)
{
    const int i = find(list, f->function);
    if (i == DAE_MOST_FINDINGS)
        return;
    if (i == list->count)
        list->count++;
    else if (f->failed < list->item[i].failed
             || (f->failed == list->item[i].failed && !(part > list->part[i])))
        return;
    list->item[i] = *f;
    list->part[i] = part;
}

int dae_findings_blame(const dae_findings *list, const char *function)
{
    const int i = find(list, function);
    return i < list->count && list->item[i].failed;
}

int dae_findings_failed(const dae_findings *list)
{
    int failed = 0;
    for (int i = 0; i < list->count; i++)
        failed += list->item[i].failed;
    return failed;
}
