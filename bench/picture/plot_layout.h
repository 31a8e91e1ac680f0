/* plot_layout.h - figures on pages: where axes, words and the key stand, and how large they are
 *
 * Lengths are px, 96 to an inch, from the upper left corner of a page.
 */
#ifndef DAELAB_PLOT_LAYOUT_H
#define DAELAB_PLOT_LAYOUT_H

#include "picture/plot_pen.h"

enum { PLOT_WORDS = 200 };

typedef enum { WORDS_LEFT, WORDS_CENTRE, WORDS_TURNED } plot_words_place;

/* Words on a page, their middle at the height y; turned ones read downwards, centred. */
typedef struct {
    double x, y, size;
    plot_words_place how;
    int grey;
    char text[PLOT_WORDS];
} plot_words;

/* The axes of a panel. */
typedef struct {
    const plot_panel *panel;
    double left, top, width, height;
    plot_axis x, y;
    int in_grid;
    int labels_x, labels_y;     /* have its tics labels? */
    int most_x, most_y;         /* labels that there is room for */
    char title[PLOT_WORDS];
    double title_size;
    const char *xlabel, *ylabel;
} plot_place;

/* An entry of the key: the left end of its line. */
typedef struct {
    const plot_curve *curve;
    double x, y, length;
} plot_sample;

typedef struct {
    double width, height;
    int places, words, samples;
    plot_place *place;
    plot_words *word;
    plot_sample *sample;
} plot_page;

typedef struct {
    plot_labels labels;
    plot_look look;
    double em;                  /* the size of the letters */
    int shrunk;                 /* they are smaller than was asked for */
    int count;
    plot_page *page;            /* [count] */
} plot_document;

/* Lay figures out. DAE_BAD_ARGUMENT where a page has no room for one panel, DAE_NO_MEMORY. To be freed in any case. */
dae_status plot_lay_out(plot_document *d, const plot_figure *figures, int count, const plot_look *look,
                        dae_report *report);
void plot_document_free(plot_document *d);

#endif
