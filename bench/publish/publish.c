#include "publish/publish.h"

#include "publish/study_view.h"

#include <daelab/daelab.h>

static void sections(const study_view *v)
{
    publish_orders(v);
    publish_drift(v);
    publish_work(v);
    publish_scale(v);
    publish_solution(v);
    publish_failures(v);
    publish_remarks(v);
    publish_data(v);
    publish_provenance(v);
}

page *publish(const dataset *const *results, const char *const *files, int count)
{
    page *p = page_new();
    study_view *views = p ? arena_get(&p->memory, (size_t)count, sizeof *views) : NULL;
    if (!views)
        return p;
    for (int i = 0; i < count; i++)
        views[i] = study_view_of(results[i], files[i], count > 1 ? i + 1 : 0, p);
    p->title = count == 1 ? views[0].title : arena_format(&p->memory, "%d results", count);
    p->question = count == 1 ? results[0]->question : "";
    p->made = "Written by daelab " DAELAB_VERSION ".";
    for (int i = 0; i < count; i++)             /* what all of them say, first */
        publish_answer(&views[i], files[i]);
    for (int i = 0; i < count; i++)
        sections(&views[i]);
    return p;
}
