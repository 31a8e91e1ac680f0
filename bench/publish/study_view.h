/* study_view.h - a result as the sections of a page look at it */
#ifndef DAELAB_STUDY_VIEW_H
#define DAELAB_STUDY_VIEW_H

#include "output/dataset.h"
#include "page/page.h"
#include "gather/groups.h"

typedef struct {
    const dataset *data;
    int number;                 /* of the result, where the page is of several; 0: of one */
    const char *title;
    page *page;
    row_groups runs, orders, drift, work;       /* in ladders, but drift: run by run */
} study_view;

/* file: its name, where it has no title and nothing to make one of. */
study_view study_view_of(const dataset *data, const char *file, int number, page *p);

/* A section of its own name among those of other results. */
void view_section(const study_view *v, const char *name, const char *title);

/* The groups of one part and problem: those beside `first`, by steps (0), by tolerances (1), or any (-1); their
 * number. chosen[groups]. */
int view_beside(const row_groups *g, int first, int by_rtol, int *chosen);

/* The problem, with the name of the part where the study has several: "orders: bead". */
const char *view_subject(const study_view *v, const row_group *g);

/* "14 %" */
const char *view_percent(const study_view *v, double ratio);

/* Problem, formulation and label in words. */
const char *view_pair(const study_view *v, const row_group *g);

/* The command that makes this part again; "" where it is not known. */
const char *view_command(const study_view *v, const row_group *g);

/* The whole command; "" where it is not known. */
const char *view_whole_command(const study_view *v);

/* The last row of a group whose run went well; -1: none. */
int view_finest(const table *t, const row_group *g);

/* Sections: what there is to be said in words, at the top, and then in turn. A section without data is none. */
void publish_answer(const study_view *v, const char *file);
void publish_orders(const study_view *v);
void publish_drift(const study_view *v);
void publish_work(const study_view *v);
void publish_scale(const study_view *v);
void publish_solution(const study_view *v);
void publish_failures(const study_view *v);
void publish_remarks(const study_view *v);
void publish_data(const study_view *v);
void publish_provenance(const study_view *v);

#endif
