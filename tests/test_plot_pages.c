/* test_plot_pages - figures on pages: sizes, grids, keys, marks and tags; as PDF and as TikZ */
#include "support.h"
#include "content.h"

#include "picture/plot_script.h"
#include "picture/plot_tikz.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LEVELS = 5, MOST = 600 };

static const double step[LEVELS] = {0.1, 0.05, 0.025, 0.0125, 0.00625};
static double error[MOST][LEVELS];
static plot_curve curve[MOST];
static plot_panel panel[MOST];
static const char *row[MOST], *column[MOST];
static char words[MOST][32];

/* Panels with one curve each, of `labels` labels, in a grid or each by itself. */
static plot_figure make(int rows, int columns, int labels, int grid)
{
    for (int i = 0; i < rows * columns; i++) {
        for (int l = 0; l < LEVELS; l++)
            error[i][l] = (i + 1) * pow(step[l], 1 + i % 4);
        snprintf(words[i], sizeof words[i], "label number %d", i);
        curve[i] = (plot_curve){words[i % labels], PLOT_LINE, LEVELS, step, error[i], NULL};
        panel[i] = (plot_panel){"panel", "step [s]", "error [m]", 1, 1, 1, &curve[i], NULL};
        row[i] = column[i] = "a title";
    }
    return (plot_figure){.title = "figure", .count = rows * columns, .columns = columns, .panel = panel,
                         .row = grid ? row : NULL, .column = grid ? column : NULL};
}

static plot_document laid_out(const plot_figure *f, plot_look look)
{
    plot_document d;
    dae_report why = {0};
    if (plot_lay_out(&d, f, 1, &look, &why))
        fail_msg("%s", why.message);
    return d;
}

/* Axes, words and key lie on their page, and no axes on others. */
static void check_pages(const plot_document *d)
{
    for (int i = 0; i < d->count; i++) {
        const plot_page *p = &d->page[i];
        for (int k = 0; k < p->places; k++) {
            const plot_place *a = &p->place[k];
            assert_true(a->left > 0 && a->top > 0 && a->width > 40 && a->height > 25);
            assert_true(a->left + a->width < p->width && a->top + a->height < p->height);
            for (int j = 0; j < k; j++) {
                const plot_place *b = &p->place[j];
                assert_true(a->left >= b->left + b->width || b->left >= a->left + a->width
                            || a->top >= b->top + b->height || b->top >= a->top + a->height);
            }
        }
        for (int k = 0; k < p->words; k++) {
            const plot_words *w = &p->word[k];
            const double half = 0.5 * 0.56 * w->size * (double)strlen(w->text);
            assert_true(w->y > 0 && w->y < p->height && w->x > 0 && w->x < p->width);
            if (w->how == WORDS_CENTRE)
                assert_true(w->x - half >= 0 && w->x + half <= p->width);
            if (w->how == WORDS_LEFT)
                assert_true(w->x + 2 * half <= p->width + 1);
        }
        for (int k = 0; k < p->samples; k++)
            assert_true(p->sample[k].x > 0 && p->sample[k].x + p->sample[k].length < p->width);
    }
}

static int places(const plot_document *d)
{
    int n = 0;
    for (int i = 0; i < d->count; i++)
        n += d->page[i].places;
    return n;
}

/* Whatever their number, each panel stands on one page, and no page is larger than one. */
static void test_fit(void **state)
{
    (void)state;
    for (int grid = 0; grid < 2; grid++)
        for (int rows = 1; rows <= 60; rows += 1 + rows / 3)
            for (int columns = 1; columns <= 10; columns += 3) {
                const plot_figure f = make(rows, columns, rows * columns < 30 ? rows * columns : 5, grid);
                plot_document d = laid_out(&f, (plot_look){0});
                assert_int_equal(places(&d), rows * columns);
                check_pages(&d);
                for (int i = 0; i < d.count; i++)
                    assert_true(d.page[i].width <= 1300 && d.page[i].height <= 1850);
                if (grid && rows <= 16 && columns <= 6)
                    assert_int_equal(d.count, 1);
                plot_document_free(&d);
            }
}

