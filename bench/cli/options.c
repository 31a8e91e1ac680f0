/* options.c - what was given: word for word, and taken one by one */
#include "cli/options.h"

#include "catalogue/catalogue.h"
#include "host/fnv.h"
#include "host/allocate.h"

#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- word for word ---- */

/* Options of earlier versions, and what takes their place; what other programs call an option. */
static const struct { const char *name, *instead; } gone[] = {
    {"keep-script", "pictures have no script any more; --plot-data writes their points as CSV"},
};
static const struct { const char *name, *here; } called[] = {
    {"tolerance", "rtol"}, {"tol", "rtol"}, {"reltol", "rtol"}, {"abstol", "atol"}, {"dt", "step"},
    {"stepsize", "step"}, {"solver", "method"}, {"formulation", "form"}, {"index", "form"}, {"tend", "t-end"},
    {"parameter", "param"}, {"initial", "set"}, {"out", "output"}, {"columns", "show"},
};

/* The commands that have an option of this name, with commas; "": none has. */
static void commands_with(const char *name, char *text, size_t size)
{
    size_t end = 0;
    text[0] = 0;
    for (const cli_command *c = cli_commands; c->name; c++)
        if (option_find(c->options, name) && end < size)
            end += (size_t)snprintf(text + end, size - end, "%s%s", end ? ", " : "", c->name);
}

static int bad_option(const cli_command *command, const char *typed)
{
    const char *names[MOST_OPTIONS];
    char bare[64], others[128];
    int count = 0;
    for (int i = 0; option_rows[i].name; i++)
        if (option_rows[i].commands & command->options)
            names[count++] = option_rows[i].name;
    snprintf(bare, sizeof bare, "%.*s", (int)strcspn(typed + strspn(typed, "-"), "="),
             typed + strspn(typed, "-"));
    for (size_t i = 0; i < sizeof gone / sizeof *gone; i++)
        if (strcmp(bare, gone[i].name) == 0)
            return cli_error(EXIT_USAGE, "%s: %s", typed, gone[i].instead);
    const char *near = dae_nearest(bare, names, count);
    for (size_t i = 0; i < sizeof called / sizeof *called; i++)
        if (strcmp(bare, called[i].name) == 0 && option_find(command->options, called[i].here))
            near = called[i].here;
    commands_with(bare, others, sizeof others);
    if (*others && !near)
        return cli_error(EXIT_USAGE, "%s has no option %s; it is one of %s", command->name, typed, others);
    return near ? cli_error(EXIT_USAGE, "%s has no option %s; did you mean --%s?", command->name,
                            typed, near)
                : cli_error(EXIT_USAGE, "%s has no option %s; see daelab %s --help", command->name,
                            typed, command->name);
}

const cli_command *cli_find_command(const char *name)
{
    const cli_command *command = cli_commands;
    while (command->name && strcmp(command->name, name) != 0)
        command++;
    return command->name ? command : NULL;
}

const option_row *option_find(unsigned commands, const char *name)
{
    const option_row *row = option_rows;
    while (row->name && (!(row->commands & commands) || strcmp(row->name, name) != 0))
        row++;
    return row->name ? row : NULL;
}

static void getopt_table(const cli_command *command, struct option *table)
{
    for (const option_row *row = option_rows; row->name; row++)
        if (row->commands & command->options)
            *table++ = (struct option){
                row->name, row->argument ? required_argument : no_argument, NULL, 0};
    *table = (struct option){0};
}

/* Sets of projections are several runs, which a film has not. */
static int adds(const option_list *list, const option_row *row)
{
    return !row->argument || (row->commands & AGAIN && (row->id != O_PROJECT || list->command->options & RUNS));
}

const given_option *option_list_last(const option_list *list, option_id id)
{
    for (int i = list->count; i-- > 0;)
        if (list->option[i].row->id == id)
            return &list->option[i];
    return NULL;
}

int option_list_add(option_list *list, given_option given)
{
    const given_option *before = option_list_last(list, given.row->id);
    if (before && !adds(list, given.row))
        return !cli_error(EXIT_USAGE, "--%s is given twice, %s and %s", given.row->name, before->text, given.text);
    if (list->count == MOST_GIVEN)
        return !cli_error(EXIT_USAGE, "more than %d options", list->count);
    list->option[list->count++] = given;
    return 1;
}

int option_list_replace(option_list *list, given_option given)
{
    int kept = 0;
    for (int i = 0; i < list->count; i++)
        if (list->option[i].row->id != given.row->id)
            list->option[kept++] = list->option[i];
    list->count = kept;
    return option_list_add(list, given);
}

const char *kept_text(kept_texts *texts, char *text)
{
    texts->text = allocate_more(texts->text, (size_t)texts->count, sizeof *texts->text);
    return texts->text[texts->count++] = text;
}

