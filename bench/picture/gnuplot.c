/* gnuplot.c - run gnuplot on a script, check its picture, put it in place */
#include "picture/gnuplot.h"

#include "host/atomic_file.h"
#include "host/program.h"

#include <errno.h>
#include <string.h>

FILE *gnuplot_file(dae_report *report) { return program_file(report); }

dae_status gnuplot_run(FILE *script, FILE *out, dae_report *report)
{
    /* without a name gnuplot reads its input byte by byte */
    char *const arguments[] = {(char[]){"gnuplot"}, (char[]){"-d"}, (char[]){"/dev/stdin"}, NULL};
    return program_run(arguments, "it draws the plots (Debian: gnuplot-nox)", script, out, report);
}

/* A full disk does not make gnuplot fail. */
static int ends_with(FILE *f, const char *mark)
{
    char tail[65];
    fseek(f, 0, SEEK_END);
    const long size = ftell(f), skip = size > 64 ? size - 64 : 0;
    fseek(f, skip, SEEK_SET);
    const size_t n = fread(tail, 1, 64, f);
    return memmem(tail, n, mark, strlen(mark)) != NULL;
}

/* Answers an errno. */
static int copy(FILE *from, FILE *to)
{
    char buffer[8192];
    size_t n;
    rewind(from);
    errno = 0;
    while ((n = fread(buffer, 1, sizeof buffer, from)) > 0)
        if (fwrite(buffer, 1, n, to) != n)
            return errno ? errno : EIO;
    return ferror(from) ? EIO : 0;
}

dae_status gnuplot_deliver(FILE *picture, const char *mark, const char *path, dae_report *report)
{
    atomic_file file;
    if (!ends_with(picture, mark))
        return dae_fail(report, DAE_FILE, "gnuplot did not finish the picture");
    const dae_status status = atomic_open(&file, path, report);
    if (status)
        return status;
    const int error = copy(picture, file.stream);
    if (!error)
        return atomic_commit(&file, report);
    atomic_discard(&file);
    return dae_fail(report, DAE_FILE, "%s: %s", path, strerror(error));
}
