#include "compare/rules.h"

#include <string.h>

static int is_in(const char *const *words, const char *word)
{
    for (; *words; words++)
        if (strcmp(*words, word) == 0)
            return 1;
    return 0;
}

static const char *const settings[] = {
    "part", "kind", "problem", "form", "method", "parameters", "t_start", "t_end", "step", "rtol", "atol", "atol_of",
    "max_step", "first_step", "start", "jacobian", "linear", "error_test", "project", "alpha", "beta", "events",
    "limit_steps", "max_events", "accumulation", "stop", NULL};

/* Of one table besides these. */
static const struct { const char *table, *column; } more_keys[] = {
    {"orders", "class"},     {"orders", "levels_by"}, {"growth", "quantity"},  {"events", "number"},
    {"scale", "parameter"},  {"scale", "value"},      {"exponents", "quantity"}, {"solution", "t"},
};

int rule_is_key(const char *of_table, const char *column)
{
    if (is_in(settings, column))
        return 1;
    for (size_t i = 0; i < sizeof more_keys / sizeof *more_keys; i++)
        if (strcmp(more_keys[i].table, of_table) == 0 && strcmp(more_keys[i].column, column) == 0)
            return 1;
    return 0;
}

int rule_is_level(const char *column)
{
    static const char *const levels[] = {"step", "rtol", "atol", NULL};
    return is_in(levels, column);
}

int rule_is_choice(const char *column)
{
    static const char *const choices[] = {"jacobian", "linear", NULL};
    return is_in(choices, column);
}

/* A name that ends with * is any that begins so. What is derived of other columns, or only says how sure they are, is
 * in none. */
static const struct { const char *table, *column; quantity_kind quantity; } compared[] = {
    {"runs", "status", OF_OUTCOME},      {"runs", "t_reached", OF_VALUE},     {"runs", "error_*", OF_ACCURACY},
    {"runs", "path_*", OF_ACCURACY},     {"runs", "drift_*", OF_ACCURACY},    {"runs", "steps", OF_COUNT},
    {"runs", "rejected", OF_COUNT},      {"runs", "rhs", OF_COUNT},           {"runs", "jacobians", OF_COUNT},
    {"runs", "factorizations", OF_COUNT}, {"runs", "solves", OF_COUNT},       {"runs", "newton_failures", OF_COUNT},
    {"orders", "verdict", OF_ORDER},     {"orders", "observed", OF_ORDER},    {"growth", "law", OF_OUTCOME},
    {"growth", "rate", OF_VALUE},        {"events", "event", OF_OUTCOME},     {"events", "mode_after", OF_OUTCOME},
    {"events", "t", OF_VALUE},           {"events", "t_error", OF_ACCURACY},  {"events", "error_*", OF_ACCURACY},
    {"events", "*_after", OF_VALUE},     {"work", "wall_median", OF_TIME},    {"scale", "status", OF_OUTCOME},
    {"scale", "seconds_step", OF_TIME},  {"scale", "seconds_solve", OF_TIME}, {"solution", "*", OF_VALUE},
};

static int matches(const char *pattern, const char *name)
{
    const size_t length = strlen(pattern), of_name = strlen(name);
    if (length && pattern[0] == '*')
        return of_name + 1 >= length && strcmp(name + of_name + 1 - length, pattern + 1) == 0;
    if (length && pattern[length - 1] == '*')
        return strncmp(name, pattern, length - 1) == 0;
    return strcmp(pattern, name) == 0;
}

int rule_compares(const char *of_table, const char *column, quantity_kind *quantity)
{
    if (rule_is_key(of_table, column) || strcmp(column, "run") == 0 || strncmp(column, "vary_", 5) == 0)
        return 0;
    for (size_t i = 0; i < sizeof compared / sizeof *compared; i++)
        if (strcmp(compared[i].table, of_table) == 0 && matches(compared[i].column, column)) {
            *quantity = compared[i].quantity;
            return 1;
        }
    return 0;
}

int rule_time(const char *of_table, const char *column, time_columns *of)
{
    static const struct { const char *table; time_columns of; } times[] = {
        {"work", {"wall_median", "wall_lower", "wall_upper", "rounds", "repeats"}},
        {"scale", {"seconds_step", "step_lower", "step_upper", "", "step_runs"}},
        {"scale", {"seconds_solve", "solve_lower", "solve_upper", "", "solve_runs"}},
    };
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        if (strcmp(times[i].table, of_table) == 0 && strcmp(times[i].of.median, column) == 0) {
            *of = times[i].of;
            return 1;
        }
    return 0;
}
