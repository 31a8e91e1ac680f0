/* provenance.c - the section at the end: by what, when and of what the result was made */
#include "publish/study_view.h"

#include "numbers/decimal.h"

#include <string.h>

static const char *words(json_t *value, arena *memory);

static const char *list_words(json_t *list, arena *memory)
{
    const char *text = "";
    json_t *member;
    size_t i;
    json_array_foreach(list, i, member)
        text = arena_format(memory, "%s%s%s", text, i ? " " : "", words(member, memory));
    return text;
}

static const char *object_words(json_t *object, arena *memory)
{
    const char *text = "", *key;
    json_t *member;
    json_object_foreach(object, key, member)
        if (*words(member, memory))
            text = arena_format(memory, "%s%s%s = %s", text, *text ? ", " : "", key, words(member, memory));
    return text;
}

/* Any value in words; objects as "name = value, ...". */
static const char *words(json_t *value, arena *memory)
{
    char number[DECIMAL];
    switch (json_typeof(value)) {
    case JSON_STRING: return json_string_value(value);
    case JSON_REAL: return arena_format(memory, "%s", decimal(json_real_value(value), number));
    case JSON_INTEGER: return arena_format(memory, "%lld", (long long)json_integer_value(value));
    case JSON_TRUE: return "yes";
    case JSON_FALSE: return "no";
    case JSON_NULL: return "";
    case JSON_ARRAY: return list_words(value, memory);
    case JSON_OBJECT: return object_words(value, memory);
    }
    return "";
}

static void facts(const study_view *v)
{
    arena *memory = &v->page->memory;
    page_table *t = page_table_add(v->page, "How it was made");
    const char *key;
    json_t *value;
    page_table_column(t, "what", "", NULL);
    page_table_column(t, "is", "", NULL);
    json_object_foreach(v->data->provenance, key, value) {
        const char *text = strcmp(key, "command") ? words(value, memory) : view_whole_command(v);
        if (strcmp(key, "problems") == 0 || !*text)
            continue;
        page_table_text(t, TONE_PLAIN, key);
        page_table_text(t, TONE_PLAIN, text);
    }
}

enum { MOST_VARIABLES = 40 };

/* "x [m, position], y [m, position]" */
static const char *variables(const json_t *problem, arena *memory)
{
    const json_t *names = json_object_get(problem, "variables"), *units = json_object_get(problem, "units"),
                 *classes = json_object_get(problem, "classes");
    const char *text = "";
    for (size_t i = 0; i < json_array_size(names) && i < MOST_VARIABLES; i++) {
        const char *name = json_string_value(json_array_get(names, i));
        const char *unit = json_string_value(json_array_get(units, i)),
                   *class = json_string_value(json_array_get(classes, i));
        text = arena_format(memory, "%s%s%s [%s%s%s]", text, i ? ", " : "", name ? name : "", unit ? unit : "",
                            unit && class ? ", " : "", class ? class : "");
    }
    return json_array_size(names) > MOST_VARIABLES
               ? arena_format(memory, "%s and %zu others", text, json_array_size(names) - MOST_VARIABLES) : text;
}

static const char *member(const json_t *problem, const char *key)
{
    const char *text = json_string_value(json_object_get(problem, key));
    return text ? text : "";
}

static void problems(const study_view *v)
{
    json_t *all = json_object_get(v->data->provenance, "problems"), *problem;
    const char *name;
    if (!json_object_size(all))
        return;
    page_table *t = page_table_add(v->page, "Problems");
    static const char *const titles[] = {"problem", "file", "hash", "variables"};
    for (int i = 0; i < 4; i++)
        page_table_column(t, titles[i], "", NULL);
    json_object_foreach(all, name, problem) {
        page_table_text(t, TONE_PLAIN, name);
        page_table_text(t, TONE_PLAIN, member(problem, "file"));
        page_table_text(t, TONE_PLAIN, member(problem, "hash"));
        page_table_text(t, TONE_PLAIN, variables(problem, &v->page->memory));
    }
}

void publish_provenance(const study_view *v)
{
    const char *command = view_whole_command(v);
    view_section(v, "provenance", "Provenance");
    if (*command)
        page_code(v->page, "All of this again:", command);
    facts(v);
    problems(v);
}
