/* plot_layout.c - figures on pages: where axes, words and the key stand, and how large they are */
#include "picture/plot_layout.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In units of letters of 12 px, which is 9 pt. */
static const double EM = 12, PT = 96.0 / 72, MM = 96 / 25.4;
static const double AXES_WIDTH = 334, AXES_HEIGHT = 246;        /* as large as axes are by themselves */
static const double PAGE_WIDTH = 1290, PAGE_HEIGHT = 1824;      /* a page, where no size is given */
static const double LEAST_WIDTH = 84, LEAST_HEIGHT = 62;        /* of axes, in letters of 12 px */
static const double TITLE = 36, KEY_LINE = 19, KEY_SAMPLE = 38, KEY_GAP = 26, NOTE_LINE = 15, EDGE = 10;
static const double LEAST_FONT = 5;                             /* [pt] */
enum { MOST_KEYS = 80, MOST_NOTES = 10, MOST_PAGES = 999 };

/* Around the axes of each panel, or around a grid and between its axes. */
typedef struct {
    double left, right, top, bottom, gap;
} frame;
static const frame of_panel = {76, 20, 34, 60, 0}, of_grid = {70, 30, 30, 52, 8};

/* How one figure is laid out. */
typedef struct {
    const plot_figure *figure;
    const char *title;
    int is_grid;
    double s;                   /* size of the letters / 12 px */
    frame around;               /* in px */
    double width, height;       /* of a page */
    double axes_width, axes_height;
    int rows, columns;          /* of the figure */
    int page_rows, page_columns;
    int pages_down, pages_across;
    int unnamed;                /* so many curves that they have no key; 0: they have one */
    int keys, key_rows, key_columns, note_lines;
    double key_width;           /* of an entry */
    double below;               /* room for key and notes */
} plan;

/* ---- words ---- */

static size_t letters(const char *s)
{
    size_t n = 0;
    for (; *s; s++)
        n += ((unsigned char)*s & 0xc0) != 0x80;
    return n;
}

static double words_width(const char *s, double size) { return 0.56 * size * (double)letters(s); }

/* text := s, cut where it is wider than width; answers the size of its letters, `size` or what fits. */
static double fit_words(char text[PLOT_WORDS], const char *s, double size, double width)
{
    const double least = 0.66 * size, wide = words_width(s, size);
    const size_t room = (size_t)fmax(2, width / (0.56 * least));
    snprintf(text, PLOT_WORDS - 4, "%s", s);
    if (letters(text) > room || strlen(s) >= PLOT_WORDS - 4) {
        char *end = text;
        for (size_t n = 0; *end && n + 1 < room; end++)
            n += ((unsigned char)end[1] & 0xc0) != 0x80;
        strcpy(end, "…");
    }
    return wide <= width ? size : fmax(least, size * width / wide);
}

static void add_words(plot_page *p, const char *s, double x, double y, double size, double width,
                      plot_words_place how, int grey)
{
    plot_words *w = &p->word[p->words];
    if (!*s)
        return;
    *w = (plot_words){.x = x, .y = y, .how = how, .grey = grey};
    w->size = fit_words(w->text, s, size, width);
    p->words++;
}

/* ---- what a figure needs ---- */

static int in_figure(const plot_figure *f, const plot_labels *labels, int label)
{
    for (int i = 0; i < f->count; i++)
        for (int k = 0; k < f->panel[i].curves; k++) {
            const plot_curve *c = &f->panel[i].curve[k];
            if (c->style != PLOT_CROSS && plot_points(&f->panel[i], c) && plot_label(labels, c) == label)
                return 1;
        }
    return 0;
}

static int shown(const plan *p, const plot_labels *labels, int i)
{
    return *plot_text(labels->first[i]->label) && in_figure(p->figure, labels, i);
}

