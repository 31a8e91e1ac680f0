/* solve_plot.c - pictures of one run: classes of variables against time, the path in the plane */
#include "plots/plots.h"

#include "measure/time_unit.h"
#include "plots/subject.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CLASSES = 3, MANY_EVENTS = 50, LINE = 3, UNITS = 64 };   /* a line: two points and a gap */

/* All that the panels point to. */
typedef struct {
    plot_curve *curves;
    double *columns;            /* column after column of the trajectory, then event times */
    double *path;               /* x, y of each curve of the path */
    double *lines;              /* x, y of walls and links */
    int used;                   /* curves of the path */
    char label[MAX_PATHS][LABEL];
    char units[CLASSES][UNITS];
    plot_panel panels[CLASSES + 1];
} pictures;

/* The panel of a variable: positions, velocities, multipliers; differential, algebraic. */
static int panel_of(dae_class c)
{
    return c == DAE_POSITION || c == DAE_DIFFERENTIAL ? 0 : c == DAE_VELOCITY ? 1 : 2;
}

/* ---- against time ---- */

static void add_times(const solve_run *run, pictures *p, double *times)
{
    const trajectory *tr = &run->tr;
    const int events = dae_hybrid_events(run->hybrid);
    if (events == 0 || events >= MANY_EVENTS)
        return;
    for (int e = 0; e < events; e++)
        times[e] = dae_hybrid_event(run->hybrid, e).t;
    for (int k = 0; k < CLASSES; k++)
        if (p->panels[k].curves)
            p->curves[k * (tr->width + 1) + p->panels[k].curves++] =
                (plot_curve){"event", PLOT_TIMES, events, times, times, NULL};
}

/* units[UNITS] = "V, A": each unit once, in the order of the curves; "..." are those that there is no room for. */
static void add_unit(char *units, const char *unit)
{
    static const char rest[] = "...", comma[] = ", ";
    const size_t used = strlen(units), room = UNITS - sizeof comma - sizeof rest;
    const char *word = used + strlen(unit) <= room ? unit : rest;
    if (strcmp(unit, "-") == 0)
        return;
    for (const char *at = units; *at; at += strspn(at, comma)) {
        const size_t n = strcspn(at, comma);
        if (n == strlen(word) && memcmp(at, word, n) == 0)
            return;
        at += n;
    }
    snprintf(units + used, UNITS - used, "%s%s", used ? comma : "", word);
}

static void add_columns(const solve_run *run, pictures *p)
{
    const trajectory *tr = &run->tr;
    const size_t count = tr->count;
    const plot_style style = tr->eventful ? PLOT_TRACE : PLOT_LINE;
    for (int i = 0; i < tr->width; i++) {
        double *y = p->columns + (size_t)i * count;
        int seen = 0;
        for (size_t r = 0; r < count; r++) {
            y[r] = tr->rows[r * (size_t)tr->width + (size_t)i];
            seen |= isfinite(y[r]);
        }
        if (i == 0 || !seen)            /* a mode that was not entered */
            continue;
        const column_label *label = &tr->columns.label[i - 1];
        const int k = panel_of(label->kind);
        plot_panel *panel = &p->panels[k];
        p->curves[k * (tr->width + 1) + panel->curves++] =
            (plot_curve){label->name, style, (int)count, p->columns, y, NULL};
        add_unit(p->units[k], label->unit);
    }
    add_times(run, p, p->columns + (size_t)tr->width * count);
}

/* ---- in the plane ---- */

static double *put_lines(double *out, int count, int room, const dae_segment *s)
{
    double *x = out, *y = out + room;
    for (int i = 0; i < count; i++, x += LINE, y += LINE) {
        x[0] = s[i].x0, x[1] = s[i].x1, x[2] = NAN;
        y[0] = s[i].y0, y[1] = s[i].y1, y[2] = NAN;
    }
    return x;
}

/* Walls where they are at the end, links at the start and at the end. */
static void add_lines(const trajectory *tr, pictures *p, plot_curve *curve)
{
    const dae_picture *a = tr->first, *b = tr->last;
    const int count = LINE * (b->walls + a->links + b->links);
    double *x = p->lines;
    x = put_lines(x, b->walls, count, b->wall);
    x = put_lines(x, a->links, count, a->link);
    put_lines(x, b->links, count, b->link);
    *curve = (plot_curve){"", PLOT_THIN, count, p->lines, p->lines + count, NULL};
}

