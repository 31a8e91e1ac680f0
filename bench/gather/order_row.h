/* order_row.h - what a row of the table of orders says */
#ifndef DAELAB_ORDER_ROW_H
#define DAELAB_ORDER_ROW_H

#include "output/table.h"
#include "page/page.h"

typedef struct {
    const char *class, *verdict, *reason, *unit;        /* "" where there is none */
    double observed, low, high, declared;       /* NaN: none */
    double error, scale;        /* at the finest level; of the reference */
    int by_rtol;
    int stays;                  /* the error does not fall from level to level: its order is 0 */
    page_tone tone;
} order_row;

order_row order_row_at(const table *orders, int row);

/* "2.00", "-" */
enum { ORDER_TEXT = 32 };
const char *order_row_text(const order_row *o, char text[ORDER_TEXT]);

#endif
