/* remarks.c - the section of what the study itself has said against its numbers */
#include "publish/study_view.h"

#include <string.h>

enum { MOST_REMARKS = 100 };

static const char *member(const json_t *remark, const char *key)
{
    const char *text = json_string_value(json_object_get(remark, key));
    return text ? text : "";
}

void publish_remarks(const study_view *v)
{
    const size_t count = json_array_size(v->data->remarks);
    if (!count)
        return;
    view_section(v, "remarks", "Remarks");
    for (size_t i = 0; i < count && i < MOST_REMARKS; i++) {
        const json_t *remark = json_array_get(v->data->remarks, i);
        const char *problem = member(remark, "problem");
        page_finding(v->page, TONE_PLAIN, "%s%s%s", problem, *problem ? ", " : "", member(remark, "text"));
    }
    if (count > MOST_REMARKS)
        page_text(v->page, arena_format(&v->page->memory, "And %zu others.", count - MOST_REMARKS));
}
