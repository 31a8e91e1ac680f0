/* front.h - what runs tell whoever asked for them: how far they are, and warnings
 *
 * A study prints nothing. A program, a terminal, a graphical front end fills in the functions that it
 * wants to hear of; all of them may be NULL.
 */
#ifndef DAELAB_FRONT_H
#define DAELAB_FRONT_H

#include <stddef.h>

typedef struct {
    void *context;              /* given to each of the functions but spell */
    /* One of several studies is evaluated; with it this share of all is done. name: what tells it from the others. */
    void (*item)(void *context, double share, const char *name);
    void (*plan)(void *context, int runs, double work); /* so many runs more, of so much work; below 0: not made */
    void (*run)(void *context, const char *what);       /* is under way in this process: "index3 cros 0.005" */
    void (*part)(void *context, double fraction);       /* of the run under way */
    void (*end)(void *context);
    void (*warn)(void *context, const char *sentence);
    /* How the user has written a field of the specification: "--t-end 1e3" for "t_end 1000"; without
     * a value the name alone, "--t-end". NULL: as in the specification. */
    void (*spell)(const void *writer, const char *field, const double *value, char *text, size_t length);
    const void *writer;
} run_front;

void front_item(const run_front *front, double share, const char *name);
void front_plan(const run_front *front, int runs, double work);

/* The words for a run; level is its step, its tolerance, a size. */
enum { FRONT_RUN = 128 };
const char *front_run_words(const char *form, const char *method, double level, char words[FRONT_RUN]);
void front_run(const run_front *front, const char *form, const char *method, double level);
void front_part(const run_front *front, double fraction);
void front_end(const run_front *front);
void front_warn(const run_front *front, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A field of the specification in a sentence, with its value or without. */
typedef struct { char text[200]; } front_word;
front_word front_field(const run_front *front, const char *field);
front_word front_value(const run_front *front, const char *field, double value);

#endif
