/* plot.c - pictures of results: from figures to files */
#include "picture/plot.h"

#include "host/atomic_file.h"
#include "picture/gnuplot.h"
#include "picture/plot_script.h"
#include "picture/plot_tikz.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER = 8 };            /* "-999" */

/* What a kind of file ends in, and what is at the end of a whole one. */
static const struct { const char *ending, *terminal, *mark; } kinds[PLOT_KINDS] = {
    {".svg", "svg", "</svg>"}, {".png", "pngcairo", "IEND"}, {".pdf", "pdfcairo", "%%EOF"}, {".tex", NULL, NULL}};

/* PLOT_KINDS where nothing is drawn into such a file. */
static plot_kind kind_of(const char *path)
{
    const char *dot = strrchr(path, '.');
    plot_kind k = PLOT_SVG;
    while (k < PLOT_KINDS && !(dot && strcmp(dot, kinds[k].ending) == 0))
        k++;
    return k;
}

static dae_status check_ending(const char *path, dae_report *report)
{
    return kind_of(path) != PLOT_KINDS ? DAE_OK
           : dae_fail(report, DAE_BAD_ARGUMENT, "%s: a plot ends in .svg or .png, .pdf or .tex", path);
}

/* ---- one file ---- */

/* Run a script and put what it draws into path. */
static dae_status run(FILE *script, plot_kind kind, const char *path, dae_report *report)
{
    FILE *out = gnuplot_file(report);
    dae_status status = out ? gnuplot_run(script, out, report) : DAE_FILE;
    if (!status && path)
        status = gnuplot_deliver(out, kinds[kind].mark, path, report);
    if (out)
        fclose(out);
    return status;
}

/* The script beside its picture, which it draws again in that folder. */
static dae_status keep_script(const plot_document *d, int first, int count, plot_kind kind, const char *path,
                              dae_report *report)
{
    const char *slash = strrchr(path, '/');
    atomic_file file;
    char *name = malloc(strlen(path) + sizeof ".gnuplot");
    if (!name)
        return dae_fail(report, DAE_NO_MEMORY, "%s: no memory for the plot", path);
    sprintf(name, "%s.gnuplot", path);
    dae_status status = atomic_open(&file, name, report);
    if (!status) {
        fprintf(file.stream, "# gnuplot draws this picture again: gnuplot %s\n", slash ? strrchr(name, '/') + 1 : name);
        plot_script(d, first, count, kind, slash ? slash + 1 : path, file.stream);
        status = atomic_commit(&file, report);
    }
    free(name);
    return status;
}

static dae_status draw(const plot_document *d, int first, int count, plot_kind kind, const char *path,
                       dae_report *report)
{
    FILE *script = gnuplot_file(report);
    if (!script)
        return DAE_FILE;
    plot_script(d, first, count, kind, NULL, script);
    dae_status status = run(script, kind, path, report);
    fclose(script);
    if (!status && d->look.keep_script)
        status = keep_script(d, first, count, kind, path, report);
    return status;
}

static dae_status write_tikz(const plot_document *d, const char *path, dae_report *report)
{
    atomic_file file;
    const dae_status status = atomic_open(&file, path, report);
    if (status)
        return status;
    plot_tikz(d, file.stream);
    return atomic_commit(&file, report);
}

/* ---- all pages ---- */

/* name := PATH-3.svg of page 3 */
static void page_name(const char *path, int number, char *name)
{
    const size_t stem = (size_t)(strrchr(path, '.') - path);
    sprintf(name, "%.*s-%d%s", (int)stem, path, number, path + stem);
}

static dae_status draw_each(const plot_document *d, plot_kind kind, const char *path, dae_report *report)
{
    char *name = malloc(strlen(path) + NUMBER);
    dae_status status = name ? DAE_OK : dae_fail(report, DAE_NO_MEMORY, "%s: no memory for the plot", path);
    for (int i = 0; !status && i < d->count; i++) {
        page_name(path, i + 1, name);
        status = draw(d, i, 1, kind, name, report);
    }
    free(name);
    return status;
}

/* All pages of one file are of one size: what stands at the bottom goes down with it. */
static void make_alike(plot_document *d)
{
    double width = 0, height = 0;
    for (int i = 0; i < d->count; i++) {
        width = fmax(width, d->page[i].width);
        height = fmax(height, d->page[i].height);
    }
    for (int i = 0; i < d->count; i++) {
        d->page[i].width = width;
        d->page[i].height = height;
    }
}

static void add(plot_file *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(plot_file *to, const char *format, ...)
{
    const size_t used = strlen(to->said);
    va_list arguments;
    va_start(arguments, format);
    if (used)
        snprintf(to->said + used, PLOT_SAID - used, "; ");
    vsnprintf(to->said + strlen(to->said), PLOT_SAID - strlen(to->said), format, arguments);
    va_end(arguments);
}

/* What was written, where it is not just the file. */
static void say(plot_file *to, const plot_document *d, plot_kind kind)
{
    const int apart = to->files > 1;
    char first[PLOT_SAID / 4] = "", last[PLOT_SAID / 4] = "";
    if (strlen(to->path) + NUMBER < sizeof first) {
        page_name(to->path, 1, first);
        page_name(to->path, d->count, last);
    }
    if (apart)
        add(to, "the picture takes %d pages: %s to %s", d->count, first, last);
    else if (d->count > 1)
        add(to, "the picture takes %d pages of %s", d->count, to->path);
    if (d->shrunk)
        add(to, "its letters are of %.3g pt, as there is no room for larger ones", d->em * 72 / 96);
    if (to->look.keep_script && kind != PLOT_TEX)
        add(to, apart ? "%s.gnuplot .. draw them again, with the data in them"
            : "%s.gnuplot draws it again, with the data in it", apart ? first : to->path);
}

static dae_status write_document(plot_document *d, plot_kind kind, const char *path, dae_report *report)
{
    if (kind == PLOT_PDF)
        make_alike(d);
    return kind == PLOT_TEX                      ? write_tikz(d, path, report)
           : kind == PLOT_PDF || d->count == 1 ? draw(d, 0, d->count, kind, path, report)
                                                 : draw_each(d, kind, path, report);
}

dae_status plot_write(plot_file *to, const plot_figure *figures, int count, dae_report *report)
{
    const plot_kind kind = kind_of(to->path);
    plot_document d;
    dae_report why = {0};
    *to->said = 0;
    to->files = 0;
    if (check_ending(to->path, report))
        return DAE_BAD_ARGUMENT;
    dae_status status = plot_lay_out(&d, figures, count, &to->look, &why);
    if (status)
        dae_fail(report, status, "%s: %s", to->path, why.message);
    else
        status = write_document(&d, kind, to->path, report);
    if (!status) {
        to->files = kind == PLOT_SVG || kind == PLOT_PNG ? d.count : 1;
        say(to, &d, kind);
    }
    plot_document_free(&d);
    return status;
}

int plot_has_script(const char *path)
{
    const plot_kind kind = kind_of(path);
    return kind != PLOT_KINDS && kinds[kind].terminal;
}

dae_status plot_check(const char *path, dae_report *report)
{
    const plot_kind kind = kind_of(path);
    if (check_ending(path, report))
        return DAE_BAD_ARGUMENT;
    if (!kinds[kind].terminal)
        return DAE_OK;
    FILE *script = gnuplot_file(report);
    if (!script)
        return DAE_FILE;
    fprintf(script, "set terminal %s\n", kinds[kind].terminal);
    const dae_status status = run(script, kind, NULL, report);
    fclose(script);
    return status;
}
