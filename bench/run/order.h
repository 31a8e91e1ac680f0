/* order.h - observed orders of convergence, and whether they are the declared ones */
#ifndef DAELAB_ORDER_H
#define DAELAB_ORDER_H

#include "numbers/order_interval.h"
#include "run/run.h"

/* Steps span/N with N = first, first * ratio, ...: so many levels. */
typedef struct {
    double first, ratio;
    int levels;
} order_ladder;

/* Whose orders there are: of the classes of runs at the end, k < RUN_CLASSES; and of problems with events of the event
 * times, and of the classes after events, k = ORDER_AFTER + class. */
enum { ORDER_EVENT_TIME = RUN_CLASSES, ORDER_AFTER, ORDER_CLASSES = ORDER_AFTER + DAE_CLASSES };

/* "position", "d_position", "event_time", "position_after_events" for files; "position", "d position", "event time",
 * "position after events" for people. Do runs of the setting have it? */
const char *order_class_name(int k);
const char *order_class_title(int k);
int order_shows(const run_setting *setting, int k);

/* The size of the reference in a run; NaN where it was not compared. */
double order_scale(const run_result *run, int k);

/* What is being observed. */
typedef struct {
    const dae_problem *problem;
    const dae_formulation *form;
    const dae_method *method;
    int tolerances;             /* the levels are tolerances, for which nothing is declared */
    double pace;                /* study_pace; 0 for 1 */
} order_subject;

typedef struct {
    double observed;            /* of the error in the step (or rtol): the most certain of the
                                   estimates, or where there is none the last slope; NaN: none */
    double low, high;           /* the interval of the estimates, against rtol that of 95 %; NaN: none */
    double slope[ORDER_SLOPES]; /* from level to level, those next to rounding or the finest; NaN */
    double declared;            /* of the method for this class and form; NaN: none */
    int levels;                 /* that stood above rounding */
    int dropped;                /* that did not */
    double error;               /* true error at the end, at the finest level that succeeded */
    double estimated_order, estimated_error;    /* Richardson's, without a reference; NaN: none */
    int lost;                   /* the error does not fall: an order of 0 where none is declared, or a slope of 0
                                   against the tolerance, far above rounding and the tolerance */
    int in_quad;                /* by steps in quad precision: study/quad_ladder.c */
    double term;                /* "below" by a term of that order, so much of the unknowns at the largest
                                   step in quad precision: study/quad_expansion.c; 0: not so */
    const char *verdict;        /* "agrees", "above", "below" or "not determined"; "slope against rtol"; or why
                                   there is nothing to judge */
    char reason[160];           /* why it is not determined, in a sentence; or "" */
} order_result;

/* The ladder on which a method shows its orders in this form. */
order_ladder order_default_ladder(const order_subject *subject);

/* The step of level 0, 1, ...: it divides the span, in a number of steps that RUN_SAMPLES divides
 * and that grows from level to level. */
double order_ladder_step(const order_ladder *ladder, double span, int level);

/* The step of the next level of a ladder whose finest is step, where it is extended; NaN where that
 * would be more work than extending is worth. */
double order_next_step(const order_ladder *ladder, double span, double step);

/* Orders of class k over count runs with falling step or rtol. With events an order is declared where all that a
 * motion depends on has one, up to index 1: that of the lowest. Events are located on steps of the method, so that
 * their times have it, and what comes after them. */
order_result order_observe(const order_subject *subject, const run_result *runs, int count, int k);

/* What is told after one more level in quad precision. before: by doubles, which leave it open; now: by the levels in
 * quad before this one; finer: with it; rounded: its errors stand on rounding of doubles. An agreement stays; what
 * fewer levels contradicted and more of them do not is open again. */
order_result order_in_quad(const order_result *before, const order_result *now, const order_result *finer,
                           int rounded);

/* Might a finer level change the verdict? Not one that agrees, nor where rounding has begun. */
int order_asks_for_more(const order_result *o);

/* Is what was observed next to the declared order, whatever rounding allows? */
int order_is_near(const order_result *o);

#endif