/* A page of a given size is of that size, and full: the axes grow into it. */
static void test_sizes(void **state)
{
    static const struct { double width, height, font; int grid; } sizes[] = {
        {130, 120, 0, 0}, {80, 70, 7, 1}, {160, 240, 9, 1}, {300, 200, 12, 0}, {297, 210, 20, 1}};
    const plot_figure all[] = {make(2, 2, 4, 0), make(2, 2, 4, 1)};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        plot_document d = laid_out(&all[sizes[i].grid], (plot_look){.width = sizes[i].width, .height = sizes[i].height,
                                                                    .font = sizes[i].font});
        check_pages(&d);
        assert_int_equal(places(&d), 4);
        assert_true(fabs(d.page[0].width - sizes[i].width * 96 / 25.4) < 1e-6);
        assert_true(fabs(d.page[0].height - sizes[i].height * 96 / 25.4) < 1e-6);
        const plot_place *last = &d.page[0].place[d.page[0].places - 1];
        assert_true(last->left + last->width > d.page[0].width - 4 * d.em);
        plot_document_free(&d);
    }
}

static void test_too_small(void **state)
{
    const plot_figure f = make(2, 2, 4, 0);
    plot_document d;
    (void)state;
    for (int k = 0; k < 3; k++) {
        dae_report why = {0};
        const plot_look look = {.width = k == 1 ? 200 : 15, .height = k == 1 ? 12 : 200, .font = k == 2 ? 20 : 0};
        assert_int_equal(plot_lay_out(&d, &f, 1, &look, &why), DAE_BAD_ARGUMENT);
        assert_non_null(strstr(why.message, "has no room for axes"));
        plot_document_free(&d);
    }
}

static int is_same(const plot_axis *a, const plot_axis *b)
{
    return a->lo == b->lo && a->hi == b->hi && a->log == b->log;
}

/* The panels of a grid share their axes, which cover all of them; its titles and tics stand at its edge alone. */
static void test_common_axes(void **state)
{
    const plot_figure f = make(3, 4, 2, 1);
    plot_document d = laid_out(&f, (plot_look){0});
    (void)state;
    const plot_page *p = &d.page[0];
    for (int k = 0; k < p->places; k++) {
        const plot_place *a = &p->place[k];
        assert_true(is_same(&a->x, &p->place[0].x) && is_same(&a->y, &p->place[0].y));
        assert_true(log10(error[k][0]) <= a->y.hi && log10(error[k][LEVELS - 1]) >= a->y.lo);
        assert_int_equal(a->labels_x, k >= 8);
        assert_int_equal(a->labels_y, k % 4 == 0);
        assert_int_equal(*a->title != 0, k < 4);
    }
    assert_int_equal(p->words, 1 + 3 + 2);              /* title, rows, labels */
    plot_document_free(&d);
}

/* Rows of the key differ by one entry at most, but the last. */
static void test_key(void **state)
{
    (void)state;
    for (int labels = 1; labels <= 40; labels++) {
        const plot_figure f = make(1, labels, labels, 1);
        plot_document d = laid_out(&f, (plot_look){.width = 200});
        int in_row[64] = {0}, rows = 0;
        assert_int_equal(d.page[0].samples, labels);
        for (int k = 0; k < labels; k++) {
            rows += k == 0 || d.page[0].sample[k].y > d.page[0].sample[k - 1].y;
            in_row[rows - 1]++;
        }
        for (int i = 0; i < rows; i++)
            assert_true(in_row[i] <= in_row[0] && (i == rows - 1 || in_row[i] == in_row[0]));
        assert_true(in_row[0] - in_row[rows - 1] < rows);
        plot_document_free(&d);
    }
}

/* So many curves that a key would be longer than the picture have none, and a line that says so. */
static void test_no_key(void **state)
{
    const plot_figure f = make(10, 30, 300, 1);
    (void)state;
    plot_document d = laid_out(&f, (plot_look){0});
    const plot_page *p = &d.page[0];
    assert_int_equal(p->samples, 0);
    assert_string_equal(p->word[p->words - 1].text, "300 curves, too many for a key");
    check_pages(&d);
    plot_document_free(&d);
}

