/*
 * Tests of reading identity hashes in a walk of the heap, with objects made by hand: the trial
 * finds where a VM keeps the object's address and the hashes of locked objects, and refuses where
 * it does not find all of it.
 */
#include "hotspot/marked_heap.h"
#include "run_suite.h"

#include <string.h>

/* The lock bits of a header. */
enum { LOCKED, UNLOCKED, MONITOR, FORWARDED };

enum { WORDS_BEFORE_TAG = 6, OBJECT_WORDS_MAX = 4, MONITOR_WORDS = 4, OTHER_BITS = 0x78 };

static const uint32_t hashes[TRIAL_OBJECTS] = {0x2C6E9A35, 0x51B3D70F, 0x6A94C3E9};

/* What a VM does. */
struct layout {
	uint32_t shift;
	uint32_t object_words;
	bool locked_apart;
	bool monitor_apart;
	uint32_t monitor_word;
};

static const struct layout plain = {.shift = 11, .object_words = 2};

/* An object, what its header points to, and the structure in which the VM has the tag. */
struct made_object {
	uintptr_t header;
	uintptr_t apart[MONITOR_WORDS + 1];
	uintptr_t words[WORDS_BEFORE_TAG];
	jlong tag;
};

static struct made_object objects[TRIAL_OBJECTS];
static struct marked_trial trial;

static uintptr_t header_of(uint32_t hash, uint32_t shift, uintptr_t lock_bits)
{
	return (uintptr_t)hash << shift | (OTHER_BITS & (((uintptr_t)1 << shift) - 1)) | lock_bits;
}

/* The address is that many words before the tag, and no other word is one. */
static void place(struct made_object *object, uint32_t object_words)
{
	for (uint32_t i = 0; i < WORDS_BEFORE_TAG; i++)
		object->words[i] = 2 * i + 1;
	object->words[WORDS_BEFORE_TAG - object_words] = (uintptr_t)&object->header;
}

static void make_objects(const struct layout *layout)
{
	memset(objects, 0, sizeof(objects));
	for (int i = 0; i < TRIAL_OBJECTS; i++)
		place(&objects[i], layout->object_words);
	objects[TRIAL_FREE].header = header_of(hashes[TRIAL_FREE], layout->shift, UNLOCKED);

	struct made_object *locked = &objects[TRIAL_LOCKED];
	locked->header = header_of(hashes[TRIAL_LOCKED], layout->shift, LOCKED);
	if (layout->locked_apart) {
		locked->apart[0] = header_of(hashes[TRIAL_LOCKED], layout->shift, UNLOCKED);
		locked->header = (uintptr_t)locked->apart;
	}

	struct made_object *waited = &objects[TRIAL_MONITOR];
	waited->header = header_of(hashes[TRIAL_MONITOR], layout->shift, MONITOR);
	if (layout->monitor_apart) {
		waited->apart[layout->monitor_word] =
		        header_of(hashes[TRIAL_MONITOR], layout->shift, UNLOCKED);
		waited->header = (uintptr_t)waited->apart | MONITOR;
	}
}

static void begin_trial(uint32_t shift)
{
	memset(&trial, 0, sizeof(trial));
	trial.hash_shift = shift;
	memcpy(trial.hashes, hashes, sizeof(hashes));
}

/* One walk over the objects, that one first and the others in turn. */
static void walk_from(int first)
{
	for (int i = 0; i < TRIAL_OBJECTS; i++)
		marked_trial_look(&trial, &objects[(first + i) % TRIAL_OBJECTS].tag);
}

static bool try_from(uint32_t shift, int first)
{
	begin_trial(shift);
	walk_from(first);
	walk_from(first);
	return marked_trial_succeeded(&trial);
}

static void check_hashes(void)
{
	for (int i = 0; i < TRIAL_OBJECTS; i++)
		ck_assert_uint_eq(marked_heap_hash(&trial.heap, &objects[i].tag), hashes[i]);
}

static void check_layout(const struct layout *layout)
{
	for (int first = 0; first < TRIAL_OBJECTS; first++) {
		make_objects(layout);
		ck_assert(try_from(layout->shift, first));
		ck_assert_uint_eq(trial.heap.hash_shift, layout->shift);
		ck_assert_uint_eq(trial.heap.object_words, layout->object_words);
		ck_assert(trial.heap.locked_apart == layout->locked_apart);
		ck_assert(trial.heap.monitor_apart == layout->monitor_apart);
		ck_assert_uint_eq(trial.heap.monitor_word, layout->monitor_word);
		check_hashes();
	}
}

