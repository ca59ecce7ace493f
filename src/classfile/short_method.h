/*
 * Short methods: those whose calls run nothing but a few instructions of their
 * own. Pure function of a parsed class; any thread, no locks.
 */
#ifndef HPROF_CLASSFILE_SHORT_METHOD_H
#define HPROF_CLASSFILE_SHORT_METHOD_H

#include "classfile/classfile.h"

/* The longest code, in bytes. */
enum { LEAF_CODE_BYTES_MAX = 32, SHORT_CODE_BYTES_MAX = 64 };

enum method_kind {
	/* A call surely calls nothing, throws nothing, makes nothing, waits for nothing
	 * and soon returns: the code has at most LEAF_CODE_BYTES_MAX bytes, no loop and no
	 * handler, is not synchronized, and consists of loads, stores, constants,
	 * arithmetic that can't throw, branches, static fields that the class itself
	 * declares, and fields of this that are referred to by the class itself. */
	METHOD_LEAF,
	/* A call runs few instructions of its own: the code has at most
	 * SHORT_CODE_BYTES_MAX bytes, no loop and no handler, is not synchronized, makes no
	 * arrays, waits for no monitor, and calls what is allowed. The JVM may run other
	 * code on its behalf: to make an exception, to initialise a class, to resolve a
	 * constant. */
	METHOD_SHORT,
	METHOD_OTHER /* what has no code included */
};

/* Whether a short method may call that one. */
typedef bool short_method_calls(void *context, const struct classfile_member *called);

/* With calls NULL a short method calls nothing but the constructor of Object, a leaf. */
enum method_kind classfile_method_kind(const struct classfile *classfile, uint32_t index,
                                       short_method_calls *calls, void *context);

#endif
