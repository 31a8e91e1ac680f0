/* help.c - the help of a command, with the names that the tables choose by default */
#include "catalogue/catalogue.h"
#include "cli/option_table.h"
#include "cli/examples.h"
#include "cli/topics.h"
#include "host/screen.h"
#include "table/words.h"
#include "study/work.h"

#include <stdlib.h>
#include <string.h>

/* All methods of a role, or the first: "cros, dop853". */
static void put_methods(unsigned role, int all, FILE *out)
{
    int seen = 0;
    for (int i = 0; catalogue_method(i) && (all || !seen); i++) {
        const dae_method_info info = dae_method_describe(catalogue_method(i));
        if (info.roles & role)
            fprintf(out, "%s%s", seen++ ? ", " : "", info.name);
    }
}

/* Those of a table of digits. */
static void put_digits(FILE *out)
{
    int seen = 0;
    for (int i = 0; catalogue_method(i); i++)
        if (work_takes_any(catalogue_method(i)))
            fprintf(out, "%s%s", seen++ ? ", " : "", dae_method_describe(catalogue_method(i)).name);
}

static void put_form_of_index(int index, FILE *out)
{
    int i = 0;
    while (dae_formulation_at(i) && dae_formulation_describe(dae_formulation_at(i)).index != index)
        i++;
    if (dae_formulation_at(i))
        fputs(dae_formulation_describe(dae_formulation_at(i)).name, out);
}

/* What a word in braces stands for. */
static void put_word(const char *word, size_t length, FILE *out)
{
    if (strncmp(word, "first", length) == 0)
        fputs(dae_method_describe(catalogue_method(0)).name, out);
    else if (strncmp(word, "one run", length) == 0)
        put_methods(DAE_FOR_ONE_RUN, 0, out);
    else if (strncmp(word, "scaling", length) == 0)
        put_methods(DAE_FOR_SCALING, 1, out);
    else if (strncmp(word, "digits", length) == 0)
        put_digits(out);
    else if (strncmp(word, "index 1", length) == 0)
        put_form_of_index(1, out);
    else if (strncmp(word, "formats", length) == 0)
        format_tell_names(out);
    else if (strncmp(word, "endings", length) == 0)
        format_tell_endings("", out);
    else if (strncmp(word, "or endings", length) == 0)
        format_tell_endings("or ", out);
    else
        fputs(run_form_stabilised(DAE_BY_FEEDBACK), out);
}

/* The text of an option, names in place of words in braces. */
static void put_text(const char *text, FILE *out)
{
    for (const char *c = text; *c; c++)
        if (*c == '{') {
            const size_t length = strcspn(c + 1, "}");
            put_word(c + 1, length, out);
            c += length + 1;
        } else {
            fputc(*c, out);
        }
}

/* "  WORDS   text", the text in lines of its own column. */
static void put_entry(const char *words, size_t column, const char *text, size_t width, FILE *out)
{
    const size_t length = strlen(words), begun = length < column - 2 ? column : length + 3;
    fprintf(out, "  %-*s", (int)begun - 2, words);
    words_print(text, width, begun, column, out);
}

char *option_help(const option_row *row)
{
    char *text = NULL;
    size_t size;
    FILE *page = open_memstream(&text, &size);
    if (!page)
        return NULL;
    put_text(row->help, page);
    if (fclose(page) == 0)
        return text;
    free(text);
    return NULL;
}

static void print_option(const option_row *row, size_t width, FILE *out)
{
    enum { COLUMN = 21 };
    char words[64], *text = option_help(row);
    snprintf(words, sizeof words, "--%s %s", row->name, row->argument ? row->argument : "");
    words[strlen(words) - !row->argument] = 0;
    if (text) {
        put_entry(words, COLUMN, text, width, out);
    } else {                                            /* no memory: on one line */
        fprintf(out, "  %-*s ", COLUMN - 3, words);
        put_text(row->help, out);
        fputc('\n', out);
    }
    free(text);
}

static void print_command(const cli_command *command, size_t width, FILE *out)
{
    char heading[256];
    snprintf(heading, sizeof heading, "usage: daelab %s%s%s [options]", command->name, *command->arguments ? " " : "",
             command->arguments);
    words_print(heading, width, 0, 4, out);
    words_print(command->summary, width, 0, 0, out);
    fputc('\n', out);
    for (const option_row *row = option_rows; row->name; row++)
        if (row->commands & command->options)
            print_option(row, width, out);
    for (int i = 0, first = 1; example_at(command->name, i); i++, first = 0) {
        fputs(first ? "\nexamples:\n" : "", out);
        words_print(example_at(command->name, i)->comment, width, fprintf(out, "  # ") > 0 ? 4 : 0, 4, out);
        fprintf(out, "  %s\n", example_at(command->name, i)->line);
    }
}

static void print_overview(size_t width, FILE *out)
{
    enum { COLUMN = 12 };
    words_print("daelab - stiff differential-algebraic equations, and how wrong the answer is", width, 0, 0, out);
    fputs("\nusage: daelab COMMAND ...\n\n", out);
    for (const cli_command *c = cli_commands; c->name; c++)
        put_entry(c->name, COLUMN, c->summary, width, out);
    fputc('\n', out);
    words_print("daelab help COMMAND, or daelab COMMAND --help, lists the options of a command and shows examples. "
                "daelab help TOPIC is a page on:", width, 0, 0, out);
    fputc('\n', out);
    for (int i = 0; topic_at(i); i++)
        put_entry(topic_at(i)->name, COLUMN + 4, topic_at(i)->title, width, out);
    fputs("\n", out);
    words_print("A PROBLEM is a name of daelab list, or a file, ./bead.c, ./bead.so, or ./bead.yaml, a model in words; "
                "a method is a name, or a file, too.", width, 0, 0, out);
    words_print("exit status: 0 done, 1 a numerical failure, 2 usage, 3 a file or system fault", width, 0, 0, out);
}

void cli_help(const cli_command *command, FILE *out)
{
    if (command)
        print_command(command, screen_width(out), out);
    else
        print_overview(screen_width(out), out);
}
