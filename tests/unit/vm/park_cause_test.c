/*
 * Tests of what a thread parks for, with a VM whose threads have a blocker and whose locks
 * have an owner.
 */
#include "vm/park_cause.h"
#include "run_suite.h"

#include <stdlib.h>
#include <string.h>

struct object {
	bool is_synchronizer;
	struct object *field; /* of the thread: its blocker; of a lock: its owner */
};

static struct object thread;
static struct object lock;
static const char *lock_class;
static jvmtiError thread_error;
static const char *lacking; /* a class or field that this JDK does not have */

/* Ids of fields, and classes, are no more than addresses here. */
static char blocker_id;
static char owner_id;
static struct object class_of_threads;
static struct object class_of_locks;

static jclass JNICALL find_class(JNIEnv *env, const char *name)
{
	(void)env;
	if (lacking != NULL && strcmp(name, lacking) == 0)
		return NULL;
	return (jclass)(strcmp(name, "java/lang/Thread") == 0 ? &class_of_threads
	                                                      : &class_of_locks);
}

static jfieldID JNICALL get_field(JNIEnv *env, jclass class, const char *name,
                                  const char *signature)
{
	(void)env;
	(void)signature;
	if (lacking != NULL && strcmp(name, lacking) == 0)
		return NULL;
	return (jfieldID)(void *)(class == (jclass)&class_of_threads ? &blocker_id : &owner_id);
}

static jobject JNICALL new_global_ref(JNIEnv *env, jobject object)
{
	(void)env;
	return object;
}

static void JNICALL exception_clear(JNIEnv *env)
{
	(void)env;
}

static jobject JNICALL get_object_field(JNIEnv *env, jobject object, jfieldID id)
{
	struct object *of = (struct object *)(void *)object;
	(void)env;
	ck_assert_ptr_eq(id, of == &thread ? (void *)&blocker_id : (void *)&owner_id);
	return (jobject)of->field;
}

static jboolean JNICALL is_instance_of(JNIEnv *env, jobject object, jclass class)
{
	(void)env;
	ck_assert_ptr_eq(class, &class_of_locks);
	return ((struct object *)(void *)object)->is_synchronizer;
}

static jvmtiError JNICALL get_current_thread(jvmtiEnv *env, jthread *current)
{
	(void)env;
	*current = (jthread)&thread;
	return thread_error;
}

static jclass JNICALL get_object_class(JNIEnv *env, jobject object)
{
	(void)env;
	ck_assert_ptr_eq(object, &lock);
	return (jclass)&class_of_locks;
}

