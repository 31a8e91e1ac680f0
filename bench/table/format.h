/* format.h - the formats in which results are written */
#ifndef DAELAB_FORMAT_H
#define DAELAB_FORMAT_H

typedef enum { FORMAT_TABLE, FORMAT_CSV, FORMAT_JSON, FORMAT_MARKDOWN, FORMAT_LATEX, OUTPUT_FORMATS } output_format;

/* "csv" of --format, NULL behind the last; ".csv" at the end of a file's name. */
extern const char *const format_names[OUTPUT_FORMATS + 1];
extern const char *const format_endings[OUTPUT_FORMATS];

#endif
