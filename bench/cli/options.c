/* options.c - one table of options serves the parser, the help and the suggestions */
#include "cli/options.h"

#include "catalogue/catalogue.h"
#include "cache/fingerprint.h"
#include "cli/choices.h"
#include "cli/terminal.h"
#include "cli/option_values.h"
#include "cli/plugins.h"
#include "cli/study_runner.h"

#include <getopt.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static int last_status;         /* of a complaint */

int cli_error(int status, const char *format, ...)
{
    va_list arguments;
    last_status = status;
    va_start(arguments, format);
    fputs("daelab: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return status;
}

int cli_last_status(void) { return last_status; }

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

int cli_fail(dae_status status, const dae_report *report)
{
    return cli_error(cli_exit_status(status), "%s", report->message);
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

/* A file needs a name. */
static int named(const option_row *row, const char *text)
{
    return *text || !cli_error(EXIT_USAGE, "--%s '': the name of a file is needed", row->name);
}

static int apply(const option_row *row, const char *text, cli_options *o)
{
    const double any = -HUGE_VAL;
    switch (row->id) {
    case O_FORM: return choose_forms(text, o);
    case O_METHOD: return choose_methods(text, o);
    case O_STEP: return value_number(row, text, 0, &o->study.run.step);
    case O_RTOL:
        return row->commands & BENCH ? value_range(row, text, &o->study.run.rtol, &o->study.rtol_last)
                                       : value_number(row, text, 0, &o->study.run.rtol);
    case O_ATOL: return value_atols(row, text, &o->study.run);
    case O_MAX_STEP: return value_number(row, text, 0, &o->study.run.max_step);
    case O_FIRST_STEP: return value_number(row, text, 0, &o->study.run.first_step);
    case O_T_END: return value_number(row, text, any, &o->study.run.t_end);
    case O_LEVELS: return value_integer(row, text, 1, MAX_LEVELS, &o->study.levels);
    case O_RATIO: return value_number(row, text, 1, &o->study.ratio);
    case O_SAMPLES: return value_integer(row, text, 1, MAX_ROWS, &o->study.samples);
    case O_EVERY: return value_number(row, text, 0, &o->study.every);
    case O_STOP: return choose_stop(text, o);
    case O_NO_EVENTS: o->study.run.no_events = 1; return 1;
    case O_MAX_EVENTS: return value_integer(row, text, 1, 1000000000, &o->study.run.max_events);
    case O_ACCUMULATION: return value_fraction(row, text, &o->study.run.accumulation);
    case O_AT: return value_numbers(row, text, o);
    case O_BASELINE: return choose_baseline(text, o);
    case O_RUNS: return value_integer(row, text, 1, MAX_RUNS, &o->study.runs);
    case O_SECONDS: return value_number(row, text, 0, &o->study.seconds);
    case O_LIMIT: return value_number(row, text, 0, &o->study.limit);
    case O_LIMIT_MEMORY: return value_bytes(row, text, &o->limit_memory);
    case O_JOBS: return value_integer(row, text, 1, MAX_JOBS, &o->jobs);
    case O_FRESH: o->fresh = 1; return 1;
    case O_DIGITS: o->study.digits = 1; return 1;
    case O_PROJECT: return choose_projection(text, o);
    case O_REFERENCE: o->study.referenced = 1; return 1;
    case O_ESTIMATE: o->study.estimated = 1; return 1;
    case O_FORCE: o->study.forced = 1; return 1;
    case O_PARAM: return set_parameter(text, o);
    case O_VARY: return vary_parameter(text, o);
    case O_ALPHA: return value_number(row, text, any, &o->study.run.baumgarte.alpha);
    case O_BETA: return value_number(row, text, any, &o->study.run.baumgarte.beta);
    case O_JSON: o->format = FORMAT_JSON; return 1;
    case O_FRAMES: return value_integer(row, text, 2, MAX_FRAMES, &o->frames);
    case O_FPS: return value_number(row, text, 0, &o->fps);
    case O_OUTPUT: o->output = text; return named(row, text);
    case O_PLOT: o->plot = text; return named(row, text);
    case O_NO_CACHE: o->study.run.no_cache = 1; return 1;
    case O_NO_CHECK: o->study.run.no_check = 1; return 1;
    case O_QUIET: o->quiet = 1; return 1;
    case O_STRICT: return 1;                            /* looked at when all is done */
    case O_HELP: case O_PLUGIN: return 1;               /* done before the rest */
    case O_FIRST_ORDER: case O_SWITCHING: case O_A_METHOD: case O_WORDS: case O_LATEX: case O_MINIMAL: case O_PAGE:
        return 1;                                       /* that they were given is all */
    default: return value_word(row, text, o);
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

/* What may be given more than once: it adds to what was given before, or repeats it. */
static int adds(const option_row *row)
{
    return !row->argument || row->id == O_FORM || row->id == O_METHOD || row->id == O_PARAM
           || row->id == O_STOP || row->id == O_ATOL || row->id == O_PLUGIN
           || (row->id == O_PROJECT && (row->commands & DRIFT));
}

static int check_subject(const cli_command *command, cli_options *o)
{
    if (!command->takes_problem)
        return 0;
    if (!o->subject)
        return 1 + cli_error(EXIT_USAGE, "which problem? daelab list problems shows them");
    if (strcmp(o->subject, "help") == 0 && !catalogue_find_problem(o->subject)) {
        cli_help(command, stdout);
        return 1;
    }
    const int without_events = o->given[O_NO_EVENTS] != NULL;
    o->study.run.problem = command->options & BENCH ? choose_first(o->subject, "bench", without_events)
                 : command->options & CHECK ? choose_first(o->subject, NULL, 0)
                 : without_events ? choose_without_events(o->subject)
                 : command->options & (CONVERGE | DRIFT | SCALE)
                     ? choose_smooth(o->subject, command->name) : choose_problem(o->subject);
    return o->study.run.problem ? 0 : 1 + last_status;
}

typedef struct {
    int count;
    struct { const option_row *row; const char *text; } option[256];
} option_list;

static int take_subject(const cli_command *command, const char *text, cli_options *o)
{
    if (!*command->arguments)
        return 1 + cli_error(EXIT_USAGE, "%s takes no name; what is %s?", command->name, text);
    if (o->subject && !(command->options & SEVERAL))
        return 1 + cli_error(EXIT_USAGE, "%s takes one name, and has %s; what is %s?",
                             command->name, o->subject, text);
    if (o->subject_count == MOST_SUBJECTS)
        return 1 + cli_error(EXIT_USAGE, "%s takes %d names; %s is one too many", command->name, MOST_SUBJECTS, text);
    o->subjects[o->subject_count++] = text;
    o->subject = o->subjects[0];
    return 0;
}

/* One answer of getopt_long. */
static int take(const cli_command *command, int c, const char *typed, const char *name,
                option_list *list, cli_options *o)
{
    if (c == 1)
        return take_subject(command, optarg, o);
    if (c == ':')
        return 1 + cli_error(EXIT_USAGE, "%s needs a value", typed);
    if (c == '?')
        return 1 + bad_option(command, optopt ? (char[]){'-', (char)optopt, 0} : typed);
    const option_row *row = find(command, c == 'h' ? "help" : c == 'q' ? "quiet" : name);
    if (!row)
        return 1 + bad_option(command, typed);
    if (row->id == O_HELP) {
        cli_help(command, stdout);
        return 1;
    }
    if (o->given[row->id] && !adds(row))
        return 1 + cli_error(EXIT_USAGE, "--%s is given twice, %s and %s", row->name,
                             o->given[row->id], optarg);
    if (list->count == (int)(sizeof list->option / sizeof *list->option))
        return 1 + cli_error(EXIT_USAGE, "more than %d options", list->count);
    o->given[row->id] = optarg ? optarg : "";
    list->option[list->count].row = row;
    list->option[list->count++].text = optarg;
    return 0;
}

/* Options and the subject in any order, whatever POSIXLY_CORRECT says. */
static int read_line(const cli_command *command, int argc, char **argv, option_list *list,
                     cli_options *o)
{
    struct option table[MOST_OPTIONS];
    int c, place = 0, stop = 0;
    getopt_table(command, table);
    opterr = 0;
    while (!stop && (c = getopt_long(argc, argv, "-:hq", table, &place)) != -1)
        stop = take(command, c, argv[optind - 1], table[place].name, list, o);
    while (!stop && optind < argc)                      /* behind -- */
        stop = take_subject(command, argv[optind++], o);
    return stop;
}

/* What files add, before anything is looked up by name. */
static int load_plugins(const option_list *list)
{
    if (!plugins_begin())
        return 1 + last_status;
    for (int i = 0; i < list->count; i++)
        if (list->option[i].row->id == O_PLUGIN && !plugins_load(list->option[i].text, NULL))
            return 1 + last_status;
    return 0;
}

/* What is asked for, as a number: the command, its subject, the options that matter. */
static uint64_t number_of(const cli_command *command, const option_list *list, const cli_options *o)
{
    uint64_t hash = fnv_1a(FNV_START, command->name, strlen(command->name) + 1);
    if (o->subject)
        hash = fnv_1a(hash, o->subject, strlen(o->subject) + 1);
    for (int i = 0; i < list->count; i++) {
        const char *name = list->option[i].row->name, *text = list->option[i].text;
        if (!study_runner_minds(list->option[i].row->id))
            continue;
        hash = fnv_1a(hash, name, strlen(name) + 1);
        if (text)
            hash = fnv_1a(hash, text, strlen(text) + 1);
    }
    return hash;
}

/* First files, then the subject, so that options can refer to the problem; then the options in order. */
int cli_parse(const cli_command *command, int argc, char **argv, cli_options *o)
{
    option_list list = {0};
    *o = (cli_options){.study = study_default_specification(NULL), .fps = NAN,
                       .command = command->options};
    int stop = read_line(command, argc, argv, &list, o);
    if (!stop && !(command->options & TELL))
        stop = load_plugins(&list);
    if (!stop)
        stop = check_subject(command, o);
    if (stop)
        return stop;
    if (o->study.run.problem)
        o->study.run = run_default_setting(o->study.run.problem);
    o->study.run.front = terminal_front(o);
    for (int i = 0; i < list.count; i++)
        if (!apply(list.option[i].row, list.option[i].text, o))
            return 1 + last_status;
    o->asked = number_of(command, &list, o);
    o->study.picture = o->plot != NULL;
    o->study.forms_named = o->given[O_FORM] && !strstr(o->given[O_FORM], "all");
    o->study.methods_named = o->given[O_METHOD] && !strstr(o->given[O_METHOD], "all");
    if (o->quiet)
        o->study.run.front = terminal_quiet(o);
    if (o->given[O_JSON] && o->given[O_FORMAT] && strcmp(o->given[O_FORMAT], "json") != 0)
        return 1 + cli_error(EXIT_USAGE, "--json and --format %s exclude each other",
                             o->given[O_FORMAT]);
    return 0;
}

void cli_free(cli_options *o)
{
    free(o->parameters);
    free(o->set);
    o->parameters = NULL;
    o->set = NULL;
}