/* Entries of the same width, in rows as full as can be. */
static void plan_key(plan *p, const plot_labels *labels)
{
    for (int i = 0; i < labels->count; i++)
        if (shown(p, labels, i)) {
            p->keys++;
            p->key_width = fmax(p->key_width, words_width(labels->first[i]->label, EM * p->s)
                                              + (KEY_SAMPLE + KEY_GAP) * p->s);
        }
    p->unnamed = p->keys > MOST_KEYS ? p->keys : 0;
    p->keys = p->unnamed ? 0 : p->keys;
    if (!p->keys)
        return;
    const double fit = (p->width - 2 * EDGE) / p->key_width;
    p->key_columns = fit < 1 ? 1 : fit < p->keys ? (int)fit : p->keys;
    p->key_rows = (p->keys + p->key_columns - 1) / p->key_columns;
    p->key_columns = (p->keys + p->key_rows - 1) / p->key_rows;
}

/* The letters of note that stand on one line: whole words. */
static size_t line_of(const char *note, double room)
{
    const size_t fit = (size_t)fmax(8, room);
    size_t n = 0, bytes = 0, space = 0;
    for (; note[bytes] && n <= fit && bytes < PLOT_WORDS - 8; bytes++) {
        n += ((unsigned char)note[bytes] & 0xc0) != 0x80;
        space = note[bytes] == ' ' ? bytes : space;
    }
    return note[bytes] && space ? space : bytes;
}

static double note_room(const plan *p) { return (p->width - 2 * EDGE) / (0.565 * 0.83 * EM * p->s); }

static int count_lines(const plan *p, const char *note)
{
    int lines = 0;
    for (; *note; lines++) {
        note += line_of(note, note_room(p));
        note += strspn(note, " ");
    }
    return lines;
}

static void plan_below(plan *p, const plot_labels *labels)
{
    plan_key(p, labels);
    p->note_lines = p->unnamed > 0;
    for (int i = 0; i < p->figure->notes; i++)
        p->note_lines += count_lines(p, p->figure->note[i]);
    p->note_lines = p->note_lines > MOST_NOTES ? MOST_NOTES : p->note_lines;
    p->below = p->s * ((p->keys ? KEY_LINE * p->key_rows + 14 : 0)
                       + (p->note_lines ? NOTE_LINE * p->note_lines + 8 : 0));
}

/* So many of count things go into room, each `least` long with a gap between them; in equal parts. */
static int share(int count, double room, double least, double gap, int *parts)
{
    const double fit = floor((room + gap) / (least + gap) + 1e-9);
    if (fit < 1)
        return 0;
    const int most = fit < count ? (int)fit : count;
    *parts = (count + most - 1) / most;
    return (count + *parts - 1) / *parts;
}

/* Columns and the width of axes and page. */
static int plan_across(plan *p, const plot_look *look)
{
    const frame *m = &p->around;
    const double page = look->width > 0 ? look->width * MM : PAGE_WIDTH;
    const double outer = p->is_grid ? m->left + m->right : 0, gap = p->is_grid ? m->gap : m->left + m->right;
    const double own = p->is_grid ? 0 : m->left + m->right;
    const double least = look->width > 0 || p->is_grid ? LEAST_WIDTH * p->s : AXES_WIDTH;
    int parts = 1;
    int columns = share(p->columns, page - outer - own, fmin(least, AXES_WIDTH), gap, &parts);
    if (!columns && !(look->width > 0))
        columns = 1;
    p->page_columns = columns;
    p->pages_across = p->is_grid ? parts : 1;
    if (!columns)
        return 0;
    const double each = (page - outer - own - (columns - 1) * gap) / columns;
    p->axes_width = look->width > 0 ? each : p->is_grid ? fmin(AXES_WIDTH, each) : AXES_WIDTH;
    p->width = look->width > 0 ? page : outer + own + columns * p->axes_width + (columns - 1) * gap;
    return 1;
}

