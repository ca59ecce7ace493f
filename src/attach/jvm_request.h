/*
 * jvm_request.h: one request to a HotSpot JVM, and its answer.
 */
#ifndef HPROF_ATTACH_JVM_REQUEST_H
#define HPROF_ATTACH_JVM_REQUEST_H

#include "os/os.h"

/* Asks for the library to be loaded with options, and takes the answer, terminated and cut to
 * size, until the JVM ends the connection. 0 when it has come, OS_TIMED_OUT when it has not
 * within deadline_ms. library and options are ATTACH_TEXT_MAX long at most. Blocks; one
 * thread. */
int jvm_request_load(struct os_socket *socket, const char *library, const char *options,
                     uint32_t deadline_ms, char *answer, size_t size);

#endif
