/* options.c - one table of options serves the parser, the help and the suggestions */
#include "options.h"

#include "choices.h"
#include "option_table.h"
#include "problems.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const char *const jacobians[] = {"best", "analytic", "dual", "fd"};
static const char *const linears[] = {"best", "dense", "klu"};
static const char *const formats[] = {"table", "csv", "json", "md"};
static const char *const error_tests[] = {"all", "differential"};
static const char *const classes[] = {"position", "velocity", "multiplier", "recovered",
                                      "differential", "algebraic"};
static const char *const times[] = {"median", "smallest"};
static const char *const starts[] = {"consistent", "as-given"};

const char *cli_jacobian_name(dae_jacobian_kind kind) { return jacobians[kind]; }
const char *cli_linear_name(dae_linear_kind kind) { return linears[kind]; }
const char *cli_error_test_name(dae_error_test which) { return error_tests[which]; }

int cli_error(int status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("daelab: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return status;
}

int cli_exit_status(dae_status status)
{
    switch (status) {
    case DAE_OK: return EXIT_DONE;
    case DAE_BAD_ARGUMENT: case DAE_UNSUPPORTED: return EXIT_USAGE;
    case DAE_FILE: case DAE_NO_MEMORY: return EXIT_SYSTEM;
    case DAE_EVENT: case DAE_ACCUMULATION: return EXIT_DONE;    /* early, but as it should */
    default: return EXIT_NUMERICAL;
    }
}

void cli_help(const cli_command *command, FILE *out)
{
    if (!command) {
        fputs("daelab - stiff differential-algebraic equations, and how wrong the answer is\n\n"
              "usage: daelab COMMAND ... | --version | --help\n\n", out);
        for (const cli_command *c = cli_commands; c->name; c++)
            fprintf(out, "  daelab %-8s %-32s %s\n", c->name, c->arguments, c->summary);
        fputs("\ndaelab COMMAND --help lists the options of a command.\n"
              "exit status: 0 done, 1 a numerical failure, 2 usage, 3 a file or system fault\n", out);
        return;
    }
    fprintf(out, "usage: daelab %s %s [options]\n%s\n\n", command->name, command->arguments,
            command->summary);
    for (const option_row *row = option_rows; row->name; row++)
        if (row->commands & command->options)
            fprintf(out, "  --%s %-*s %s\n", row->name, 15 - (int)strlen(row->name),
                    row->argument ? row->argument : "", row->help);
}

static int bad_option(const cli_command *command, const char *typed)
{
    const char *names[MOST_OPTIONS];
    char bare[64];
    int count = 0;
    for (int i = 0; option_rows[i].name; i++)
        if (option_rows[i].commands & command->options)
            names[count++] = option_rows[i].name;
    snprintf(bare, sizeof bare, "%.*s", (int)strcspn(typed + strspn(typed, "-"), "="),
             typed + strspn(typed, "-"));
    const char *near = dae_nearest(bare, names, count);
    return near ? cli_error(EXIT_USAGE, "%s has no option %s; did you mean --%s?", command->name,
                            typed, near)
                : cli_error(EXIT_USAGE, "%s has no option %s; see daelab %s --help", command->name,
                            typed, command->name);
}

/* A finite number above `above`; complains and answers 0 otherwise. */
static int number(const option_row *row, const char *text, double above, double *x)
{
    char *end;
    *x = strtod(text, &end);
    if (end == text || *end || !isfinite(*x) || !(*x > above)) {
        if (above == 0)
            cli_error(EXIT_USAGE, "--%s %s: a number above 0 is needed", row->name, text);
        else if (above > 0)
            cli_error(EXIT_USAGE, "--%s %s: a number above %g is needed", row->name, text, above);
        else
            cli_error(EXIT_USAGE, "--%s %s: a finite number is needed", row->name, text);
        return 0;
    }
    return 1;
}

/* A number between 0 and 1, exclusively. */
static int fraction(const option_row *row, const char *text, double *x)
{
    if (!number(row, text, 0, x))
        return 0;
    if (*x < 1)
        return 1;
    cli_error(EXIT_USAGE, "--%s %s: a number between 0 and 1 is needed", row->name, text);
    return 0;
}

static int integer(const option_row *row, const char *text, int least, int most, int *x)
{
    char *end;
    errno = 0;
    const long value = strtol(text, &end, 10);
    if (end == text || *end || errno || value < least || value > most) {
        cli_error(EXIT_USAGE, "--%s %s: a whole number from %d to %d is needed", row->name, text,
                  least, most);
        return 0;
    }
    *x = (int)value;
    return 1;
}

/* The place of text in a list of words; -1 with a complaint where it is not there. */
static int word(const option_row *row, const char *text, const char *const *words, int count,
                int first)
{
    for (int i = first; i < count; i++)
        if (strcmp(text, words[i]) == 0)
            return i;
    const char *near = dae_nearest(text, words + first, count - first);
    cli_error(EXIT_USAGE, "--%s '%s' is not known; did you mean %s?", row->name, text,
              near ? near : words[first]);
    return -1;
}

/* "A" or "A:B" with A > B > 0 */
static int range(const option_row *row, const char *text, double *first, double *last)
{
    char head[64];
    const char *colon = strchr(text, ':');
    if (!colon)
        return number(row, text, 0, first);
    snprintf(head, sizeof head, "%.*s", (int)(colon - text), text);
    if (!number(row, head, 0, first) || !number(row, colon + 1, 0, last))
        return 0;
    if (!(*first > *last))
        cli_error(EXIT_USAGE, "--%s %s: it goes from the larger to the smaller", row->name, text);
    return *first > *last;
}

/* "1e-6,1e-8" */
static int numbers(const option_row *row, const char *text, cli_options *o)
{
    char one[64];
    for (o->targets = 0;; text++) {
        const size_t length = strcspn(text, ",");
        if (o->targets == MAX_TARGETS)
            return !cli_error(EXIT_USAGE, "--%s: more than %d numbers", row->name, MAX_TARGETS);
        snprintf(one, sizeof one, "%.*s", (int)length, text);
        if (!number(row, one, 0, &o->target[o->targets++]))
            return 0;
        text += length;
        if (!*text)
            return 1;
    }
}

/* The options whose value is one of a list of words. */
static int apply_word(const option_row *row, const char *text, cli_options *o)
{
    static const struct { option_id id; const char *const *words; int count, first; } lists[] = {
        {O_TIME, times, 2, 0},         {O_OF, classes, 6, 0},    {O_JACOBIAN, jacobians, 4, 1},
        {O_LINEAR, linears, 3, 1},     {O_START, starts, 2, 0},  {O_ERROR_TEST, error_tests, 2, 0},
        {O_FORMAT, formats, 4, 0},
    };
    const int count = (int)(sizeof lists / sizeof *lists);
    int k = 0;
    while (k + 1 < count && lists[k].id != row->id)
        k++;
    const int choice = word(row, text, lists[k].words, lists[k].count, lists[k].first);
    if (choice < 0)
        return 0;
    switch (row->id) {
    case O_TIME: o->smallest = choice; break;
    case O_OF: o->of = (dae_class)choice; break;
    case O_JACOBIAN: o->jacobian = (dae_jacobian_kind)choice; break;
    case O_LINEAR: o->linear = (dae_linear_kind)choice; break;
    case O_START: o->as_given = choice; break;
    case O_ERROR_TEST: o->error_test = (dae_error_test)choice; break;
    default: o->format = (output_format)choice;
    }
    return 1;
}

static int apply(const option_row *row, const char *text, cli_options *o)
{
    const double any = -HUGE_VAL;
    switch (row->id) {
    case O_FORM: return choose_forms(text, o);
    case O_METHOD: return choose_methods(text, o);
    case O_STEP: return number(row, text, 0, &o->step);
    case O_RTOL:
        return row->commands & BENCH ? range(row, text, &o->rtol, &o->rtol_last)
                                     : number(row, text, 0, &o->rtol);
    case O_ATOL: return number(row, text, 0, &o->atol);
    case O_T_END: return number(row, text, any, &o->t_end);
    case O_LEVELS: return integer(row, text, 1, MAX_LEVELS, &o->levels);
    case O_RATIO: return number(row, text, 1, &o->ratio);
    case O_SAMPLES: return integer(row, text, 1, MAX_ROWS, &o->samples);
    case O_EVERY: return number(row, text, 0, &o->every);
    case O_STOP: return choose_stop(text, o);
    case O_MAX_EVENTS: return integer(row, text, 1, 1000000000, &o->max_events);
    case O_ACCUMULATION: return fraction(row, text, &o->accumulation);
    case O_AT: return numbers(row, text, o);
    case O_BASELINE: return choose_baseline(text, o);
    case O_RUNS: return integer(row, text, 1, MAX_RUNS, &o->runs);
    case O_SECONDS: return number(row, text, 0, &o->seconds);
    case O_LIMIT: return number(row, text, 0, &o->limit);
    case O_PROJECT: return choose_projection(text, o);
    case O_REFERENCE: o->referenced = 1; return 1;
    case O_ESTIMATE: o->estimated = 1; return 1;
    case O_PARAM: return set_parameter(text, o);
    case O_VARY: return vary_parameter(text, o);
    case O_ALPHA: o->alpha_given = 1; return number(row, text, any, &o->baumgarte.alpha);
    case O_BETA: o->beta_given = 1; return number(row, text, any, &o->baumgarte.beta);
    case O_JSON: o->format = FORMAT_JSON; return 1;
    case O_FRAMES: return integer(row, text, 2, MAX_FRAMES, &o->frames);
    case O_FPS: return number(row, text, 0, &o->fps);
    case O_OUTPUT: o->output = text; return 1;
    case O_PLOT: o->plot = text; return 1;
    case O_QUIET: o->quiet = 1; return 1;
    case O_HELP: return 1;
    default: return apply_word(row, text, o);
    }
}

static const option_row *find(const cli_command *command, const char *name)
{
    for (int i = 0; option_rows[i].name; i++)
        if ((option_rows[i].commands & command->options) && strcmp(option_rows[i].name, name) == 0)
            return &option_rows[i];
    return NULL;
}

static void getopt_table(const cli_command *command, struct option *table)
{
    for (const option_row *row = option_rows; row->name; row++)
        if (row->commands & command->options)
            *table++ = (struct option){
                row->name, row->argument ? required_argument : no_argument, NULL, 0};
    *table = (struct option){0};
}

static int check_subject(const cli_command *command, int argc, char **argv, cli_options *o)
{
    if (optind < argc)
        o->subject = argv[optind++];
    if (optind < argc)
        return 1 + cli_error(EXIT_USAGE, "%s takes one name; what is %s?", command->name,
                             argv[optind]);
    if (!command->takes_problem)
        return 0;
    if (!o->subject)
        return 1 + cli_error(EXIT_USAGE, "which problem? daelab list problems shows them");
    o->problem = command->options & BENCH ? choose_first(o->subject)
                 : command->options & (CONVERGE | DRIFT | SCALE)
                     ? choose_smooth(o->subject, command->name) : choose_problem(o->subject);
    return o->problem ? 0 : 1 + EXIT_USAGE;
}

/* First the subject, so that options can refer to the problem; then the options in order. */
int cli_parse(const cli_command *command, int argc, char **argv, cli_options *o)
{
    struct option table[MOST_OPTIONS];
    struct { const option_row *row; const char *text; } seen[256];
    int count = 0, place, c;
    *o = (cli_options){.step = NAN, .rtol = NAN, .atol = NAN, .t_end = NAN, .ratio = NAN,
                       .every = NAN, .rtol_last = NAN, .seconds = NAN, .limit = NAN, .fps = NAN,
                       .accumulation = NAN, .of = DAE_CLASSES,
                       .baumgarte = dae_default_formulation_options()};
    getopt_table(command, table);
    opterr = 0;
    while ((c = getopt_long(argc, argv, ":h", table, &place)) != -1) {
        if (c == ':')
            return 1 + cli_error(EXIT_USAGE, "%s needs a value", argv[optind - 1]);
        if (c == '?')
            return 1 + bad_option(command, optopt ? (char[]){'-', (char)optopt, 0}
                                                  : argv[optind - 1]);
        const option_row *row = find(command, c == 'h' ? "help" : table[place].name);
        if (row->id == O_HELP) {
            cli_help(command, stdout);
            return 1;
        }
        if (count == (int)(sizeof seen / sizeof *seen))
            return 1 + cli_error(EXIT_USAGE, "more than %d options", count);
        seen[count].row = row;
        seen[count++].text = optarg;
    }
    const int wrong = check_subject(command, argc, argv, o);
    if (wrong)
        return wrong;
    if (o->problem)
        for (int i = 0; i < dae_parameter_count(o->problem); i++)
            o->parameters[i] = o->problem->parameters[i].value;
    for (int i = 0; i < count; i++)
        if (!apply(seen[i].row, seen[i].text, o))
            return 1 + EXIT_USAGE;
    return 0;
}
