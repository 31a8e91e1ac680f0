#include "cli/terminal.h"

#include "cli/option_table.h"
#include "numbers/decimal.h"
#include "cli/progress.h"
#include "pool/runner.h"

#include <math.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

static progress shown;          /* of the program's only terminal */

static void item(void *context, double share, const char *name)
{
    (void)context;
    progress_item(&shown, share, name);
}

static void plan(void *context, int runs, double amount)
{
    (void)context;
    progress_plan(&shown, runs, amount);
}

static void run(void *context, const char *what)
{
    (void)context;
    progress_run(&shown, what);
}

static void part(void *context, double fraction)
{
    (void)context;
    progress_part(&shown, fraction);
}

static void end(void *context)
{
    (void)context;
    progress_end(&shown);
}

/* Once: a study that is evaluated again says the same again, and so does a process that computes for it. */
static void warn(void *context, const char *sentence)
{
    static char *said[64];
    static size_t count;
    (void)context;
    if (shown.process != getpid())
        return;
    for (size_t i = 0; i < count; i++)
        if (strcmp(said[i], sentence) == 0)
            return;
    if (count < sizeof said / sizeof *said && (said[count] = strdup(sentence)))
        count++;
    fprintf(stderr, "daelab: %s\n", sentence);
}

/* The option of this name that the command takes, or NULL: t_end is --t-end. */
static const option_row *row_of(const cli_options *o, const char *name)
{
    for (const option_row *row = option_rows; row->name; row++)
        if ((row->commands & o->command) && strcmp(row->name, name) == 0)
            return row;
    return NULL;
}

/* "--t-end 1e3", as typed: a number in other digits may be another number. */
static void spell(void *context, const char *field, const double *value, char *text, size_t length)
{
    const cli_options *o = context;
    char name[32], number[DECIMAL] = "";
    snprintf(name, sizeof name, "%s", field);
    for (char *c = name; *c; c++)
        *c = *c == '_' ? '-' : *c;
    const option_row *row = row_of(o, name);
    const char *typed = row ? o->given[row->id] : NULL;
    if (row && o->line[row->id])
        cli_at_line(o->line[row->id]);                  /* of a file: the sentence is of this line */
    if (value && !typed && isfinite(*value))
        decimal(*value, number);
    snprintf(text, length, value ? "--%s %s" : "--%s", name, typed ? typed : number);
}

run_front terminal_quiet(const cli_options *o)
{
    return (run_front){.context = (void *)(uintptr_t)o, .spell = spell};
}

run_front terminal_front(const cli_options *o)
{
    if (!shown.process)
        progress_start(&shown, 0);
    return (run_front){.context = (void *)(uintptr_t)o, .item = item, .plan = plan, .run = run, .part = part,
                       .end = end, .warn = warn, .spell = spell};
}

static void hear(void *context, const runner_news *news)
{
    (void)context;
    progress_hear(&shown, news->running, news->begun, news->work, news->seconds);
}

void terminal_watch(runner *r)
{
    if (!runner_follows(r))
        runner_watch(r, hear, NULL);
}
