/*
 * junit.c: writes a verdict as JUnit XML: a failed test case for each context that grew, and a
 * passed one for calls and for allocated bytes when none did. See verdict.h.
 */
#include "export/xml_text.h"
#include "gate/verdict.h"

#include <stdint.h>
#include <string.h>

/* More of them help nobody. */
enum { CASES_MAX = 100 };

static const char *const class_names[MEASURES] = {
        [MEASURE_CALLS] = "hprof.calls", [MEASURE_BYTES] = "hprof.allocations"};

static size_t case_count(const struct judged *judged)
{
	return judged->grew < CASES_MAX ? judged->grew : CASES_MAX;
}

static void add_text(struct byte_buffer *out, const struct string *name)
{
	xml_add_text(out, name->text, name->length, SIZE_MAX);
}

static void add_message(const struct verdict *verdict, const struct growth *growth,
                        struct byte_buffer *out)
{
	struct byte_buffer text;

	byte_buffer_init(&text);
	growth_describe(verdict, growth, &text);
	if (text.error != 0)
		byte_buffer_fail(out, text.error);
	else
		xml_add_text(out, (const char *)text.bytes, text.length, SIZE_MAX);
	byte_buffer_free(&text);
}

static void add_failure(const struct verdict *verdict, const struct growth *growth,
                        struct byte_buffer *out)
{
	const struct stack_node *nodes = verdict->contexts->tree.nodes;

	byte_buffer_printf(out, "    <testcase classname=\"%s\" name=\"",
	                   class_names[growth->measure]);
	add_text(out, nodes[growth->node].name);
	if (growth->measure == MEASURE_BYTES && nodes[growth->node].parent != 0) {
		byte_buffer_add_text(out, " in ");
		add_text(out, nodes[nodes[growth->node].parent].name);
	}
	byte_buffer_add_text(out, "\">\n      <failure type=\"growth\" message=\"");
	add_message(verdict, growth, out);
	byte_buffer_add_text(out, "\">\n");
	for (uint32_t at = growth->node; at != 0; at = nodes[at].parent) {
		add_text(out, nodes[at].name);
		byte_buffer_add_u1(out, '\n');
	}
	byte_buffer_add_text(out, "</failure>\n    </testcase>\n");
}

void verdict_write_junit(const struct verdict *verdict, struct byte_buffer *out)
{
	size_t failures = 0;
	size_t passes = 0;

	for (int i = 0; i < MEASURES; i++) {
		failures += case_count(&verdict->of[i]);
		passes += verdict->contexts->measured[i].has[SIDE_NEW] && verdict->of[i].grew == 0;
	}
	byte_buffer_printf(out,
	                   "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	                   "<testsuites tests=\"%zu\" failures=\"%zu\">\n"
	                   "  <testsuite name=\"hprof check --baseline\" tests=\"%zu\" "
	                   "failures=\"%zu\" errors=\"0\" skipped=\"0\">\n",
	                   failures + passes, failures, failures + passes, failures);
	for (int i = 0; i < MEASURES; i++) {
		const struct judged *judged = &verdict->of[i];
		if (verdict->contexts->measured[i].has[SIDE_NEW] && judged->grew == 0)
			byte_buffer_printf(
			        out, "    <testcase classname=\"%s\" name=\"%zu contexts\"/>\n",
			        class_names[i], judged->contexts);
		for (size_t g = 0; g < case_count(judged); g++)
			add_failure(verdict, &judged->growths[g], out);
	}
	byte_buffer_add_text(out, "  </testsuite>\n</testsuites>\n");
}
