#include "cli/options.h"

#include "numbers/decimal.h"
#include "cli/progress.h"
#include "host/allocate.h"
#include "pool/runner.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

static progress shown;          /* of the program's only terminal */

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
    if (count < sizeof said / sizeof *said)
        said[count++] = allocate_text(sentence);
    fprintf(stderr, "daelab: %s\n", sentence);
}

/* "--t-end 1e3", as typed: a number in other digits may be another number. */
static void spell(const void *writer, const char *field, const double *value, char *text, size_t length)
{
    const cli_options *o = writer;
    char name[32], number[DECIMAL] = "";
    snprintf(name, sizeof name, "%s", field);
    for (char *c = name; *c; c++)
        *c = *c == '_' ? '-' : *c;
    const option_row *row = option_find(o->command, name);
    const char *typed = row ? o->given[row->id] : NULL;
    if (row && o->line[row->id])
        cli_at_line(o->line[row->id]);                  /* of a file: the sentence is of this line */
    if (value && !typed && isfinite(*value))
        decimal(*value, number);
    snprintf(text, length, value ? "--%s %s" : "--%s", name, typed ? typed : number);
}

run_front terminal_quiet(const cli_options *o) { return (run_front){.writer = o, .spell = spell}; }

run_front terminal_front(const cli_options *o)
{
    if (!shown.process)
        progress_start(&shown, 0);
    return (run_front){.context = &shown, .item = progress_item, .plan = progress_plan, .run = progress_run,
                       .part = progress_part, .end = progress_end, .warn = warn, .writer = o, .spell = spell};
}

static void hear(void *context, const runner_news *news)
{
    (void)context;
    progress_hear(&shown, news->running, news->begun, news->work, news->seconds);
    if (news->waits)
        terminal_tell_before();
}

void terminal_tell_before(void)
{
    static int told;
    if (told++ || !shown.before)
        return;
    progress_end(&shown);
    fprintf(stderr, "daelab: %d of %d runs were there; --fresh makes all of them anew\n", shown.before,
            progress_runs(&shown));
}

void terminal_tell_end(int kept)
{
    if (kept && shown.made)
        fprintf(stderr, "daelab: the study is not complete; %d of %d runs are kept: the same command goes on from "
                        "there\n", shown.made, progress_runs(&shown));
    else
        fputs("daelab: the study is not complete, and nothing of it is kept\n", stderr);
}

void terminal_watch(runner *r)
{
    if (!runner_follows(r))
        runner_watch(r, hear, NULL);
}
