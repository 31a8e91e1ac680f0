#include "deliver/outputs.h"

#include "cli/finish.h"
#include "tidy/tidy.h"

/* Of the document and of its parts. */
static void add_remarks(dataset *d, const document *doc)
{
    for (int i = 0; i < doc->parts; i++)
        add_remarks(d, doc->part[i]);
    json_array_extend(d->remarks, json_object_get(doc->json, "remarks"));
}

void outputs_add(document *doc, const study_plan *plan)
{
    dataset *d = tidy_dataset(plan);
    if (d)
        add_remarks(d, doc);
    if (!d || !dataset_json(d, doc->json))
        doc->failed = 1;
    dataset_free(d);
}

int outputs_write(const study_plan *plan, document *doc, const cli_options *o)
{
    if (doc)
        outputs_add(doc, plan);
    return finish_document(doc, o);
}
