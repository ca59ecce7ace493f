/*
 * frame_resolver.c: see frame_resolver.h. Methods go to the model's table, which
 * has its own lock; the cache of locations has one here, held within one look-up.
 */
#include "vm/frame_resolver.h"

#include "base/hash.h"
#include "vm/class_registry.h"

#include <stdlib.h>
#include <string.h>

struct location {
	uint64_t method;
	int64_t bci;
};

struct cached_location {
	struct location location;
	const struct frame *frame;
	bool hash_failed;
	UT_hash_handle hh;
};

struct frame_resolver {
	struct profile *profile;
	struct os_mutex lock;
	struct cached_location *cache;
};

struct frame_resolver *frame_resolver_create(struct profile *profile)
{
	struct frame_resolver *resolver = calloc(1, sizeof(*resolver));
	if (resolver == NULL)
		return NULL;
	if (os_mutex_init(&resolver->lock) != 0) {
		free(resolver);
		return NULL;
	}
	resolver->profile = profile;
	return resolver;
}

void frame_resolver_destroy(struct frame_resolver *resolver)
{
	if (resolver == NULL)
		return;
	HASH_FREE_ALL(resolver->cache);
	os_mutex_destroy(&resolver->lock);
	free(resolver);
}

static uint64_t vm_id(jmethodID method)
{
	return (uint64_t)(uintptr_t)method;
}

static const struct string *intern(struct profile *profile, const char *name)
{
	return string_table_intern_jvm(profile->model.strings, name);
}

/* Everything JVM TI returns about a method; what it allocated is freed by
 * release_facts(). */
struct method_facts {
	char *name;
	char *signature;
	char *source;
	jboolean native;
	jint line_count;
	jvmtiLineNumberEntry *lines;
};

/* Whether the VM answered. That it had no memory for the answer is reported. */
static bool has_answered(struct profile *profile, jvmtiError error)
{
	if (error == JVMTI_ERROR_OUT_OF_MEMORY)
		profile_out_of_memory(profile);
	return error == JVMTI_ERROR_NONE;
}

static bool get_facts(struct profile *profile, jmethodID method, jclass class,
                      struct method_facts *facts)
{
	jvmtiEnv *jvmti = profile->jvmti;

	if (!has_answered(profile, (*jvmti)->GetMethodName(jvmti, method, &facts->name,
	                                                   &facts->signature, NULL)))
		return false;
	/* Each of these may be absent. */
	(void)(*jvmti)->GetSourceFileName(jvmti, class, &facts->source);
	(void)(*jvmti)->IsMethodNative(jvmti, method, &facts->native);
	if (!facts->native && profile->settings->lineno &&
	    (*jvmti)->GetLineNumberTable(jvmti, method, &facts->line_count, &facts->lines) !=
	            JVMTI_ERROR_NONE)
		facts->line_count = 0;
	return true;
}

static void release_facts(struct profile *profile, struct method_facts *facts)
{
	profile_deallocate(profile, facts->name);
	profile_deallocate(profile, facts->signature);
	profile_deallocate(profile, facts->source);
	profile_deallocate(profile, facts->lines);
}

static struct line_entry *copy_lines(const struct method_facts *facts)
{
	size_t count = (size_t)facts->line_count;
	struct line_entry *lines = calloc(count, sizeof(*lines));
	for (size_t i = 0; lines != NULL && i < count; i++) {
		lines[i].start = (uint32_t)facts->lines[i].start_location;
		lines[i].line = facts->lines[i].line_number;
	}
	return lines;
}

static const struct method *add_method(struct profile *profile, jmethodID id,
                                       const struct class_record *class,
                                       const struct method_facts *facts)
{
	struct method method = {
	        .vm_id = vm_id(id),
	        .class = class,
	        .name = intern(profile, facts->name),
	        .signature = intern(profile, facts->signature),
	        .native = facts->native,
	};
	if (facts->source != NULL)
		method.source = intern(profile, facts->source);
	struct line_entry *lines = NULL;
	if (facts->line_count > 0) {
		lines = copy_lines(facts);
		method.lines = lines;
		method.line_count = lines == NULL ? 0 : (size_t)facts->line_count;
	}
	const struct method *added = NULL;
	if (method.name != NULL && method.signature != NULL)
		added = method_table_add(profile->model.methods, &method);
	free(lines);
	if (added == NULL)
		profile_out_of_memory(profile);
	return added;
}

