#include "pool/supervise.h"

#include "host/platform.h"
#include "host/timing.h"

#include <math.h>

/* A look that comes later than this was late itself: whoever looks was stopped, too. */
static const double LONGEST = 0.5;

void supervise_begin(supervision *s, pid_t process)
{
    *s = (supervision){.seen = seconds_of(CLOCK_MONOTONIC)};
    if (!platform_process_state(process, &s->cpu))
        s->cpu = 0;
}

double supervise_look(supervision *s, pid_t process)
{
    double cpu = s->cpu;
    const double now = seconds_of(CLOCK_MONOTONIC);
    const int state = platform_process_state(process, &cpu);
    if (state == 'S' || state == 'D')
        s->asleep += fmin(now - s->seen, LONGEST);
    s->seen = now;
    return cpu - s->cpu + s->asleep;
}
