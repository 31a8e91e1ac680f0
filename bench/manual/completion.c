#include "manual/manual.h"

#include "catalogue/catalogue.h"
#include "cli/options.h"
#include "host/allocate.h"
#include "run/columns.h"
#include "spec/yaml_tree.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    int count;
    char **words;
    const char *word;           /* the last one, */
    size_t begin, head;         /* whose value begins there, and of that the entry that is completed: in
                                   "--method=ida,cr" 9 and 13 */
    int offers;                 /* names that are possible there, whether they begin as the entry does or not */
} line;

/* ---- answers ---- */

/* Is the name an entry of the list before that which is completed? */
static int is_given(const line *l, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = l->word + l->begin; at < l->word + l->head; at += strcspn(at, ",") + 1)
        if (strcspn(at, ",") == length && strncmp(at, name, length) == 0)
            return 1;
    return 0;
}

/* tail: what always follows the name. */
static void offer(line *l, const char *name, const char *tail, const char *about)
{
    const char *entry = l->word + l->head;
    l->offers++;
    if (strncmp(name, entry, strlen(entry)) == 0 && !is_given(l, name))
        printf("%.*s%s%s%s%s\n", (int)l->head, l->word, name, tail, about ? "\t" : "", about ? about : "");
}

static void offer_table(line *l, choice_kind kind)
{
    const char *names[MAX_NAMES];
    const int count = choice_names(kind, names);
    for (int i = 0; i < count; i++)
        offer(l, names[i], "", NULL);
}

/* Where names are possible, too, ./bead.c is a file, and bead a name. */
static void offer_files(const line *l)
{
    if (!l->offers || strchr(l->word + l->head, '/'))
        printf("@files\t%.*s\n", (int)l->head, l->word);
}

/* Behind the last one of these characters another entry begins; is there one? */
static int begin_entry(line *l, const char *characters)
{
    size_t at = strlen(l->word);
    while (at > l->begin && !strchr(characters, l->word[at - 1]))
        at--;
    l->head = at;
    return at > l->begin;
}

/* ---- what depends on the rest of the line ---- */

static void offer_parameters(line *l, const char *name, const char *tail)
{
    const dae_problem *problem = load_is_path(name) ? plugins_problem(name) : catalogue_find_problem(name);
    for (int i = 0; problem && dae_parameter_at(problem, i);) {
        const dae_parameter *p = dae_parameter_at(problem, i);
        offer(l, p->name, tail, NULL);
        i += p->count > 1 ? p->count : 1;
    }
}

/* Parameters, and starts of unknowns. */
static void offer_fitted(line *l, const char *name)
{
    const dae_problem *problem = load_is_path(name) ? plugins_problem(name) : catalogue_find_problem(name);
    int count = 0;
    column_label *label = problem ? state_labels(problem, NULL, &count, &(dae_report){0}) : NULL;
    offer_parameters(l, name, "");
    for (int i = 0; label && i < count; i++) {
        char *start = allocate_print("start:%s", label[i].name);
        if (label[i].kind != DAE_MULTIPLIER)
            offer(l, start, "", NULL);
        free(start);
    }
    free(label);
}

static void offer_assigned(line *l, const char *name) { offer_parameters(l, name, "="); }

static void offer_parts(line *l, const char *path)
{
    yaml_node root;
    int at;
    const yaml_node *parts = yaml_read(path, &root, &at, NULL) ? NULL : yaml_member(&root, "parts");
    for (int i = 0; parts && i < parts->count; i++) {
        const yaml_node *name = yaml_member(&parts->value[i], "name");
        if (name && name->text)
            offer(l, name->text, "", NULL);
    }
    yaml_free(&root);
}

/* Problems and study files are among what a line holds besides options. */
static void offer_of_others(line *l, void (*of)(line *l, const char *name))
{
    for (int i = 1; i < l->count - 1; i++) {
        char *copy = allocate_text(l->words[i]), *rest = copy, *name;
        while (*copy != '-' && (name = strsep(&rest, ",")))
            of(l, name);
        free(copy);
    }
}

/* ---- options, commands, names ---- */

