/*
 * Leaf methods: those whose calls run nothing but a few instructions of their
 * own. Pure function of a parsed class; any thread, no locks.
 */
#ifndef HPROF_CLASSFILE_LEAF_METHOD_H
#define HPROF_CLASSFILE_LEAF_METHOD_H

#include "classfile/classfile.h"

/* The longest code, in bytes, of a leaf method. */
enum { LEAF_CODE_BYTES_MAX = 32 };

/*
 * True if a call of the method at index surely calls nothing, throws nothing,
 * makes nothing, waits for nothing and soon returns: its code has at most
 * LEAF_CODE_BYTES_MAX bytes, no loop and no handler, is not synchronized, and
 * consists of loads, stores, constants, arithmetic that can't throw, branches,
 * static fields that the class itself declares, and fields of this that are
 * referred to by the class itself. Constants that the JVM makes by running code
 * (classes, method handles and types, dynamic ones) are out, and so is what may
 * find a null, an index out of bounds or a divisor of 0: the JVM makes the
 * exception by running its constructor.
 */
bool classfile_method_is_leaf(const struct classfile *classfile, uint32_t index);

#endif
