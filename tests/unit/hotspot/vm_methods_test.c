/*
 * Tests of method ids and bytecode indexes, read from structures of a made-up VM.
 */
#include "hotspot/vm_methods.h"
#include "os_machine.h"
#include "run_suite.h"

#include <stdlib.h>
#include <string.h>

struct made_class {
	uint64_t other;
	uintptr_t *ids;
};

struct made_pool {
	uint64_t other[2];
	struct made_class *holder;
};

struct made_const_method {
	struct made_pool *pool;
	uint16_t code_size;
	uint16_t number;
	uint32_t other;
	unsigned char code[8];
};

struct made_method {
	uint64_t other;
	struct made_const_method *const_method;
};

static const struct vm_methods methods = {
        .const_method = offsetof(struct made_method, const_method),
        .const_method_bytes = offsetof(struct made_const_method, code),
        .constants = offsetof(struct made_const_method, pool),
        .code_size = offsetof(struct made_const_method, code_size),
        .id_number = offsetof(struct made_const_method, number),
        .pool_holder = offsetof(struct made_pool, holder),
        .ids = offsetof(struct made_class, ids),
};

static struct made_class class;
static struct made_pool pool = {.holder = &class};
static struct made_const_method const_method = {.pool = &pool, .code_size = 5, .number = 1};
static struct made_method method = {.const_method = &const_method};
static uintptr_t cell;
static uintptr_t ids[3];

static void setup(void)
{
	cell = (uintptr_t)&method;
	ids[0] = 2;
	ids[1] = 0;
	ids[2] = (uintptr_t)&cell;
	class.ids = ids;
}

static void *id_of_method(void)
{
	return vm_methods_id(&methods, (uintptr_t)&method);
}

START_TEST(a_method_has_the_id_in_the_table_of_its_class)
{
	ck_assert_ptr_eq(id_of_method(), &cell);
}
END_TEST

START_TEST(an_id_that_leads_to_another_method_is_none)
{
	cell++;
	ck_assert_ptr_null(id_of_method());
}
END_TEST

START_TEST(a_method_whose_id_was_not_made_has_none)
{
	ids[2] = 0;
	ck_assert_ptr_null(id_of_method());
	ids[2] = (uintptr_t)&cell;
	ids[0] = 1;
	ck_assert_ptr_null(id_of_method());
	class.ids = NULL;
	ck_assert_ptr_null(id_of_method());
	ck_assert_ptr_null(vm_methods_id(&methods, 0));
	ck_assert_ptr_null(vm_methods_id(&methods, (uintptr_t)&method + 1));
}
END_TEST

START_TEST(bytecodes_are_those_of_the_method)
{
	uintptr_t first = (uintptr_t)const_method.code;
	int32_t index = -1;

	ck_assert(vm_methods_bytecode(&methods, (uintptr_t)&method, first, &index));
	ck_assert_int_eq(index, 0);
	ck_assert(vm_methods_bytecode(&methods, (uintptr_t)&method, first + 4, &index));
	ck_assert_int_eq(index, 4);
	ck_assert(!vm_methods_bytecode(&methods, (uintptr_t)&method, first + 5, &index));
	ck_assert(!vm_methods_bytecode(&methods, (uintptr_t)&method, first - 1, &index));
}
END_TEST

struct junk {
	uintptr_t address;
	void *id;
};

static void look_for_id(void *argument)
{
	struct junk *junk = argument;
	junk->id = vm_methods_id(&methods, junk->address);
}

/* A word of a stack is asked whether it is a method: then nothing is known of what it points to,
 * such as memory that has been freed. */
START_TEST(what_is_no_method_may_be_any_address)
{
	enum { BYTES = 256 };
	char *freed = calloc(1, BYTES);
	uintptr_t address = (uintptr_t)freed;

	ck_assert_ptr_nonnull(freed);
	for (size_t at = 0; at < BYTES; at += sizeof(uintptr_t)) {
		struct junk junk = {.address = address + at};
		if (at == BYTES / 2)
			free(freed);
		(void)os_call_guarded(look_for_id, &junk);
		ck_assert_ptr_null(junk.id);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("vm_methods");
	TCase *tests = tcase_create("methods");

	tcase_set_timeout(tests, 60);
	tcase_add_checked_fixture(tests, setup, NULL);
	tcase_add_test(tests, a_method_has_the_id_in_the_table_of_its_class);
	tcase_add_test(tests, an_id_that_leads_to_another_method_is_none);
	tcase_add_test(tests, a_method_whose_id_was_not_made_has_none);
	tcase_add_test(tests, bytecodes_are_those_of_the_method);
	tcase_add_test(tests, what_is_no_method_may_be_any_address);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
