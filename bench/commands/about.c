/* about.c - what the program says of itself: daelab help, daelab version */
#include "cli/options.h"
#include "host/screen.h"
#include "output/json_file.h"
#include "output/provenance.h"
#include "table/words.h"

#include <daelab/daelab.h>
#include <jansson.h>

#include <string.h>

enum { MOST_NAMES = 64 };

static int unknown(const char *typed)
{
    const char *names[MOST_NAMES];
    int count = 0;
    for (int i = 0; cli_commands[i].name && count < MOST_NAMES; i++)
        names[count++] = cli_commands[i].name;
    for (int i = 0; topic_at(i) && count < MOST_NAMES; i++)
        names[count++] = topic_at(i)->name;
    const char *near = dae_nearest(typed, names, count);
    return near ? cli_error(EXIT_USAGE, "there is no help on %s; did you mean %s?", typed, near)
                : cli_error(EXIT_USAGE, "there is no help on %s; daelab help lists the commands and topics, "
                            "daelab info %s looks among problems and methods", typed, typed);
}

int command_help(const cli_options *o)
{
    const cli_topic *topic = o->subject ? topic_find(o->subject) : NULL;
    const cli_command *command = o->subject ? cli_find_command(o->subject) : NULL;
    if (o->subject && !topic && !command)
        return unknown(o->subject);
    if (topic)
        words_print_lines(topic->text, screen_width(stdout), stdout);
    if (topic && command)
        putchar('\n');
    if (!topic || command)
        cli_help(command, o->list->subject_count > 1 && strcmp(o->list->subjects[1], "all") == 0, stdout);
    return EXIT_DONE;
}

/* ---- version */

/* "SUNDIALS 6.4.1, the distribution's, not optimised" */
static void print_sundials(const json_t *sundials)
{
    const json_t *optimised = json_object_get(sundials, "optimised");
    printf("SUNDIALS   %s, %s%s\n", json_word(sundials, "version"),
           json_word(sundials, "kind"),
           json_is_true(optimised) ? ", optimised" : json_is_false(optimised) ? ", NOT optimised" : "");
}

int command_version(const cli_options *o)
{
    static const struct { const char *key, *title; } lines[] = {
        {"compiler", "compiler"}, {"flags", "flags"}, {"build", "build"}, {"klu", "KLU"}, {"blas", "BLAS"},
        {"cpu", "processor"}, {"system", "system"}};
    (void)o;
    json_t *made = provenance_json();
    const char *commit = provenance_commit();
    puts("daelab " DAELAB_VERSION);                     /* the first line, for scripts */
    if (*commit)
        printf("commit     %s\n", commit);
    print_sundials(json_object_get(made, "sundials"));
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        const char *value = json_word(made, lines[i].key);
        if (!*value)
            continue;
        printf("%-10s ", lines[i].title);
        words_print(value, screen_width(stdout), 11, 11, stdout);
    }
    printf("jansson    %s\n", jansson_version_str());
    json_decref(made);
    return EXIT_DONE;
}
