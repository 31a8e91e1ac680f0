#include "catalogue/descriptor.h"

#include <daelab/method.h>
#include <daelab/problem.h>

#include <dlfcn.h>

/* Only the first two numbers are sure to be where they are looked for. */
static dae_status check_version(const dae_plugin *d, const char *file, dae_report *report)
{
    if (d->version == DAE_PLUGIN_VERSION && d->size == (int)sizeof *d)
        return DAE_OK;
    if (d->version != DAE_PLUGIN_VERSION)
        return dae_fail(report, DAE_UNSUPPORTED, "%s: a plug-in of version %d, from %s daelab; this one, %s, "
                        "takes version %d: compile it again with its headers", file, d->version,
                        d->version > DAE_PLUGIN_VERSION ? "a newer" : "an older", DAELAB_VERSION,
                        (int)DAE_PLUGIN_VERSION);
    return dae_fail(report, DAE_UNSUPPORTED, "%s: a descriptor of %d bytes, where one of version %d has %zu: "
                    "compile it again with the headers of daelab %s", file, d->size, (int)DAE_PLUGIN_VERSION,
                    sizeof *d, DAELAB_VERSION);
}

static dae_status check_sizes(const dae_plugin *d, const char *file, dae_report *report)
{
    const struct { const char *what; size_t is, wanted; } sizes[] = {
        {"dae_problem", d->problem_size, d->problems ? sizeof(dae_problem) : d->problem_size},
        {"dae_event", d->event_size, d->problems ? sizeof(dae_event) : d->event_size},
        {"dae_method", d->method_size, d->methods ? sizeof(dae_method) : d->method_size},
        {"dae_solver", d->solver_size, d->methods ? sizeof(dae_solver) : d->solver_size}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (sizes[i].is != sizes[i].wanted)
            return dae_fail(report, DAE_UNSUPPORTED, "%s: its %s has %zu bytes and that of daelab %s %zu: compile "
                            "it again with these headers", file, sizes[i].what, sizes[i].is, DAELAB_VERSION,
                            sizes[i].wanted);
    return DAE_OK;
}

static dae_status check_counts(const dae_plugin *d, const char *file, dae_report *report)
{
    if (d->problems < 0 || d->methods < 0 || d->problems + d->methods < 1 || d->problems > MOST_OFFERED
        || d->methods > MOST_OFFERED)
        return dae_fail(report, DAE_BAD_ARGUMENT, "%s: a descriptor of %d problems and %d methods: 1 to %d are "
                        "possible", file, d->problems, d->methods, (int)MOST_OFFERED);
    if ((d->problems && !d->problem) || (d->methods && !d->method))
        return dae_fail(report, DAE_BAD_ARGUMENT, "%s: a descriptor without its list of %s", file,
                        d->problems && !d->problem ? "problems" : "methods");
    return DAE_OK;
}

static dae_status take(const dae_plugin *d, const char *file, offer *o, dae_report *report)
{
    if (o->problems + d->problems > MOST_OFFERED || o->methods + d->methods > MOST_OFFERED)
        return dae_fail(report, DAE_BAD_ARGUMENT, "%s: more than %d problems or methods", file,
                        (int)MOST_OFFERED);
    for (int i = 0; i < d->problems; i++) {
        if (!d->problem[i])
            return dae_fail(report, DAE_BAD_ARGUMENT, "%s: problem %d of its list is NULL", file, i + 1);
        o->problem[o->problems++] = d->problem[i];
    }
    for (int i = 0; i < d->methods; i++) {
        if (!d->method[i])
            return dae_fail(report, DAE_BAD_ARGUMENT, "%s: method %d of its list is NULL", file, i + 1);
        o->method[o->methods++] = d->method[i];
    }
    return DAE_OK;
}

static dae_status read_range(const dae_plugin_range *range, const char *file, offer *o, dae_report *report)
{
    if (range->last - range->first < 0 || range->last - range->first > MOST_OFFERED)
        return dae_fail(report, DAE_BAD_ARGUMENT, "%s: %lld descriptors, of at most %d", file,
                        (long long)(range->last - range->first), (int)MOST_OFFERED);
    for (const dae_plugin *const *at = range->first; at != range->last; at++) {
        dae_status status = *at ? check_version(*at, file, report)
                                : dae_fail(report, DAE_BAD_ARGUMENT, "%s: a descriptor is NULL", file);
        if (!status)
            status = check_counts(*at, file, report);
        if (!status)
            status = check_sizes(*at, file, report);
        if (!status)
            status = take(*at, file, o, report);
        if (status)
            return status;
    }
    return DAE_OK;
}

dae_status descriptor_read(void *handle, const char *file, offer *o, dae_report *report)
{
    static const char *const names[] = {"dae_problem_plugins", "dae_method_plugins"};
    dae_status status = DAE_OK;
    *o = (offer){0};
    for (int i = 0; !status && i < 2; i++) {
        const dae_plugin_range *range = dlsym(handle, names[i]);
        if (range)
            status = read_range(range, file, o, report);
    }
    if (!status && o->problems + o->methods == 0)
        return dae_fail(report, DAE_BAD_ARGUMENT, "%s: it offers nothing: a line DAE_PLUGIN_PROBLEMS(&RECORD); or "
                        "DAE_PLUGIN_METHODS(&RECORD); is missing", file);
    return status;
}
