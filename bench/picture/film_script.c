/* film_script.c - the frames of a film in the words of gnuplot
 *
 * Both axes have the same scale, and the same range in all frames. What moves leaves a trail of
 * half a second that fades.
 */
#include <daelab/problem.h>

#include "picture/film.h"
#include "picture/plot_script.h"

#include <math.h>

enum { LARGEST = 440, NARROWEST = 280, LOWEST = 140 };          /* the area of the axes, pixels */
enum { LEFT = 46, RIGHT = 16, TOP = 30, BOTTOM = 28, TIC = 64, LEAST_RADIUS = 3 };
enum { SHADES = 8, TRAIL_POINTS = 120, FLASHES = 12 };
enum { WHITE = 0xffffff, LINK = 0x505050, WALL = 0x707070 };

static const unsigned colours[] = {0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7, 0xb8860b, 0x56b4e9};
enum { COLOURS = sizeof colours / sizeof *colours };

typedef struct {
    const film *f;
    FILE *out;
    film_kind kind;
    double x_lo, x_hi, y_lo, y_hi;
    double width, height;       /* of the area of the axes */
    double zoom;                /* pixels of the picture for one of these */
} sheet;

/* ---- layout ---- */

static void cover(sheet *s, double x, double y, double radius)
{
    s->x_lo = fmin(s->x_lo, x - radius);
    s->x_hi = fmax(s->x_hi, x + radius);
    s->y_lo = fmin(s->y_lo, y - radius);
    s->y_hi = fmax(s->y_hi, y + radius);
}

static void cover_all(sheet *s)
{
    const dae_disc *body = s->f->bodies.data;
    const film_point *point = s->f->points.data;
    const film_list *const lists[] = {&s->f->links, &s->f->walls};
    for (size_t i = 0; i < s->f->bodies.count; i++)
        cover(s, body[i].x, body[i].y, fabs(body[i].radius));
    for (size_t i = 0; i < s->f->points.count; i++)
        cover(s, point[i].x, point[i].y, 0);
    for (int k = 0; k < 2; k++) {
        const dae_segment *line = lists[k]->data;
        for (size_t i = 0; i < lists[k]->count; i++) {
            cover(s, line[i].x0, line[i].y0, 0);
            cover(s, line[i].x1, line[i].y1, 0);
        }
    }
}

/* A margin around what is drawn; then the area is as large as fits, and the shorter range grows
 * where the area would be too narrow. */
static void lay_out(sheet *s)
{
    s->x_lo = s->y_lo = INFINITY;
    s->x_hi = s->y_hi = -INFINITY;
    cover_all(s);
    if (!(s->x_lo <= s->x_hi))
        s->x_lo = s->x_hi = s->y_lo = s->y_hi = 0;
    const double x = (s->x_lo + s->x_hi) / 2, y = (s->y_lo + s->y_hi) / 2;
    double span = fmax(s->x_hi - s->x_lo, s->y_hi - s->y_lo);
    span = span > 1e-12 * fmax(fabs(x), fabs(y)) ? span : fmax(fabs(x), fabs(y)) + 1;
    const double unit = LARGEST / (1.06 * span);                /* pixels of 1 */
    s->width = 2 * ceil(fmax(NARROWEST, unit * (s->x_hi - s->x_lo + 0.06 * span)) / 2);
    s->height = 2 * ceil(fmax(LOWEST, unit * (s->y_hi - s->y_lo + 0.06 * span)) / 2);
    s->x_lo = x - s->width / unit / 2;
    s->x_hi = x + s->width / unit / 2;
    s->y_lo = y - s->height / unit / 2;
    s->y_hi = y + s->height / unit / 2;
    s->zoom = s->kind == FILM_GIF ? 1 : s->kind == FILM_STREAM ? 1.25 : 1.5;
}

/* The round step of the tics, TIC pixels or more. */
static double tic_step(const sheet *s)
{
    const double least = TIC * (s->x_hi - s->x_lo) / s->width, power = pow(10, floor(log10(least)));
    const double times = least / power;
    return power * (times > 5 ? 10 : times > 2 ? 5 : times > 1 ? 2 : 1);
}

static void put_head(const sheet *s, const char *title, int delay)
{
    const double w = s->width + LEFT + RIGHT, h = s->height + TOP + BOTTOM, step = tic_step(s);
    FILE *out = s->out;
    if (s->kind == FILM_GIF)
        fprintf(out, "set terminal gif animate delay %d optimize", delay);
    else
        fprintf(out, "set terminal pngcairo fontscale %g linewidth %g pointscale %g",
                0.8 * s->zoom, s->zoom, s->zoom);
    fprintf(out, " font ',11' size %.0f,%.0f background 'white'\nset encoding utf8\n"
            "set lmargin at screen %.8g\nset rmargin at screen %.8g\n"
            "set bmargin at screen %.8g\nset tmargin at screen %.8g\n",
            2 * ceil(s->zoom * w / 2), 2 * ceil(s->zoom * h / 2), LEFT / w, 1 - RIGHT / w,
            BOTTOM / h, 1 - TOP / h);
    fprintf(out, "set xrange [%.17g:%.17g]\nset yrange [%.17g:%.17g]\nunset key\n"
            "set border 3 lc rgb '#8c8c8c'\nset tics out nomirror scale 0.5 tc rgb '#404040'\n"
            "set xtics %.17g format '%%g'\nset ytics %.17g format '%%g'\n"
            "set style fill solid noborder\nset label 1 ", s->x_lo, s->x_hi, s->y_lo, s->y_hi,
            step, step);
    plot_put_text(out, title);
    fprintf(out, " noenhanced at screen %.8g,%.8g left\n", LEFT / w,
            1 - 0.5 * TOP / h);
}

