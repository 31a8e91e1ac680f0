/* topics.h - the pages of daelab help TOPIC, which are the files of docs/help */
#ifndef DAELAB_TOPICS_H
#define DAELAB_TOPICS_H

typedef struct {
    const char *name, *title;
    const char *text;           /* lines, the first of which is the title */
} cli_topic;

/* Page 0, 1, ... in the order of their names; NULL behind the last. */
const cli_topic *topic_at(int i);
const cli_topic *topic_find(const char *name);

#endif