/* Rows and the height of axes and page. */
static int plan_down(plan *p, const plot_look *look)
{
    const frame *m = &p->around;
    const double page = look->height > 0 ? look->height * MM
                        : look->width > 0 ? fmax(PAGE_HEIGHT / PAGE_WIDTH * p->width, PAGE_HEIGHT) : PAGE_HEIGHT;
    const double title = *p->title ? TITLE * p->s : 0;
    const double gap = p->is_grid ? m->gap : m->top + m->bottom;
    const double room = page - title - p->below - m->top - m->bottom;
    const double natural = fmax(p->axes_width * AXES_HEIGHT / AXES_WIDTH, LEAST_HEIGHT * p->s);
    const double least = look->height > 0 || p->is_grid ? LEAST_HEIGHT * p->s : natural;
    if (!p->is_grid)
        p->rows = (p->figure->count + p->page_columns - 1) / p->page_columns;
    p->page_rows = share(p->rows, room, least, gap, &p->pages_down);
    if (!p->page_rows && !(look->height > 0))
        p->page_rows = 1, p->pages_down = p->rows;
    if (!p->page_rows)
        return 0;
    const double each = (room - (p->page_rows - 1) * gap) / p->page_rows;
    p->axes_height = look->height > 0 ? each : fmax(fmin(each, natural), LEAST_HEIGHT * p->s);
    p->height = look->height > 0 ? page
                : title + p->below + m->top + m->bottom + p->page_rows * p->axes_height + (p->page_rows - 1) * gap;
    return 1;
}

static dae_status plan_figure(plan *p, const plot_figure *f, const plot_labels *labels, const plot_look *look,
                              double em, dae_report *report)
{
    const double s = em / EM;
    *p = (plan){.figure = f, .title = look->title ? look->title : plot_text(f->title), .s = s,
                .is_grid = f->row && f->column,
                .columns = f->columns < f->count ? f->columns : f->count};
    const frame m = p->is_grid ? of_grid : of_panel;
    p->around = (frame){m.left * s, m.right * s, m.top * s, m.bottom * s, m.gap * s};
    p->rows = (f->count + p->columns - 1) / p->columns;
    int fits = plan_across(p, look);
    if (fits) {
        plan_below(p, labels);
        fits = plan_down(p, look);
    }
    return fits ? DAE_OK
                : dae_fail(report, DAE_BAD_ARGUMENT,
                           "a page of %.3g x %.3g mm has no room for axes, title and key in letters of "
                           "%.3g pt: make it larger", look->width > 0 ? look->width : p->width / MM,
                           look->height > 0 ? look->height : PAGE_HEIGHT / MM, em / PT);
}

/* ---- pages ---- */

static int allocate(plot_page *page, const plan *p)
{
    const int places = p->page_rows * p->page_columns;
    page->place = calloc((size_t)places, sizeof *page->place);
    page->word = calloc((size_t)(2 + places + p->keys + p->note_lines), sizeof *page->word);
    page->sample = calloc((size_t)p->keys + 1, sizeof *page->sample);
    return page->place && page->word && page->sample;
}

/* The ranges that the panels of a grid share: those that measure the same, in the whole figure. */
static void common_axes(const plan *p, plot_place *at)
{
    const plot_figure *f = p->figure;
    const plot_panel **alike = calloc((size_t)f->count, sizeof *alike);
    for (int vertical = 0; alike && vertical < 2; vertical++) {
        int count = 0;
        for (int i = 0; i < f->count; i++)
            if (plot_panel_points(&f->panel[i])
                && (vertical ? f->panel[i].log_y == at->panel->log_y : f->panel[i].log_x == at->panel->log_x))
                alike[count++] = &f->panel[i];
        if (count && vertical)
            at->y = plot_choose_axis(alike, count, 1);
        else if (count)
            at->x = plot_choose_axis(alike, count, 0);
    }
    free(alike);
}

