/*
 * The reader's results, for the engine's own files: users see classfile.h.
 * Read-only after classfile_parse, so any thread may use it.
 */
#ifndef HPROF_CLASSFILE_READER_H
#define HPROF_CLASSFILE_READER_H

#include "classfile/constant_pool.h"

/* A method with the places of its parts in the file. Pointers of code are NULL without code. */
struct method_record {
	struct classfile_method view;
	const uint8_t *begin; /* of the method_info */
	const uint8_t *end;
	const uint8_t *code_attribute; /* its attribute_name_index */
	const uint8_t *code_end;
	const uint8_t *exceptions; /* first entry of the exception table */
	const uint8_t *attributes; /* first attribute of Code */
	uint16_t exception_count;
	uint16_t attribute_count;
};

struct classfile {
	const struct classfile_memory *memory;
	const uint8_t *bytes;
	size_t length;
	struct constant_pool pool;
	const uint8_t *after_pool;    /* access_flags */
	const uint8_t *first_method;  /* after methods_count */
	const uint8_t *after_methods; /* the class's attributes_count */
	struct method_record *methods;
	struct classfile_name class_name;
	struct classfile_name super_name;
	uint16_t method_count;
	uint16_t access_flags;
	uint16_t this_class;
};

/* Major versions (JVMS table 4.1-A) at which the rules of code change. */
enum {
	VERSION_FIRST = 45,     /* with minor below 3, Code has another layout */
	VERSION_STACK_MAPS = 50 /* StackMapTable is used from here on */
};

/* True for versions up to 45.2, whose Code attribute has shorter fields. */
bool classfile_has_short_code_layout(const struct classfile *classfile);

#endif