void kept_free(kept_texts *texts)
{
    for (int i = 0; i < texts->count; i++)
        free(texts->text[i]);
    free(texts->text);
}

static int take_subject(option_list *list, const char *text)
{
    if (!*list->command->arguments)
        return 1 + cli_error(EXIT_USAGE, "%s takes no name; what is %s?", list->command->name, text);
    const int every = list->command->options == HELP_ONLY && strcmp(text, "all") == 0;         /* help COMMAND all */
    if (list->subject && !every && !(list->command->options & SEVERAL))
        return 1 + cli_error(EXIT_USAGE, "%s takes one name, and has %s; what is %s?", list->command->name,
                             list->subject, text);
    if (list->subject_count == MOST_SUBJECTS)
        return 1 + cli_error(EXIT_USAGE, "%s takes %d names; %s is one too many", list->command->name, MOST_SUBJECTS,
                             text);
    list->subjects[list->subject_count++] = text;
    list->subject = list->subjects[0];
    return 0;
}

/* "-rtol", with one dash, of which getopt has read some letters as options. */
static int is_cluster(const char *word) { return word[0] == '-' && word[1] != '-' && word[1] && word[2]; }

/* One answer of getopt_long. */
static int take(option_list *list, int c, const char *typed, const char *next, const char *name)
{
    if (c == 1)
        return take_subject(list, optarg);
    if (c == ':')
        return 1 + cli_error(EXIT_USAGE, "%s needs a value", typed);
    if (c == '?')
        return 1 + bad_option(list->command, !optopt ? typed : next && is_cluster(next) && strchr(next, optopt) ? next
                                             : (char[]){'-', (char)optopt, 0});
    const option_row *row = option_find(list->command->options, c == 'h' ? "help" : c == 'q' ? "quiet" : name);
    if (!row)
        return 1 + bad_option(list->command, typed);
    if (row->id == O_HELP && next && *next != '-' && strcmp(next, "all") != 0)
        return 1 + cli_error(EXIT_USAGE, "--help %s: what is %s? --help shows the options that most need, --help all "
                             "every one", next, next);
    if (row->id == O_HELP) {
        cli_help(list->command, next && strcmp(next, "all") == 0, stdout);
        return 1;
    }
    return option_list_add(list, (given_option){.row = row, .text = optarg}) ? 0 : 1 + cli_last_status();
}

int option_list_read(option_list *list, int argc, char **argv)
{
    struct option table[MOST_OPTIONS];
    int c, place = 0, stop = 0;
    getopt_table(list->command, table);
    opterr = 0;
    while (!stop && (c = getopt_long(argc, argv, "-:hq", table, &place)) != -1)
        stop = take(list, c, argv[optind - 1], argv[optind], table[place].name);
    while (!stop && optind < argc)                      /* behind -- */
        stop = take_subject(list, argv[optind++]);
    return stop;
}

/* ---- one by one ---- */

/* A file needs a name. */
static int named(const option_row *row, const char *text)
{
    return *text || !cli_error(EXIT_USAGE, "--%s '': the name of a file is needed", row->name);
}

/* One more file; 0 having complained. */
static int add_file(const option_row *row, const char *text, const char **files, int *count)
{
    if (!named(row, text))
        return 0;
    if (*count == MAX_OUTPUTS)
        return !cli_error(EXIT_USAGE, "--%s: more than %d files", row->name, (int)MAX_OUTPUTS);
    files[(*count)++] = text;
    return 1;
}

static int add_file_of_data(const option_row *row, const char *text, fit_source *data)
{
    _Static_assert((int)MAX_DATA <= (int)MAX_OUTPUTS, "add_file counts to MAX_OUTPUTS");
    return add_file(row, text, data->file, &data->files);
}

/* Its unknowns are looked up when the parameters are known. */
static int add_start(const char *text, cli_options *o)
{
    if (o->starts == MOST_STARTS)
        return !cli_error(EXIT_USAGE, "--set %s: more than %d times", text, (int)MOST_STARTS);
    o->start[o->starts++] = text;
    return 1;
}

