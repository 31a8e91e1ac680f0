/* refusals.h - a call that has to be refused, with a status and a sentence */
#ifndef DAELAB_TEST_REFUSALS_H
#define DAELAB_TEST_REFUSALS_H

#include "support.h"

static inline void expect(dae_status status, dae_status expected, const dae_report *why,
                          const char *says)
{
    if (status != expected || !strstr(why->message, says))
        fail_msg("%s instead of %s, and \"%s\" is not in: %s", dae_status_name(status),
                 dae_status_name(expected), says, why->message);
    assert_int_equal(why->status, expected);
}

#endif
