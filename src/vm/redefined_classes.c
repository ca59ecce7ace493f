/*
 * redefined_classes.c: see redefined_classes.h.
 *
 * A hook runs before the VM accepts the class file, and is not called when the VM then refuses
 * it. So a version is pending until the class passes the next hook, where the number of times
 * that the class was redefined shows whether the VM took it. The VM handles one request for a
 * class at a time, so that versions of one class do not overlap.
 */
#include "vm/redefined_classes.h"

#include "base/hash.h"

#include <string.h>
#include <utlist.h>

struct class_bytes {
	uint8_t *bytes; /* NULL for none */
	size_t length;
};

struct redefined_class {
	struct redefined_class *next;
	jweak object;
	unsigned name_hash;
	bool is_passing;            /* the transformers, in a redefinition */
	struct class_bytes newest;  /* none until the VM has taken one */
	bool is_stale;              /* the VM gives an older one to retransformations */
	struct class_bytes pending; /* none if none is */
	bool is_pending_stale;
	int64_t pending_since; /* redefinitions() before it */
};

bool redefined_classes_init(struct redefined_classes *list, JNIEnv *jni)
{
	jclass class = (*jni)->FindClass(jni, "java/lang/Class");
	jclass object = (*jni)->FindClass(jni, "java/lang/Object");

	if (class == NULL || object == NULL || os_mutex_init(&list->lock) != 0) {
		(*jni)->ExceptionClear(jni);
		return false;
	}
	list->object = (*jni)->NewGlobalRef(jni, object);
	list->count = (*jni)->GetFieldID(jni, class, "classRedefinedCount", "I");
	(*jni)->ExceptionClear(jni);
	(*jni)->DeleteLocalRef(jni, class);
	(*jni)->DeleteLocalRef(jni, object);
	return true;
}

/* ---- how often a class was redefined ------------------------------------------- */

/* How often the class was redefined or retransformed. The VM counts that for the class and, with
 * it, for all its subclasses: what the superclass has is not the class's own. For an interface
 * this is Object. */
static int64_t redefinitions(const struct redefined_classes *list, JNIEnv *jni, jclass class)
{
	enum { TRIES = 8 }; /* another thread may redefine a superclass in between */
	jclass super = (*jni)->GetSuperclass(jni, class);
	jclass counted_with = super;
	int64_t own = 0;

	if (list->count == NULL)
		return 0;
	if (super == NULL && !(*jni)->IsSameObject(jni, class, list->object))
		counted_with = list->object;
	for (int i = 0; i < TRIES; i++) {
		int64_t before = (*jni)->GetIntField(jni, class, list->count);
		int64_t others = counted_with == NULL
		                         ? 0
		                         : (*jni)->GetIntField(jni, counted_with, list->count);
		own = before - others;
		if ((*jni)->GetIntField(jni, class, list->count) == before)
			break;
	}
	(*jni)->DeleteLocalRef(jni, super);
	return own;
}

/* ---- versions ------------------------------------------------------------------ */

static void drop(struct class_bytes *version)
{
	free(version->bytes);
	*version = (struct class_bytes){0};
}

static bool copy(struct class_bytes *to, const uint8_t *bytes, size_t length)
{
	uint8_t *copied = malloc(length > 0 ? length : 1);

	drop(to);
	if (copied == NULL)
		return false;
	memcpy(copied, bytes, length);
	to->bytes = copied;
	to->length = length;
	return true;
}

static bool is_same(const struct class_bytes *version, const struct transformed_class *class)
{
	return version->length == class->length &&
	       memcmp(version->bytes, class->bytes, class->length) == 0;
}

/* What the class passes with becomes its newest version, if the VM takes it. */
static bool set_pending(const struct redefined_classes *list, JNIEnv *jni,
                        struct redefined_class *entry, const struct transformed_class *class,
                        bool is_stale)
{
	entry->is_pending_stale = is_stale;
	entry->pending_since = redefinitions(list, jni, class->object);
	return copy(&entry->pending, class->bytes, class->length);
}

/* Decides whether the VM has taken the pending version. */
static void settle(const struct redefined_classes *list, JNIEnv *jni, struct redefined_class *entry,
                   jclass class)
{
	if (entry->pending.bytes == NULL)
		return;
	if (list->count == NULL || redefinitions(list, jni, class) != entry->pending_since) {
		drop(&entry->newest);
		entry->newest = entry->pending;
		entry->is_stale = entry->is_pending_stale;
		entry->pending = (struct class_bytes){0};
	} else {
		drop(&entry->pending);
	}
}

