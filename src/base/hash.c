/*
 * hash.c: see hash.h.
 */
#include "base/hash.h"

unsigned hash_bytes(const void *bytes, size_t length)
{
	unsigned hash;
	HASH_JEN(bytes, length, hash);
	return hash;
}
