/* atol_of.c - absolute tolerances of unknowns that are named, one by one or by class */
#include "atol_of.h"

#include <stdio.h>
#include <string.h>

/* How closely a name fits an unknown. */
typedef enum { NOT, BY_CLASS, BY_KIND, BY_NAME } fit;

enum { NAME = 32, CANDIDATES = 64 };

static fit fit_of(const dae_system *sys, int i, const char *of)
{
    char name[NAME], kind[NAME], unit[NAME];
    if (sys->carried && dae_system_follows(sys, i))
        return NOT;                                         /* its error is not tested */
    dae_system_unknown(sys, i, name, unit, NAME);
    if (strcmp(name, of) == 0)
        return BY_NAME;
    dae_unknown_kind(sys, i, kind, NAME);
    if (strcmp(kind, of) == 0)
        return BY_KIND;
    return strcmp(dae_class_name(dae_system_class(sys, i)), of) == 0 ? BY_CLASS : NOT;
}

/* What the list says of unknown i: the entry that fits best, else atol. */
static double atol_of(const dae_system *sys, int i, double atol, const dae_atol *list, int count)
{
    fit best = NOT;
    for (int k = 0; k < count; k++) {
        const fit is = fit_of(sys, i, list[k].of);
        atol = is > best ? list[k].atol : atol;
        best = is > best ? is : best;
    }
    return atol;
}

int dae_names_unknowns(const dae_system *sys, const char *of)
{
    int i = 0;
    while (i < sys->n && fit_of(sys, i, of) == NOT)
        i++;
    return i < sys->n;
}

/* The name or class of the first unknowns that is nearest to what was typed, in text. */
static int find_nearest(const dae_system *sys, const char *typed, char *text)
{
    char names[2 * CANDIDATES][NAME], unit[NAME];
    const char *list[2 * CANDIDATES];
    int count = 0;
    for (int i = 0; i < sys->n && i < CANDIDATES; i++) {
        dae_system_unknown(sys, i, names[count], unit, NAME);
        list[count] = names[count];
        count++;
        list[count++] = dae_class_name(dae_system_class(sys, i));
    }
    const char *near = dae_nearest(typed, list, count);
    snprintf(text, NAME, "%s", near ? near : "");
    return near != NULL;
}

dae_status dae_check_atol_of(const dae_atol *list, int count, dae_report *report)
{
    if (count < 0 || (count > 0 && !list))
        return dae_fail(report, DAE_BAD_ARGUMENT, "atol_count = %d entries of atol_of, which is %s", count,
                        list ? "there" : "NULL");
    for (int k = 0; k < count; k++) {
        if (!list[k].of)
            return dae_fail(report, DAE_BAD_ARGUMENT, "entry %d of atol_of names nothing", k + 1);
        for (int j = 0; j < k; j++)
            if (strcmp(list[j].of, list[k].of) == 0)
                return dae_fail(report, DAE_BAD_ARGUMENT, "atol of %s is given twice, %g and %g",
                                list[k].of, list[j].atol, list[k].atol);
    }
    return DAE_OK;
}

void dae_fill_atols(const dae_system *sys, double atol, const dae_atol *list, int count, double *atols)
{
    for (int i = 0; i < sys->n; i++)
        atols[i] = atol_of(sys, i, atol, list, count);
}

/* "position, velocity, multiplier": those that the system has and tests */
static void list_classes(const dae_system *sys, char *text, size_t length)
{
    size_t end = 0;
    text[0] = 0;
    for (dae_class c = 0; c < DAE_CLASSES; c++) {
        if (end < length && dae_names_unknowns(sys, dae_class_name(c)))
            end += (size_t)snprintf(text + end, length - end, "%s%s", end ? ", " : "", dae_class_name(c));
    }
}

dae_status dae_atol_unused(const dae_system *sys, const char *of, dae_report *report)
{
    char near[NAME], classes[DAE_CLASSES * NAME];
    const char *form = sys->form->info.name, *problem = sys->problem->name;
    if (find_nearest(sys, of, near))
        return dae_fail(report, DAE_BAD_ARGUMENT, "atol of %s: %s in form %s has no unknown and no class of "
                        "this name; did you mean %s?", of, problem, form, near);
    list_classes(sys, classes, sizeof classes);
    return dae_fail(report, DAE_BAD_ARGUMENT, "atol of %s: %s in form %s has no unknown of this name, and its "
                    "classes are %s", of, problem, form, classes);
}

dae_status dae_system_atols(const dae_system *sys, double atol, const dae_atol *list, int count,
                            double *atols, dae_report *report)
{
    if (!sys)
        return dae_fail(report, DAE_BAD_ARGUMENT, "no system is given");
    const dae_status status = dae_check_atol_of(list, count, report);
    if (status)
        return status;
    for (int k = 0; k < count; k++)
        if (!dae_names_unknowns(sys, list[k].of))
            return dae_atol_unused(sys, list[k].of, report);
    if (atols)
        dae_fill_atols(sys, atol, list, count, atols);
    return DAE_OK;
}
