#include "pool/record.h"

#include "host/allocate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const runner_end_names[RUNNER_ENDS] = {"answered", "time", "memory", "killed", "not_run", "later"};

char *record_text(const json_t *tree)
{
    return json_dumps(tree, JSON_SORT_KEYS | JSON_COMPACT);
}

/* How it ended, `"end":"killed","reason":"...","limits":[0,0]`; to be freed. */
static char *end_text(const record *r)
{
    json_t *reason = json_string(r->reason);
    char *quoted = json_dumps(reason, JSON_ENCODE_ANY);
    char *text = allocate_print("\"end\":\"%s\",\"reason\":%s,\"limits\":[%.17g,%.17g]%s", runner_end_names[r->end],
                                quoted, r->limits.seconds, r->limits.bytes, r->passing ? ",\"passing\":true" : "");
    free(quoted);
    json_decref(reason);
    return text;
}

char *record_came(const record *r)
{
    char *what = r->result ? record_text(r->result) : end_text(r);
    char *text = allocate_print(r->result ? "{\"result\":%s,\"seconds\":%.3g}" : "{%s,\"seconds\":%.3g}", what,
                                r->seconds);
    free(what);
    return text;
}

char *record_line(const record *r)
{
    char *came = record_came(r), *line = allocate_print("{\"cell\":%s,\"came\":%s}\n", r->cell, came);
    free(came);
    return line;
}

static int read_end(const json_t *came, record *r)
{
    const char *name = json_string_value(json_object_get(came, "end"));
    const char *reason = json_string_value(json_object_get(came, "reason"));
    const json_t *limits = json_object_get(came, "limits");
    for (r->end = RUNNER_TIME; name && r->end < RUNNER_NOT_RUN; r->end++)
        if (strcmp(name, runner_end_names[r->end]) == 0)
            break;
    r->limits = (runner_limits){json_number_value(json_array_get(limits, 0)),
                                json_number_value(json_array_get(limits, 1))};
    snprintf(r->reason, sizeof r->reason, "%s", reason ? reason : "");
    r->passing = json_is_true(json_object_get(came, "passing"))
                 || (r->end == RUNNER_MEMORY && r->limits.bytes <= 0);
    return name && reason && r->end < RUNNER_NOT_RUN;
}

/* Takes the cell over. */
static int read_came(char *cell, const json_t *came, record *r)
{
    json_t *result = json_object_get(came, "result");
    *r = (record){.cell = cell, .result = json_incref(result),
                  .seconds = json_number_value(json_object_get(came, "seconds"))};
    if (cell && (result ? json_is_object(result) : read_end(came, r)))
        return 1;
    record_free(r);
    return 0;
}

int record_of(const char *cell, const char *came, size_t length, record *r)
{
    json_t *tree = json_loadb(came, length, 0, NULL);
    const int good = read_came(allocate_text(cell), tree, r);
    json_decref(tree);
    return good;
}

int record_from(const json_t *line, record *r)
{
    const json_t *cell = json_object_get(line, "cell");
    return read_came(json_is_object(cell) ? record_text(cell) : NULL, json_object_get(line, "came"), r);
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

void record_free(record *r)
{
    free(r->cell);
    json_decref(r->result);
    r->cell = NULL;
    r->result = NULL;
}
