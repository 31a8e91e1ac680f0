/* type_sizes.c - what this library was compiled as, for those who cannot ask a compiler */
#include "daelab/binding.h"
#include "daelab/check.h"
#include "daelab/doubt.h"
#include "daelab/method.h"
#include "daelab/plugin.h"
#include "daelab/problem.h"
#include "daelab/rows.h"
#include "daelab/sensitivity.h"

#include "base/no_fast_math.h"

#include <string.h>

const char *dae_version(void) { return DAELAB_VERSION; }

#define TYPE(name) {#name, sizeof(name)}
static const struct { const char *name; size_t size; } types[] = {
    TYPE(dae_report), TYPE(dae_formulation_options), TYPE(dae_start_change), TYPE(dae_atol), TYPE(dae_options),
    TYPE(dae_parameter), TYPE(dae_problem_info), TYPE(dae_formulation_info), TYPE(dae_form_orders),
    TYPE(dae_method_info), TYPE(dae_event_record), TYPE(dae_row_places), TYPE(dae_rows), TYPE(dae_directions),
    TYPE(dae_doubt), TYPE(dae_estimate), TYPE(dae_rank_loss), TYPE(dae_callbacks), TYPE(dae_finding),
    TYPE(dae_check_options), TYPE(dae_plugin), TYPE(dae_plugin_range), TYPE(dae_problem),
    TYPE(dae_event), TYPE(dae_method), TYPE(dae_solver),
};

size_t dae_size_of(const char *type)
{
    for (size_t i = 0; type && i < sizeof types / sizeof *types; i++)
        if (strcmp(types[i].name, type) == 0)
            return types[i].size;
    return 0;
}