/* Asks the VM. NULL when the method's class is gone, or without memory (reported). The
 * reference to the class keeps it, and the id, alive from the first answer on. */
static const struct method *ask_vm(struct profile *profile, JNIEnv *jni, jmethodID id)
{
	jvmtiEnv *jvmti = profile->jvmti;
	const struct method *method = NULL;
	struct method_facts facts = {0};
	jclass class = NULL;

	if (!has_answered(profile, (*jvmti)->GetMethodDeclaringClass(jvmti, id, &class)))
		return NULL;
	const struct class_record *record = class_registry_find(profile->classes, class);
	if (record != NULL && get_facts(profile, id, class, &facts))
		method = add_method(profile, id, record, &facts);
	release_facts(profile, &facts);
	(*jni)->DeleteLocalRef(jni, class);
	return method;
}

/* A placeholder for a method that the VM can no longer be asked about. */
static const struct method *add_unknown(struct profile *profile, jmethodID id)
{
	const struct class_record *class =
	        class_table_add(profile->model.classes, "L<unloaded class>;");
	struct method_facts facts = {.name = NULL};
	if (class == NULL) {
		profile_out_of_memory(profile);
		return NULL;
	}
	char name[] = "<unknown method>";
	char signature[] = "()V";
	facts.name = name;
	facts.signature = signature;
	return add_method(profile, id, class, &facts);
}

static const struct method *find_method(struct frame_resolver *resolver, JNIEnv *jni, jmethodID id)
{
	struct profile *profile = resolver->profile;
	const struct method *method = method_table_find(profile->model.methods, vm_id(id));

	/* Once the profile has stopped, nobody learns methods in time. */
	if (method == NULL && !profile_is_stopped(profile))
		method = ask_vm(profile, jni, id);
	if (method == NULL && !profile_is_stopped(profile))
		method = add_unknown(profile, id);
	return method;
}

static const struct frame *recall(struct frame_resolver *resolver, const struct location *location)
{
	struct cached_location *cached;

	os_mutex_lock(&resolver->lock);
	HASH_FIND(hh, resolver->cache, location, sizeof(*location), cached);
	os_mutex_unlock(&resolver->lock);
	return cached == NULL ? NULL : cached->frame;
}

static const struct frame *remember(struct frame_resolver *resolver,
                                    const struct location *location, const struct frame *frame)
{
	struct cached_location *cached;
	struct cached_location *entry = calloc(1, sizeof(*entry));
	if (entry == NULL)
		return frame;
	entry->location = *location;
	entry->frame = frame;
	os_mutex_lock(&resolver->lock);
	/* Another thread may have been faster. */
	HASH_FIND(hh, resolver->cache, location, sizeof(*location), cached);
	if (cached == NULL)
		HASH_ADD(hh, resolver->cache, location, sizeof(entry->location), entry);
	bool left_out = cached != NULL || entry->hash_failed;
	os_mutex_unlock(&resolver->lock);
	if (left_out)
		free(entry);
	return frame;
}

const struct frame *frame_resolver_find(struct frame_resolver *resolver, JNIEnv *jni,
                                        jmethodID method_id, int64_t bci)
{
	struct profile *profile = resolver->profile;
	struct location location = {.method = vm_id(method_id), .bci = bci};
	const struct frame *known = recall(resolver, &location);
	if (known != NULL)
		return known;

	const struct method *method = find_method(resolver, jni, method_id);
	if (method == NULL)
		return NULL;
	int32_t line = profile->settings->lineno ? method_line(method, bci) : LINE_UNKNOWN;
	const struct frame *frame = frame_table_intern(profile->model.frames, method, line);
	if (frame == NULL) {
		profile_out_of_memory(profile);
		return NULL;
	}
	return remember(resolver, &location, frame);
}

void frame_resolver_learn(struct frame_resolver *resolver, JNIEnv *jni, const jmethodID *methods,
                          jint count)
{
	for (jint i = 0; i < count && !profile_is_stopped(resolver->profile); i++)
		(void)find_method(resolver, jni, methods[i]);
}
