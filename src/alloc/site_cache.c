/*
 * site_cache.c: see site_cache.h. Two tables a thread, in which a new entry replaces
 * an old one. The first has the code of frames: the frame's size, and a number that no other
 * code has, nor the same code after it was replaced.
 * The second has the sites, by the numbers of all frames and the class.
 */
#include "alloc/site_cache.h"

#include "base/address_map.h"
#include "hotspot/stack_position.h"

#include <stdlib.h>
#include <string.h>

enum { CODE_BITS = 13, SITE_BITS = 13, LINE_BYTES = 64 };

/* A frame's code; half a cache line. */
struct cached_code {
	uintptr_t pc; /* the return address; of an interpreted frame, the bytecode */
	union {
		uintptr_t method; /* of an interpreted frame */
		struct {
			uint32_t blob_back; /* from pc to the blob of struct code_place; 0: of
			                     * the VM, which stays */
			uint32_t compile_id;
		};
	};
	uint32_t blob_bytes;
	uint32_t number;
	uint16_t frame_words; /* 0 of those where the VM called Java */
	uint16_t java_frames;
	/* What the last walk came to from here, which the next is likely to: places in the
	 * tables. Nothing depends on them; they are read ahead. */
	uint16_t caller;
	uint16_t site;
};

_Static_assert(sizeof(struct cached_code) <= LINE_BYTES / 2, "two codes are to be one line");

/* One cache line each. */
struct site_line {
	_Alignas(LINE_BYTES) struct cached_site site;
};

_Static_assert(sizeof(struct site_line) == LINE_BYTES, "a site is to be one line");

struct thread_sites {
	_Alignas(LINE_BYTES) struct cached_code codes[1 << CODE_BITS];
	struct site_line sites[1 << SITE_BITS];
	uint32_t last_number;
};

struct site_cache {
	struct site_table *table;
	/* By copy of the counts; allocated by the copy's thread. */
	struct thread_sites *threads[SITE_OWN_COPIES];
};

struct site_cache *site_cache_create(struct site_table *sites)
{
	struct site_cache *recent = calloc(1, sizeof(*recent));
	if (recent != NULL)
		recent->table = sites;
	return recent;
}

void site_cache_destroy(struct site_cache *recent)
{
	if (recent == NULL)
		return;
	for (size_t i = 0; i < SITE_OWN_COPIES; i++)
		os_pages_free(recent->threads[i], sizeof(*recent->threads[i]));
	free(recent);
}

/* The calling thread's, NULL when it has no counts of its own, or without memory. */
static struct thread_sites *own_sites(struct site_cache *recent, size_t copy)
{
	if (copy == SITE_OWN_COPIES)
		return NULL;
	if (recent->threads[copy] == NULL)
		recent->threads[copy] = os_pages_alloc(sizeof(*recent->threads[copy]));
	return recent->threads[copy];
}

/* Where code with that pc or bytecode would be. */
static struct cached_code *code_place_of(struct thread_sites *own, uintptr_t pc)
{
	return &own->codes[address_hash(pc) >> (64 - CODE_BITS)];
}

/* A number that no code in the sites' keys has had. */
static uint32_t next_number(struct thread_sites *own)
{
	if (++own->last_number == 0) {
		memset(own->sites, 0, sizeof(own->sites));
		own->last_number = 1;
	}
	return own->last_number;
}

/* Looks the code up in the VM's tables. False when it is not known how to leave its
 * frame. */
static bool take_code(const struct stack_walker *walker, struct thread_sites *own,
                      struct cached_code *code, uintptr_t pc)
{
	struct code_place place;

	code->pc = 0;
	code_cache_look_up(&walker->code, pc, &place);
	bool compiled = place.kind == CODE_COMPILED;
	bool sized = compiled || place.kind == CODE_STUB;
	if ((!sized && place.kind != CODE_ENTRY) ||
	    (sized && place.frame_bytes / STACK_WORD - 1 >= UINT16_MAX))
		return false;
	*code = (struct cached_code){
	        .pc = pc,
	        .blob_back = compiled ? (uint32_t)(pc - (uintptr_t)place.blob) : 0,
	        .compile_id = place.compile_id,
	        .blob_bytes = place.blob_bytes,
	        .number = next_number(own),
	        .frame_words = sized ? (uint16_t)(place.frame_bytes / STACK_WORD) : 0,
	        .java_frames = place.java_frames,
	};
	return true;
}

/* A bytecode, which an interpreted frame is known by, is no return address, although a stack may
 * have one where that would be. */
static bool holds(const struct stack_walker *walker, const struct cached_code *code)
{
	return code->blob_back == 0 ||
	       (code->frame_words != 0 &&
	        code_cache_holds(&walker->code, (const char *)code->pc - code->blob_back,
	                         code->compile_id, code->blob_bytes));
}

/* Goes over a frame of compiled code, or one of the VM. */
static struct cached_code *pass_code(const struct stack_walker *walker, struct thread_sites *own,
                                     struct stack_position *at, bool *ended)
{
	struct cached_code *code = code_place_of(own, at->pc);
	bool known = code->pc == at->pc && at->pc != 0 && holds(walker, code);