static int apply(const option_row *row, const char *text, cli_options *o)
{
    switch (row->id) {
    /* what is to be run */
    case O_FORM: return choose_forms(text, o);
    case O_METHOD: return choose_methods(text, o);
    case O_RTOL:
        return row->commands & LEVELS ? value_levels(row, text, &o->study.run.rtol, &o->study.rtols)
                                      : value_setting(row, text, &o->study.run);
    case O_STEP:
        return row->commands & LEVELS ? value_levels(row, text, &o->study.run.step, &o->study.steps)
                                      : value_setting(row, text, &o->study.run);
    case O_ATOL: return value_atols(row, text, &o->study.run);
    case O_LEVELS: return value_integer(row, text, 1, MAX_LEVELS, &o->study.levels);
    case O_RATIO: return value_number(row, text, 1, &o->study.ratio);
    case O_SAMPLES: return value_integer(row, text, 1, MAX_ROWS, &o->study.samples);
    case O_SHOW: o->study.show = text; return 1;
    case O_EVERY: return value_number(row, text, 0, &o->study.every);
    case O_SENSITIVITY: return choose_sensitivity(text, o);
    case O_STOP: return choose_stop(text, o);
    case O_AT: return value_numbers(row, text, MAX_TARGETS, o->study.target, &o->study.targets);
    case O_BASELINE: return choose_baseline(text, o);
    case O_RUNS: return value_integer(row, text, 1, MAX_RUNS, &o->study.runs);
    case O_SECONDS: return value_number(row, text, 0, &o->study.seconds);
    case O_LIMIT: return value_number(row, text, 0, &o->study.limit);
    case O_DIGITS: o->study.digits = 1; return 1;
    case O_DATA: return add_file_of_data(row, text, &o->study.data);
    case O_SD: return value_deviations(row, text, &o->study.data);
    case O_USE: o->study.data.use = text; return 1;
    case O_FIT: case O_BOUNDS: return 1;                /* looked up when the parameters are known */
    case O_PROJECT: return choose_projection(text, o);
    case O_REFERENCE: o->study.referenced = 1; return 1;
    case O_ESTIMATE: o->study.estimated = 1; return 1;
    case O_FORCE: o->study.forced = 1; return 1;
    case O_PARAM: return set_parameter(text, o);
    case O_SET: return add_start(text, o);
    case O_VARY: return vary_parameter(text, o);
    case O_AXES: return value_axes(row, text, &o->study);
    /* how it is run, and where results go */
    case O_LIMIT_MEMORY: return value_bytes(row, text, &o->limit_memory);
    case O_JOBS: return value_integer(row, text, 1, MAX_JOBS, &o->jobs);
    case O_FRESH: o->fresh = 1; return 1;
    case O_JSON: o->format = FORMAT_JSON; return 1;
    case O_FRAMES: return value_integer(row, text, 2, MAX_FRAMES, &o->frames);
    case O_FPS: return value_number(row, text, 0, &o->fps);
    case O_OUTPUT: return add_file(row, text, o->output, &o->outputs);
    case O_PLOT: return add_file(row, text, o->plot, &o->plots);
    case O_SAVE: o->save = text; return named(row, text);
    case O_PART: return named(row, text);               /* looked at when the parts are known */
    case O_TABLE: o->table = text; return 1;
    case O_TOLERANCE: return value_number(row, text, -1e-300, &o->tolerance);
    case O_TIME_TOLERANCE: return value_number(row, text, -1e-300, &o->time_tolerance);
    case O_PLOT_SIZE: return value_size(row, text, &o->look.width, &o->look.height);
    case O_PLOT_FONT: return value_font(row, text, &o->look);
    case O_PLOT_TITLE: o->look.title = text; return 1;
    case O_TRANSPARENT: o->look.transparent = 1; return 1;
    case O_PLOT_DATA: o->look.data = 1; return 1;
    case O_QUIET: o->quiet = 1; return 1;
    case O_STRICT: return 1;                            /* looked at when all is done */
    case O_HELP: case O_PLUGIN: return 1;               /* done before the rest */
    case O_FIRST_ORDER: case O_SWITCHING: case O_A_METHOD: case O_WORDS: case O_LATEX: case O_MINIMAL: case O_PAGE:
        return 1;                                       /* that they were given is all */
    default: return (int)row->id < SETTINGS ? value_setting(row, text, &o->study.run) : value_word(row, text, o);
    }
}

int option_of_program(const option_row *row) { return (row->commands & OF_PROGRAM) != 0; }

int option_apply(const given_option *given, cli_options *o)
{
    o->given[given->row->id] = given->text ? given->text : "";
    o->line[given->row->id] = given->line;
    o->common[given->row->id] = (char)given->common;
    return apply(given->row, given->text, o);
}

int cli_draws(const cli_options *o) { return o->plots > 0 || cli_output_folder(o) != NULL; }