/* ---- the list ------------------------------------------------------------------ */

static unsigned hash_name(const char *name)
{
	return hash_bytes(name, strlen(name));
}

static struct redefined_class *find(const struct redefined_classes *list, JNIEnv *jni,
                                    const struct transformed_class *class)
{
	unsigned hash = hash_name(class->name);
	struct redefined_class *entry;

	LL_FOREACH(list->first, entry)
	{
		if (entry->name_hash == hash &&
		    (*jni)->IsSameObject(jni, entry->object, class->object))
			return entry;
	}
	return NULL;
}

static void remove_entry(struct redefined_classes *list, JNIEnv *jni, struct redefined_class *entry)
{
	LL_DELETE(list->first, entry);
	(*jni)->DeleteWeakGlobalRef(jni, entry->object);
	drop(&entry->newest);
	drop(&entry->pending);
	free(entry);
}

static void remove_unloaded(struct redefined_classes *list, JNIEnv *jni)
{
	struct redefined_class *entry;
	struct redefined_class *next;

	LL_FOREACH_SAFE(list->first, entry, next)
	{
		if ((*jni)->IsSameObject(jni, entry->object, NULL))
			remove_entry(list, jni, entry);
	}
}

static struct redefined_class *add(struct redefined_classes *list, JNIEnv *jni,
                                   const struct transformed_class *class)
{
	struct redefined_class *entry = calloc(1, sizeof(*entry));

	remove_unloaded(list, jni);
	if (entry == NULL)
		return NULL;
	entry->object = (*jni)->NewWeakGlobalRef(jni, class->object);
	if (entry->object == NULL) {
		(*jni)->ExceptionClear(jni);
		free(entry);
		return NULL;
	}
	entry->name_hash = hash_name(class->name);
	LL_PREPEND(list->first, entry);
	return entry;
}

bool redefined_classes_begin(struct redefined_classes *list, JNIEnv *jni,
                             const struct transformed_class *class, bool is_cached)
{
	os_mutex_lock(&list->lock);
	struct redefined_class *entry = find(list, jni, class);
	if (entry == NULL)
		entry = add(list, jni, class);
	if (entry != NULL) {
		settle(list, jni, entry, class->object);
		entry->is_passing = set_pending(list, jni, entry, class, is_cached);
	}
	bool noted = entry != NULL && entry->is_passing;
	os_mutex_unlock(&list->lock);
	return noted;
}

/* The newest version, as a copy, if the class does not pass with it already. */
static uint8_t *copy_newest(const struct redefined_class *entry,
                            const struct transformed_class *class, size_t *length)
{
	struct class_bytes copied = {0};

	if (is_same(&entry->newest, class) ||
	    !copy(&copied, entry->newest.bytes, entry->newest.length))
		return NULL;
	*length = copied.length;
	return copied.bytes;
}

static uint8_t *newest(const struct redefined_classes *list, JNIEnv *jni,
                       struct redefined_class *entry, const struct transformed_class *class,
                       bool is_own, size_t *length)
{
	if (entry->is_passing) {
		entry->is_passing = false;
		if (!is_same(&entry->pending, class))
			(void)copy(&entry->pending, class->bytes, class->length);
		return NULL;
	}
	settle(list, jni, entry, class->object);
	if (entry->newest.bytes == NULL)
		return NULL;
	if (is_own || entry->is_stale)
		return copy_newest(entry, class, length);
	/* Others retransform the class, with the right version. */
	if (!is_same(&entry->newest, class))
		(void)set_pending(list, jni, entry, class, false);
	return NULL;
}

uint8_t *redefined_classes_newest(struct redefined_classes *list, JNIEnv *jni,
                                  const struct transformed_class *class, bool is_own,
                                  size_t *length)
{
	uint8_t *bytes = NULL;

	os_mutex_lock(&list->lock);
	struct redefined_class *entry = find(list, jni, class);
	if (entry != NULL)
		bytes = newest(list, jni, entry, class, is_own, length);
	os_mutex_unlock(&list->lock);
	return bytes;
}
