#include "page/figure_data.h"

#include "page/escape.h"

#include <math.h>

static void comma(int i, FILE *out)
{
    if (i)
        fputc(',', out);
}

static void quantities(const figure *f, FILE *out)
{
    fputs("\"quantities\":[", out);
    for (int i = 0; i < f->quantities; i++) {
        comma(i, out);
        fputs("{\"label\":", out);
        escape_json(f->quantity[i].label, out);
        fputs(",\"unit\":", out);
        escape_json(f->quantity[i].unit, out);
        fprintf(out, ",\"log\":%d,\"sides\":%u}", f->quantity[i].log, f->quantity[i].sides);
    }
    fputs("],\"series\":[", out);
    for (int i = 0; i < f->series; i++) {
        comma(i, out);
        escape_json(f->label[i], out);
    }
    fputc(']', out);
}

static void numbers(const double *x, int count, FILE *out)
{
    fputc('[', out);
    for (int i = 0; i < count; i++) {
        comma(i, out);
        if (isfinite(x[i]))
            fprintf(out, "%.6g", x[i]);
        else
            fputs("null", out);
    }
    fputc(']', out);
}

static int has_notes(const figure_curve *c)
{
    for (int i = 0; i < c->count; i++)
        if (*c->note[i])
            return 1;
    return 0;
}

static void notes(const figure_curve *c, FILE *out)
{
    fputs(",\"notes\":[", out);
    for (int i = 0; i < c->count; i++) {
        comma(i, out);
        escape_json(c->note[i], out);
    }
    fputs("],\"failed\":[", out);
    for (int i = 0; i < c->count; i++) {
        comma(i, out);
        fputc(c->failed[i] ? '1' : '0', out);
    }
    fputc(']', out);
}

static void curve(const figure *f, const figure_curve *c, FILE *out)
{
    fprintf(out, "{\"series\":%d,\"values\":[", c->series);
    for (int i = 0; i < f->quantities; i++) {
        comma(i, out);
        numbers(c->value[i], c->count, out);
    }
    fputc(']', out);
    if (has_notes(c))
        notes(c, out);
    fputc('}', out);
}

void figure_data(const figure *f, FILE *out)
{
    fputc('{', out);
    quantities(f, out);
    fputs(",\"facets\":[", out);
    for (int i = 0; i < f->facets; i++) {
        comma(i, out);
        fputs("{\"title\":", out);
        escape_json(f->facet[i].title, out);
        fputs(",\"curves\":[", out);
        for (int k = 0; k < f->facet[i].curves; k++) {
            comma(k, out);
            curve(f, &f->facet[i].curve[k], out);
        }
        fputs("]}", out);
    }
    fputs("]}", out);
}