int options_complete(cli_options *o)
{
    o->study.picture = cli_draws(o);
    o->study.forms_named = o->given[O_FORM] && !strstr(o->given[O_FORM], "all");
    o->study.methods_named = o->given[O_METHOD] && !strstr(o->given[O_METHOD], "all");
    o->study.run.front = o->quiet ? terminal_quiet(o) : terminal_front(o);
    if (o->starts && !set_starts(o))
        return 0;
    if ((o->given[O_FIT] && !choose_fitted(o->given[O_FIT], o))
        || (o->given[O_BOUNDS] && !choose_bounds(o->given[O_BOUNDS], o)))
        return 0;
    if (o->given[O_JSON] && o->given[O_FORMAT] && strcmp(o->given[O_FORMAT], "json") != 0)
        return !cli_error(EXIT_USAGE, "--json and --format %s exclude each other", o->given[O_FORMAT]);
    return 1;
}

void options_begin(cli_options *o, const cli_command *command, const cli_options *inherited)
{
    *o = inherited ? *inherited : (cli_options){.fps = NAN, .tolerance = NAN, .time_tolerance = NAN};
    o->command = command->options;
    o->list = NULL;
    o->study = study_default_specification(NULL);
    o->study.run.runner = inherited ? inherited->study.run.runner : NULL;
}

void options_set_problem(cli_options *o, const dae_problem *problem)
{
    struct runner *same = o->study.run.runner;
    o->study.run = run_default_setting(problem);
    o->study.run.front = terminal_front(o);
    o->study.run.runner = same;
}

static int set_subject(const option_list *list, cli_options *o)
{
    if (!list->command->takes_problem)
        return 1;
    const dae_problem *problem[MAX_NAMES];
    const int without_events = option_list_last(list, O_NO_EVENTS) != NULL;
    const int found = o->command & CHECK ? choose_problems(o->subject, 0, 0, problem)
                                         : (problem[0] = choose_problem(o->subject, 0, without_events)) != NULL;
    if (found)
        options_set_problem(o, problem[0]);
    return found;
}

/* Does the option decide what is run? Others, as --format, leave the runs of a study as they are. */
static int is_asked(const option_row *row)
{
    return row->id == O_PLUGIN || row->id == O_PART || (!option_of_program(row) && row->id != O_LIMIT);
}

/* A hash of the command, its subject (of a study the real path of its file), and the options that decide. */
static uint64_t number_of(const cli_command *command, const option_list *list, const cli_options *o)
{
    uint64_t hash = fnv_1a(FNV_START, command->name, strlen(command->name) + 1);
    char *file = o->subject && (command->options & STUDY) ? realpath(o->subject, NULL) : NULL;
    const char *subject = file ? file : o->subject;
    if (subject)
        hash = fnv_1a(hash, subject, strlen(subject) + 1);
    free(file);
    for (int i = 0; i < list->count; i++) {
        const char *name = list->option[i].row->name, *text = list->option[i].text;
        if (!is_asked(list->option[i].row))
            continue;
        hash = fnv_1a(hash, name, strlen(name) + 1);
        if (text)
            hash = fnv_1a(hash, text, strlen(text) + 1);
    }
    return hash;
}

/* Does take_list apply the option? Of a command that runs studies only those of the program, and --limit: the plan of
 * the study applies the others, for each item. */
static int is_taken(const option_row *row, const cli_options *o)
{
    return !(o->command & (RUNS | STUDY)) || option_of_program(row) || row->id == O_LIMIT;
}

/* Set the problem first, so that options can refer to it; then apply the options in their order. */
static int take_list(const option_list *list, cli_options *o)
{
    o->study.run.front = terminal_front(o);
    if (!(o->command & (HELP_ONLY | RUNS | STUDY)) && !set_subject(list, o))
        return 0;
    for (int i = 0; i < list->count; i++)
        if (is_taken(list->option[i].row, o) && !option_apply(&list->option[i], o))
            return 0;
    return options_complete(o);
}

static int check_subject(const option_list *list)
{
    const cli_command *command = list->command;
    if (!command->takes_problem)
        return 0;
    if (!list->subject)
        return 1 + cli_error(EXIT_USAGE, "which problem? daelab list problems shows them");
    if (strcmp(list->subject, "help") != 0 || catalogue_find_problem(list->subject))
        return 0;
    cli_help(command, 0, stdout);
    return 1;
}

int cli_parse(const cli_command *command, int argc, char **argv, cli_options *o)
{
    options_begin(o, command, NULL);
    o->list = allocate(1, sizeof *o->list);
    o->list->command = command;
    int stop = option_list_read(o->list, argc, argv);
    if (!stop && !(command->options & HELP_ONLY) && !(plugins_begin() && plugins_load_all(o->list)))
        stop = 1 + cli_last_status();
    if (!stop)
        stop = check_subject(o->list);
    if (stop)
        return stop;
    o->subject = o->list->subject;
    o->asked = number_of(command, o->list, o);
    return take_list(o->list, o) ? 0 : 1 + cli_last_status();
}

void cli_free(cli_options *o)
{
    free(o->parameters);
    free(o->set);
    free(o->list);
}
