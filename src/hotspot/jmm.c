/*
 * jmm.c: finds the dumper in the table of functions that JVM_GetManagement
 * gives. Any thread; no lock.
 */
#include "hotspot/jmm.h"

#include "os/os.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef void *(JNICALL *get_management)(jint version);
typedef jint(JNICALL *get_version)(JNIEnv *jni);

enum {
	SLOT_ONE_THREAD_ALLOCATED = 1, /* set in later releases of JDK 11 alone */
	SLOT_VERSION = 2
};

/* Where the dumper is, by version of the interface. A version stands for several tables:
 * in each, the third place after the dumper was reserved at first. Whether it still is
 * shows if the table has grown in the middle. */
static const struct {
	jint version;
	int dump_heap;
	bool reserved; /* the reserved place is still empty */
} tables[] = {
        {0x20040000, 30, true},  /* JDK 21 and on */
        {0x20030000, 29, false}, /* JDK 14 to 20; 11: one less */
        {0x20020000, 28, false}, /* JDK 10 to 13 */
};

/* The table is one of functions; ISO C has no cast from a pointer to data. */
static void *slot(void *const *table, int index)
{
	return table[index];
}

/* The dumper of a table of the kind tables[at], if it really is one. */
static jmm_dump_heap dumper_of(void *const *table, size_t at, JNIEnv *jni)
{
	get_version ask;
	void *function = slot(table, SLOT_VERSION);
	if (function == NULL)
		return NULL;
	memcpy(&ask, &function, sizeof(ask));
	if (ask(jni) != tables[at].version)
		return NULL;

	int place = tables[at].dump_heap;
	if (slot(table, SLOT_ONE_THREAD_ALLOCATED) != NULL)
		place--;
	if (tables[at].reserved &&
	    (slot(table, place + 3) != NULL || slot(table, place + 2) == NULL))
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

	void *const *table = NULL;
	size_t at = 0;
	for (; at < sizeof(tables) / sizeof(tables[0]); at++) {
		table = management(tables[at].version);
		if (table != NULL)
			break;
	}
	return table == NULL ? NULL : dumper_of(table, at, jni);
}
