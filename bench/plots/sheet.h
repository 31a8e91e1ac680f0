/* sheet.h - figures as they are put together: all that they point to is kept until they are written
 *
 * Panels belong to the last figure, curves to the last panel. Where memory is short the functions answer NULL and
 * the sheet fails when it is written.
 */
#ifndef DAELAB_SHEET_H
#define DAELAB_SHEET_H

#include "measure/setting.h"
#include "picture/plot.h"

#include <stddef.h>

typedef struct {
    int failed;
    int figures;
    plot_figure *figure;
    size_t rooms;
    void **room;                /* all that was allocated */
} plot_sheet;

/* Begin a figure of so many panels side by side. */
void sheet_figure(plot_sheet *s, const char *title, int columns);

/* Rows and columns of the last figure have these titles: it is a grid on common axes. */
void sheet_grid(plot_sheet *s, const char *const *row, const char *const *column);

plot_panel *sheet_panel(plot_sheet *s, plot_panel panel);
void sheet_curve(plot_sheet *s, plot_curve curve);

/* A line below the panels of the last figure; one that stands there already is left out. */
void sheet_note(plot_sheet *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

void *sheet_room(plot_sheet *s, size_t bytes);                 /* all 0 */
double *sheet_numbers(plot_sheet *s, int count);                /* all NaN */
const char **sheet_words(plot_sheet *s, int count);             /* all NULL */
const char *sheet_text(plot_sheet *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* "position [m]": the short name of a class with the units of its variables. */
const char *sheet_class(plot_sheet *s, const run_setting *setting, dae_class c);

/* Draw, and free. */
dae_status sheet_write(plot_sheet *s, plot_file *to, dae_report *report);

#endif
