/* keep.c - what is known of cells, and the journal that keeps it */
#include "runner/state.h"

#include "cache/kept_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

known_cell *keep_find(const runner *r, const char *cell, runner_limits limits)
{
    known_cell *known = answers_find(&r->known, cell);
    return known && record_serves(&known->record, limits) ? known : NULL;
}

/* ---- the journal --------------------------------------------------------------------------------- */

static int take(void *context, record *one)
{
    runner *r = context;
    known_cell *known = answers_put(&r->known, one);
    if (known)
        known->read = 1;
    return known != NULL;
}

static dae_status open_journal(runner *r, dae_report *report)
{
    const runner_options *o = &r->options;
    const journal_reader reader = {take, r, o->say, o->context};
    return journal_open(&r->journal, o->journal, o->fresh, o->cached, &reader, report);
}

/* A journal that cannot be had or written: of the cache it is done without, else the study stops. */
static void lose_journal(runner *r, const dae_report *why)
{
    char sentence[sizeof why->message + 64];
    if (!r->options.cached) {
        r->failure = *why;
        r->stopped = 1;
        return;
    }
    snprintf(sentence, sizeof sentence, "%s: the study goes on without it", why->message);
    if (r->options.say)
        r->options.say(r->options.context, sentence);
    journal_close(r->journal);
    r->journal = NULL;
    r->without = 1;
}

dae_status keep_begin(runner *r, dae_report *report)
{
    const runner_options *o = &r->options;
    dae_report why = {0};
    if (!o->journal || (o->cached && access(o->journal, F_OK)))
        return DAE_OK;
    const dae_status status = open_journal(r, &why);
    if (status == DAE_FILE && o->cached)
        lose_journal(r, &why);
    else if (status)
        return dae_fail(report, status, "%s", why.message);
    return DAE_OK;
}

/* One of the cache begins with the first answer. */
static void begin_cached(runner *r)
{
    const runner_options *o = &r->options;
    if (!r->journal && !r->without && o->journal && o->cached)
        r->without = !kept_make_folders(o->journal) || open_journal(r, NULL);
}

static void write_down(runner *r, const record *one)
{
    dae_report why = {0};
    if (one->passing || r->stopped)
        return;
    begin_cached(r);
    if (!r->journal)
        return;
    if (journal_append(r->journal, one, &why))
        lose_journal(r, &why);
    else
        r->written++;
}

/* The first answer stands, where two processes have computed the same. */
void keep(runner *r, record *one)
{
    const known_cell *known = answers_find(&r->known, one->cell);
    r->computed++;
    if (known && known->record.end == RUNNER_ANSWERED) {
        record_free(one);
        return;
    }
    record_stamp(one);
    write_down(r, one);
    crew_tell(&r->crew, one);
    answers_put(&r->known, one);
}

/* ---- its end ------------------------------------------------------------------------------------- */

static int by_asking(const void *one, const void *other)
{
    const known_cell *const *a = one, *const *b = other;
    return ((*a)->asked > (*b)->asked) - ((*a)->asked < (*b)->asked);
}

/* What was asked, in that order, then what stood there before and was not asked; how many; -1: no memory. */
static int in_order(const runner *r, const record **list)
{
    int count = 0, asked = 0;
    const known_cell **sorted = malloc((size_t)r->known.count * sizeof *sorted);
    if (!sorted)
        return -1;
    for (int i = 0; i < r->known.count; i++)
        if (r->known.list[i].asked && !r->known.list[i].record.passing)
            sorted[asked++] = &r->known.list[i];
    qsort(sorted, (size_t)asked, sizeof *sorted, by_asking);
    for (; count < asked; count++)
        list[count] = &sorted[count]->record;
    for (int i = 0; i < r->known.count; i++)
        if (!r->known.list[i].asked && r->known.list[i].read)
            list[count++] = &r->known.list[i].record;
    free(sorted);
    return count;
}

/* Nothing was written, and what was there stands in the order of asking. */
static int is_tidy(const runner *r, const record *const *list, int count)
{
    int tidy = !r->written && count == r->known.count;
    for (int i = 0; tidy && i < count; i++)
        tidy = list[i] == &r->known.list[i].record;
    return tidy;
}

static dae_status arrange(runner *r, dae_report *report)
{
    if (!r->known.count)
        return DAE_OK;
    const record **list = malloc((size_t)r->known.count * sizeof *list);
    const int count = list ? in_order(r, list) : -1;
    const dae_status status = count < 0 ? dae_fail(report, DAE_NO_MEMORY, "no memory to arrange the journal %s",
                                                   journal_path(r->journal))
                              : is_tidy(r, list, count) ? DAE_OK
                                                        : journal_replace(r->journal, list, count, report);
    free(list);
    return status;
}

dae_status keep_finish(runner *r, int complete, dae_report *report)
{
    const int whole = complete && !r->left && !r->failure.status;
    dae_status status = DAE_OK;
    if (!r->journal)
        return DAE_OK;
    if (r->failure.status)
        status = dae_fail(report, r->failure.status, "%s", r->failure.message);
    else if (whole && !r->options.cached)
        status = arrange(r, report);
    if (journal_records(r->journal) == 0 || (whole && r->options.cached))
        journal_remove(r->journal);
    journal_close(r->journal);
    r->journal = NULL;
    return status;
}