static void offer_value(line *l, const option_row *row)
{
    const char *words[MOST_VALUES];
    const int count = row->id == O_FORMAT && row->commands & INFO ? 0 : value_words(row->id, words);
    const int joined = strchr(row->argument, ',') && !strchr(row->argument, '=');
    const int further = joined && begin_entry(l, ",");
    switch (row->id) {
    case O_FORM: case O_METHOD: case O_BASELINE:
        if (joined && !further)
            offer(l, "all", "", NULL);
        offer_table(l, row->id == O_FORM ? A_FORMULATION : A_METHOD);
        if (row->id != O_FORM)
            offer_files(l);
        break;
    case O_PARAM: case O_VARY: case O_BOUNDS:
        if (!strchr(l->word + l->head, '='))
            offer_of_others(l, offer_assigned);
        break;
    case O_FIT: offer_of_others(l, offer_fitted); break;
    case O_AXES: {
        const char *tail = begin_entry(l, ":") ? "" : ":";
        for (int i = 0; i < WORK_QUANTITIES; i++)
            offer(l, value_axis(i), tail, NULL);
        break;
    }
    case O_PART: offer_of_others(l, offer_parts); break;
    case O_OUTPUT: case O_PLOT: case O_SAVE: case O_PLUGIN: case O_DATA: offer_files(l); break;
    case O_PAGE: offer(l, "html", "", NULL), offer(l, "md", "", NULL), offer(l, "tex", "", NULL); break;
    default:
        for (int i = 0; i < count; i++)
            offer(l, words[i], "", NULL);
        if (row->id == O_FORMAT && !count)
            offer(l, "table", "", NULL), offer(l, "json", "", NULL);
    }
}

static void offer_options(line *l, const cli_command *command)
{
    offer(l, "-h", "", "this help");
    for (const option_row *row = option_rows; row->name; row++)
        if (row->commands & command->options) {
            char *name = allocate_print("--%s", row->name), *help = option_help(row);
            offer(l, name, "", help);
            free(help);
            free(name);
        }
}

static void offer_commands(line *l)
{
    for (const cli_command *c = cli_commands; c->name; c++)
        offer(l, c->name, "", c->summary);
}

/* One word of the arguments of a command: what is written small is itself, and a NAME alone is a new one. */
static void offer_word(line *l, const char *word, int alone)
{
    if (strcmp(word, "PROBLEM") == 0 || (strcmp(word, "NAME") == 0 && !alone))
        offer_table(l, A_PROBLEM);
    if (strcmp(word, "NAME") == 0 && !alone) {
        offer_table(l, A_FORMULATION);
        offer_table(l, A_METHOD);
    }
    if (strcmp(word, "COMMAND") == 0)
        offer_commands(l);
    for (int i = 0; strcmp(word, "TOPIC") == 0 && topic_at(i); i++)
        offer(l, topic_at(i)->name, "", topic_at(i)->title);
    if (*word >= 'a' && *word <= 'z' && (l->head == l->begin || strcmp(word, "all") != 0))
        offer(l, word, "", NULL);
}

static void offer_names(line *l, const cli_command *command)
{
    const char *from = command->arguments, *option = strstr(from, " --");
    int files = 0;
    char *arguments = allocate_print("%.*s", (int)(option ? (size_t)(option - from) : strlen(from)), from);
    char *rest = arguments;
    if (strchr(arguments, ','))
        begin_entry(l, ",");
    for (const char *word; (word = strsep(&rest, "[]|,. "));) {
        files |= !strcmp(word, "PROBLEM") || !strcmp(word, "FILE") || !strcmp(word, "RESULT") || !strcmp(word, "OLD");
        if (strstr(from, word) - from == word - arguments)     /* a word that stands there twice, once */
            offer_word(l, word, !strchr(from, '|'));
    }
    if (files)
        offer_files(l);
    free(arguments);
}

/* The option whose value is typed; NULL: none. It stands before the word, or in it. */
static const option_row *option_of(line *l, const cli_command *command)
{
    const char *before = l->count > 2 ? l->words[l->count - 2] : "";
    const size_t length = strcspn(l->word, "=");
    const int inside = strncmp(l->word, "--", 2) == 0 && l->word[length];
    char *name = inside ? allocate_print("%.*s", (int)length - 2, l->word + 2)
                        : allocate_text(strncmp(before, "--", 2) == 0 ? before + 2 : "");
    const option_row *row = option_find(command->options, name);
    l->begin = l->head = inside ? length + 1 : 0;
    free(name);
    return row && row->argument ? row : NULL;
}

void completion_answer(int count, char **words)
{
    line l = {.count = count, .words = words, .word = count ? words[count - 1] : ""};
    const cli_command *command = count > 1 ? cli_find_command(words[0]) : NULL;
    if (count < 2) {
        offer_commands(&l);
        if (*l.word == '-')
            offer(&l, "--help", "", NULL), offer(&l, "--version", "", NULL);
    } else if (command && plugins_begin()) {
        const option_row *row = option_of(&l, command);
        if (row)
            offer_value(&l, row);
        else if (*l.word == '-')
            offer_options(&l, command);
        else
            offer_names(&l, command);
    }
}