/* Body j in one mode, elsewhere a gap. */
static void add_path(const trajectory *tr, pictures *p, int j, int mode, plot_curve *curve)
{
    const char *name = dae_hybrid_mode_name(tr->hybrid, mode);
    double *x = p->path + 2 * (size_t)p->used++ * tr->count, *y = x + tr->count;
    for (size_t r = 0; r < tr->count; r++) {
        const double *at = tr->path + 2 * (r * (size_t)tr->paths + (size_t)j);
        const int here = tr->mark[r].mode == mode;
        x[r] = here ? at[0] : NAN;
        y[r] = here ? at[1] : NAN;
    }
    snprintf(p->label[j], LABEL, tr->paths > 1 ? "body %d" : "path", j + 1);
    *curve = (plot_curve){tr->columns.modes > 1 ? name : p->label[j], PLOT_PATH, (int)tr->count,
                          x, y, NULL};
}

static void add_plane(const solve_run *run, pictures *p)
{
    const trajectory *tr = &run->tr;
    plot_curve *first = p->curves + CLASSES * (tr->width + 1), *curve = first;
    if (!tr->path || tr->paths == 0)
        return;
    add_lines(tr, p, curve++);
    for (int m = 0; m < tr->columns.modes; m++)
        for (int j = 0; j < tr->paths; j++)
            add_path(tr, p, j, m, curve++);
    p->panels[CLASSES] = (plot_panel){"path", "x [m]", "y [m]", 0, 0, (int)(curve - first), first, NULL};
}

/* ---- the picture ---- */

static void add_figure(const solve_result *r, pictures *p, plot_sheet *s, const char *subject)
{
    static const char *const titles[2][CLASSES + 1] = {
        {"positions", "velocities", "multipliers", "path"},
        {"differential", "", "algebraic", "path"}};
    const study_specification *o = &r->spec;
    const int first_order = o->run.problem->mechanical.nq == 0;
    char time[TIME_TITLE];
    int used = 0;
    for (int k = 0; k <= CLASSES; k++)
        used += p->panels[k].curves > 0;
    sheet_figure(s, sheet_text(s, "%s, %s, %s", *subject ? subject : o->run.problem->name,
                               dae_formulation_describe(o->form[0]).name,
                               dae_method_describe(o->method[0]).name), used > CLASSES ? 2 : used ? used : 1);
    for (int k = 0; k <= CLASSES; k++) {
        p->panels[k].title = titles[first_order][k];
        if (k < CLASSES)
            p->panels[k].xlabel = sheet_text(s, "%s", time_title(o->run.problem, "t", time));
        if (p->panels[k].curves)
            sheet_panel(s, p->panels[k]);
    }
    if (r->run.status < 0)
        sheet_note(s, "ended early: %s", dae_hybrid_report(r->run.hybrid)->message);
}

static int allocate(const solve_run *run, pictures *p)
{
    const trajectory *tr = &run->tr;
    const int paths = tr->path ? tr->paths : 0, width = tr->width + 1;
    const int curves = CLASSES * width + 1 + paths * tr->columns.modes;
    const int lines = paths ? tr->last->walls + tr->first->links + tr->last->links : 0;
    p->curves = calloc((size_t)curves, sizeof *p->curves);
    p->columns = calloc(tr->count * (size_t)tr->width + MANY_EVENTS, sizeof *p->columns);
    p->path = calloc(2 * tr->count * (size_t)(paths * tr->columns.modes) + 1, sizeof *p->path);
    p->lines = calloc(2 * LINE * (size_t)lines + 1, sizeof *p->lines);
    for (int k = 0; k < CLASSES; k++)
        p->panels[k] =
            (plot_panel){.ylabel = p->units[k], .curve = p->curves + k * width};
    return p->curves && p->columns && p->path && p->lines;
}

static void release(pictures *p)
{
    free(p->curves);
    free(p->columns);
    free(p->path);
    free(p->lines);
}

dae_status solve_plots(const solve_result *const *r, int count, plot_file *to, dae_report *report)
{
    plot_sheet s = {0};
    pictures *p = calloc((size_t)count, sizeof *p);
    const study_specification **of = sheet_room(&s, (size_t)count * sizeof *of);
    dae_status status = p && of ? DAE_OK : DAE_NO_MEMORY;
    for (int i = 0; !status && i < count; i++)
        of[i] = &r[i]->spec;
    for (int i = 0; !status && i < count; i++) {
        if (!allocate(&r[i]->run, &p[i])) {
            status = DAE_NO_MEMORY;
            break;
        }
        add_columns(&r[i]->run, &p[i]);
        add_plane(&r[i]->run, &p[i]);
        add_figure(r[i], &p[i], &s, subject_of(&s, of, count, i));
    }
    s.failed |= status != 0;
    status = sheet_write(&s, to, report);
    for (int i = 0; p && i < count; i++)
        release(&p[i]);
    free(p);
    return status;
}
