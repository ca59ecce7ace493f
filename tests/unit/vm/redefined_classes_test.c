/*
 * Tests of the newest versions of redefined classes. JNI is a fake with a few classes; the VM's
 * part, which takes or refuses a version, is played by the tests.
 */
#include "vm/redefined_classes.h"
#include "run_suite.h"

#include <stdlib.h>
#include <string.h>

struct fake_class {
	struct fake_class *super;
	jint redefinitions; /* what the VM counts: its own and its superclasses' */
	bool is_unloaded;
};

static struct fake_class object;
static struct fake_class class_class = {.super = &object};
static struct fake_class super = {.super = &object};
static struct fake_class sub = {.super = &super};
static struct fake_class interface;
static struct fake_class other = {.super = &object};
static struct fake_class *const all[] = {&object, &class_class, &super, &sub, &interface, &other};
static unsigned weak_references;
static bool has_count_field;
static struct redefined_classes list;
static JNIEnv jni;

/* ---- the fake ----------------------------------------------------------- */

static jclass reference(struct fake_class *class)
{
	return (jclass)(void *)class;
}

static struct fake_class *fake_of(jobject object_reference)
{
	return (struct fake_class *)(void *)object_reference;
}

static jclass JNICALL find_class(JNIEnv *env, const char *name)
{
	(void)env;
	return reference(strcmp(name, "java/lang/Object") == 0 ? &object : &class_class);
}

static jobject JNICALL same_reference(JNIEnv *env, jobject given)
{
	(void)env;
	return given;
}

static jweak JNICALL new_weak(JNIEnv *env, jobject given)
{
	(void)env;
	weak_references++;
	return given;
}

static void JNICALL delete_weak(JNIEnv *env, jweak given)
{
	(void)env;
	(void)given;
	weak_references--;
}

static void JNICALL delete_local(JNIEnv *env, jobject given)
{
	(void)env;
	(void)given;
}

static void JNICALL clear_exception(JNIEnv *env)
{
	(void)env;
}

static jfieldID JNICALL field_id(JNIEnv *env, jclass of, const char *name, const char *signature)
{
	(void)env;
	(void)of;
	(void)name;
	(void)signature;
	return has_count_field ? (jfieldID)(void *)&object : NULL;
}

static jint JNICALL int_field(JNIEnv *env, jobject of, jfieldID field)
{
	(void)env;
	(void)field;
	return fake_of(of)->redefinitions;
}

static jclass JNICALL superclass(JNIEnv *env, jclass of)
{
	(void)env;
	return reference(fake_of(of)->super);
}

static jboolean JNICALL is_same(JNIEnv *env, jobject a, jobject b)
{
	(void)env;
	if (b == NULL)
		return fake_of(a)->is_unloaded;
	return a == b && !fake_of(a)->is_unloaded;
}

/* ---- the VM's part -------------------------------------------------------- */

static bool is_subclass(const struct fake_class *class, const struct fake_class *of)
{
	if (of == &object)
		return true; /* an interface, too */
	while (class != NULL && class != of)
		class = class->super;
	return class == of;
}

/* The VM has redefined or retransformed the class. */
static void take(const struct fake_class *class)
{
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		all[i]->redefinitions += is_subclass(all[i], class);
}

static struct transformed_class passing(struct fake_class *class, const char *version)
{
	return (struct transformed_class){reference(class), "Name", (const uint8_t *)version,
	                                  strlen(version)};
}

/* A redefinition passes the hooks; the transformers before ours make of it what is seen. */
static void redefine(struct fake_class *class, const char *version, const char *seen,
                     bool is_cached)
{
	struct transformed_class given = passing(class, version);
	struct transformed_class changed = passing(class, seen);
	size_t length = 0;

	ck_assert(redefined_classes_begin(&list, &jni, &given, is_cached));
	ck_assert_ptr_null(redefined_classes_newest(&list, &jni, &changed, false, &length));
}

/* What a retransformation uses that the VM begins with given. */
static void expect(struct fake_class *class, const char *given, bool is_own, const char *wanted)
{
	struct transformed_class passed = passing(class, given);
	size_t length = strlen(given);
	uint8_t *newest = redefined_classes_newest(&list, &jni, &passed, is_own, &length);
	const char *used = newest != NULL ? (const char *)newest : given;

	ck_assert_uint_eq(length, strlen(wanted));
	ck_assert_mem_eq(used, wanted, length);
	free(newest);
	take(class);
}

static void set_up(void)
{
	static struct JNINativeInterface_ functions = {
	        .FindClass = find_class,
	        .NewGlobalRef = same_reference,
	        .NewWeakGlobalRef = new_weak,
	        .DeleteWeakGlobalRef = delete_weak,
	        .DeleteLocalRef = delete_local,
	        .ExceptionClear = clear_exception,
	        .GetFieldID = field_id,
	        .GetIntField = int_field,
	        .GetSuperclass = superclass,
	        .IsSameObject = is_same,
	};

	jni = &functions;
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		all[i]->redefinitions = 0;
		all[i]->is_unloaded = false;
	}
	weak_references = 0;
	has_count_field = true;
	list = (struct redefined_classes){0};
	ck_assert(redefined_classes_init(&list, &jni));
}

