/* help.c - the help of a command, with the names that the tables choose by default */
#include "catalogue/catalogue.h"
#include "cli/options.h"
#include "host/allocate.h"
#include "host/screen.h"
#include "table/format.h"
#include "table/words.h"
#include "study/work.h"

#include <stdlib.h>
#include <string.h>

/* The methods, or the formulation, that a word in braces stands for. */
static void put_names(const char *word, size_t length, FILE *out)
{
    const unsigned role = strncmp(word, "one run", length) == 0 ? DAE_FOR_ONE_RUN
                          : strncmp(word, "scaling", length) == 0 ? DAE_FOR_SCALING : 0;
    const int first = strncmp(word, "first", length) == 0, digits = strncmp(word, "digits", length) == 0;
    int some = 0;
    for (int i = 0; catalogue_method(i) && !(some && (first || role == DAE_FOR_ONE_RUN)); i++) {
        const dae_method_info info = dae_method_describe(catalogue_method(i));
        if (first || (digits && work_takes_any(catalogue_method(i))) || (info.roles & role))
            fprintf(out, "%s%s", some++ ? ", " : "", info.name);
    }
    for (int i = 0; strncmp(word, "index 1", length) == 0 && !some; i++)
        if (dae_formulation_describe(dae_formulation_at(i)).index == 1)
            some = fputs(dae_formulation_describe(dae_formulation_at(i)).name, out) >= 0;
    if (!some)
        fputs(run_form_stabilised(DAE_BY_FEEDBACK), out);
}

/* What a word in braces stands for; to be freed. */
static char *meaning(const char *word, size_t length)
{
    char *text;
    size_t size;
    FILE *out = allocate_stream(&text, &size);
    if (strncmp(word, "formats", length) == 0)
        format_tell_names(out);
    else if (strncmp(word, "or endings", length) == 0)
        format_tell_endings(out);
    else
        put_names(word, length, out);
    allocate_stream_end(out);
    return text;
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
    const char *open = strchr(row->help, '{');
    if (!open)
        return allocate_text(row->help);
    const size_t length = strcspn(open + 1, "}");
    const option_row rest = {.help = open + length + 2};
    char *meant = meaning(open + 1, length), *behind = option_help(&rest);
    char *text = allocate_print("%.*s%s%s", (int)(open - row->help), row->help, meant, behind);
    free(meant);
    free(behind);
    return text;
}

static void print_option(const option_row *row, size_t width, FILE *out)
{
    enum { COLUMN = 21 };
    char words[64], *text = option_help(row);
    snprintf(words, sizeof words, "--%s%s%s", row->name, row->argument ? " " : "", row->argument ? row->argument : "");
    put_entry(words, COLUMN, text, width, out);
    free(text);
}

/* ---- groups ---- */

static const char *const groups[] = {"what is run", "how: steps, tolerances, solvers", "where, and how long", "output"};
enum { GROUPS = 4, FEW = 12 };          /* so few options are shown at once */

static int group_of(const option_row *row)
{
    switch (row->id) {
    case O_FORM: case O_METHOD: case O_PARAM: case O_SET: case O_VARY: case O_T_END: case O_STOP: case O_NO_EVENTS:
    case O_DATA: case O_FIT: case O_BOUNDS: case O_SD: case O_USE:
    case O_PART: case O_PLUGIN: case O_MINIMAL: case O_FIRST_ORDER: case O_SWITCHING: case O_A_METHOD: case O_WORDS:
        return 0;
    case O_LIMIT: case O_LIMIT_STEPS: case O_LIMIT_MEMORY: case O_JOBS: case O_FRESH: case O_NO_CACHE: case O_NO_CHECK:
    case O_RUNS: case O_SECONDS: return 2;
    case O_SAMPLES: case O_EVERY: case O_ESTIMATE: case O_REFERENCE: case O_DIGITS: case O_AT: case O_OF: case O_AXES:
    case O_BASELINE: case O_TIME: case O_SHOW: case O_PAGE: case O_TOLERANCE: case O_TIME_TOLERANCE: case O_FRAMES:
    case O_FPS: case O_LATEX: return 3;
    default: return option_of_program(row) ? 3 : 1;
    }
}

/* Most users need no other ones: some ten of each command. */
static int is_needed_most(const option_row *row)
{
    static const option_id most[] = {O_FORM, O_METHOD, O_PARAM, O_SET, O_T_END, O_STEP, O_RTOL, O_SAMPLES, O_LEVELS,
                                     O_REFERENCE, O_AT, O_DATA, O_FIT, O_BOUNDS, O_SD,
                                     O_FRAMES, O_FPS, O_PART, O_OUTPUT, O_PLOT};
    for (size_t i = 0; i < sizeof most / sizeof *most; i++)
        if (row->id == most[i])
            return 1;
    return row->id == O_VARY && (row->commands & SCALE);
}

static int count_options(const cli_command *command, int (*counts)(const option_row *row))
{
    int count = 0;
    for (const option_row *row = option_rows; row->name; row++)
        count += (row->commands & command->options) && (!counts || counts(row));
    return count;
}

static void print_options(const cli_command *command, int all, size_t width, FILE *out)
{
    for (int group = 0; group < GROUPS; group++) {
        int some = 0;
        for (const option_row *row = option_rows; row->name; row++) {
            if (!(row->commands & command->options) || group_of(row) != group || !(all || is_needed_most(row)))
                continue;
            if (!some++)
                fprintf(out, "%s:\n", groups[group]);
            print_option(row, width, out);
        }
    }
}

static void print_command(const cli_command *command, int all, size_t width, FILE *out)
{
    const int options = count_options(command, NULL), most = count_options(command, is_needed_most);
    char heading[256];
    snprintf(heading, sizeof heading, "usage: daelab %s%s%s [options]", command->name, *command->arguments ? " " : "",
             command->arguments);
    words_print(heading, width, 0, 4, out);
    words_print(command->summary, width, 0, 0, out);
    fputc('\n', out);
    print_options(command, all || options <= FEW, width, out);
    if (!all && options > FEW)
        fprintf(out, "\nthe other %d options: daelab %s --help all\n", options - most, command->name);
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
    words_print("daelab COMMAND --help shows examples of a command and the options that most need, daelab COMMAND "
                "--help all every one. daelab help TOPIC is a page on:", width, 0, 0, out);
    fputc('\n', out);
    for (int i = 0; topic_at(i); i++)
        put_entry(topic_at(i)->name, COLUMN + 4, topic_at(i)->title, width, out);
    fputs("\n", out);
    words_print("A PROBLEM is a name of daelab list, or a file, ./bead.c, ./bead.so, or ./bead.yaml, a model in words; "
                "a method is a name, or a file, too.", width, 0, 0, out);
    words_print("exit status: 0 done, 1 a numerical failure, 2 usage, 3 a file or system fault", width, 0, 0, out);
}

void cli_help(const cli_command *command, int all, FILE *out)
{
    if (command)
        print_command(command, all, screen_width(out), out);
    else
        print_overview(screen_width(out), out);
}
