#include "run/outcome.h"

static const struct {
    const char *name, *sentence;
    dae_status status;
} table[RUN_OUTCOMES] = {
#define RUN_OUTCOME(code, name, status, sentence) [code] = {name, sentence, status},
#include "run/outcome.def"
#undef RUN_OUTCOME
};

const char *outcome_name(run_outcome outcome, dae_status status)
{
    return outcome ? table[outcome].name : status ? dae_status_name(status) : "ok";
}

const char *outcome_sentence(run_outcome outcome, dae_status status)
{
    return outcome ? table[outcome].sentence : dae_status_sentence(status);
}

dae_status outcome_status(run_outcome outcome) { return table[outcome].status; }
