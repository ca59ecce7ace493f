/*
 * any_memory.h: reads at an address that was found in the VM's memory, or on a stack that is
 * walked, and may be anything, under os_call_guarded(). The sanitizers do not check these reads:
 * they know the memory of malloc() and the variables of our own frames, also of some that have
 * returned, and would report one that is near them, where the value is only found to be none that
 * was expected. Any alignment; async-signal-safe.
 */
#ifndef HPROF_HOTSPOT_ANY_MEMORY_H
#define HPROF_HOTSPOT_ANY_MEMORY_H

#include <stdint.h>

typedef uintptr_t __attribute__((aligned(1), may_alias)) any_word;
typedef int32_t __attribute__((aligned(1), may_alias)) any_int;
typedef uint16_t __attribute__((aligned(1), may_alias)) any_short;
typedef uint8_t __attribute__((may_alias)) any_byte;

__attribute__((no_sanitize("address"), no_sanitize("undefined"))) static inline uintptr_t
any_word_at(uintptr_t address)
{
	return *(const any_word *)address;
}

__attribute__((no_sanitize("address"), no_sanitize("undefined"))) static inline int32_t
any_int_at(uintptr_t address)
{
	return *(const any_int *)address;
}

__attribute__((no_sanitize("address"), no_sanitize("undefined"))) static inline uint16_t
any_short_at(uintptr_t address)
{
	return *(const any_short *)address;
}

__attribute__((no_sanitize("address"), no_sanitize("undefined"))) static inline uint8_t
any_byte_at(uintptr_t address)
{
	return *(const any_byte *)address;
}

#endif
