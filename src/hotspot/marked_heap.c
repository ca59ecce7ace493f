/*
 * marked_heap.c: see marked_heap.h. Lock bits of a header (markWord.hpp): 01 is unlocked, 00 locked
 * by a thread, with or without the header on its stack, 10 locked by a monitor.
 */
#include "hotspot/marked_heap.h"

#include "hotspot/any_memory.h"
#include "hotspot/vm_memory.h"

enum { LOCKED = 0, UNLOCKED = 1, MONITOR = 2, LOCK_BITS = 3, OBJECT_WORDS_MAX = 4 };

#define HASH_MASK UINT32_C(0x7FFFFFFF)
#define WORD sizeof(uintptr_t)

/* What is below is no address, but the object's size: a read of it would fault, and not every VM on
 * Windows survives that on its own thread. */
#define ADDRESSES_BEGIN ((uintptr_t)1 << 16)

/* Words of a monitor in which a header is looked for. */
enum { MONITOR_WORDS = 4 };

static uint32_t hash_in(uintptr_t header, uint32_t shift)
{
	return (uint32_t)(header >> shift) & HASH_MASK;
}

uint32_t marked_heap_hash(const struct marked_heap *heap, const jlong *tag)
{
	uintptr_t object = any_word_at((uintptr_t)tag - heap->object_words * WORD);
	uintptr_t header = any_word_at(object);

	switch (header & LOCK_BITS) {
	case UNLOCKED:
		break;
	case LOCKED:
		if (heap->locked_apart)
			header = any_word_at(header);
		break;
	case MONITOR:
		if (heap->monitor_apart)
			header = any_word_at(header - MONITOR + heap->monitor_word * WORD);
		break;
	default:
		return 0;
	}
	return hash_in(header, heap->hash_shift);
}

static bool read_word(uintptr_t address, uintptr_t *word)
{
	return vm_memory_read((const void *)address, word, sizeof(*word));
}

/* Whether the word at the address is a header with that hash. */
static bool has_hash(const struct marked_trial *trial, uintptr_t address, uint32_t hash)
{
	uintptr_t header;
	return read_word(address, &header) && hash_in(header, trial->hash_shift) == hash;
}

static void look_at_locked(struct marked_trial *trial, uintptr_t header)
{
	uint32_t hash = trial->hashes[TRIAL_LOCKED];
	bool is_here = hash_in(header, trial->hash_shift) == hash;

	if (!is_here && !has_hash(trial, header, hash))
		return;
	trial->heap.locked_apart = !is_here;
	trial->is_found[TRIAL_LOCKED] = true;
}

static void look_at_monitor(struct marked_trial *trial, uintptr_t header)
{
	uint32_t hash = trial->hashes[TRIAL_MONITOR];
	bool is_here = hash_in(header, trial->hash_shift) == hash;
	uint32_t word = 0;

	while (!is_here && word < MONITOR_WORDS &&
	       !has_hash(trial, header - MONITOR + word * WORD, hash))
		word++;
	if (word == MONITOR_WORDS)
		return;
	trial->heap.monitor_apart = !is_here;
	trial->heap.monitor_word = word;
	trial->is_found[TRIAL_MONITOR] = true;
}

/* The words before the tag, of which one is the object's address. */
static void find_object(struct marked_trial *trial, const jlong *tag)
{
	for (uint32_t words = 1; words <= OBJECT_WORDS_MAX; words++) {
		uintptr_t object;
		uintptr_t header;
		if (!read_word((uintptr_t)tag - words * WORD, &object) ||
		    object < ADDRESSES_BEGIN || object % WORD != 0 || !read_word(object, &header) ||
		    (header & LOCK_BITS) != UNLOCKED ||
		    hash_in(header, trial->hash_shift) != trial->hashes[TRIAL_FREE])
			continue;
		trial->heap.hash_shift = trial->hash_shift;
		trial->heap.object_words = words;
		trial->is_found[TRIAL_FREE] = true;
		return;
	}
}

void marked_trial_look(struct marked_trial *trial, const jlong *tag)
{
	uintptr_t object;
	uintptr_t header;

	if (!trial->is_found[TRIAL_FREE]) {
		find_object(trial, tag);
		return;
	}
	if (!read_word((uintptr_t)tag - trial->heap.object_words * WORD, &object) ||
	    !read_word(object, &header))
		return;
	if ((header & LOCK_BITS) == LOCKED)
		look_at_locked(trial, header);
	else if ((header & LOCK_BITS) == MONITOR)
		look_at_monitor(trial, header);
}

bool marked_trial_succeeded(const struct marked_trial *trial)
{
	return trial->is_found[TRIAL_FREE] && trial->is_found[TRIAL_LOCKED] &&
	       trial->is_found[TRIAL_MONITOR];
}