/* Nine tenths of the points lie in the first tenth of a curve: its marks do not. */
static void test_marks(void **state)
{
    enum { N = 1000 };
    static double x[N], y[N];
    const plot_curve both[] = {{"a", PLOT_LINE, N, x, y, NULL}, {"b", PLOT_LINE, N, x, y, NULL}};
    const plot_panel one = {"", "", "", 0, 0, 2, both, NULL};
    const plot_figure f = {.count = 1, .columns = 1, .panel = &one};
    int mark[2][MOST_MARKS], count[2];
    (void)state;
    for (int i = 0; i < N; i++)
        y[i] = x[i] = i < 900 ? i / 9000.0 : 0.1 + 0.9 * (i - 899) / 100.0;
    plot_document d = laid_out(&f, (plot_look){0});
    const plot_place *at = &d.page[0].place[0];
    for (int k = 0; k < 2; k++) {
        count[k] = plot_marks(&d.labels, &one, &both[k], &at->x, &at->y, 1, mark[k]);
        assert_in_range(count[k], 8, 10);
        for (int i = 1; i < count[k]; i++) {
            const double apart = x[mark[k][i]] - x[mark[k][i - 1]];
            assert_true(apart > 0.09 && apart < 0.13);
        }
    }
    for (int i = 0; i < count[0]; i++)
        for (int j = 0; j < count[1]; j++)
            assert_true(fabs(x[mark[0][i]] - x[mark[1][j]]) > 0.01);
    plot_document_free(&d);
}

/* Of tags that would lie on each other one is written; at the right edge they stand to the left. */
static void test_tags(void **state)
{
    static const double x[] = {0, 0.001, 0.5, 1}, y[] = {0, 0.001, 0.5, 1};
    static const char *const tag[] = {"1e-3", "1e-6", NULL, "1e-9"};
    const plot_curve c = {"a", PLOT_LINE, 4, x, y, tag};
    const plot_panel one = {"", "", "", 0, 0, 1, &c, NULL};
    const plot_figure f = {.count = 1, .columns = 1, .panel = &one};
    (void)state;
    plot_document d = laid_out(&f, (plot_look){0});
    const plot_place *at = &d.page[0].place[0];
    assert_true(plot_tagged(at, d.em, 0, 0) && !plot_tagged(at, d.em, 0, 1) && !plot_tagged(at, d.em, 0, 2)
                && plot_tagged(at, d.em, 0, 3));
    assert_true(!plot_tag_left(at, d.em, &c, 0) && plot_tag_left(at, d.em, &c, 3));
    plot_document_free(&d);
}

/* Between 2 and the number of labels that there is room for, in order, within the axis, at what they say. */
static void test_tics(void **state)
{
    plot_tic tic[MOST_TICS];
    (void)state;
    for (int i = 0; i < 4000; i++) {
        const double lo = sin(i) * pow(10, i % 7 - 3), span = pow(10, i % 11 - 4) * (1 + i % 9);
        const int most = 2 + i % 6, log = i % 2;
        const plot_axis a = log ? (plot_axis){lo, lo + fmax(1, fmin(span, 300)), 1} : (plot_axis){lo, lo + span, 0};
        const int count = plot_tics(&a, most, tic);
        int labels = 0;
        for (int k = 0; k < count; k++) {
            assert_true(tic[k].z >= a.lo && tic[k].z <= a.hi && (k == 0 || tic[k].z > tic[k - 1].z));
            labels += tic[k].label != TIC_BARE;
            const double says = tic[k].mantissa * pow(10, tic[k].exponent);
            if (!log)
                assert_true(fabs(says - tic[k].z) < 1e-8 * span + 1e-13 * fabs(lo));
            else
                assert_true(fabs(log10(tic[k].mantissa) + tic[k].exponent - tic[k].z) < 1e-12);
        }
        assert_in_range(labels, log ? 2 : 1, most + 3);
    }
}

/* ---- files ---- */

static char folder[] = P_tmpdir "/daelab-pages-XXXXXX";

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int remove_folder(void **state)
{
    char command[sizeof folder + 16];
    (void)state;
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    return chdir("/") || system(command) ? -1 : 0;
}

static int times(const char *text, const char *what)
{
    int n = 0;
    for (; (text = strstr(text, what)); text++)
        n++;
    return n;
}

static void need(const char *path)
{
    if (plot_check(path, NULL))
        skip();
}

