/*
 * libFuzzer harness of the names of JVMs: a performance data file that any user may have written,
 * the command line in it, and the comparison with a name. `make fuzz` builds and runs it.
 */
#include "attach/jvm_names.h"
#include "attach/perf_data.h"

#include <stdlib.h>
#include <string.h>

enum { VALUE_BYTES = 64 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char value[VALUE_BYTES];

	if (!perf_data_text(data, size, "sun.rt.javaCommand", value, sizeof(value)))
		return 0;
	if (strnlen(value, sizeof(value)) == sizeof(value))
		abort();
	(void)jvm_name_matches(value, "Main");
	(void)jvm_name_matches(value, "a.jar");
	(void)jvm_name_matches(value, value);
	return 0;
}
