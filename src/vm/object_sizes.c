/*
 * object_sizes.c: see object_sizes.h. An array takes a header, its elements, and what is
 * missing to the next multiple of the alignment; all three are seen in the sizes of a few
 * arrays of growing length. Under the profile's dump lock, or before it is ever taken.
 */
#include "vm/object_sizes.h"

#include "hprof/heap_records.h"
#include "vm/class_registry.h"

#include <stdlib.h>

/* Lengths tried: alignments beyond this many bytes do not exist. */
enum { LENGTHS_MAX = 520 };

struct object_sizes {
	struct profile *profile;
	uint64_t header;    /* of an array, before elements of one byte */
	uint64_t alignment; /* of objects */
	uint64_t reference; /* bytes of a reference in an array */
	uint32_t *instance; /* by class serial; 0: not seen */
	size_t instance_count;
};

static jlong size_of(struct profile *profile, JNIEnv *jni, jobject object)
{
	jlong size = 0;
	if (object == NULL)
		return 0;
	(void)(*profile->jvmti)->GetObjectSize(profile->jvmti, object, &size);
	(*jni)->DeleteLocalRef(jni, object);
	return size;
}

/* The first length at which an array gets larger than that of length from; its size
 * before, and the difference. */
static jsize find_step(struct profile *profile, JNIEnv *jni, jclass element, jsize from,
                       jlong *before, jlong *step)
{
	*before = 0;
	for (jsize length = from; length < from + LENGTHS_MAX; length++) {
		jobject array = element == NULL
		                        ? (*jni)->NewByteArray(jni, length)
		                        : (*jni)->NewObjectArray(jni, length, element, NULL);
		jlong size = size_of(profile, jni, array);
		if (size == 0)
			break;
		if (*before != 0 && size > *before) {
			*step = size - *before;
			return length;
		}
		*before = size;
	}
	*step = 0;
	return 0;
}

static bool learn_arrays(struct object_sizes *sizes, JNIEnv *jni)
{
	struct profile *profile = sizes->profile;
	jclass object_class = (*jni)->FindClass(jni, "java/lang/Object");
	jlong before;
	jlong step;

	if (object_class == NULL)
		return false;
	/* Up to the step the bytes fill what the alignment leaves. */
	jsize length = find_step(profile, jni, NULL, 0, &before, &step);
	if (step <= 0 || before < length - 1)
		return false;
	sizes->alignment = (uint64_t)step;
	sizes->header = (uint64_t)(before - (length - 1));

	jsize first = find_step(profile, jni, object_class, 0, &before, &step);
	jsize second = find_step(profile, jni, object_class, first, &before, &step);
	if (step <= 0 || second <= first)
		return false;
	sizes->reference = (uint64_t)step / (uint64_t)(second - first);
	(*jni)->DeleteLocalRef(jni, object_class);
	return sizes->reference == 4 || sizes->reference == 8;
}

struct object_sizes *object_sizes_create(struct profile *profile, JNIEnv *jni)
{
	struct object_sizes *sizes = calloc(1, sizeof(*sizes));
	if (sizes == NULL)
		return NULL;
	sizes->profile = profile;
	bool learnt = learn_arrays(sizes, jni);
	if ((*jni)->ExceptionCheck(jni)) {
		(*jni)->ExceptionClear(jni);
		learnt = false;
	}
	if (learnt)
		return sizes;
	free(sizes);
	return NULL;
}

void object_sizes_destroy(struct object_sizes *sizes)
{
	if (sizes == NULL)
		return;
	free(sizes->instance);
	free(sizes);
}

/* In a pause of the VM: no JVM TI, no JNI. */
static jint JNICALL note_size(jlong class_tag, jlong size, jlong *tag, jint length, void *user)
{
	struct object_sizes *sizes = user;
	const struct class_record *class = class_registry_by_tag(class_tag);
	(void)tag;

	if (length >= 0 || class == NULL || size <= 0 || size > UINT32_MAX)
		return 0;
	size_t index = class->serial - CLASS_SERIAL_BASE;
	if (index >= sizes->instance_count)
		return 0;
	uint32_t *known = &sizes->instance[index];
	if (*known == 0 || *known > (uint32_t)size)
		*known = (uint32_t)size;
	return 0;
}

bool object_sizes_learn(struct object_sizes *sizes)
{
	jvmtiEnv *jvmti = sizes->profile->jvmti;
	jvmtiHeapCallbacks callbacks = {.heap_iteration_callback = note_size};
	size_t count = class_table_count(sizes->profile->model.classes) + 1;

	uint32_t *larger = realloc(sizes->instance, count * sizeof(*larger));
	if (larger == NULL)
		return false;
	for (size_t i = sizes->instance_count; i < count; i++)
		larger[i] = 0;
	sizes->instance = larger;
	sizes->instance_count = count;
	return (*jvmti)->IterateThroughHeap(jvmti, JVMTI_HEAP_FILTER_CLASS_UNTAGGED, NULL,
	                                    &callbacks, sizes) == JVMTI_ERROR_NONE;
}

uint64_t object_sizes_instance(const struct object_sizes *sizes, const struct class_record *class)
{
	size_t index = class->serial - CLASS_SERIAL_BASE;
	return index < sizes->instance_count ? sizes->instance[index] : 0;
}

static uint64_t round_up(uint64_t number, uint64_t unit)
{
	return (number + unit - 1) / unit * unit;
}

bool object_sizes_layout(const struct object_sizes *sizes, uint8_t type, uint64_t *header,
                         uint64_t *element)
{
	*element = heap_type_size(type, (unsigned)sizes->reference);
	if (*element == 0)
		return false;
	*header = round_up(sizes->header, *element);
	return true;
}

uint64_t object_sizes_alignment(const struct object_sizes *sizes)
{
	return sizes->alignment;
}

uint64_t object_sizes_array(const struct object_sizes *sizes, uint8_t type, uint32_t length)
{
	uint64_t header;
	uint64_t element;

	if (!object_sizes_layout(sizes, type, &header, &element))
		return 0;
	return round_up(header + element * length, sizes->alignment);
}
