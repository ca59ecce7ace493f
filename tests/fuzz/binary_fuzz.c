/*
 * libFuzzer harness of what `hprof check` and `hprof report` do with a binary profile.
 * `make fuzz` builds and runs it.
 */
#include "reading.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	check_bytes(data, size);
	report_tables(report_read_binary, data, size);
	report_stacks(report_read_binary, data, size);
	report_costs(report_read_binary, data, size);
	return 0;
}
