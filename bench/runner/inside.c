/* inside.c - in a process that computes: questions are answered here, and the answers told */
#include "runner/state.h"

#include "host/platform.h"
#include "host/timing.h"
#include "output/json_file.h"
#include "runner/limits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Tell it, and keep it. */
static runner_reply tell(runner *r, record *one)
{
    char *line = record_line(one);
    if (!line || !child_say(r->pipe, line)) {
        free(line);
        record_free(one);
        return runner_no_memory();
    }
    free(line);
    const runner_reply reply = runner_reply_of(one);
    answers_put(&r->known, one);
    return reply;
}

/* one->result, or its end where there was no memory. A timer of CPU time makes its clock coarse: where time is
 * measured the parent alone looks at the limit. */
static void compute(runner *r, const runner_question *q, record *one)
{
    limits_begin((runner_limits){q->timed ? 0 : one->limits.seconds, one->limits.bytes}, r->pipe);
    const double begin = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
    r->computing = 1;
    json_t *answer = q->compute(q->context);
    r->computing = 0;
    limits_end();
    one->seconds = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - begin;
    one->result = answer && json_file_whole() ? record_text(answer) : NULL;     /* else a part may be missing */
    json_decref(answer);
    if (one->result)
        return;
    one->end = RUNNER_MEMORY;
    one->limits.bytes = 0;                              /* not at a limit: there was none left */
    snprintf(one->reason, sizeof one->reason, RUNNER_NO_MEMORY);
}

runner_reply inside_ask(runner *r, const runner_question *q, const char *cell)
{
    const runner_limits limits = runner_limits_of(r, q);
    const known_cell *known = keep_find(r, cell, limits);
    if (known)
        return runner_reply_of(&known->record);
    if (q->timed && !r->options.jobs_chosen && !r->alone)
        return (runner_reply){.end = RUNNER_NOT_RUN, .reason = "it is timed when nothing else runs"};
    record one = {.cell = strdup(cell), .limits = limits};
    if (!one.cell || !child_say_begin(r->pipe, cell, limits)) {
        record_free(&one);
        return runner_no_memory();
    }
    if (q->timed && !r->options.jobs_chosen)
        platform_stay_on_core();
    compute(r, q, &one);
    return tell(r, &one);
}