START_TEST(each_layout_is_found)
{
	static const uint32_t shifts[] = {8, 11};

	for (int shift = 0; shift < 2; shift++) {
		for (uint32_t words = 1; words <= OBJECT_WORDS_MAX; words++) {
			struct layout layout = {.shift = shifts[shift], .object_words = words};
			for (int locked_apart = 0; locked_apart < 2; locked_apart++) {
				layout.locked_apart = locked_apart != 0;
				layout.monitor_apart = false;
				layout.monitor_word = 0;
				check_layout(&layout);
				layout.monitor_apart = true;
				for (uint32_t word = 0; word < MONITOR_WORDS; word++) {
					layout.monitor_word = word;
					check_layout(&layout);
				}
			}
		}
	}
}
END_TEST

/* An object that is not the trial's, of any state. */
static void look_at_other(uintptr_t header)
{
	static struct made_object other;

	place(&other, plain.object_words);
	other.header = header;
	marked_trial_look(&trial, &other.tag);
}

START_TEST(other_objects_are_passed_over)
{
	static uintptr_t apart[MONITOR_WORDS];

	make_objects(&plain);
	begin_trial(plain.shift);
	for (int i = 0; i < 2; i++) {
		look_at_other(header_of(0, plain.shift, UNLOCKED));
		look_at_other(header_of(hashes[TRIAL_LOCKED], plain.shift, UNLOCKED));
		look_at_other(header_of(hashes[TRIAL_FREE], plain.shift, LOCKED));
		look_at_other(header_of(hashes[TRIAL_FREE], plain.shift, FORWARDED));
		look_at_other(header_of(hashes[TRIAL_LOCKED], plain.shift, MONITOR));
		look_at_other(header_of(hashes[TRIAL_MONITOR], plain.shift, LOCKED));
		look_at_other((uintptr_t)apart);
		look_at_other((uintptr_t)apart | MONITOR);
		ck_assert(!marked_trial_succeeded(&trial));
		ck_assert(!trial.is_found[TRIAL_LOCKED]);
		ck_assert(!trial.is_found[TRIAL_MONITOR]);
		ck_assert(trial.is_found[TRIAL_FREE] == (i > 0));
		marked_trial_look(&trial, &objects[TRIAL_FREE].tag);
		ck_assert(trial.is_found[TRIAL_FREE]);
	}
	walk_from(0);
	ck_assert(marked_trial_succeeded(&trial));
	check_hashes();
}
END_TEST

/* Which of the words before the tag is the address does not depend on those that are none. */
START_TEST(words_that_are_no_address_are_passed_over)
{
	static const uintptr_t no_addresses[] = {0, 1, 8, 4096 - 8, UINTPTR_MAX, UINTPTR_MAX - 7};
	static uintptr_t no_object;
	const struct layout layout = {.shift = 11, .object_words = OBJECT_WORDS_MAX};

	for (size_t i = 0; i <= sizeof(no_addresses) / sizeof(no_addresses[0]); i++) {
		make_objects(&layout);
		for (uint32_t word = 1; word < OBJECT_WORDS_MAX; word++)
			for (int object = 0; object < TRIAL_OBJECTS; object++)
				objects[object].words[WORDS_BEFORE_TAG - word] =
				        i < sizeof(no_addresses) / sizeof(no_addresses[0])
				                ? no_addresses[i]
				                : (uintptr_t)&no_object;
		ck_assert(try_from(layout.shift, 0));
		ck_assert_uint_eq(trial.heap.object_words, OBJECT_WORDS_MAX);
	}
}
END_TEST

static bool try_plain(void)
{
	return try_from(plain.shift, 0);
}

START_TEST(without_one_of_its_objects_it_refuses)
{
	for (int missing = 0; missing < TRIAL_OBJECTS; missing++) {
		make_objects(&plain);
		objects[missing].header = header_of(0, plain.shift, UNLOCKED);
		ck_assert(!try_plain());
	}
	make_objects(&plain);
	objects[TRIAL_LOCKED].header |= UNLOCKED;
	ck_assert(!try_plain());
	make_objects(&plain);
	objects[TRIAL_MONITOR].header ^= MONITOR ^ UNLOCKED;
	ck_assert(!try_plain());
}
END_TEST

START_TEST(one_walk_is_enough_only_if_the_free_object_comes_first)
{
	for (int first = 0; first < TRIAL_OBJECTS; first++) {
		make_objects(&plain);
		begin_trial(plain.shift);
		walk_from(first);
		ck_assert(marked_trial_succeeded(&trial) == (first == TRIAL_FREE));
	}
}
END_TEST

START_TEST(objects_that_are_elsewhere_are_refused)
{
	struct layout layout = plain;

	layout.object_words = OBJECT_WORDS_MAX + 1;
	make_objects(&layout);
	ck_assert(!try_plain());
	/* Not where an object can be, though its header is there. */
	make_objects(&plain);
	char *odd = (char *)objects[TRIAL_FREE].apart + 1;
	memcpy(odd, &objects[TRIAL_FREE].header, sizeof(objects[TRIAL_FREE].header));
	objects[TRIAL_FREE].words[WORDS_BEFORE_TAG - plain.object_words] = (uintptr_t)odd;
	ck_assert(!try_plain());
	/* Only the free object is where it is expected. */
	make_objects(&plain);
	objects[TRIAL_LOCKED].words[WORDS_BEFORE_TAG - plain.object_words] = 0;
	objects[TRIAL_MONITOR].words[WORDS_BEFORE_TAG - plain.object_words] = 8;
	ck_assert(!try_plain());
}
END_TEST

