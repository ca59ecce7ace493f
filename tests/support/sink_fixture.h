/*
 * sink_fixture.h: what the tests of the sinks share: a sink on a file of its own.
 */
#ifndef HPROF_TESTS_SINK_FIXTURE_H
#define HPROF_TESTS_SINK_FIXTURE_H

#include "output/sink.h"

#include <check.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char path[300];
extern struct sink *sink;

struct sink *open_sink(const char *name);
void make_file(void);
void remove_file(void);
int append(const char *text);
int set_tail(const char *text);
void begin_group(void);
void end_group(bool keep);
void expect_file(const char *text);

#endif
