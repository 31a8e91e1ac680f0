/* plot.h - pictures of results: SVG, PNG and PDF drawn by gnuplot, TikZ written here */
#ifndef DAELAB_PLOT_H
#define DAELAB_PLOT_H

#include "daelab/status.h"

typedef enum {
    PLOT_LINE,                  /* with a few marks */
    PLOT_POINTS,
    PLOT_TRACE,                 /* without marks, interrupted where a point is left out */
    PLOT_PATH,                  /* a trace in the plane: its panel has equal scales */
    PLOT_CROSS,                 /* crosses where a curve of the same label failed; on the upper edge where y is not
                                   finite; not in the key */
    PLOT_GUIDE,                 /* below the others: thin, grey, dashed */
    PLOT_THIN,                  /* thin, grey, interrupted where a point is left out */
    PLOT_TIMES                  /* thin vertical lines at x; y is not looked at */
} plot_style;

typedef struct {
    const char *label;
    plot_style style;
    int count;
    const double *x, *y;        /* [count]; points that are not finite, or not positive on a
                                   logarithmic axis, are left out */
    const char *const *tag;     /* [count] a word beside each point, or NULL; or NULL */
} plot_curve;

typedef struct {
    const char *title, *xlabel, *ylabel;
    int log_x, log_y;
    int curves;
    const plot_curve *curve;
    const char *empty;          /* what stands where nothing can be drawn; NULL: "nothing to draw" */
} plot_panel;

/* Panels row by row. In a grid every row and column has a title, and all panels have the same axes. */
typedef struct {
    const char *title;
    int count, columns;
    const plot_panel *panel;
    const char *const *row, *const *column;     /* [rows], [columns] of a grid; otherwise NULL */
    int notes;
    const char *const *note;    /* [notes] lines below the panels */
} plot_figure;

enum { PLOT_FACE = 48, PLOT_SAID = 512 };

typedef struct {
    double width, height;       /* [mm] of a page; 0: as the panels need */
    double font;                /* [pt] of the letters; 0: 9 */
    char face[PLOT_FACE];       /* the font; "": Helvetica, in TikZ that of the document always */
    const char *title;          /* in place of the figure's; NULL: that */
    int transparent;
    int keep_script;            /* leave the script of gnuplot, with its data, as path.gnuplot */
} plot_look;

/* Where a picture goes: .svg, .png, .pdf, or .tex for TikZ. */
typedef struct {
    const char *path;
    plot_look look;
    char said[PLOT_SAID];       /* what was written, where it is more than the one file; "" */
    int files;                  /* 1: path was written; more: so many, PATH-1.svg, PATH-2.svg */
} plot_file;

/* Draw figures, one below the other's page: a figure that does not fit one page is continued on others,
 * which are pages of a .pdf or .tex, and files PATH-1.svg, PATH-2.svg otherwise. Each file is written beside its name
 * and renamed. The same label has the same colour in every panel. DAE_FILE where gnuplot is missing or
 * fails (with its words), or a file cannot be written; DAE_BAD_ARGUMENT where the ending is unknown,
 * nothing can be drawn, or a page of this size has no room for a panel. */
dae_status plot_write(plot_file *to, const plot_figure *figures, int count, dae_report *report);

/* DAE_OK where path has an ending that can be drawn and gnuplot is there: to call before a long
 * run. */
dae_status plot_check(const char *path, dae_report *report);

/* Is it drawn by a script of gnuplot? */
int plot_has_script(const char *path);

#endif
