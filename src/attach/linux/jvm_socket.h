/*
 * jvm_socket.h: the socket at which a HotSpot JVM takes requests. Private to the platform.
 */
#ifndef HPROF_ATTACH_JVM_SOCKET_H
#define HPROF_ATTACH_JVM_SOCKET_H

#include "attach/linux/jvm_process.h"

/* Connects to the JVM's socket. If there is none, makes the JVM create it, by a file and a
 * SIGQUIT, and waits at most deadline_ms; the file is removed then. The calling process, of one
 * thread, has the JVM's rights (jvm_process_become()); its working directory changes. Only a socket
 * on which the process itself listens is accepted. With may_end, ATTACH_INTERRUPTED as soon as
 * os_interrupted(). Sets the outcome and error of attach. */
void jvm_socket_connect(const struct jvm_process *process, uint32_t deadline_ms, bool may_end,
                        struct os_socket *socket, struct attach_result *attach);

#endif
