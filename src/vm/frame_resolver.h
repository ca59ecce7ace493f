/*
 * frame_resolver.h: the VM's method ids and bytecode indexes to frames of the
 * model, with their names.
 *
 * From JDK 26 on the VM frees a method's id when its class is unloaded (JDK-8268406). So an
 * id may be passed to the VM only while its class is alive: its frame is on the calling
 * thread's stack, a reference holds the class, or the class can't be unloaded. Code that
 * keeps ids for longer has them learnt first: the VM is not asked about the same id twice.
 * What remains is the time between asking for another thread's stack and learning its
 * methods. There the VM itself checks the id, and its answer JVMTI_ERROR_INVALID_METHODID
 * makes the frame an unknown one.
 *
 * An id keeps its first name for good: JDK 26 numbers ids and uses no number twice; older
 * JDKs never free an id.
 */
#ifndef HPROF_VM_FRAME_RESOLVER_H
#define HPROF_VM_FRAME_RESOLVER_H

#include "profile/profile.h"

struct frame_resolver;

/* NULL without memory. */
struct frame_resolver *frame_resolver_create(struct profile *profile);
void frame_resolver_destroy(struct frame_resolver *resolver);

/* The frame of method at bytecode index bci (negative: not known, or native).
 * A method that was not learnt before its class was unloaded is named as unknown. NULL without
 * memory (reported), and for methods not known yet once the profile has stopped. Live
 * phase; any thread. */
const struct frame *frame_resolver_find(struct frame_resolver *resolver, JNIEnv *jni,
                                        jmethodID method, int64_t bci);

/* Resolves the names of those methods that are not known yet, for classes that may be
 * unloaded before somebody asks. One that the VM gives no name of is unknown from then
 * on. Any thread; live phase. */
void frame_resolver_learn(struct frame_resolver *resolver, JNIEnv *jni, const jmethodID *methods,
                          jint count);

#endif
