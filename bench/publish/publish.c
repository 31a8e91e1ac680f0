#include "publish/publish.h"

#include "publish/study_view.h"

#include <daelab/daelab.h>

#include <string.h>

static void sections(const dataset *data, const char *name, page *p)
{
    const study_view v = study_view_of(data, name, p);
    publish_answer(&v);
    publish_orders(&v);
    publish_drift(&v);
    publish_work(&v);
    publish_scale(&v);
    publish_solution(&v);
    publish_failures(&v);
    publish_remarks(&v);
    publish_data(&v);
    publish_provenance(&v);
}

enum { LONG_TITLE = 100 };

/* That of the study, or its command, or where that is long its file. */
static const char *title_of(const dataset *data, const char *file, page *p)
{
    const study_view v = {.data = data, .page = p};
    const char *command = view_whole_command(&v);
    return *data->title ? data->title : *command && strlen(command) <= LONG_TITLE ? command : file;
}

page *publish(const dataset *const *results, const char *const *files, int count)
{
    page *p = page_new();
    if (!p)
        return NULL;
    p->title = count == 1 ? title_of(results[0], files[0], p) : arena_format(&p->memory, "%d results", count);
    p->question = count == 1 ? results[0]->question : "";
    p->made = "Written by daelab " DAELAB_VERSION ".";
    for (int i = 0; i < count; i++) {
        if (count > 1) {
            page_section(p, arena_format(&p->memory, "result-%d", i + 1), title_of(results[i], files[i], p));
            if (*results[i]->question)
                page_text(p, results[i]->question);
        }
        sections(results[i], count > 1 ? arena_format(&p->memory, "%d-", i + 1) : "", p);
    }
    return p;
}
