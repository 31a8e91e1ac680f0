/* help.c - the help of a command, with the names that the tables choose by default */
#include "catalogue/catalogue.h"
#include "cli/option_table.h"
#include "study/work.h"

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
    else
        fputs(run_form_stabilised(DAE_BY_FEEDBACK), out);
}

static void print_option(const option_row *row, FILE *out)
{
    fprintf(out, "  --%s %-*s ", row->name, 15 - (int)strlen(row->name),
            row->argument ? row->argument : "");
    for (const char *c = row->help; *c; c++)
        if (*c == '{') {
            const size_t length = strcspn(c + 1, "}");
            put_word(c + 1, length, out);
            c += length + 1;
        } else {
            fputc(*c, out);
        }
    fputc('\n', out);
}

void cli_help(const cli_command *command, FILE *out)
{
    if (!command) {
        fputs("daelab - stiff differential-algebraic equations, and how wrong the answer is\n\n"
              "usage: daelab COMMAND ... | --version | --help\n\n", out);
        for (const cli_command *c = cli_commands; c->name; c++)
            fprintf(out, "  daelab %-8s %-36s %s\n", c->name, c->arguments, c->summary);
        fputs("\nA PROBLEM is a name of daelab list, or a file, ./bead.c, ./bead.so, or ./bead.yaml, a model in words;\n"
              "a method is a name, or a file, too.\n"
              "daelab COMMAND --help lists the options of a command.\n"
              "exit status: 0 done, 1 a numerical failure, 2 usage, 3 a file or system fault\n", out);
        return;
    }
    fprintf(out, "usage: daelab %s %s [options]\n%s\n\n", command->name, command->arguments,
            command->summary);
    for (const option_row *row = option_rows; row->name; row++)
        if (row->commands & command->options)
            print_option(row, out);
}
