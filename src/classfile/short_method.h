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
	/* The same, in at most SHORT_CODE_BYTES_MAX bytes, but for what the JVM seldom does
	 * on the code's behalf by running other code: making an exception (of a null, an
	 * index out of bounds, a wrong class, a divisor of 0), initialising a class,
	 * resolving a constant. It may call the constructor of Object, a leaf. */
	METHOD_SHORT,
	METHOD_OTHER /* what has no code included */
};

enum method_kind classfile_method_kind(const struct classfile *classfile, uint32_t index);

#endif
