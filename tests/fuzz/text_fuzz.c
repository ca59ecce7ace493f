/*
 * libFuzzer harness of what `hprof report` does with a text profile, packed or not.
 * `make fuzz` builds and runs it.
 */
#include "reading.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	report_tables(report_read_text, data, size);
	report_stacks(report_read_text, data, size);
	report_costs(report_read_text, data, size);
	return 0;
}
