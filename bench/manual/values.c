#include "manual/values.h"

#include "cli/option_values.h"
#include "cli/topics.h"

#include <string.h>

static void add(char *spec, size_t length, const char *word)
{
    const size_t used = strlen(spec);
    snprintf(spec + used, length - used, "%s%s", used ? " " : "", word);
}

static const char *source(option_id id)
{
    switch (id) {
    case O_FORM: return "@formulations";
    case O_METHOD: case O_BASELINE: return "@methods";
    case O_OUTPUT: case O_PLOT: case O_SAVE: case O_PLUGIN: return "@files";
    case O_PAGE: return "html md tex";
    case O_PARAM: case O_VARY: return "@parameters";
    case O_PART: return "@parts";
    case O_AXES: return "@pair";
    default: return NULL;
    }
}

void values_of_option(const option_row *row, char *spec, size_t length)
{
    const char *words[MOST_VALUES], *from = source(row->id);
    const int count = value_words(row->id, words), joined = strstr(row->argument, ",") && !strchr(row->argument, '=');
    *spec = 0;
    if (joined && (from || count))
        add(spec, length, "@list");
    if (from)
        add(spec, length, from);
    if (joined && (row->id == O_FORM || row->id == O_METHOD))
        add(spec, length, "all");
    if (row->id == O_METHOD || row->id == O_BASELINE)   /* a method in a file */
        add(spec, length, "@files");
    if (row->id == O_FORMAT && row->commands == INFO) { /* no table that others read */
        add(spec, length, "table json");
        return;
    }
    for (int i = 0; i < count; i++)
        add(spec, length, words[i]);
    for (int i = 0; row->id == O_AXES && i < WORK_QUANTITIES; i++)
        add(spec, length, work_quantity_names[i]);
}

static void add_commands(char *spec, size_t length)
{
    for (const cli_command *c = cli_commands; c->name; c++)
        add(spec, length, c->name);
}

static void add_topics(char *spec, size_t length)
{
    for (int i = 0; topic_at(i); i++)
        add(spec, length, topic_at(i)->name);
}

/* One word of the arguments: what is written small is itself. */
static void add_word(const char *word, size_t size, int alone, char *spec, size_t length)
{
    static const char *const files[] = {"FILE", "RESULT", "OLD", "NEW"};
    char own[32];
    snprintf(own, sizeof own, "%.*s", (int)size, word);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (strcmp(own, files[i]) == 0 && !strstr(spec, "@files"))
            add(spec, length, "@files");
    if (strcmp(own, "PROBLEM") == 0 && !strstr(spec, "@problems"))
        add(spec, length, "@problems @files");
    else if (strcmp(own, "NAME") == 0 && !alone)        /* alone it is a new one */
        add(spec, length, "@problems @formulations @methods");
    else if (strcmp(own, "COMMAND") == 0)
        add_commands(spec, length);
    else if (strcmp(own, "TOPIC") == 0)
        add_topics(spec, length);
    else if (*own >= 'a' && *own <= 'z')
        add(spec, length, own);
}

void values_of_command(const cli_command *command, char *spec, size_t length)
{
    static const char between[] = "[]|, ";
    const char *at = command->arguments, *option = strstr(at, " --"), *end = option ? option : at + strlen(at);
    *spec = 0;
    if (memchr(at, ',', (size_t)(end - at)))
        add(spec, length, "@list");
    for (at += strspn(at, between); at < end; at += strspn(at, between)) {
        const size_t word = strcspn(at, between);
        add_word(at, strcspn(at, "[]|,. "), !strchr(command->arguments, '|'), spec, length);
        at += word;
    }
}
