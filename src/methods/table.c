/* table.c - the table of methods, and what is declared of them */
#include "stepper/solver.h"

#include <math.h>
#include <string.h>

#define METHOD(record) extern const dae_method record;
#include "table.def"
#undef METHOD

static const dae_method *const table[] = {
#define METHOD(record) &record,
#include "table.def"
#undef METHOD
};

enum { METHODS = sizeof table / sizeof *table };

const dae_method *dae_method_at(int i)
{
    return i >= 0 && i < METHODS ? table[i] : NULL;
}

const dae_method *dae_find_method(const char *name)
{
    for (int i = 0; name && i < METHODS; i++)
        if (strcmp(table[i]->info.name, name) == 0)
            return table[i];
    return NULL;
}

dae_method_info dae_method_describe(const dae_method *method)
{
    if (!method)
        return (dae_method_info){0};
    dae_method_info info = method->info;
    info.dense_output = method->interpolate != NULL;
    info.quad_steps = (int)method->family > DAE_FAMILY_NONE && method->family < DAE_FAMILIES;
    return info;
}

static double declared(const double *order, dae_class c)
{
    return order[c] == DAE_UNDECLARED ? NAN : order[c] == DAE_ORDER_ZERO ? 0 : order[c];
}

double dae_method_order(const dae_method *method, const dae_formulation *form, int index, dae_class c)
{
    const dae_stabilisation how = dae_formulation_describe(form).stabilised;
    if (!method || index < 0 || index > DAE_MAX_INDEX || (int)c < 0 || c >= DAE_CLASSES)
        return NAN;
    for (int i = 0; how && index > 0 && i < DAE_MAX_EXCEPTIONS; i++) {
        const dae_form_orders *e = &method->info.exceptions[i];
        if (e->stabilised == how)
            return declared(e->order, c);
    }
    return declared(method->info.order[index], c);
}