/* With as many digits as tell one frame from the next. */
static void put_time(const sheet *s, double t)
{
    const double step = (s->f->t_end - s->f->t0) / (s->f->count - 1);
    const int digits = (int)fmin(fmax(ceil(-log10(step)), 0), 12);
    const double w = s->width + LEFT + RIGHT, h = s->height + TOP + BOTTOM;
    fprintf(s->out, "set label 2 't = %.*f s' at screen %.8g,%.8g right\n",
            digits, t, 1 - RIGHT / w, 1 - 0.5 * TOP / h);
}

/* ---- shapes ---- */

/* part = 1: the colour itself, 0: white; in steps, for the few colours of a GIF. */
static unsigned shade(unsigned colour, double part)
{
    const double share = round(fmin(fmax(part, 0), 1) * SHADES) / SHADES;
    unsigned mixed = 0;
    for (unsigned shift = 0; shift < 24; shift += 8) {
        const double c = (colour >> shift) & 0xff;
        mixed |= (unsigned)(255 + share * (c - 255)) << shift;
    }
    return mixed;
}

static void put_segments(FILE *out, const film_list *list, size_t first, int count, unsigned colour)
{
    const dae_segment *line = list->data;
    for (size_t i = first; i < first + (size_t)count; i++)
        fprintf(out, "%.6g %.6g %u\n%.6g %.6g %u\n\n", line[i].x0, line[i].y0, colour, line[i].x1,
                line[i].y1, colour);
}

/* The way of body `which` in the samples first ... last, all or fewer, from weak to strong. */
static void put_way(const sheet *s, size_t first, size_t last, int which, double weak,
                    double strong)
{
    const film_sample *sample = s->f->samples.data;
    const film_point *point = s->f->points.data;
    const unsigned colour = colours[which % COLOURS];
    const double t = sample[last].t, length = fmax(t - sample[first].t, 1e-300);
    const size_t every = s->kind == FILM_PHOTO ? 1 : 1 + (last - first) / TRAIL_POINTS;
    for (size_t i = first; i <= last; i++) {
        if ((i % every && i != last) || which >= sample[i].points)
            continue;
        const film_point *at = &point[sample[i].point + (size_t)which];
        const double part = strong + (t - sample[i].t) / length * (weak - strong);
        fprintf(s->out, "%.6g %.6g %u\n", at->x, at->y, shade(colour, part));
    }
    fputc('\n', s->out);
}

static int most_trails(const film *f, size_t first, size_t last)
{
    const film_sample *sample = f->samples.data;
    int most = 0;
    for (size_t i = first; i <= last; i++)
        most = sample[i].points > most ? sample[i].points : most;
    return most;
}

/* Discs with their number's colour, or dots. */
static int put_bodies(const sheet *s, const film_frame *frame, int discs, double part, int draw)
{
    const dae_disc *const all = s->f->bodies.data;
    const double least = LEAST_RADIUS * (s->x_hi - s->x_lo) / s->width;
    int count = 0;
    for (int i = 0; i < frame->bodies; i++) {
        const dae_disc *body = &all[frame->body + (size_t)i];
        if ((body->radius > 0) != discs)
            continue;
        if (draw && discs)
            fprintf(s->out, "%.6g %.6g %.6g %u\n", body->x, body->y, fmax(body->radius, least),
                    shade(colours[count % COLOURS], part));
        else if (draw)
            fprintf(s->out, "%.6g %.6g %u\n", body->x, body->y, shade(LINK, part));
        count++;
    }
    return count;
}

/* Every colour of the film, on one pixel below the corner of the axes: an optimised GIF has those
 * of its first frame only. */
static void put_colours(const sheet *s, int trails)
{
    const unsigned others[] = {LINK, WALL};
    for (int i = 0; i < 2; i++)
        fprintf(s->out, "%.6g %.6g %u\n", s->x_lo, s->y_lo, others[i]);
    for (int i = 0; i < trails && i < COLOURS; i++)
        for (int k = 1; k <= SHADES; k++)
            fprintf(s->out, "%.6g %.6g %u\n", s->x_lo, s->y_lo,
                    shade(colours[i], (double)k / SHADES));
}

/* ---- frames ---- */

