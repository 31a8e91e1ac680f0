/* status.c - names and sentences of status.def, and reports */
#include "daelab/status.h"
#include "no_fast_math.h"

#include <stdarg.h>
#include <stdio.h>

static const struct { dae_status status; const char *name, *sentence; } table[] = {
#define DAE_STATUS(code, value, sentence) {code, #code, sentence},
#include "daelab/status.def"
#undef DAE_STATUS
};

const char *dae_status_name(dae_status status)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].status == status)
            return table[i].name;
    return "unknown status";
}

const char *dae_status_sentence(dae_status status)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].status == status)
            return table[i].sentence;
    return "unknown status";
}

dae_status dae_fail(dae_report *report, dae_status status, const char *format, ...)
{
    if (report && format) {
        va_list arguments;
        va_start(arguments, format);
        report->status = status;
        vsnprintf(report->message, sizeof report->message, format, arguments);
        va_end(arguments);
    }
    return status;
}
