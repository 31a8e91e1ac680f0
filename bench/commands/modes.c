#include "commands/modes.h"

#include "output/json_file.h"

#include <daelab/problem.h>

#include <string.h>

static const char *const directions[] = {"falling", "any", "rising"};

/* Mode m of a problem, the first being the problem itself; NULL past the last. */
static const dae_problem *mode_at(const dae_problem *problem, int m)
{
    return m == 0 ? problem : problem->modes ? problem->modes[m - 1] : NULL;
}

static const char *name_of(const dae_problem *problem, int m)
{
    const dae_problem *mode = mode_at(problem, m);
    return mode->mode ? mode->mode : mode->name ? mode->name : "";
}

static json_t *event_json(const dae_event *e)
{
    return json_pack("{s:s, s:s, s:s*, s:b, s:o*, s:o*, s:s*, s:s*, s:s*, s:s*}", "event", e->name, "direction",
                     directions[e->direction - DAE_FALLING], "title", e->title, "stops", e->terminal, "count",
                     e->count > 1 ? json_integer(e->count) : NULL, "per_copy", e->per_copy ? json_true() : NULL,
                     "mode", e->mode, "limit", e->limit, "measures", e->measures, "unit",
                     e->measures ? e->unit : NULL);
}

static json_t *events_json(const dae_event *events)
{
    json_t *list = json_array();
    for (const dae_event *e = events; e && e->name; e++)
        json_array_append_new(list, event_json(e));
    return list;
}

void modes_json(json_t *tree, const dae_problem *problem)
{
    json_t *events = events_json(problem->events), *modes = json_array();
    for (int m = 0; problem->modes && mode_at(problem, m); m++) {
        const dae_problem *mode = mode_at(problem, m);
        json_array_append_new(modes, json_pack("{s:s, s:s*, s:s*, s:s*, s:s*, s:o}", "mode",
                                               name_of(problem, m), "title", mode->title,
                                               "equations", mode->equations, "variables",
                                               mode->variables, "units", mode->units, "events",
                                               events_json(mode->events)));
    }
    if (json_array_size(modes))
        json_object_set(tree, "modes", modes);
    else if (json_array_size(events))
        json_object_set(tree, "events", events);
    json_decref(modes);
    json_decref(events);
}

int modes_key(const char *key)
{
    return strcmp(key, "modes") == 0 || strcmp(key, "events") == 0;
}

/* "[0..35]", "[0..2 of each copy]", "" */
static void numbers_of(json_int_t count, int per_copy, char *out, size_t length)
{
    const json_int_t last = count > 0 ? count - 1 : 0;
    out[0] = 0;
    if (per_copy && last)
        snprintf(out, length, "[0..%" JSON_INTEGER_FORMAT " of each copy]", last);
    else if (per_copy)
        snprintf(out, length, "[one of each copy]");
    else if (last)
        snprintf(out, length, "[0..%" JSON_INTEGER_FORMAT "]", last);
}

/* "    floor (falling): the ball hits the floor; accumulating: to sliding" */
static void print_event(FILE *out, const json_t *e, const char *indent)
{
    char numbers[64];
    numbers_of(json_integer_value(json_object_get(e, "count")), json_is_true(json_object_get(e, "per_copy")),
               numbers, sizeof numbers);
    fprintf(out, "\n%s%s%s (%s): %s", indent, json_word(e, "event"), numbers, json_word(e, "direction"),
            json_word(e, "title"));
    if (json_object_get(e, "mode"))
        fprintf(out, " -> %s", json_word(e, "mode"));
    if (json_object_get(e, "limit"))
        fprintf(out, "; where such events accumulate -> %s", json_word(e, "limit"));
    if (json_is_true(json_object_get(e, "stops")))
        fputs("; the run stops", out);
    if (json_object_get(e, "measures"))
        fprintf(out, "; measures %s", json_word(e, "measures"));
    if (json_object_get(e, "unit"))
        fprintf(out, " [%s]", json_word(e, "unit"));
}

/* The first mode is what stands above. */
static void print_mode(FILE *out, const json_t *mode, int first)
{
    const json_t *events = json_object_get(mode, "events");
    if (first) {
        fprintf(out, "\n    %s: as above", json_word(mode, "mode"));
    } else {
        fprintf(out, "\n    %s: %s\n        ", json_word(mode, "mode"), json_word(mode, "title"));
        for (const char *c = json_word(mode, "equations"); *c; c++)
            fprintf(out, *c == '\n' ? "%c        " : "%c", *c);
        fprintf(out, "\n        variables: %s", json_word(mode, "variables"));
    }
    for (size_t i = 0; i < json_array_size(events); i++)
        print_event(out, json_array_get(events, i), "        event ");
}

void modes_print(FILE *out, const json_t *list)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *item = json_array_get(list, i);
        if (json_object_get(item, "event"))
            print_event(out, item, "    ");
        else
            print_mode(out, item, i == 0);
    }
}

void mode_names(const dae_problem *problem, char *out, size_t length)
{
    out[0] = 0;
    for (int m = 0; problem->modes && mode_at(problem, m); m++) {
        const size_t used = strlen(out);
        snprintf(out + used, length - used, "%s%s", used ? " " : "", name_of(problem, m));
    }
}

/* Is it an event of an earlier mode, or of this one before e? */
static int seen(const dae_problem *problem, int mode, const dae_event *e)
{
    for (int m = 0; m <= mode; m++)
        for (const dae_event *k = mode_at(problem, m)->events; k && k->name && k != e; k++)
            if (strcmp(k->name, e->name) == 0)
                return 1;
    return 0;
}

void event_names(const dae_problem *problem, char *out, size_t length)
{
    out[0] = 0;
    for (int m = 0; mode_at(problem, m); m++)
        for (const dae_event *e = mode_at(problem, m)->events; e && e->name; e++) {
            const size_t used = strlen(out);
            char numbers[64];
            numbers_of(e->count, e->per_copy, numbers, sizeof numbers);
            if (!seen(problem, m, e))
                snprintf(out + used, length - used, "%s%s%s", used ? " " : "", e->name, numbers);
        }
}
