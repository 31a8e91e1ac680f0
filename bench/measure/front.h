/* front.h - what runs tell whoever asked for them: how far they are, and warnings
 *
 * A study prints nothing. A program, a terminal, a graphical front end fills in the functions that it
 * wants to hear of; all of them may be NULL.
 */
#ifndef DAELAB_FRONT_H
#define DAELAB_FRONT_H

#include <stddef.h>

typedef struct {
    void *context;              /* given to each of the functions */
    /* One of several studies begins; with it this share of all is done. name: what tells it from the others. */
    void (*item)(void *context, double share, const char *name);
    void (*begin)(void *context, int runs);             /* so many runs will follow; 0: one that is not counted */
    void (*work)(void *context, double amount);         /* so much work are they together, below 0: less */
    void (*next)(void *context, double amount);         /* so much of it is the next run */
    /* A run begins; level is its step, its tolerance, a size. What stands for long is shown at
     * once. */
    void (*run)(void *context, const char *form, const char *method, double level, int at_once);
    void (*skip)(void *context, int runs);              /* so many will not be made; < 0: are added */
    void (*part)(void *context, double fraction);       /* of the run under way */
    void (*end)(void *context);
    void (*warn)(void *context, const char *sentence);
    /* How the user has written a field of the specification: "--t-end 1e3" for "t_end 1000"; without
     * a value the name alone, "--t-end". NULL: as in the specification. */
    void (*spell)(void *context, const char *field, const double *value, char *text, size_t length);
} run_front;

void front_item(const run_front *front, double share, const char *name);
void front_begin(const run_front *front, int runs);
void front_work(const run_front *front, double amount);
void front_next(const run_front *front, double amount);
void front_run(const run_front *front, const char *form, const char *method, double level);
void front_run_now(const run_front *front, const char *form, const char *method, double level);
void front_skip(const run_front *front, int runs);
/* A run that nobody has counted yet, of so much work, begins. */
void front_one_more(const run_front *front, const char *form, const char *method, double level, double amount);
void front_part(const run_front *front, double fraction);
void front_end(const run_front *front);
void front_warn(const run_front *front, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A field of the specification in a sentence, with its value or without. */
typedef struct { char text[200]; } front_word;
front_word front_field(const run_front *front, const char *field);
front_word front_value(const run_front *front, const char *field, double value);

#endif
