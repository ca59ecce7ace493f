/*
 * text_view.h: what `hprof report` prints of a profile as text. One thread; no lock.
 */
#ifndef HPROF_VIEWS_TEXT_VIEW_H
#define HPROF_VIEWS_TEXT_VIEW_H

#include "console/output.h"
#include "views/view_request.h"

/* Reads the request's input and prints the view that its selection names. False after printing an
 * error; what was printed before an error of the input is valid. */
bool text_view_write(const struct view_request *request, struct output *output);

#endif