START_TEST(hashes_that_are_elsewhere_are_refused)
{
	static const struct layout apart = {.shift = 11,
	                                    .object_words = 2,
	                                    .locked_apart = true,
	                                    .monitor_apart = true,
	                                    .monitor_word = MONITOR_WORDS};

	make_objects(&apart);
	ck_assert(!try_plain());
	ck_assert(trial.is_found[TRIAL_LOCKED]);
	make_objects(&plain);
	ck_assert(!try_from(plain.shift - 1, 0));
	ck_assert(!trial.is_found[TRIAL_FREE]);
}
END_TEST

START_TEST(headers_that_point_nowhere_are_refused)
{
	static const uintptr_t nowhere[] = {0, 4096, UINTPTR_MAX - 7};

	for (size_t i = 0; i < sizeof(nowhere) / sizeof(nowhere[0]); i++) {
		make_objects(&plain);
		objects[TRIAL_LOCKED].header = nowhere[i];
		ck_assert(!try_plain());
		make_objects(&plain);
		objects[TRIAL_MONITOR].header = nowhere[i] | MONITOR;
		ck_assert(!try_plain());
	}
}
END_TEST

START_TEST(a_tag_that_is_nowhere_is_refused)
{
	begin_trial(plain.shift);
	marked_trial_look(&trial, NULL);
	marked_trial_look(&trial, (const jlong *)(uintptr_t)4096);
	ck_assert(!trial.is_found[TRIAL_FREE]);
}
END_TEST

static uint32_t hash_of(uintptr_t header)
{
	objects[TRIAL_FREE].header = header;
	return marked_heap_hash(&trial.heap, &objects[TRIAL_FREE].tag);
}

START_TEST(an_object_without_a_hash_has_none)
{
	static uintptr_t apart[MONITOR_WORDS];
	struct layout layout = plain;

	make_objects(&plain);
	ck_assert(try_plain());
	ck_assert_uint_eq(hash_of(header_of(0, plain.shift, UNLOCKED)), 0);
	ck_assert_uint_eq(hash_of(header_of(0, plain.shift, LOCKED)), 0);
	ck_assert_uint_eq(hash_of(header_of(0, plain.shift, MONITOR)), 0);
	layout.locked_apart = layout.monitor_apart = true;
	make_objects(&layout);
	ck_assert(try_plain());
	apart[0] = UNLOCKED;
	ck_assert_uint_eq(hash_of((uintptr_t)apart), 0);
	ck_assert_uint_eq(hash_of((uintptr_t)apart | MONITOR), 0);
}
END_TEST

/* A collector has written over the header. */
START_TEST(an_object_that_is_forwarded_has_none)
{
	make_objects(&plain);
	ck_assert(try_plain());
	ck_assert_uint_eq(hash_of(header_of(hashes[0], plain.shift, FORWARDED)), 0);
}
END_TEST

START_TEST(a_hash_has_31_bits)
{
	make_objects(&plain);
	ck_assert(try_plain());
	ck_assert_uint_eq(hash_of(UINTPTR_MAX ^ MONITOR), INT32_MAX);
	ck_assert_uint_eq(hash_of((uintptr_t)1 << plain.shift | UNLOCKED), 1);
	ck_assert_uint_eq(hash_of((uintptr_t)1 << (plain.shift + 31) | UNLOCKED), 0);
}
END_TEST

static Suite *marked_heap_suite(void)
{
	Suite *suite = suite_create("marked_heap");
	TCase *tests = tcase_create("marked_heap");

	tcase_add_test(tests, each_layout_is_found);
	tcase_add_test(tests, other_objects_are_passed_over);
	tcase_add_test(tests, words_that_are_no_address_are_passed_over);
	tcase_add_test(tests, without_one_of_its_objects_it_refuses);
	tcase_add_test(tests, one_walk_is_enough_only_if_the_free_object_comes_first);
	tcase_add_test(tests, objects_that_are_elsewhere_are_refused);
	tcase_add_test(tests, hashes_that_are_elsewhere_are_refused);
	tcase_add_test(tests, headers_that_point_nowhere_are_refused);
	tcase_add_test(tests, a_tag_that_is_nowhere_is_refused);
	tcase_add_test(tests, an_object_without_a_hash_has_none);
	tcase_add_test(tests, an_object_that_is_forwarded_has_none);
	tcase_add_test(tests, a_hash_has_31_bits);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(void)
{
	return run_suite(marked_heap_suite());
}
