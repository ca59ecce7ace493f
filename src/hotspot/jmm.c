/*
 * jmm.c: finds the dumper in the table of functions that JVM_GetManagement
 * gives. Any thread; no lock.
 */
#include "hotspot/jmm.h"

#include "os/os_machine.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef void *(JNICALL *get_management)(jint version);
typedef jint(JNICALL *get_version)(JNIEnv *jni);

enum {
	SLOT_ONE_THREAD_ALLOCATED = 1, /* set in later releases of JDK 11 alone */
	SLOT_VERSION = 2,
	VERSION_10 = 0x20020000, /* JDK 10 to 13 */
	VERSION_14 = 0x20030000, /* JDK 14 to 20 */
	VERSION_21 = 0x20040000, /* JDK 21 and later */
	DUMPER_10 = 28,
	DUMPER_14 = 29,
	DUMPER_21 = 30,
};

static const jint versions[] = {VERSION_21, VERSION_14, VERSION_10};

/* The table is one of functions; ISO C has no cast from a pointer to data. */
static void *slot(void *const *table, int index)
{
	return table[index];
}

/* Each version so far has one function more before the dumper. Releases of JDK 11 got the function
 * of JDK 14 without that: theirs is in a slot that was reserved. From JDK 21 on, the third slot
 * after the dumper is reserved: if it is not, the table has grown in the middle. */
int jmm_dumper_slot(void *const *table, jint version)
{
	bool is_backport = slot(table, SLOT_ONE_THREAD_ALLOCATED) != NULL;

	if (version == VERSION_10 || (version == VERSION_14 && is_backport))
		return DUMPER_10;
	if (version == VERSION_14)
		return DUMPER_14;
	if (version == VERSION_21 && !is_backport && slot(table, DUMPER_21 + 3) == NULL &&
	    slot(table, DUMPER_21 + 2) != NULL)
		return DUMPER_21;
	return -1;
}

/* The dumper of a table that was asked for by this version. */
static jmm_dump_heap dumper_of(void *const *table, jint version, JNIEnv *jni)
{
	get_version ask;
	void *function = slot(table, SLOT_VERSION);
	if (function == NULL)
		return NULL;
	memcpy(&ask, &function, sizeof(ask));
	if (ask(jni) != version)
		return NULL;

	int place = jmm_dumper_slot(table, version);
	if (place < 0)
		return NULL;
	jmm_dump_heap dump;
	function = slot(table, place);
	memcpy(&dump, &function, sizeof(dump));
	return dump;
}

jmm_dump_heap jmm_heap_dumper(JavaVM *vm, JNIEnv *jni)
{
	void *symbol =
	        os_symbol_beside((const void *)(uintptr_t)(*vm)->GetEnv, "JVM_GetManagement");
	/* Another VM may export the same name for another table. */
	if (symbol == NULL ||
	    os_symbol_beside((const void *)(uintptr_t)(*vm)->GetEnv, "gHotSpotVMStructs") == NULL)
		return NULL;
	get_management management;
	memcpy(&management, &symbol, sizeof(management));

	for (size_t at = 0; at < sizeof(versions) / sizeof(versions[0]); at++) {
		void *const *table = management(versions[at]);
		if (table != NULL)
			return dumper_of(table, versions[at], jni);
	}
	return NULL;
}