static const char lines[] = "with lines lc rgb variable lw";
static const char dots[] = "with points pt 7 ps 0.5 lc rgb variable";
static const char discs[] = "with circles lc rgb variable";

/* plot '-' ...: what has shapes; NaN alone where nothing has. */
static void put_layer(FILE *out, int *layers, int shapes, const char *with, const char *width)
{
    if (shapes)
        fprintf(out, "%s'-' %s %s", (*layers)++ ? ", " : "plot ", with, width);
}

static void put_end(FILE *out, int shapes)
{
    if (shapes)
        fputs("e\n", out);
}

/* first: the sample with which the trail begins, last: that of the frame. */
static void put_frame(const sheet *s, const film_frame *frame, size_t first, size_t last)
{
    const int trails = first < last ? most_trails(s->f, first, last) : 0;
    const int round = put_bodies(s, frame, 1, 1, 0), small = frame->bodies - round;
    const int begin = s->kind == FILM_GIF && frame == s->f->frames.data;
    int layers = 0;
    FILE *out = s->out;
    put_time(s, frame->t);
    put_layer(out, &layers, begin, lines, "1");
    put_layer(out, &layers, frame->walls, lines, "3");
    put_layer(out, &layers, trails, lines, "1");
    put_layer(out, &layers, frame->links, lines, "2");
    put_layer(out, &layers, small, dots, "");
    put_layer(out, &layers, round, discs, "");
    fputs(layers ? "\n" : "plot NaN\n", out);
    if (begin)
        put_colours(s, most_trails(s->f, 0, s->f->samples.count - 1));
    put_end(out, begin);
    put_segments(out, &s->f->walls, frame->wall, frame->walls, WALL);
    put_end(out, frame->walls);
    for (int i = 0; i < trails; i++)
        put_way(s, first, last, i, 0.15, 0.75);
    put_end(out, trails);
    put_segments(out, &s->f->links, frame->link, frame->links, LINK);
    put_end(out, frame->links);
    put_bodies(s, frame, 0, 1, 1);
    put_end(out, small);
    put_bodies(s, frame, 1, 1, 1);
    put_end(out, round);
}

static void put_frames(const sheet *s)
{
    const film_frame *frame = s->f->frames.data;
    const film_sample *sample = s->f->samples.data;
    size_t first = 0, last = 0;
    for (int k = 0; k < s->f->count; k++) {
        while (last + 1 < s->f->samples.count && sample[last + 1].t <= frame[k].t)
            last++;
        while (sample[first].t < frame[k].t - film_trail)
            first++;
        put_frame(s, &frame[k], first, last);
    }
}

/* The frame of a flash: the first, the last, or between. */
static const film_frame *flash(const sheet *s, int k, int flashes)
{
    const film_frame *frame = s->f->frames.data;
    return &frame[(long)k * (s->f->count - 1) / flashes];
}

static void put_photo(const sheet *s)
{
    const int flashes = s->f->count - 1 < FLASHES ? s->f->count - 1 : FLASHES;
    const film_frame *end = flash(s, flashes, flashes);
    const int trails = most_trails(s->f, 0, s->f->samples.count - 1);
    FILE *out = s->out;
    put_time(s, end->t);
    int layers = 0;
    put_layer(out, &layers, end->walls, lines, "2.5");
    put_layer(out, &layers, trails, lines, "0.8");
    for (int k = 0; k <= flashes; k++) {
        const film_frame *frame = flash(s, k, flashes);
        const int round = put_bodies(s, frame, 1, 1, 0);
        put_layer(out, &layers, frame->links, lines, k < flashes ? "1.2" : "2");
        put_layer(out, &layers, frame->bodies - round, dots, "");
        put_layer(out, &layers, round, discs, "");
    }
    fputs(layers ? "\n" : "plot NaN\n", out);
    put_segments(out, &s->f->walls, end->wall, end->walls, WALL);
    put_end(out, end->walls);
    for (int i = 0; i < trails; i++)
        put_way(s, 0, s->f->samples.count - 1, i, 0.4, 0.4);
    put_end(out, trails);
    for (int k = 0; k <= flashes; k++) {
        const film_frame *frame = flash(s, k, flashes);
        const double part = k < flashes ? 0.2 + 0.35 * k / flashes : 1;
        const int round = put_bodies(s, frame, 1, part, 0);
        put_segments(out, &s->f->links, frame->link, frame->links, shade(LINK, part));
        put_end(out, frame->links);
        put_bodies(s, frame, 0, part, 1);
        put_end(out, frame->bodies - round);
        put_bodies(s, frame, 1, part, 1);
        put_end(out, round);
    }
}

void film_script(const film *f, const char *title, film_kind kind, int delay, FILE *out)
{
    sheet s = {.f = f, .out = out, .kind = kind};
    lay_out(&s);
    put_head(&s, title, delay);
    if (kind == FILM_PHOTO)
        put_photo(&s);
    else
        put_frames(&s);
}