/* Adding a class removes those that are unloaded. */
static void tear_down(void)
{
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		all[i]->is_unloaded = true;
	redefine(&other, "last", "last", false);
	ck_assert_uint_eq(weak_references, 1);
	os_mutex_destroy(&list.lock);
}

/* ---- tests ---------------------------------------------------------------- */

START_TEST(a_class_that_nobody_redefined_is_left_alone)
{
	expect(&sub, "one", true, "one");
	redefine(&other, "two", "two", true);
	take(&other);
	expect(&sub, "one", true, "one");
	expect(&sub, "one", false, "one");
}
END_TEST

START_TEST(the_newest_version_replaces_an_old_one)
{
	redefine(&sub, "two", "two", true);
	take(&sub);
	expect(&sub, "one", true, "two");
	redefine(&sub, "three", "three", true);
	take(&sub);
	expect(&sub, "one", false, "three");
	expect(&sub, "one", true, "three");
}
END_TEST

START_TEST(a_version_that_the_vm_refused_does_not_count)
{
	redefine(&sub, "two", "two", true);
	expect(&sub, "one", true, "one");
	redefine(&sub, "three", "three", true);
	take(&sub);
	redefine(&sub, "four", "four", true);
	expect(&sub, "one", true, "three");
}
END_TEST

START_TEST(a_redefined_superclass_is_not_taken_for_the_class)
{
	redefine(&sub, "two", "two", true);
	take(&super);
	take(&object);
	expect(&sub, "one", true, "one");
	redefine(&interface, "two", "two", true);
	take(&object);
	expect(&interface, "one", true, "one");
	redefine(&object, "two", "two", true);
	expect(&object, "one", true, "one");
	redefine(&interface, "three", "three", true);
	take(&object);
	take(&interface);
	expect(&interface, "one", true, "three");
}
END_TEST

START_TEST(without_the_vm_s_count_each_version_is_taken_as_accepted)
{
	list.count = NULL;
	redefine(&sub, "two", "two", true);
	expect(&sub, "one", true, "two");
}
END_TEST

START_TEST(what_earlier_transformers_made_of_the_version_stays_in_our_own_retransformation)
{
	redefine(&sub, "two", "two changed", true);
	take(&sub);
	expect(&sub, "one changed", true, "two changed");
}
END_TEST

START_TEST(others_retransform_from_the_right_version_as_they_like)
{
	redefine(&sub, "two", "two", false);
	take(&sub);
	expect(&sub, "two changed", false, "two changed");
	expect(&sub, "two", true, "two changed");
	expect(&sub, "two", false, "two");
	expect(&sub, "two changed", true, "two");
}
END_TEST

START_TEST(a_retransformation_of_others_that_the_vm_refused_does_not_count)
{
	struct transformed_class changed = passing(&sub, "two changed");
	size_t length = 0;

	redefine(&sub, "two", "two", false);
	take(&sub);
	ck_assert_ptr_null(redefined_classes_newest(&list, &jni, &changed, false, &length));
	expect(&sub, "one", true, "two");
}
END_TEST

START_TEST(classes_of_the_same_name_are_kept_apart)
{
	redefine(&sub, "two", "two", true);
	take(&sub);
	redefine(&other, "three", "three", true);
	take(&other);
	expect(&sub, "one", true, "two");
	expect(&other, "one", true, "three");
}
END_TEST

static Suite *redefined_classes_suite(void)
{
	Suite *suite = suite_create("redefined_classes");
	TCase *versions = tcase_create("versions");

	tcase_add_checked_fixture(versions, set_up, tear_down);
	tcase_add_test(versions, a_class_that_nobody_redefined_is_left_alone);
	tcase_add_test(versions, the_newest_version_replaces_an_old_one);
	tcase_add_test(versions, a_version_that_the_vm_refused_does_not_count);
	tcase_add_test(versions, a_redefined_superclass_is_not_taken_for_the_class);
	tcase_add_test(versions, without_the_vm_s_count_each_version_is_taken_as_accepted);
	tcase_add_test(
	        versions,
	        what_earlier_transformers_made_of_the_version_stays_in_our_own_retransformation);
	tcase_add_test(versions, others_retransform_from_the_right_version_as_they_like);
	tcase_add_test(versions, a_retransformation_of_others_that_the_vm_refused_does_not_count);
	tcase_add_test(versions, classes_of_the_same_name_are_kept_apart);
	suite_add_tcase(suite, versions);
	return suite;
}

int main(void)
{
	return run_suite(redefined_classes_suite());
}
