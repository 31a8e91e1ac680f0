/* keep.c - what is known of cells, and the file that keeps it */
#include "pool/state.h"

#include "store/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char RUNS[] = "runs";      /* the kind of its entries: the key is the text of a cell */

known_cell *keep_find(const runner *r, const char *cell, runner_limits limits)
{
    known_cell *known = answers_find(&r->known, cell);
    return known && known->round < r->round && record_serves(&known->record, limits) ? known : NULL;
}

static void say(const runner *r, const char *sentence)
{
    if (*sentence && r->options.say)
        r->options.say(r->options.context, sentence);
}

/* ---- what stands in the file ----------------------------------------------------------------------- */

static dae_status take(void *context, const store_entry *e, dae_report *report)
{
    (void)report;
    runner *r = context;
    record one;
    if (!e->whole || !record_of(e->key, e->text, strlen(e->text), &one)) {
        char sentence[256];
        snprintf(sentence, sizeof sentence, "%s: the run %.60s... is no longer what was kept, and is left out",
                 r->options.file, e->key);
        say(r, sentence);
        return DAE_OK;
    }
    answers_put(&r->known, &one, 0)->read = 1;
    return DAE_OK;
}

static dae_status open_file(runner *r, dae_report *report)
{
    const store_use use = {.own = r->options.cached, .renew = r->options.cached};
    dae_status status = store_open(&r->store, r->options.file, use, report);
    if (status)
        return status;
    say(r, store_renewed(r->store));
    status = r->options.fresh ? store_remove(r->store, RUNS, NULL, report)
                              : store_each(r->store, RUNS, take, r, report);
    if (status) {
        store_close(r->store);
        r->store = NULL;
    }
    return status;
}

/* A file that cannot be had or written: of the cache it is done without, else the study stops. */
static void lose_file(runner *r, const dae_report *why)
{
    char sentence[sizeof why->message + 64];
    if (!r->options.cached) {
        r->failure = *why;
        r->stopped = 1;
        return;
    }
    snprintf(sentence, sizeof sentence, "%s: the study goes on without it", why->message);
    say(r, sentence);
    store_close(r->store);
    r->store = NULL;
    r->without = 1;
}

dae_status keep_begin(runner *r, dae_report *report)
{
    const runner_options *o = &r->options;
    dae_report why = {0};
    if (!o->file || (o->cached && access(o->file, F_OK)))
        return DAE_OK;
    const dae_status status = open_file(r, &why);
    if (status == DAE_FILE && o->cached)
        lose_file(r, &why);
    else if (status)
        return dae_fail(report, status, "%s", why.message);
    return DAE_OK;
}

/* ---- what comes -------------------------------------------------------------------------------------- */

/* A file of the cache begins with the first answer. */
static void begin_cached(runner *r)
{
    const runner_options *o = &r->options;
    int made = 0;
    if (!r->store && !r->without && o->file && o->cached)
        r->without = kept_make_folders(o->file, 0700, &made) || open_file(r, NULL);
}

/* "2026-01-31T12:00:00Z" */
static dae_status put(runner *r, const record *one, dae_report *report)
{
    char at[32] = "";
    const time_t now = time(NULL);
    struct tm t;
    char *came = record_came(one);
    if (gmtime_r(&now, &t))
        strftime(at, sizeof at, "%Y-%m-%dT%H:%M:%SZ", &t);
    const dae_status status = store_put(r->store, RUNS, one->cell, at, came, report);
    free(came);
    return status;
}

void keep(runner *r, record *one)
{
    dae_report why = {0};
    if (!one->passing && !r->stopped) {
        begin_cached(r);
        if (r->store && put(r, one, &why))
            lose_file(r, &why);
    }
    crew_tell(&r->crew, one);
    answers_put(&r->known, one, r->quiet ? r->round - 1 : r->round);
}

/* ---- its end ------------------------------------------------------------------------------------- */

long keep_count(const runner *r)
{
    long count = 0;
    return r->store && !store_count(r->store, RUNS, &count, NULL) ? count : 0;
}

dae_status keep_finish(runner *r, int complete, dae_report *report)
{
    const int whole = complete && !r->left && !r->failure.status;
    if (!r->store)
        return DAE_OK;
    if (keep_count(r) == 0 || (whole && r->options.cached))
        store_erase(r->store);
    else
        store_close(r->store);
    r->store = NULL;
    return r->failure.status ? dae_fail(report, r->failure.status, "%s", r->failure.message) : DAE_OK;
}
