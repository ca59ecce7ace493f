/*
 * Tests of what headers before JDK 21 lack for virtual threads, against a JVM TI
 * environment of our own.
 */
#include "vm/virtual_threads.h"
#include "run_suite.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* JVM TI 21 puts can_support_virtual_threads after the 44 older capabilities. */
#define VIRTUAL_THREADS_BIT 44

static int set_bits(const jvmtiCapabilities *capabilities)
{
	const unsigned char *bytes = (const unsigned char *)capabilities;
	int count = 0;

	for (size_t i = 0; i < sizeof(*capabilities) * 8; i++)
		count += bytes[i / 8] >> (i % 8) & 1;
	return count;
}

START_TEST(wanting_virtual_threads_sets_their_bit_and_no_other)
{
	jvmtiCapabilities capabilities;

	memset(&capabilities, 0, sizeof(capabilities));
	virtual_threads_add_capability(&capabilities);
	const unsigned char *bytes = (const unsigned char *)&capabilities;
	ck_assert_int_eq(set_bits(&capabilities), 1);
	ck_assert(bytes[VIRTUAL_THREADS_BIT / 8] & 1u << VIRTUAL_THREADS_BIT % 8);
}
END_TEST

START_TEST(wanting_virtual_threads_keeps_other_capabilities)
{
	jvmtiCapabilities capabilities;

	memset(&capabilities, 0, sizeof(capabilities));
	capabilities.can_tag_objects = 1;
	capabilities.can_generate_sampled_object_alloc_events = 1;
	virtual_threads_add_capability(&capabilities);
	virtual_threads_add_capability(&capabilities);
	ck_assert_int_eq(set_bits(&capabilities), 3);
	ck_assert(capabilities.can_tag_objects);
	ck_assert(capabilities.can_generate_sampled_object_alloc_events);
}
END_TEST

/* ---- a VM with extension functions ------------------------------------ */

#define GET_VIRTUAL_THREAD "com.sun.hotspot.functions.GetVirtualThread"

static const char *const *ids; /* of the VM's functions; ends with a NULL */
static jvmtiError answer;
static bool bare; /* the functions have neither parameters nor errors */
static int held;  /* allocations that were given out and not taken back */

static void *give(size_t size)
{
	void *memory = calloc(1, size);
	ck_assert_ptr_nonnull(memory);
	held++;
	return memory;
}

static char *give_text(const char *text)
{
	return strcpy(give(strlen(text) + 1), text);
}

static jvmtiError JNICALL take_back(jvmtiEnv *env, unsigned char *memory)
{
	(void)env;
	ck_assert_ptr_nonnull(memory);
	held--;
	free(memory);
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL virtual_thread(jvmtiEnv *env, ...)
{
	(void)env;
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL another(jvmtiEnv *env, ...)
{
	(void)env;
	return JVMTI_ERROR_INTERNAL;
}

static void fill(jvmtiExtensionFunctionInfo *info, const char *id)
{
	info->func = strcmp(id, GET_VIRTUAL_THREAD) == 0 ? virtual_thread : another;
	info->id = give_text(id);
	info->short_description = give_text("description");
	if (bare)
		return;
	info->param_count = 2;
	info->params = give(2 * sizeof(*info->params));
	info->params[0].name = give_text("thread");
	info->params[1].name = give_text("virtual_thread");
	info->error_count = 1;
	info->errors = give(sizeof(*info->errors));
}

static jvmtiError JNICALL list(jvmtiEnv *env, jint *count, jvmtiExtensionFunctionInfo **functions)
{
	(void)env;
	if (answer != JVMTI_ERROR_NONE)
		return answer;
	*count = 0;
	while (ids[*count] != NULL)
		(*count)++;
	*functions = *count == 0 ? NULL : give((size_t)*count * sizeof(**functions));
	for (jint i = 0; i < *count; i++)
		fill(&(*functions)[i], ids[i]);
	return JVMTI_ERROR_NONE;
}

static virtual_thread_of *find(const char *const *functions)
{
	static const struct jvmtiInterface_1_ interface = {.Deallocate = take_back,
	                                                   .GetExtensionFunctions = list};
	jvmtiEnv env = &interface;

	ids = functions;
	virtual_thread_of *found = virtual_threads_find(&env);
	ck_assert_int_eq(held, 0);
	return found;
}

/* Whether the function is that of the VM. */
static bool is_the_vm_s(virtual_thread_of *found)
{
	jvmtiExtensionFunction expected = virtual_thread;
	return memcmp(&found, &expected, sizeof(found)) == 0;
}

START_TEST(the_function_is_found_wherever_it_is_listed)
{
	static const char *const alone[] = {GET_VIRTUAL_THREAD, NULL};
	static const char *const first[] = {GET_VIRTUAL_THREAD, "a", "b", NULL};
	static const char *const last[] = {"a", "b", GET_VIRTUAL_THREAD, NULL};

	ck_assert(is_the_vm_s(find(alone)));
	ck_assert(is_the_vm_s(find(first)));
	ck_assert(is_the_vm_s(find(last)));
}
END_TEST

START_TEST(a_vm_without_the_function_has_none)
{
	static const char *const others[] = {"com.sun.hotspot.functions.IsClassUnloadingEnabled",
	                                     GET_VIRTUAL_THREAD "s", NULL};
	static const char *const none[] = {NULL};

	ck_assert(find(others) == NULL);
	ck_assert(find(none) == NULL);
}
END_TEST

START_TEST(a_vm_that_does_not_list_functions_has_none)
{
	static const char *const alone[] = {GET_VIRTUAL_THREAD, NULL};

	answer = JVMTI_ERROR_OUT_OF_MEMORY;
	virtual_thread_of *found = find(alone);
	answer = JVMTI_ERROR_NONE;
	ck_assert(found == NULL);
}
END_TEST

START_TEST(functions_without_parameters_and_errors_are_taken)
{
	static const char *const alone[] = {GET_VIRTUAL_THREAD, NULL};

	bare = true;
	ck_assert(is_the_vm_s(find(alone)));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("virtual_threads");
	TCase *tests = tcase_create("virtual threads");

	tcase_add_test(tests, wanting_virtual_threads_sets_their_bit_and_no_other);
	tcase_add_test(tests, wanting_virtual_threads_keeps_other_capabilities);
	tcase_add_test(tests, the_function_is_found_wherever_it_is_listed);
	tcase_add_test(tests, a_vm_without_the_function_has_none);
	tcase_add_test(tests, a_vm_that_does_not_list_functions_has_none);
	tcase_add_test(tests, functions_without_parameters_and_errors_are_taken);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
