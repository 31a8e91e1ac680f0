#include "run/columns.h"

#include "host/allocate.h"

#include <daelab/binding.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Word number i of a list, or "". */
static void word(const char *list, int i, char *out)
{
    const char *c = list ? list : "";
    for (; i > 0; i--) {
        c += strcspn(c, " ");
        c += strspn(c, " ");
    }
    snprintf(out, LABEL, "%.*s", (int)strcspn(c, " "), c);
}

/* Unknown i of a system, or behind them its recovered multiplier i - n. */
static column_label label_of(const dae_system *sys, int i)
{
    const int n = dae_system_size(sys);
    column_label label = {.kind = i < n ? dae_system_class(sys, i) : DAE_RECOVERED};
    if (i < n)
        dae_system_unknown(sys, i, label.name, label.unit, LABEL);
    else
        dae_system_recovered(sys, i - n, label.name, label.unit, LABEL);
    return label;
}

/* All labels of a mode; sys is one of its own where it is not the one that the run is in. */
static dae_status mode_labels(const dae_hybrid *hybrid, int mode, const dae_formulation *form,
                              const run_setting *o, column_label **labels, int *count,
                              dae_report *report)
{
    dae_system *own = NULL, *sys = dae_hybrid_system(hybrid);
    if (mode != dae_hybrid_mode(hybrid)) {
        const dae_status status = dae_system_create(&own, dae_hybrid_problem(hybrid, mode), form, o->parameters,
                                                    &o->baumgarte, report);
        if (status)
            return status;
        sys = own;
    }
    *count = dae_system_size(sys) + dae_system_multipliers(sys);
    *labels = allocate((size_t)*count, sizeof **labels);
    for (int i = 0; i < *count; i++)
        (*labels)[i] = label_of(sys, i);
    dae_system_free(own);
    return DAE_OK;
}

static int find(const column_set *c, const char *name)
{
    for (int k = 0; k < c->count; k++)
        if (strcmp(c->label[k].name, name) == 0)
            return k;
    return -1;
}

/* Add the labels of a mode that are not there yet, and note where each one is. */
static void merge(column_set *c, int mode, const column_label *labels, int count)
{
    c->label = allocate_again(c->label, (size_t)(c->count + count), sizeof *c->label);
    c->place[mode] = allocate((size_t)count, sizeof **c->place);
    for (int i = 0; i < count; i++) {
        const int known = c->modes > 1 ? find(c, labels[i].name) : -1;
        c->place[mode][i] = known < 0 ? c->count : known;
        if (known < 0)
            c->label[c->count++] = labels[i];
    }
}

static int rank(dae_class kind)
{
    return kind == DAE_POSITION ? 0 : kind == DAE_VELOCITY ? 1 : 2;
}

/* Columns of mechanical modes by rank, otherwise in the order in which they came. */
static void order(column_set *c, const int *unknowns)
{
    int *to = allocate((size_t)c->count, sizeof *to), next = 0;
    column_label *sorted = allocate((size_t)c->count, sizeof *sorted);
    for (int r = 0; r < 3; r++)
        for (int k = 0; k < c->count; k++)
            if (rank(c->label[k].kind) == r) {
                sorted[next] = c->label[k];
                to[k] = next++;
            }
    for (int m = 0; m < c->modes; m++)
        for (int i = 0; i < unknowns[m]; i++)
            c->place[m][i] = to[c->place[m][i]];
    free(c->label);
    c->label = sorted;
    free(to);
}

dae_status columns_begin(column_set *c, const dae_hybrid *hybrid, const dae_formulation *form,
                         const run_setting *o, dae_report *report)
{
    const int modes = dae_hybrid_modes(hybrid);
    int *unknowns = allocate((size_t)modes, sizeof *unknowns);
    dae_status status = DAE_OK;
    *c = (column_set){.modes = modes, .place = allocate((size_t)modes, sizeof *c->place)};
    for (int m = 0; !status && m < modes; m++) {
        column_label *labels = NULL;
        status = mode_labels(hybrid, m, form, o, &labels, &unknowns[m], report);
        if (!status)
            merge(c, m, labels, unknowns[m]);
        free(labels);
    }
    if (!status && modes > 1 && o->problem->mechanical.nq > 0)
        order(c, unknowns);
    free(unknowns);
    return status;
}

void columns_free(column_set *c)
{
    for (int m = 0; c->place && m < c->modes; m++)
        free(c->place[m]);
    free(c->place);
    free(c->label);
    *c = (column_set){0};
}

column_label *state_labels(const dae_problem *mode, const double *parameters, int *count,
                           dae_report *report)
{
    const int mechanical = mode->mechanical.nq > 0;
    const dae_formulation *form = run_form_of_index(mode, mechanical ? 3 : -1);
    if (!form)                          /* constraints that bind velocities only */
        form = run_form_of_index(mode, 2);
    dae_system *sys;
    if (dae_system_create(&sys, mode, form, parameters, NULL, report))
        return NULL;
    *count = mechanical ? 2 * dae_system_positions(sys) + dae_system_multipliers(sys)
                        : dae_system_size(sys);
    column_label *labels = allocate((size_t)*count, sizeof *labels);
    for (int i = 0; i < *count; i++)
        labels[i] = label_of(sys, i);
    dae_system_free(sys);
    return labels;
}

column_label *minimal_labels(const dae_problem *mode, int *count)
{
    const dae_minimal *minimal = &mode->mechanical.minimal;
    *count = minimal->chart.f ? 2 * minimal->n : 0;
    column_label *labels = allocate((size_t)*count, sizeof *labels);
    for (int i = 0; i < *count; i++) {
        word(minimal->names, i, labels[i].name);
        word(minimal->units, i, labels[i].unit);
        if (!labels[i].name[0])
            snprintf(labels[i].name, LABEL, "%s%d", i < minimal->n ? "s" : "ds",
                     i % minimal->n + 1);
        if (!labels[i].unit[0])
            strcpy(labels[i].unit, "-");
    }
    return labels;
}
