/* drawn.c - random numbers, and what all drawn problems have: times of rows, scales, what is held to the tolerance */
#include "drawn.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 500 };         /* of the solution, for its scale */

static uint64_t next(drawn_random *r)
{
    uint64_t z = r->state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

double drawn_uniform(drawn_random *r, double from, double to)
{
    return from + (to - from) * ((double)(next(r) >> 11) * 0x1p-53);
}

double drawn_decade(drawn_random *r, double from, double to) { return pow(10, drawn_uniform(r, from, to)); }
double drawn_unit(drawn_random *r, double from, double to)
{
    return drawn_integer(r, 2) ? 1 : drawn_decade(r, from, to);
}

double drawn_begin(drawn_random *r, double unit)
{
    return drawn_integer(r, 2) ? 0 : unit * drawn_uniform(r, -100, 100);
}

int drawn_integer(drawn_random *r, int count) { return (int)(next(r) % (uint64_t)count); }

const drawn_class *drawn_class_at(int i)
{
    static const drawn_class *const classes[] = {&drawn_stiff, &drawn_kernel, &drawn_hessenberg, &drawn_circuit,
                                                 &drawn_spring, &drawn_jumps, &drawn_row_of_balls, &drawn_on_guard};
    return i >= 0 && (size_t)i < sizeof classes / sizeof *classes ? classes[i] : NULL;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void set_times(drawn_random *r, drawn *d)
{
    for (int k = 0; k < DRAWN_ROWS; k++)
        d->time[k] = drawn_uniform(r, d->problem.t0, d->problem.t_end);
    d->time[DRAWN_ROWS - 1] = d->problem.t_end;
    qsort(d->time, DRAWN_ROWS, sizeof *d->time, compare);
}

static void set_scales(drawn *d)
{
    const double span = d->problem.t_end - d->problem.t0;
    double row[DRAWN_MOST];
    for (int k = 0; k <= SAMPLES; k++) {
        d->exact(d->data, d->problem.t0 + span * k / SAMPLES, row);
        for (int i = 0; i < d->width; i++)
            d->scale[i] = fmax(d->scale[i], fabs(row[i]));
    }
    for (int i = 0; i < d->width; i++)
        d->scale[i] = d->scale[i] > 0 ? d->scale[i] : 1;
}

void drawn_make(drawn *d, const drawn_class *c, uint64_t number)
{
    drawn_random r = {number};
    *d = (drawn){0};
    c->make(&r, d);
    snprintf(d->title, sizeof d->title, "%s %llu", c->name, (unsigned long long)number);
    d->problem.name = c->name;
    d->problem.title = d->title;
    if (d->parts == 0) {
        d->parts = d->width;
        for (int i = 0; i < d->width; i++)
            d->part[i * d->width + i] = 1;
    }
    set_times(&r, d);
    set_scales(d);
}

void drawn_free(drawn *d)
{
    free(d->data);
    d->data = NULL;
}

void drawn_parts(const drawn *d, const double *row, double *parts)
{
    for (int k = 0; k < d->parts; k++) {
        parts[k] = 0;
        for (int i = 0; i < d->width; i++)
            parts[k] += d->part[k * d->width + i] * row[i];
    }
}

void drawn_part_sizes(const drawn *d, double *size)
{
    for (int k = 0; k < d->parts; k++) {
        size[k] = 0;
        for (int i = 0; i < d->width; i++)
            size[k] = fmax(size[k], fabs(d->part[k * d->width + i]) * d->scale[i]);
    }
}
