/* roles.c - the roles of all columns of all tables (table.h says what a role is), by which two results are compared */
#include "tidy/tidy_run.h"

#include <fnmatch.h>
#include <string.h>

/* A column has the role of the first row whose patterns, with * for any characters, match the names of the table and of
 * the column. Settings (settings.def) need no row; a column without a row is not compared. */
#define WORK(name) {"runs", #name, ROLE_COUNT},
#define COST WORK
#define SUM(name)
#define LARGEST SUM
#define ENTRIES SUM
#define EVENTS SUM
#define DAE_STATISTIC(type, name, kind, title, meaning) kind(name)
static const struct { const char *table, *column; column_role role; } schema[] = {
#include <daelab/statistics.def>
    {"*", "run", ROLE_NONE},                {"*", "vary_*", ROLE_NONE},
    {"*", "part", ROLE_SETTING},            {"*", "kind", ROLE_SETTING},
    {"*", "problem", ROLE_SETTING},         {"*", "form", ROLE_SETTING},
    {"*", "method", ROLE_SETTING},          {"*", "parameters", ROLE_SETTING},
    {"*", "t_start", ROLE_SETTING},         {"*", "t_end", ROLE_SETTING},
    {"*", "atol", ROLE_LEVEL},              {"*", "atol_of", ROLE_SETTING},
    {"*", "stop", ROLE_SETTING},            {"*", "sensitivity", ROLE_SETTING},
    {"runs", "status", ROLE_OUTCOME},       {"runs", "t_reached", ROLE_VALUE},
    {"runs", "error_*", ROLE_ACCURACY},     {"runs", "path_*", ROLE_ACCURACY},
    {"runs", "drift_*", ROLE_ACCURACY},
    {"orders", "levels_by", ROLE_SETTING},  {"orders", "class", ROLE_SETTING},
    {"orders", "observed", ROLE_ORDER},     {"orders", "verdict", ROLE_ORDER},
    {"work", "wall_median", ROLE_TIME},     {"work", "wall_lower", ROLE_LOWER},
    {"work", "wall_upper", ROLE_UPPER},     {"work", "repeats", ROLE_SAMPLES},
    {"work", "rounds", ROLE_SAMPLES},
    {"growth", "quantity", ROLE_SETTING},   {"growth", "law", ROLE_OUTCOME},
    {"growth", "rate", ROLE_VALUE},
    {"scale", "parameter", ROLE_SETTING},   {"scale", "value", ROLE_SETTING},
    {"scale", "status", ROLE_OUTCOME},      {"scale", "seconds_step", ROLE_TIME},
    {"scale", "seconds_solve", ROLE_TIME},  {"scale", "*_lower", ROLE_LOWER},
    {"scale", "*_upper", ROLE_UPPER},       {"scale", "*_runs", ROLE_SAMPLES},
    {"solution", "t", ROLE_SETTING},        {"solution", "*", ROLE_VALUE},
    {"events", "number", ROLE_SETTING},     {"events", "t", ROLE_VALUE},
    {"events", "event", ROLE_OUTCOME},      {"events", "mode_after", ROLE_OUTCOME},
    {"events", "t_error", ROLE_ACCURACY},   {"events", "error_*", ROLE_ACCURACY},
    {"events", "*_after", ROLE_VALUE},
    {"estimates", "unknown", ROLE_SETTING}, {"references", "unknown", ROLE_SETTING},
    {"reference_events", "number", ROLE_SETTING},
    {"reference_derivatives", "unknown", ROLE_SETTING}, {"reference_derivatives", "by", ROLE_SETTING},
    {"fit", "fitted", ROLE_SETTING},        {"fit", "value", ROLE_VALUE},
    {"fit", "error", ROLE_VALUE},           {"fit", "determined", ROLE_OUTCOME},
    {"residuals", "file", ROLE_SETTING},    {"residuals", "line", ROLE_SETTING},
    {"residuals", "unknown", ROLE_SETTING}, {"residuals", "model", ROLE_VALUE},
};
#undef DAE_STATISTIC

static column_role role_of(const char *of, const char *name)
{
    for (setting_id id = 0; id < SETTINGS; id++)
        if (run_settings[id].kind != KIND_BY_HAND && strcmp(name, run_settings[id].name) == 0)
            return run_settings[id].key == KEY_LEVEL ? ROLE_LEVEL
                   : run_settings[id].kind == KIND_BEST ? ROLE_CHOICE : ROLE_SETTING;
    for (size_t k = 0; k < sizeof schema / sizeof *schema; k++)
        if (fnmatch(schema[k].table, of, 0) == 0 && fnmatch(schema[k].column, name, 0) == 0)
            return schema[k].role;
    return ROLE_NONE;
}

void tidy_roles(dataset *d)
{
    for (int i = 0; i < d->tables; i++)
        for (int c = 0; c < table_columns(d->table[i].table); c++)
            table_role(d->table[i].table, c, role_of(d->table[i].name, table_name_of(d->table[i].table, c)));
}