static void choose_axes(const plan *p, plot_place *at)
{
    at->x = plot_choose_axis(&at->panel, 1, 0);
    at->y = plot_choose_axis(&at->panel, 1, 1);
    if (p->is_grid)
        common_axes(p, at);             /* of a path there is no grid */
    else if (plot_in_plane(at->panel))
        plot_make_equal(&at->x, &at->y, at->width, at->height);
    at->most_x = (int)fmin(at->x.log ? 7 : 9, fmax(2, at->width / (44 * p->s)));
    at->most_y = (int)fmin(7, fmax(2, at->height / (26 * p->s)));
}

/* Panel (row, column) of the figure at place (i, j) of the page. */
static void put_place(const plan *p, plot_page *page, int index, int i, int j, int lowest)
{
    const frame *m = &p->around;
    const plot_figure *f = p->figure;
    const double across = p->is_grid ? m->gap : m->left + m->right, down = p->is_grid ? m->gap : m->top + m->bottom;
    plot_place *at = &page->place[page->places++];
    at->panel = &f->panel[index];
    at->in_grid = p->is_grid;
    at->width = p->axes_width;
    at->height = p->axes_height;
    at->left = m->left + j * (at->width + across);
    at->top = (*p->title ? TITLE * p->s : 0) + m->top + i * (at->height + down);
    choose_axes(p, at);
    at->labels_x = !p->is_grid || lowest;
    at->labels_y = !p->is_grid || j == 0;
    at->xlabel = at->labels_x ? plot_text(at->panel->xlabel) : "";
    at->ylabel = at->labels_y ? plot_text(at->panel->ylabel) : "";
    const char *title = !p->is_grid ? plot_text(at->panel->title) : i == 0 ? f->column[index % p->columns] : "";
    at->title_size = fit_words(at->title, title, 12.5 * p->s, at->width + (p->is_grid ? 0 : m->right + m->left / 2));
    if (p->is_grid && j == p->page_columns - 1)
        add_words(page, f->row[index / p->columns], at->left + at->width + 13 * p->s, at->top + at->height / 2,
                  12.5 * p->s, at->height, WORDS_TURNED, 0);
}

static void put_places(const plan *p, plot_page *page, int down, int across)
{
    for (int i = 0; i < p->page_rows; i++)
        for (int j = 0; j < p->page_columns; j++) {
            const int row = down * p->page_rows + i, column = across * p->page_columns + j;
            const int index = p->is_grid ? row * p->columns + column : row * p->page_columns + j;
            if (row < p->rows && (p->is_grid ? column < p->columns : index < p->figure->count))
                put_place(p, page, index, i, j, i == p->page_rows - 1 || row == p->rows - 1);
        }
}

static void put_key(const plan *p, const plot_labels *labels, plot_page *page)
{
    if (p->unnamed)
        return;
    const double s = p->s, left = (p->width - p->key_columns * p->key_width + KEY_GAP * s) / 2;
    const double top = p->height - p->below + 8 * s;
    for (int i = 0, n = 0; i < labels->count; i++) {
        if (!shown(p, labels, i))
            continue;
        const double x = fmax(EDGE, left) + n % p->key_columns * p->key_width;
        const double y = top + (n / p->key_columns + 0.5) * KEY_LINE * s;
        page->sample[page->samples++] = (plot_sample){labels->first[i], x, y, 0.8 * KEY_SAMPLE * s};
        add_words(page, labels->first[i]->label, x + KEY_SAMPLE * s, y, EM * s, p->width - x - KEY_SAMPLE * s,
                  WORDS_LEFT, 0);
        n++;
    }
}

static void put_note(const plan *p, plot_page *page, const char *line, int n)
{
    add_words(page, line, EDGE, p->height - p->s * (6 + (p->note_lines - n - 0.5) * NOTE_LINE), 0.83 * EM * p->s,
              p->width - EDGE, WORDS_LEFT, 1);
}

