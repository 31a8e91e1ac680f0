/* answer.c - the section at the top: what the data say, in sentences, the worst first */
#include "publish/fastest.h"
#include "publish/growth.h"
#include "publish/sentences.h"

#include <string.h>

static int with_status(const table *t, const char *status)
{
    int count = 0;
    for (int row = 0; row < table_rows(t); row++)
        count += strcmp(row_text_or_empty(t, row, "status"), status) == 0;
    return count;
}

static int is_first_with_status(const table *t, int row)
{
    for (int before = 0; before < row; before++)
        if (strcmp(row_text_or_empty(t, before, "status"), row_text_or_empty(t, row, "status")) == 0)
            return 0;
    return 1;
}

/* "3 DAE_SINGULAR, 1 killed" */
static const char *failures_by_status(const study_view *v, int *failed)
{
    const table *t = v->runs.table;
    const char *text = "";
    *failed = 0;
    for (int row = 0; row < table_rows(t); row++) {
        if (!row_failed(t, row))
            continue;
        ++*failed;
        const char *status = row_text_or_empty(t, row, "status");
        if (is_first_with_status(t, row))
            text = arena_format(&v->page->memory, "%s%s%d %s", text, *text ? ", " : "", with_status(t, status), status);
    }
    return text;
}

static void say_runs(const study_view *v)
{
    int failed;
    if (!v->runs.table)
        return;
    const int runs = table_rows(v->runs.table);
    const char *statuses = failures_by_status(v, &failed);
    if (failed)
        page_finding(v->page, TONE_NOTE, "%d of %d runs failed, or were not made (%s): each with its reason below.",
                     failed, runs, statuses);
    else
        page_finding(v->page, TONE_GOOD, runs == 1 ? "The %d run went through." : "All %d runs went through.", runs);
}

static void say_interrupted(const study_view *v)
{
    if (v->data->interrupted)
        page_finding(v->page, TONE_BAD,
                     "The study was interrupted: runs are missing. The same command goes on with it.");
}

/* Of several results: which one it is. */
static void introduce(const study_view *v, const char *file)
{
    if (!v->number)
        return;
    page_text(v->page, arena_format(&v->page->memory, "%s (%s)", v->title, file));
    if (*v->data->question)
        page_text(v->page, v->data->question);
}

void publish_answer(const study_view *v, const char *file)
{
    view_section(v, "answer", "What the data say");
    introduce(v, file);
    say_interrupted(v);
    say_orders(v);
    say_small_drifts(v);
    say_growth(v);
    say_fastest(v);
    say_runs(v);
    draw_glances(v);
}
