/*
 * tags.h: the numbers of the HPROF binary format ("Binary Dump Format" of the HPROF manual)
 * and of the commands of a net= peer ("Socket Connection and Communication"), for all writers
 * and readers. X is called with the value, the name of the constant without its prefix, and
 * the name in messages.
 */
#ifndef HPROF_HPROF_TAGS_H
#define HPROF_HPROF_TAGS_H

/* Tags of records. */
#define HPROF_RECORDS(X)                                \
	X(0x01, STRING, "STRING")                       \
	X(0x02, LOAD_CLASS, "LOAD CLASS")               \
	X(0x03, UNLOAD_CLASS, "UNLOAD CLASS")           \
	X(0x04, STACK_FRAME, "STACK FRAME")             \
	X(0x05, STACK_TRACE, "STACK TRACE")             \
	X(0x06, ALLOC_SITES, "ALLOC SITES")             \
	X(0x07, HEAP_SUMMARY, "HEAP SUMMARY")           \
	X(0x0a, START_THREAD, "START THREAD")           \
	X(0x0b, END_THREAD, "END THREAD")               \
	X(0x0c, HEAP_DUMP, "HEAP DUMP")                 \
	X(0x0d, CPU_SAMPLES, "CPU SAMPLES")             \
	X(0x0e, CONTROL_SETTINGS, "CONTROL SETTINGS")   \
	X(0x1c, HEAP_DUMP_SEGMENT, "HEAP DUMP SEGMENT") \
	X(0x2c, HEAP_DUMP_END, "HEAP DUMP END")

/* Tags of the sub-records of a heap dump. */
#define HPROF_SUB_RECORDS(X)                                  \
	X(0x01, ROOT_JNI_GLOBAL, "ROOT JNI GLOBAL")           \
	X(0x02, ROOT_JNI_LOCAL, "ROOT JNI LOCAL")             \
	X(0x03, ROOT_JAVA_FRAME, "ROOT JAVA FRAME")           \
	X(0x04, ROOT_NATIVE_STACK, "ROOT NATIVE STACK")       \
	X(0x05, ROOT_STICKY_CLASS, "ROOT STICKY CLASS")       \
	X(0x06, ROOT_THREAD_BLOCK, "ROOT THREAD BLOCK")       \
	X(0x07, ROOT_MONITOR_USED, "ROOT MONITOR USED")       \
	X(0x08, ROOT_THREAD_OBJECT, "ROOT THREAD OBJECT")     \
	X(0x20, CLASS_DUMP, "CLASS DUMP")                     \
	X(0x21, INSTANCE_DUMP, "INSTANCE DUMP")               \
	X(0x22, OBJECT_ARRAY_DUMP, "OBJECT ARRAY DUMP")       \
	X(0x23, PRIMITIVE_ARRAY_DUMP, "PRIMITIVE ARRAY DUMP") \
	HPROF_ART_SUB_RECORDS(X)                              \
	X(0xff, ROOT_UNKNOWN, "ROOT UNKNOWN")

/* Those of JAVA PROFILE 1.0.3, which Android's runtime writes, alone. */
#define HPROF_ART_SUB_RECORDS(X)                                  \
	X(0x89, ROOT_INTERNED_STRING, "ROOT INTERNED STRING")     \
	X(0x8a, ROOT_FINALIZING, "ROOT FINALIZING")               \
	X(0x8b, ROOT_DEBUGGER, "ROOT DEBUGGER")                   \
	X(0x8c, ROOT_REFERENCE_CLEANUP, "ROOT REFERENCE CLEANUP") \
	X(0x8d, ROOT_VM_INTERNAL, "ROOT VM INTERNAL")             \
	X(0x8e, ROOT_JNI_MONITOR, "ROOT JNI MONITOR")             \
	X(0x90, UNREACHABLE, "UNREACHABLE")                       \
	X(0xc3, PRIMITIVE_ARRAY_NODATA, "PRIMITIVE ARRAY NODATA") \
	X(0xfe, HEAP_DUMP_INFO, "HEAP DUMP INFO")

/* The primitive types of values ("Basic Type"). */
#define HPROF_PRIMITIVE_TYPES(X) \
	X(4, BOOLEAN, "boolean") \
	X(5, CHAR, "char")       \
	X(6, FLOAT, "float")     \
	X(7, DOUBLE, "double")   \
	X(8, BYTE, "byte")       \
	X(9, SHORT, "short")     \
	X(10, INT, "int")        \
	X(11, LONG, "long")

/* All types. */
#define HPROF_TYPES(X) X(2, OBJECT, "object") HPROF_PRIMITIVE_TYPES(X)

/* An entry of a table of names by value. */
#define HPROF_TEXT_ENTRY(value, name, text) [value] = (text),

/* An entry of a table of those that exist. */
#define HPROF_TAG_ENTRY(value, name, text) [value] = true,

#define HPROF_RECORD_ENTRY(value, name, text) HPROF_RECORD_##name = (value),
#define HPROF_SUB_ENTRY(value, name, text) HPROF_SUB_##name = (value),
#define HPROF_TYPE_ENTRY(value, name, text) HPROF_TYPE_##name = (value),

enum hprof_record_tag { HPROF_RECORDS(HPROF_RECORD_ENTRY) };
enum hprof_sub_tag { HPROF_SUB_RECORDS(HPROF_SUB_ENTRY) };
enum hprof_type { HPROF_TYPES(HPROF_TYPE_ENTRY) };

/* Flags of ALLOC SITES. Those of CONTROL SETTINGS are in records.h. */
enum hprof_sites_flag {
	HPROF_SITES_INCREMENTAL = 0x1,
	HPROF_SITES_BY_ALLOCATION = 0x2,
	HPROF_SITES_FORCED_GC = 0x4
};

/* The sizes of a row of CPU SAMPLES and of ALLOC SITES. */
enum { HPROF_SAMPLE_BYTES = 2 * 4, HPROF_SITE_BYTES = 1 + 6 * 4 };

/* Commands of a peer: a tag (u1), a serial number (u4), the length of the body (u4), and the
 * body, all big-endian. The hprof command sends them, the agent receives them. */
enum hprof_command_tag {
	HPROF_COMMAND_FORCE_GC = 0x01,
	HPROF_COMMAND_DUMP_HEAP = 0x02,
	HPROF_COMMAND_ALLOC_SITES = 0x03,
	HPROF_COMMAND_HEAP_SUMMARY = 0x04,
	HPROF_COMMAND_EXIT = 0x05,
	HPROF_COMMAND_DUMP_TRACES = 0x06,
	HPROF_COMMAND_CPU_SAMPLES = 0x07,
	HPROF_COMMAND_CONTROL = 0x08,
	HPROF_COMMAND_EOF = 0xff
};

enum { HPROF_COMMAND_HEAD_BYTES = 1 + 4 + 4 };

/* The first field of the body of CONTROL (u2). */
enum hprof_control_option {
	HPROF_CONTROL_ALLOC_TRACES_ON = 0x1,
	HPROF_CONTROL_ALLOC_TRACES_OFF = 0x2,
	HPROF_CONTROL_CPU_SAMPLING_ON = 0x3,
	HPROF_CONTROL_CPU_SAMPLING_OFF = 0x4,
	HPROF_CONTROL_CPU_CLEAR = 0x5,
	HPROF_CONTROL_MAX_DEPTH = 0x6
};

#endif
