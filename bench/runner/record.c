#include "runner/record.h"

#include "cache/fingerprint.h"
#include "output/json_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

const char *const runner_end_names[RUNNER_ENDS] = {"answered", "time", "memory", "killed", "not_run", "later"};

char *record_text(const json_t *tree)
{
    return json_dumps(tree, JSON_SORT_KEYS | JSON_COMPACT);
}

/* How it ended, `"end":"killed","reason":"...","limits":[0,0]`; to be freed. */
static char *end_text(const record *r)
{
    json_t *reason = json_string(r->reason);
    char *quoted = reason ? json_dumps(reason, JSON_ENCODE_ANY) : NULL, *text = NULL;
    if (quoted && asprintf(&text, "\"end\":\"%s\",\"reason\":%s,\"limits\":[%.17g,%.17g]%s",
                           runner_end_names[r->end], quoted, r->limits.seconds, r->limits.bytes,
                           r->passing ? ",\"passing\":true" : "") < 0)
        text = NULL;
    free(quoted);
    json_decref(reason);
    return text;
}

enum { SUM = 17 };

/* The hash of the cell and of what came of it. */
static void sum_of(const record *r, char sum[SUM])
{
    char end[sizeof r->reason + 96];
    const char *came = r->result ? r->result : end;
    if (!r->result)
        snprintf(end, sizeof end, "%s %.17g %.17g %s", runner_end_names[r->end], r->limits.seconds, r->limits.bytes,
                 r->reason);
    const uint64_t cell = fnv_1a(FNV_START, r->cell, strlen(r->cell) + 1);
    snprintf(sum, SUM, "%016" PRIx64, fnv_1a(cell, came, strlen(came)));
}

char *record_line(const record *r)
{
    char *end = r->result ? NULL : end_text(r), *line = NULL, sum[SUM];
    if (!r->result && !end)
        return NULL;
    sum_of(r, sum);
    if (asprintf(&line, "{\"cell\":%s,%s%s,\"seconds\":%.3g%s%s%s,\"sum\":\"%s\"}\n", r->cell,
                 r->result ? "\"result\":" : "", r->result ? r->result : end, r->seconds,
                 *r->at ? ",\"at\":\"" : "", r->at, *r->at ? "\"" : "", sum) < 0)
        line = NULL;
    free(end);
    return line;
}

/* Is it what was written? A line without a sum is taken at its word. */
static int is_unchanged(const json_t *tree, const record *r)
{
    const json_t *said = json_object_get(tree, "sum");
    char sum[SUM];
    sum_of(r, sum);
    return !said || (json_is_string(said) && strcmp(json_string_value(said), sum) == 0);
}

static int read_end(const json_t *tree, record *r)
{
    const char *name = json_string_value(json_object_get(tree, "end"));
    const char *reason = json_string_value(json_object_get(tree, "reason"));
    const json_t *limits = json_object_get(tree, "limits");
    for (r->end = RUNNER_TIME; name && r->end < RUNNER_NOT_RUN; r->end++)
        if (strcmp(name, runner_end_names[r->end]) == 0)
            break;
    r->limits = (runner_limits){json_number_value(json_array_get(limits, 0)),
                                json_number_value(json_array_get(limits, 1))};
    snprintf(r->reason, sizeof r->reason, "%s", reason ? reason : "");
    r->passing = json_is_true(json_object_get(tree, "passing"))
                 || (r->end == RUNNER_MEMORY && r->limits.bytes <= 0);
    return name && reason && r->end < RUNNER_NOT_RUN;
}

int record_from(const json_t *tree, record *r)
{
    const json_t *cell = json_object_get(tree, "cell"), *result = json_object_get(tree, "result");
    const char *at = json_string_value(json_object_get(tree, "at"));
    *r = (record){.seconds = json_number_value(json_object_get(tree, "seconds"))};
    snprintf(r->at, sizeof r->at, "%s", at ? at : "");
    if (!json_is_object(cell) || (result ? !json_is_object(result) : !read_end(tree, r)))
        return 0;
    r->cell = record_text(cell);
    r->result = result ? record_text(result) : NULL;
    if (r->cell && (r->result || !result) && is_unchanged(tree, r))
        return 1;
    record_free(r);
    return 0;
}

int record_read(const char *line, size_t length, record *r)
{
    json_t *tree = json_file_read(line, length);
    const int good = tree && record_from(tree, r);
    json_decref(tree);
    return good;
}

/* 0 is no limit. */
static int no_larger(double limit, double before)
{
    return limit > 0 && (before <= 0 || limit <= before);
}

int record_serves(const record *r, runner_limits limits)
{
    switch (r->end) {
    case RUNNER_TIME: return no_larger(limits.seconds, r->limits.seconds);
    case RUNNER_MEMORY: return r->passing || no_larger(limits.bytes, r->limits.bytes);
    default: return 1;
    }
}

void record_stamp(record *r)
{
    const time_t now = time(NULL);
    struct tm t;
    if (!gmtime_r(&now, &t) || !strftime(r->at, sizeof r->at, "%Y-%m-%dT%H:%M:%SZ", &t))
        r->at[0] = 0;
}

void record_free(record *r)
{
    free(r->cell);
    free(r->result);
    r->cell = r->result = NULL;
}
