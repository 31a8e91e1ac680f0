#include "host/screen.h"

#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { LEAST = 20, MOST = 10000 };      /* columns; less is no size but a terminal that has none */

/* That the user has set; 0: none. */
static size_t of_environment(void)
{
    const char *text = getenv("COLUMNS");
    char *end = NULL;
    const long columns = text ? strtol(text, &end, 10) : 0;
    return text && end != text && !*end && columns >= LEAST && columns <= MOST ? (size_t)columns : 0;
}

size_t screen_width(FILE *stream)
{
    struct winsize size = {0};
    const int fd = fileno(stream);
    if (fd < 0 || !isatty(fd))
        return 0;
    const size_t columns = of_environment();
    if (columns)
        return columns;
    return ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col >= LEAST ? size.ws_col : 0;
}