	if (!known && !take_code(walker, own, code, at->pc))
		return NULL;
	bool left = code->frame_words == 0
	                    ? stack_leave_entry(walker, at, ended)
	                    : stack_leave(walker, at, (uint32_t)code->frame_words * STACK_WORD);
	return left ? code : NULL;
}

/* Goes over an interpreted frame. What its method and bytecode are may end with a class;
 * then the epoch ends, and with it all sites. */
static struct cached_code *pass_interpreted(const struct stack_walker *walker,
                                            struct thread_sites *own, struct stack_position *at)
{
	uintptr_t method;
	uintptr_t bytecode;

	if (!stack_leave_interpreted(walker, at, &method, &bytecode))
		return NULL;
	struct cached_code *code = code_place_of(own, bytecode);
	if (code->pc != bytecode || code->method != method)
		*code = (struct cached_code){
		        .pc = bytecode,
		        .method = method,
		        .number = next_number(own),
		        .java_frames = 1,
		};
	return code;
}

/* Reads what the last walk from here came to while this one goes on. */
static void read_ahead(const struct thread_sites *own, const struct cached_code *code)
{
	__builtin_prefetch(&own->codes[code->caller]);
	__builtin_prefetch(&own->sites[code->site]);
}

static void set_likely(uint16_t *likely, ptrdiff_t place)
{
	if (*likely != place)
		*likely = (uint16_t)place;
}

/* The hash of a key is that of its class's address, to which each frame is added. */
static uint64_t add_frame(uint64_t hash, uint32_t number)
{
	return address_hash(hash ^ number);
}

/* Fills in the numbers of the frames, and their hash while the walk reads memory. Returns the
 * innermost method's code, NULL when the stack can't be kept. */
static struct cached_code *number_frames(const struct stack_walker *walker,
                                         struct thread_sites *own, JNIEnv *jni,
                                         struct site_cache_key *allocation, uint64_t *hash)
{
	struct stack_position at;
	struct cached_code *innermost = NULL;
	struct cached_code *inner = NULL;
	uint32_t java_frames = 0;
	size_t count = 0;

	memset(allocation->frames, 0, sizeof(allocation->frames));
	*hash = address_hash(allocation->class_address);
	bool ended = false;
	if (!stack_begin(walker, jni, &at))
		return NULL;
	while (java_frames < allocation->depth && !ended && count < SITE_CACHE_FRAMES_MAX) {
		struct cached_code *code = stack_is_interpreted(walker, &at)
		                                   ? pass_interpreted(walker, own, &at)
		                                   : pass_code(walker, own, &at, &ended);
		if (code == NULL)
			return NULL;
		read_ahead(own, code);
		if (inner != NULL)
			set_likely(&inner->caller, code - own->codes);
		inner = code;
		if (java_frames == 0)
			innermost = code;
		java_frames += code->java_frames;
		allocation->frames[count++] = code->number;
		*hash = add_frame(*hash, code->number);
	}
	return ended || java_frames >= allocation->depth ? innermost : NULL;
}

static struct cached_site *place_of(struct thread_sites *own, uint64_t hash)
{
	return &own->sites[hash >> (64 - SITE_BITS)].site;
}

static uint64_t hash_of(const struct site_cache_key *allocation)
{
	uint64_t hash = address_hash(allocation->class_address);

	for (size_t i = 0; i < SITE_CACHE_FRAMES_MAX && allocation->frames[i] != 0; i++)
		hash = add_frame(hash, allocation->frames[i]);
	return hash;
}

/* Number by number: a comparison of all at once would have to wait until each is stored. */
static bool are_frames(const uint32_t *known, const uint32_t *frames)
{
	size_t i = 0;
	while (i < SITE_CACHE_FRAMES_MAX - 1 && frames[i] != 0 && known[i] == frames[i])
		i++;
	return known[i] == frames[i];
}

static bool is_it(const struct site_cache_key *known, const struct site_cache_key *key)
{
	return known->class_address == key->class_address && known->epoch == key->epoch &&
	       known->depth == key->depth && are_frames(known->frames, key->frames);
}

const struct cached_site *site_cache_find(struct site_cache *recent,
                                          const struct stack_walker *walker, JNIEnv *jni,
                                          struct site_cache_key *allocation)
{
	size_t copy = site_table_own_copy(recent->table, (uintptr_t)jni);
	struct thread_sites *own = own_sites(recent, copy);
	uint64_t hash = 0;
	struct cached_code *innermost =
	        own == NULL ? NULL : number_frames(walker, own, jni, allocation, &hash);

	if (innermost == NULL) {
		allocation->frames[0] = 0;
		return NULL;
	}
	struct cached_site *site = place_of(own, hash);
	set_likely(&innermost->site, (struct site_line *)(void *)site - own->sites);
	return is_it(&site->of, allocation) ? site : NULL;
}

void site_cache_add(struct site_cache *recent, JNIEnv *jni, const struct site_cache_key *allocation,
                    uint32_t number, object_shape shape)
{
	size_t copy = site_table_own_copy(recent->table, (uintptr_t)jni);
	struct site_counter *counter = site_table_counter(recent->table, copy, number);

	if (counter != NULL)
		*place_of(own_sites(recent, copy), hash_of(allocation)) =
		        (struct cached_site){*allocation, number, shape, counter};
}