static void put_notes(const plan *p, plot_page *page)
{
    char line[PLOT_WORDS];
    int n = 0;
    if (p->unnamed) {
        snprintf(line, sizeof line, "%d curves, too many for a key", p->unnamed);
        put_note(p, page, line, n++);
    }
    for (int i = 0; i < p->figure->notes; i++)
        for (const char *note = p->figure->note[i]; *note && n < p->note_lines; n++) {
            const size_t bytes = line_of(note, note_room(p));
            const int last = n == MOST_NOTES - 1 && (note[bytes] || i + 1 < p->figure->notes);
            snprintf(line, sizeof line, "%.*s%s", (int)bytes, note, last ? " …" : "");
            put_note(p, page, line, n);
            note += bytes;
            note += strspn(note, " ");
        }
}

static int put_page(const plan *p, const plot_labels *labels, plot_page *page, int number)
{
    const int pages = p->pages_down * p->pages_across;
    char title[PLOT_WORDS];
    *page = (plot_page){.width = p->width, .height = p->height};
    if (!allocate(page, p))
        return 0;
    put_places(p, page, number / p->pages_across, number % p->pages_across);
    if (*p->title && pages > 1)
        snprintf(title, sizeof title, "%.160s (%d of %d)", p->title, number + 1, pages);
    else
        snprintf(title, sizeof title, "%s", p->title);
    add_words(page, title, p->width / 2, 0.6 * TITLE * p->s, 15 * p->s, p->width - 2 * EDGE, WORDS_CENTRE, 0);
    put_key(p, labels, page);
    put_notes(p, page);
    return 1;
}

static dae_status lay_out_one(plot_document *d, const plot_figure *f, dae_report *report)
{
    plan p;
    if (f->count < 1 || f->columns < 1)
        return dae_fail(report, DAE_BAD_ARGUMENT, "a plot without panels");
    const dae_status status = plan_figure(&p, f, &d->labels, &d->look, d->em, report);
    if (status)
        return status;
    const int pages = p.pages_down * p.pages_across;
    if (d->count + pages > MOST_PAGES)
        return dae_fail(report, DAE_BAD_ARGUMENT, "more than %d pages", MOST_PAGES);
    plot_page *more = realloc(d->page, (size_t)(d->count + pages) * sizeof *more);
    if (!more)
        return dae_fail(report, DAE_NO_MEMORY, "no memory for the plot");
    d->page = more;
    for (int i = 0; i < pages; i++)
        if (!put_page(&p, &d->labels, &d->page[d->count++], i))
            return dae_fail(report, DAE_NO_MEMORY, "no memory for the plot");
    return DAE_OK;
}

static void free_pages(plot_document *d)
{
    for (int i = 0; i < d->count; i++) {
        free(d->page[i].place);
        free(d->page[i].word);
        free(d->page[i].sample);
    }
    d->count = 0;
}

static int has_notes(const plot_figure *figures, int count)
{
    for (int i = 0; i < count; i++)
        if (figures[i].notes)
            return 1;
    return 0;
}

/* With letters of em, or where these leave no room with smaller ones. */
dae_status plot_lay_out(plot_document *d, const plot_figure *figures, int count, const plot_look *look,
                        dae_report *report)
{
    const double em = look->font > 0 ? look->font * PT : EM;
    *d = (plot_document){.look = *look};
    if (!plot_collect(&d->labels, figures, count))
        return dae_fail(report, DAE_NO_MEMORY, "no memory for the plot");
    if (!d->labels.count && !has_notes(figures, count))
        return dae_fail(report, DAE_BAD_ARGUMENT, "there is nothing to draw");
    dae_status status = DAE_BAD_ARGUMENT;
    for (d->em = em; status == DAE_BAD_ARGUMENT && d->em >= LEAST_FONT * PT; d->em -= status ? PT / 2 : 0) {
        free_pages(d);
        status = DAE_OK;
        for (int i = 0; !status && i < count; i++)
            status = lay_out_one(d, &figures[i], report);
    }
    d->shrunk = d->em < em;
    return status;
}

void plot_document_free(plot_document *d)
{
    free_pages(d);
    free(d->page);
    free(d->labels.first);
    *d = (plot_document){.count = 0};
}