/* Pages of a PDF are one file, those of SVG one each; what is said names them. */
static void test_files(void **state)
{
    const plot_figure f = make(40, 4, 3, 1);
    dae_report why = {0};
    size_t size;
    (void)state;
    need("x.pdf");
    need("x.svg");
    plot_file pdf = {.path = "a.pdf"}, svg = {.path = "./b.svg"};
    if (plot_write(&pdf, &f, 1, &why) || plot_write(&svg, &f, 1, &why))
        fail_msg("%s", why.message);
    char *text = content("a.pdf", &size);
    assert_memory_equal(text, "%PDF", 4);
    free(text);
    assert_string_equal(pdf.said, "the picture takes 2 pages of a.pdf");
    assert_string_equal(svg.said, "the picture takes 2 pages: ./b-1.svg to ./b-2.svg");
    for (int i = 1; i <= 2; i++) {
        char name[16];
        snprintf(name, sizeof name, "b-%d.svg", i);
        text = content(name, &size);
        assert_non_null(strstr(text, i == 1 ? "figure (1 of 2)" : "figure (2 of 2)"));
        free(text);
    }
    assert_int_equal(access("b.svg", F_OK), -1);
}

/* The script that is kept draws the same picture. */
static void test_script(void **state)
{
    const plot_figure f = make(2, 2, 4, 0);
    size_t size, again;
    (void)state;
    need("x.svg");
    plot_file to = {.path = "k.svg", .look = {.keep_script = 1, .transparent = 1}};
    assert_int_equal(plot_write(&to, &f, 1, NULL), DAE_OK);
    assert_non_null(strstr(to.said, "k.svg.gnuplot draws it again"));
    char *first = content("k.svg", &size);
    assert_int_equal(unlink("k.svg"), 0);
    assert_int_equal(system("gnuplot k.svg.gnuplot"), 0);
    char *second = content("k.svg", &again);
    assert_int_equal(size, again);
    assert_memory_equal(first, second, size);
    assert_null(strstr(first, "#ffffff"));              /* no ground */
    free(first);
    free(second);
}

/* One that LaTeX takes, alone and in another document, whatever the words are. */
static void test_tikz(void **state)
{
    static const char *const notes[] = {"\\ { } $ & # % _ ^ ~ | < > \" ` · … × * ' é"};
    plot_figure f = make(2, 2, 4, 0);
    size_t size;
    (void)state;
    f.title = notes[0];
    f.notes = 1;
    f.note = notes;
    plot_file to = {.path = "t.tex"};
    assert_int_equal(plot_write(&to, &f, 1, NULL), DAE_OK);
    assert_string_equal(to.said, "");
    char *text = content("t.tex", &size);
    assert_int_equal(times(text, "\\begin{axis}"), 4);
    assert_int_equal(times(text, "\\addplot["), 4);
    assert_non_null(strstr(text, "(0.1,0.1) (0.05,0.05) (0.025,0.025)"));
    free(text);
    if (system("kpsewhich pgfplots.sty standalone.cls >pages.txt 2>&1 && command -v pdflatex >>pages.txt"))
        skip();                                         /* no LaTeX here */
    assert_int_equal(system("pdflatex -halt-on-error -interaction=batchmode t.tex >t.out 2>&1"), 0);
    FILE *other = fopen("o.tex", "w");
    assert_non_null(other);
    fputs("\\documentclass{article}\\usepackage{pgfplots}\\pgfplotsset{compat=1.16}\\begin{document}\n"
          "\\input{t}before \\input{t} after\\end{document}\n", other);
    fclose(other);
    assert_int_equal(system("pdflatex -halt-on-error -interaction=batchmode o.tex >o.out 2>&1"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fit),   cmocka_unit_test(test_sizes), cmocka_unit_test(test_too_small),
        cmocka_unit_test(test_common_axes), cmocka_unit_test(test_key), cmocka_unit_test(test_marks),
        cmocka_unit_test(test_no_key),
        cmocka_unit_test(test_tags),  cmocka_unit_test(test_tics),  cmocka_unit_test(test_files),
        cmocka_unit_test(test_script), cmocka_unit_test(test_tikz),
    };
    return cmocka_run_group_tests_name("plot_pages", tests, make_folder, remove_folder);
}
