/*
 * Tests of the resolver: which method ids it passes to the VM, and how it names a method
 * that the VM does not know, or no longer. The VM and the registry of classes are stand-ins,
 * the model is the agent's own.
 */
#include "vm/frame_resolver.h"

#include "vm/class_registry.h"
#include "run_suite.h"

#include <string.h>

static struct settings settings = {.lineno = true};
static struct profile profile = {.settings = &settings};
static struct frame_resolver *resolver;
static const struct class_record *class;
static char method_memory;
static jmethodID method = (jmethodID)(void *)&method_memory;

static jvmtiError class_error; /* what the VM answers */
static jvmtiError name_error;
static unsigned asked; /* how often it was passed the id */
static unsigned references;
static unsigned faults;

/* ---- stand-ins --------------------------------------------------------- */

static jvmtiError JNICALL get_declaring_class(jvmtiEnv *env, jmethodID id, jclass *declaring)
{
	(void)env;
	ck_assert_ptr_eq(id, method);
	asked++;
	if (class_error != JVMTI_ERROR_NONE)
		return class_error;
	references++;
	*declaring = (jclass)(void *)&class_error;
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL get_method_name(jvmtiEnv *env, jmethodID id, char **name,
                                          char **signature, char **generic)
{
	(void)env;
	(void)generic;
	ck_assert_ptr_eq(id, method);
	ck_assert_uint_eq(references, 1);
	if (name_error != JVMTI_ERROR_NONE)
		return name_error;
	*name = strdup("run");
	*signature = strdup("()V");
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL get_source_file(jvmtiEnv *env, jclass its_class, char **name)
{
	(void)env;
	(void)its_class;
	(void)name;
	return JVMTI_ERROR_ABSENT_INFORMATION;
}

static jvmtiError JNICALL is_native(jvmtiEnv *env, jmethodID id, jboolean *native)
{
	(void)env;
	(void)id;
	*native = JNI_TRUE;
	return JVMTI_ERROR_NONE;
}

static void JNICALL delete_local(JNIEnv *env, jobject object)
{
	(void)env;
	(void)object;
	references--;
}

const struct class_record *class_registry_find(struct class_registry *registry, jclass asked_class)
{
	(void)registry;
	(void)asked_class;
	return class;
}

void profile_deallocate(struct profile *its_profile, void *memory)
{
	(void)its_profile;
	free(memory);
}

void profile_out_of_memory(struct profile *its_profile)
{
	faults++;
	atomic_store(&its_profile->stopped, true);
}

static JNIEnv *jni(void)
{
	static struct JNINativeInterface_ functions;
	static JNIEnv environment = &functions;
	functions.DeleteLocalRef = delete_local;
	return &environment;
}

/* ---- tests ------------------------------------------------------------- */

static void set_up(void)
{
	static struct jvmtiInterface_1_ functions;
	static jvmtiEnv environment = &functions;

	functions.GetMethodDeclaringClass = get_declaring_class;
	functions.GetMethodName = get_method_name;
	functions.GetSourceFileName = get_source_file;
	functions.IsMethodNative = is_native;
	class_error = JVMTI_ERROR_NONE;
	name_error = JVMTI_ERROR_NONE;
	asked = 0;
	faults = 0;
	profile.jvmti = &environment;
	atomic_store(&profile.stopped, false);
	ck_assert(model_init(&profile.model));
	class = class_table_add(profile.model.classes, "Lapp/Late;");
	resolver = frame_resolver_create(&profile);
	ck_assert_ptr_nonnull(class);
	ck_assert_ptr_nonnull(resolver);
}

static void tear_down(void)
{
	ck_assert_uint_eq(references, 0);
	frame_resolver_destroy(resolver);
	model_destroy(&profile.model);
}

static void check_frame(int64_t bci, const char *class_name, const char *name)
{
	const struct frame *frame = frame_resolver_find(resolver, jni(), method, bci);
	ck_assert_ptr_nonnull(frame);
	ck_assert_str_eq(frame->method->class->name->text, class_name);
	ck_assert_str_eq(frame->method->name->text, name);
}

START_TEST(an_id_that_the_vm_has_freed_is_an_unknown_method)
{
	class_error = JVMTI_ERROR_INVALID_METHODID;
	check_frame(0, "<unloaded class>", "<unknown method>");
	check_frame(5, "<unloaded class>", "<unknown method>");
	ck_assert_uint_eq(asked, 1);
	ck_assert_uint_eq(faults, 0);
}
END_TEST

START_TEST(the_vm_is_not_asked_about_a_method_that_is_learnt)
{
	frame_resolver_learn(resolver, jni(), &method, 1);
	class_error = JVMTI_ERROR_INVALID_METHODID;
	frame_resolver_learn(resolver, jni(), &method, 1);
	check_frame(0, "app.Late", "run");
	check_frame(5, "app.Late", "run");
	ck_assert_uint_eq(asked, 1);
}
END_TEST

START_TEST(nor_about_one_that_could_not_be_learnt)
{
	name_error = JVMTI_ERROR_INTERNAL;
	frame_resolver_learn(resolver, jni(), &method, 1);
	ck_assert_uint_eq(asked, 1);
	check_frame(0, "<unloaded class>", "<unknown method>");
	ck_assert_uint_eq(asked, 1);
	ck_assert_uint_eq(faults, 0);
}
END_TEST

START_TEST(want_of_memory_is_reported_and_ends_all_asking)
{
	jvmtiError *failing = _i == 0 ? &class_error : &name_error;
	*failing = JVMTI_ERROR_OUT_OF_MEMORY;
	frame_resolver_learn(resolver, jni(), &method, 1);
	ck_assert_uint_eq(faults, 1);
	*failing = JVMTI_ERROR_NONE;
	ck_assert_ptr_null(frame_resolver_find(resolver, jni(), method, 0));
	ck_assert_uint_eq(asked, 1);
}
END_TEST

static Suite *frame_resolver_suite(void)
{
	Suite *suite = suite_create("frame_resolver");
	TCase *tests = tcase_create("ids");

	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, an_id_that_the_vm_has_freed_is_an_unknown_method);
	tcase_add_test(tests, the_vm_is_not_asked_about_a_method_that_is_learnt);
	tcase_add_test(tests, nor_about_one_that_could_not_be_learnt);
	tcase_add_loop_test(tests, want_of_memory_is_reported_and_ends_all_asking, 0, 2);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(void)
{
	return run_suite(frame_resolver_suite());
}
