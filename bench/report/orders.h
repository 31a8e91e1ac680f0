/* orders.h - the orders that curves of a study show: rows of a table, and which are too low */
#ifndef DAELAB_ORDERS_H
#define DAELAB_ORDERS_H

#include "measure/order.h"
#include "report/heading.h"
#include "study/converge.h"
#include "study/work.h"

/* Those of one curve; what it points to is the result's. */
typedef struct {
    double value;               /* of the parameter that is varied */
    const dae_formulation *form;
    const char *method;
    int tolerances;             /* slopes of the error against rtol, not orders in the step */
    const order_result *order;  /* [ORDER_CLASSES] */
} curve_orders;

/* The curves of a result, to be freed; NULL where memory is short. */
curve_orders *orders_of_converge(const converge_result *r);
curve_orders *orders_of_work(const work_result *r);

/* A row for each class of each curve; NULL: memory. */
table *orders_grid(const study_specification *o, const curve_orders *curves, int count);
extern const char *const orders_heading;

/* The reasons of what is not determined, and what does not converge, as notes. */
void orders_note(document *doc, const dae_problem *problem, const curve_orders *curves, int count);

/* What the column of estimates is, where it holds some. */
void orders_note_estimates(document *doc, const curve_orders *curves, int count);

/* How many orders are below the declared ones, or errors that do not fall; the report names them. */
int orders_below(const curve_orders *curves, int count, dae_report *report);

#endif
