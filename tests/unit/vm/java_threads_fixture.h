/*
 * java_threads_fixture.h: threads of a profile over the fake VM, two objects of threads, and
 * stand-ins for what HotSpot knows of a thread. Each test has its own copy.
 */
#ifndef HPROF_TEST_JAVA_THREADS_FIXTURE_H
#define HPROF_TEST_JAVA_THREADS_FIXTURE_H

#include "hotspot/vm_threads.h"
#include "profile_fixture.h"
#include "run_suite.h"
#include "vm/java_threads.h"

static struct java_threads *threads;
static struct fake_object root = {.name = "system"};
static struct fake_object group = {.name = "main", .group = &root};
static struct fake_object first, second;
static bool vm_finds_threads;
static unsigned notified;
static struct java_thread *last_notified;

void vm_threads_find(struct vm_threads *vm, jvmtiEnv *jvmti, JNIEnv *jni)
{
	(void)jvmti;
	(void)jni;
	memset(vm, 0, sizeof(*vm));
}

bool vm_threads_look(const struct vm_threads *vm, JNIEnv *jni, jthread object,
                     struct vm_thread *found)
{
	(void)vm;
	(void)object;
	found->jni = jni;
	found->address = 4711;
	return vm_finds_threads;
}

static inline void notify(void *argument, JNIEnv *jni, jthread object, struct java_thread *thread)
{
	ck_assert_ptr_eq(argument, &notified);
	ck_assert_ptr_nonnull(jni);
	ck_assert_ptr_nonnull(object);
	ck_assert(atomic_load(&thread->is_notifying));
	ck_assert_ptr_nonnull(thread->record);
	last_notified = thread;
	notified++;
}

static void set_up(void)
{
	profile_set_up();
	first = (struct fake_object){.name = "first", .group = &group};
	second = (struct fake_object){.name = "second", .group = &group};
	vm_finds_threads = true;
	notified = 0;
	last_notified = NULL;
	threads = java_threads_create(&profile);
	ck_assert_ptr_nonnull(threads);
}

static void tear_down(void)
{
	java_threads_destroy(threads, fake_jni());
	profile_tear_down();
	ck_assert_int_eq(atomic_load(&fake_counts.allocated), 0);
	ck_assert_int_eq(atomic_load(&fake_counts.global_refs), 0);
}

static inline jthread of(struct fake_object *object)
{
	return (jthread)(void *)object;
}

static inline struct java_thread *start(struct fake_object *object)
{
	fake_attach(object);
	return java_threads_start(threads, fake_jni(), of(object));
}

/* Enters the live phase. */
static void go_live(void)
{
	fake_set_phase(JVMTI_PHASE_LIVE);
	java_threads_live(threads, fake_jni());
}

#endif
