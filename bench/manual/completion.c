#include "manual/completion.h"

#include "cli/option_table.h"
#include "deliver/deliver.h"
#include "manual/values.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { SPEC = 1024 };

/* Text between single quotes: in bash and zsh by '\'', in fish by \'. */
static void put_quoted(const char *text, int fish, FILE *out)
{
    for (const char *c = text; *c; c++)
        if (*c == '\'')
            fputs(fish ? "\\'" : "'\\''", out);
        else
            fputc(*c, out);
}

static void put_help(const option_row *row, int fish, void put(const char *, int, FILE *), FILE *out)
{
    char *text = option_help(row);
    put(text ? text : row->help, fish, out);
    free(text);
}

/* "converge drift": the commands of a mask. */
static void put_commands(unsigned mask, const char *before, const char *behind, const char *between, FILE *out)
{
    int seen = 0;
    for (const cli_command *c = cli_commands; c->name; c++)
        if (c->options & mask)
            fprintf(out, "%s%s%s%s", seen++ ? between : "", before, c->name, behind);
}

/* ---- bash */

static void bash_commands(FILE *out)
{
    fputs("    _daelab_words='", out);
    put_commands(~0u, "", "", " ", out);
    fputs("'\n", out);
}

static void bash_options(FILE *out)
{
    for (const cli_command *c = cli_commands; c->name; c++) {
        fprintf(out, "    %s) _daelab_words='-h", c->name);
        for (const option_row *row = option_rows; row->name; row++)
            if (row->commands & c->options)
                fprintf(out, " --%s", row->name);
        fputs("' ;;\n", out);
    }
}

static void bash_values(FILE *out)
{
    char spec[SPEC];
    for (const option_row *row = option_rows; row->name; row++) {
        char behind[64];
        if (!row->argument)
            continue;
        values_of_option(row, spec, sizeof spec);
        snprintf(behind, sizeof behind, " --%s'", row->name);
        fputs("    ", out);
        put_commands(row->commands, "'", behind, " | ", out);
        fprintf(out, ") _daelab_spec='%s' ;;\n", spec);
    }
}

static void bash_names(FILE *out)
{
    char spec[SPEC];
    for (const cli_command *c = cli_commands; c->name; c++) {
        values_of_command(c, spec, sizeof spec);
        fprintf(out, "    %s) _daelab_spec='%s' ;;\n", c->name, spec);
    }
}

/* ---- zsh */

/* What ends a part of a specification of _arguments is escaped. */
static void put_zsh(const char *text, int fish, FILE *out)
{
    for (const char *c = text; *c; c++) {
        if (strchr("[]:\\", *c))
            fputc('\\', out);
        put_quoted((char[]){*c, 0}, fish, out);
    }
}

static void zsh_commands(FILE *out)
{
    for (const cli_command *c = cli_commands; c->name; c++) {
        fprintf(out, "    '%s:", c->name);
        put_quoted(c->summary, 0, out);
        fputs("'\n", out);
    }
}

static void zsh_option(const option_row *row, FILE *out)
{
    char spec[SPEC];
    fprintf(out, " \\\n      '*--%s%s[", row->name, row->argument ? "=" : "");
    put_help(row, 0, put_zsh, out);
    fputc(']', out);
    if (row->argument) {
        values_of_option(row, spec, sizeof spec);
        fputc(':', out);
        put_zsh(row->argument, 0, out);
        fprintf(out, ": _daelab_take %s", spec);
    }
    fputc('\'', out);
}

static void zsh_arguments(FILE *out)
{
    char spec[SPEC];
    for (const cli_command *c = cli_commands; c->name; c++) {
        fprintf(out, "    %s)\n      _arguments '-h[this help]'", c->name);
        for (const option_row *row = option_rows; row->name; row++)
            if (row->commands & c->options)
                zsh_option(row, out);
        values_of_command(c, spec, sizeof spec);
        if (*spec) {
            fputs(" \\\n      '*:", out);
            put_zsh(c->arguments, 0, out);
            fprintf(out, ": _daelab_take %s'", spec);
        }
        fputs(" ;;\n", out);
    }
}

/* ---- fish */

static void fish_commands(FILE *out)
{
    char spec[SPEC];
    for (const cli_command *c = cli_commands; c->name; c++) {
        fprintf(out, "complete -c daelab -n __daelab_first -f -a %s -d '", c->name);
        put_quoted(c->summary, 1, out);
        fputs("'\n", out);
        values_of_command(c, spec, sizeof spec);
        if (*spec)
            fprintf(out, "complete -c daelab -n '__daelab_in %s' -f -a '(__daelab_take %s)'\n", c->name, spec);
    }
}

static void fish_options(FILE *out)
{
    char spec[SPEC];
    for (const option_row *row = option_rows; row->name; row++) {
        fputs("complete -c daelab -n '__daelab_in ", out);
        put_commands(row->commands, "", "", " ", out);
        fprintf(out, "' -l %s", row->name);
        if (row->argument) {
            values_of_option(row, spec, sizeof spec);
            fprintf(out, strcmp(spec, "@files") == 0 ? " -r -F" : " -x -a '(__daelab_take %s)'", spec);
        }
        fputs(" -d '", out);
        put_help(row, 1, put_quoted, out);
        fputs("'\n", out);
    }
}

/* ---- files */

static const struct { const char *line; void (*write)(FILE *out); } parts[] = {
    {"#: bash commands\n", bash_commands}, {"#: bash options\n", bash_options}, {"#: bash values\n", bash_values},
    {"#: bash names\n", bash_names},       {"#: zsh commands\n", zsh_commands}, {"#: zsh arguments\n", zsh_arguments},
    {"#: fish commands\n", fish_commands}, {"#: fish options\n", fish_options}};
enum { PARTS = sizeof parts / sizeof *parts };

static int fill_in(const void *context, FILE *out)
{
    FILE *text = (FILE *)(uintptr_t)context;
    char line[512];
    while (fgets(line, sizeof line, text)) {
        int k = 0;
        while (k < PARTS && strcmp(line, parts[k].line) != 0)
            k++;
        if (k < PARTS)
            parts[k].write(out);
        else
            fputs(line, out);
    }
    return 1;
}

int completion_write(const char *texts, const char *folder)
{
    static const char *const names[] = {"completion.bash", "completion.zsh", "completion.fish"};
    int status = EXIT_DONE;
    for (size_t i = 0; !status && i < sizeof names / sizeof *names; i++) {
        char from[PATH_MAX], to[PATH_MAX];
        snprintf(from, sizeof from, "%s/%s", texts, names[i]);
        snprintf(to, sizeof to, "%s/%s", folder, names[i]);
        FILE *text = fopen(from, "r");
        if (!text)
            return cli_error(EXIT_SYSTEM, "%s: %s", from, strerror(errno));
        status = output_write(to, fill_in, text);
        fclose(text);
    }
    return status;
}
