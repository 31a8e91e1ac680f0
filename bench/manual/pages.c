#include "manual/manual.h"

#include "catalogue/catalogue.h"
#include "cli/options.h"
#include "deliver/deliver.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- text as the man macros of troff take it ---- */

static void put(char c, FILE *out)
{
    static const struct { char c; const char *name; } escaped[] = {
        {'\\', "\\e"}, {'-', "\\-"}, {'~', "\\(ti"}, {'^', "\\(ha"}, {'`', "\\(ga"}, {'\'', "\\(aq"}, {'"', "\\(dq"}};
    for (size_t i = 0; i < sizeof escaped / sizeof *escaped; i++)
        if (escaped[i].c == c) {
            fputs(escaped[i].name, out);
            return;
        }
    fputc(c, out);
}

static void put_part(const char *text, size_t length, FILE *out)
{
    if (length && *text == '.')                         /* no macro */
        fputs("\\&", out);
    for (size_t i = 0; i < length; i++)
        put(text[i], out);
}

/* Text in a line: what troff would read as an instruction is escaped; a hyphen stays one that can be copied. */
static void roff_text(const char *text, FILE *out) { put_part(text, strlen(text), out); }

/* .MACRO "TEXT" */
static void roff_macro(const char *macro, const char *text, FILE *out)
{
    fprintf(out, ".%s \"", macro);
    roff_text(text, out);
    fputs("\"\n", out);
}

static void roff_line(const char *text, FILE *out)
{
    roff_text(text, out);
    fputc('\n', out);
}

/* Lines as they are, from the first that is not empty. */
static void roff_lines(const char *text, FILE *out)
{
    text += strspn(text, "\n");
    fputs(".nf\n", out);
    while (*text) {
        const size_t length = strcspn(text, "\n");
        put_part(text, length, out);
        fputc('\n', out);
        text += length + (text[length] == '\n');
    }
    fputs(".fi\n", out);
}

/* ---- parts of a page ---- */

static void head(const char *page, const char *summary, const char *date, FILE *out)
{
    fputs(".TH \"", out);
    for (const char *c = page; *c; c++)
        fputs(*c == '-' ? "\\-" : (char[]){(char)toupper((unsigned char)*c), 0}, out);
    fprintf(out, "\" 1 %s \"daelab %s\" \"daelab\"\n.SH NAME\n", date, DAELAB_VERSION);
    roff_text(page, out);
    fputs(" \\- ", out);
    roff_line(summary, out);
}

/* What help says on a topic, below its title. */
static void topic(const char *name, const char *heading, FILE *out)
{
    const cli_topic *page = topic_find(name);
    if (!page)
        return;
    if (heading)
        roff_macro("SH", heading, out);
    roff_lines(page->text + strcspn(page->text, "\n"), out);
}

static void named(const char *name, const char *text, FILE *out)
{
    fputs(".TP\n", out);
    roff_macro("B", name, out);
    roff_line(text, out);
}

/* ---- a command */

/* With a capital, and an end. */
static void sentence(const char *text, FILE *out)
{
    fputc(toupper((unsigned char)*text), out);
    roff_text(text + 1, out);
    fputs(text[strlen(text) - 1] == '?' ? "\n" : ".\n", out);
}

static void option(const option_row *row, FILE *out)
{
    char *text = option_help(row);
    fputs(".TP\n.BI \"\\-\\-", out);
    roff_text(row->name, out);
    if (row->argument) {
        fputs(" \" \"", out);
        roff_text(row->argument, out);
    }
    fputs("\"\n", out);
    roff_line(text, out);
    free(text);
}

static void examples(const cli_command *command, FILE *out)
{
    for (int i = 0; example_at(command->name, i); i++) {
        if (i == 0)
            fputs(".SH EXAMPLES\n", out);
        named(example_at(command->name, i)->line, example_at(command->name, i)->comment, out);
    }
}

static void print_command(const cli_command *command, const char *page, const char *date, FILE *out)
{
    head(page, command->summary, date, out);
    fputs(".SH SYNOPSIS\n.B daelab ", out);
    roff_line(command->name, out);
    if (*command->arguments)
        roff_macro("I", command->arguments, out);
    fputs("[options]\n.SH DESCRIPTION\n", out);
    sentence(command->summary, out);
    if (command->takes_problem)
        fputs(".PP\nA PROBLEM is a name of\n.BR \"daelab list\" ,\nor a file: ./bead.c, ./bead.so, or ./bead.yaml, "
              "a model in words.\n", out);
    fputs(".SH OPTIONS\n", out);
    for (const option_row *row = option_rows; row->name; row++)
        if (row->commands & command->options)
            option(row, out);
    examples(command, out);
    topic("exit-status", "EXIT STATUS", out);
    fputs(".SH SEE ALSO\n.BR daelab (1)\n", out);
}

/* ---- all of them */

static void catalogues(FILE *out)
{
    fputs(".SH PROBLEMS\n", out);
    for (int i = 0; catalogue_problem(i); i++)
        named(catalogue_problem(i)->name, catalogue_problem(i)->title, out);
    fputs(".SH FORMULATIONS\n", out);
    for (int i = 0; dae_formulation_at(i); i++)
        named(dae_formulation_describe(dae_formulation_at(i)).name,
              dae_formulation_describe(dae_formulation_at(i)).title, out);
    fputs(".SH METHODS\n", out);
    for (int i = 0; catalogue_method(i); i++)
        named(dae_method_describe(catalogue_method(i)).name, dae_method_describe(catalogue_method(i)).title, out);
}

static void print_overview(const char *date, FILE *out)
{
    head("daelab", "stiff differential-algebraic equations, and how wrong the answer is", date, out);
    fputs(".SH SYNOPSIS\n.B daelab\n.I COMMAND\n\\&...\n.br\n.B daelab \\-\\-version\n.SH DESCRIPTION\n"
          "A laboratory for differential-algebraic equations: problems, in several formulations, by several methods; "
          "their solutions, and how wrong they are.\n.SH COMMANDS\n", out);
    for (const cli_command *c = cli_commands; c->name; c++)
        named(c->name, c->summary, out);
    fputs(".SH TOPICS\nof\n.BR \"daelab help\" :\n", out);
    for (int i = 0; topic_at(i); i++)
        named(topic_at(i)->name, topic_at(i)->title, out);
    catalogues(out);
    topic("exit-status", "EXIT STATUS", out);
    topic("environment", "ENVIRONMENT", out);
    fputs(".SH SEE ALSO\n", out);
    for (const cli_command *c = cli_commands; c->name; c++)
        fprintf(out, ".BR daelab\\-%s (1)%s\n", c->name, c[1].name ? "," : "");
}

typedef struct { const cli_command *command; const char *name, *date; } wanted_page;

static void print_page(const void *context, FILE *out)
{
    const wanted_page *w = context;
    if (w->command)
        print_command(w->command, w->name, w->date, out);
    else
        print_overview(w->date, out);
}

/* The page of a command, or of all (NULL). */
static int write_page(const cli_command *command, const char *folder, const char *date)
{
    char name[64], path[PATH_MAX];
    snprintf(name, sizeof name, "daelab%s%s", command ? "-" : "", command ? command->name : "");
    snprintf(path, sizeof path, "%s/%s.1", folder, name);
    return output_write(path, (output_content){.write = print_page, .context = &(wanted_page){command, name, date}});
}

int pages_write(const char *folder, const char *date)
{
    int status = write_page(NULL, folder, date);
    for (const cli_command *c = cli_commands; !status && c->name; c++)
        status = write_page(c, folder, date);
    return status;
}
