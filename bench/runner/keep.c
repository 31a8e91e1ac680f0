/* keep.c - what is known of cells, and the journal that keeps it */
#include "runner/state.h"

#include "cache/kept_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

known_cell *keep_find(const runner *r, const char *cell, runner_limits limits)
{
    known_cell *known = answers_find(&r->known, cell);
    return known && known->round < r->round && record_serves(&known->record, limits) ? known : NULL;
}

/* ---- the journal --------------------------------------------------------------------------------- */

static int take(void *context, record *one)
{
    runner *r = context;
    known_cell *known = answers_put(&r->known, one, 0);
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

void keep(runner *r, record *one)
{
    record_stamp(one);
    write_down(r, one);
    crew_tell(&r->crew, one);
    answers_put(&r->known, one, r->quiet ? r->round - 1 : r->round);
}

/* ---- its end ------------------------------------------------------------------------------------- */

static int by_cell(const void *one, const void *other)
{
    const record *const *a = one, *const *b = other;
    return strcmp((*a)->cell, (*b)->cell);
}

/* The journal holds what is known in an order that does not depend on who came to know it first. */
static dae_status arrange(const runner *r, dae_report *report)
{
    const record **list = malloc(((size_t)r->known.count + 1) * sizeof *list);
    int count = 0;
    if (!list)
        return dae_fail(report, DAE_NO_MEMORY, "no memory to arrange the journal %s", journal_path(r->journal));
    for (int i = 0; i < r->known.count; i++)
        if (!r->known.list[i].record.passing)
            list[count++] = &r->known.list[i].record;
    qsort(list, (size_t)count, sizeof *list, by_cell);
    int tidy = !r->written && count == r->known.count;
    for (int i = 0; tidy && i < count; i++)
        tidy = list[i] == &r->known.list[i].record;
    const dae_status status = tidy ? DAE_OK : journal_replace(r->journal, list, count, report);
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