static jvmtiError JNICALL get_class_signature(jvmtiEnv *env, jclass class, char **signature,
                                              char **generic)
{
	(void)env;
	(void)generic;
	ck_assert_ptr_eq(class, &class_of_locks);
	if (lock_class == NULL)
		return JVMTI_ERROR_OUT_OF_MEMORY;
	*signature = strdup(lock_class);
	ck_assert_ptr_nonnull(*signature);
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL deallocate(jvmtiEnv *env, unsigned char *memory)
{
	(void)env;
	free(memory);
	return JVMTI_ERROR_NONE;
}

static const struct JNINativeInterface_ functions = {
        .FindClass = find_class,
        .GetFieldID = get_field,
        .NewGlobalRef = new_global_ref,
        .ExceptionClear = exception_clear,
        .GetObjectField = get_object_field,
        .IsInstanceOf = is_instance_of,
        .GetObjectClass = get_object_class,
};
static const struct jvmtiInterface_1_ jvmti_functions = {
        .GetCurrentThread = get_current_thread,
        .GetClassSignature = get_class_signature,
        .Deallocate = deallocate,
};

static void set_up(void)
{
	memset(&thread, 0, sizeof(thread));
	memset(&lock, 0, sizeof(lock));
	lock_class = "Ljava/util/concurrent/CountDownLatch$Sync;";
	thread_error = JVMTI_ERROR_NONE;
	lacking = NULL;
}

static enum wait_cause cause(void)
{
	JNIEnv jni = &functions;
	jvmtiEnv jvmti = &jvmti_functions;
	struct park_fields fields = {0};

	park_fields_find(&fields, &jni);
	return park_cause_of_caller(&fields, &jvmti, &jni);
}

START_TEST(a_thread_that_parks_for_an_owned_lock_waits_for_it)
{
	lock.is_synchronizer = true;
	lock.field = &thread;
	thread.field = &lock;
	ck_assert_int_eq(cause(), WAIT_LOCK);
}
END_TEST

START_TEST(a_synchronizer_without_an_owner_is_no_lock)
{
	lock.is_synchronizer = true;
	thread.field = &lock;
	ck_assert_int_eq(cause(), WAIT_SLEEP);
	lock_class = NULL;
	ck_assert_int_eq(cause(), WAIT_SLEEP);
}
END_TEST

/* Its last owner has woken a thread that does not run yet, or readers have it. */
START_TEST(a_lock_of_the_jdk_is_one_without_an_owner_too)
{
	lock.is_synchronizer = true;
	thread.field = &lock;
	lock_class = "Ljava/util/concurrent/locks/ReentrantLock$NonfairSync;";
	ck_assert_int_eq(cause(), WAIT_LOCK);
	lock_class = "Ljava/util/concurrent/locks/ReentrantReadWriteLock$FairSync;";
	ck_assert_int_eq(cause(), WAIT_LOCK);
}
END_TEST

START_TEST(other_blockers_have_no_owner_to_look_for)
{
	lock.field = &thread;
	thread.field = &lock;
	ck_assert_int_eq(cause(), WAIT_SLEEP);
}
END_TEST

START_TEST(without_a_blocker_it_sleeps)
{
	ck_assert_int_eq(cause(), WAIT_SLEEP);
}
END_TEST

START_TEST(a_thread_that_the_vm_does_not_know_sleeps)
{
	lock.is_synchronizer = true;
	lock.field = &thread;
	thread.field = &lock;
	thread_error = JVMTI_ERROR_WRONG_PHASE;
	ck_assert_int_eq(cause(), WAIT_SLEEP);
}
END_TEST

START_TEST(another_thread_can_be_asked_about)
{
	JNIEnv jni = &functions;
	jvmtiEnv jvmti = &jvmti_functions;
	struct park_fields fields = {0};

	lock.is_synchronizer = true;
	lock.field = &thread;
	thread.field = &lock;
	/* Who asks does not matter. */
	thread_error = JVMTI_ERROR_WRONG_PHASE;
	ck_assert_int_eq(park_cause(&fields, &jvmti, &jni, (jthread)&thread), WAIT_SLEEP);
	park_fields_find(&fields, &jni);
	ck_assert_int_eq(park_cause(&fields, &jvmti, &jni, (jthread)&thread), WAIT_LOCK);
	thread.field = NULL;
	ck_assert_int_eq(park_cause(&fields, &jvmti, &jni, (jthread)&thread), WAIT_SLEEP);
}
END_TEST

START_TEST(on_a_jdk_without_these_fields_all_parks_are_sleep)
{
	static const char *const names[] = {
	        "java/lang/Thread", "parkBlocker",
	        "java/util/concurrent/locks/AbstractOwnableSynchronizer", "exclusiveOwnerThread"};
	lock.is_synchronizer = true;
	lock.field = &thread;
	thread.field = &lock;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		lacking = names[i];
		ck_assert_int_eq(cause(), WAIT_SLEEP);
	}
}
END_TEST

static Suite *park_cause_suite(void)
{
	Suite *suite = suite_create("park_cause");
	TCase *tc = tcase_create("park_cause");
	tcase_add_checked_fixture(tc, set_up, NULL);
	tcase_add_test(tc, a_thread_that_parks_for_an_owned_lock_waits_for_it);
	tcase_add_test(tc, a_synchronizer_without_an_owner_is_no_lock);
	tcase_add_test(tc, a_lock_of_the_jdk_is_one_without_an_owner_too);
	tcase_add_test(tc, other_blockers_have_no_owner_to_look_for);
	tcase_add_test(tc, without_a_blocker_it_sleeps);
	tcase_add_test(tc, a_thread_that_the_vm_does_not_know_sleeps);
	tcase_add_test(tc, another_thread_can_be_asked_about);
	tcase_add_test(tc, on_a_jdk_without_these_fields_all_parks_are_sleep);
	suite_add_tcase(suite, tc);
	return suite;
}

int main(void)
{
	return run_suite(park_cause_suite());
}
