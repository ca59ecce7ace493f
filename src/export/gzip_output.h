/*
 * gzip_output.h: compresses bytes into an output. One thread; no lock.
 */
#ifndef HPROF_EXPORT_GZIP_OUTPUT_H
#define HPROF_EXPORT_GZIP_OUTPUT_H

#include "console/output.h"

#include <zlib.h>

/* Errors are those of the output's text, and sticky. */
struct gzip_output {
	struct output *output;
	z_stream stream;
	bool begun;
};

void gzip_output_begin(struct gzip_output *gzip, struct output *output);
void gzip_output_add(struct gzip_output *gzip, const void *bytes, size_t length);

/* Ends the compressed data; to be called after an error too. Returns whether all has been
 * written. */
bool gzip_output_end(struct gzip_output *gzip);

#endif
