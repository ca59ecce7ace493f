/*
 * hash.h: uthash, configured for this project: if an insertion runs out of memory, the
 * element is not added and its hash_failed is set, instead of ending the process.
 */
#ifndef HPROF_BASE_HASH_H
#define HPROF_BASE_HASH_H

#include <stdlib.h>

#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(element) ((element)->hash_failed = true)
#define HASH_FUNCTION(key, length, hash) ((hash) = hash_bytes((key), (length)))

#include <uthash.h>

/* The hash of length bytes. Pure. */
unsigned hash_bytes(const void *bytes, size_t length);

/* Frees all elements of a hash, which were allocated by malloc(), and the hash. */
#define HASH_FREE_ALL(head)                                                             \
	do {                                                                            \
		void *element_ = (head);                                                \
		ptrdiff_t offset_ = (head) == NULL ? 0 : (head)->hh.tbl->hho;           \
		HASH_CLEAR(hh, (head));                                                 \
		while (element_ != NULL) {                                              \
			UT_hash_handle *handle_ = (void *)((char *)element_ + offset_); \
			void *next_ = handle_->next;                                    \
			free(element_);                                                 \
			element_ = next_;                                               \
		}                                                                       \
	} while (0)

#endif
