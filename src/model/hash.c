/*
 * hash.c: see hash.h.
 */
#include "model/hash.h"

unsigned hash_bytes(const void *bytes, size_t length)
{
	unsigned hash;
	HASH_JEN(bytes, length, hash);
	return hash;
}
