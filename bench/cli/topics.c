#include "cli/topics.h"

#include <stddef.h>
#include <string.h>

static const cli_topic topics[] = {
#include "topics.def"
};

const cli_topic *topic_at(int i)
{
    return (size_t)i < sizeof topics / sizeof *topics ? &topics[i] : NULL;
}

const cli_topic *topic_find(const char *name)
{
    for (int i = 0; topic_at(i); i++)
        if (strcmp(topic_at(i)->name, name) == 0)
            return topic_at(i);
    return NULL;
}
