/* code_methods.c: see code_methods.h. */
#include "hotspot/code_methods.h"

#include <string.h>

enum { METADATA_MAX = 1 << 16, FRAME_BYTES_MAX = 1 << 20 };

static uintptr_t word_at(const char *place)
{
	uintptr_t word;
	memcpy(&word, place, sizeof(word));
	return word;
}

static int32_t int_at(const char *place)
{
	int32_t number;
	memcpy(&number, place, sizeof(number));
	return number;
}

static bool find_metadata(struct code_methods *methods, const struct vm_structs *structs)
{
	methods->metadata_beside = false;
	if (vm_structs_offset(structs, "nmethod", "_metadata_offset", &methods->metadata))
		return true;
	methods->metadata_beside = true;
	return vm_structs_offset(structs, "CodeBlob", "_mutable_data", &methods->metadata) &&
	       vm_structs_offset(structs, "CodeBlob", "_relocation_size",
	                         &methods->relocation_bytes);
}

/* Where frames return to whose code was given up: an address, later an offset. */
static bool find_handlers(struct code_methods *methods, const struct vm_structs *structs)
{
	methods->handler_is_offset =
	        vm_structs_offset(structs, "nmethod", "_deopt_handler_offset", &methods->handler);
	if (methods->handler_is_offset)
		return vm_structs_offset(structs, "nmethod", "_deopt_mh_handler_offset",
		                         &methods->handle_handler);
	return vm_structs_offset(structs, "CompiledMethod", "_deopt_handler_begin",
	                         &methods->handler) &&
	       vm_structs_offset(structs, "CompiledMethod", "_deopt_mh_handler_begin",
	                         &methods->handle_handler);
}

bool code_methods_find(struct code_methods *methods, const struct vm_structs *structs)
{
	return vm_structs_offset(structs, "CodeBlob", "_name", &methods->name) &&
	       (vm_structs_offset(structs, "nmethod", "_method", &methods->method) ||
	        vm_structs_offset(structs, "CompiledMethod", "_method", &methods->method)) &&
	       vm_structs_offset(structs, "nmethod", "_orig_pc_offset", &methods->original_pc) &&
	       vm_structs_offset(structs, "nmethod", "_stub_offset", &methods->stubs) &&
	       find_handlers(methods, structs) && find_metadata(methods, structs);
}

enum code_owner code_methods_owner(const struct code_methods *methods, const char *blob)
{
	const char *name = (const char *)word_at(blob + methods->name);

	if (name == NULL)
		return CODE_OF_VM;
	if (strcmp(name, "nmethod") == 0)
		return CODE_OF_JAVA;
	return strcmp(name, "native nmethod") == 0 ? CODE_OF_NATIVE : CODE_OF_VM;
}

uintptr_t code_methods_root(const struct code_methods *methods, const char *blob)
{
	return word_at(blob + methods->method);
}

/* Numbers count from 1. */
uintptr_t code_methods_numbered(const struct code_methods *methods, const char *blob,
                                uint32_t number)
{
	if (number == 0 || number > METADATA_MAX)
		return 0;
	const char *metadata = blob + int_at(blob + methods->metadata);
	if (methods->metadata_beside) {
		uintptr_t bytes = (uintptr_t)int_at(blob + methods->relocation_bytes);
		bytes = (bytes + sizeof(void *) - 1) & ~(sizeof(void *) - 1);
		metadata = (const char *)(word_at(blob + methods->metadata) + bytes);
	}
	return word_at(metadata + (number - 1) * sizeof(void *));
}

bool code_methods_is_stub(const struct code_methods *methods, const char *blob, uintptr_t pc)
{
	return pc >= (uintptr_t)blob + (uintptr_t)int_at(blob + methods->stubs);
}

static uintptr_t handler_at(const struct code_methods *methods, const char *blob, uint64_t place)
{
	return methods->handler_is_offset ? (uintptr_t)blob + (uintptr_t)int_at(blob + place)
	                                  : word_at(blob + place);
}

uintptr_t code_methods_pc(const struct code_methods *methods, const char *blob, uintptr_t pc,
                          uintptr_t sp)
{
	if (pc != handler_at(methods, blob, methods->handler) &&
	    pc != handler_at(methods, blob, methods->handle_handler))
		return pc;
	int32_t offset = int_at(blob + methods->original_pc);
	return offset < 0 || offset > FRAME_BYTES_MAX ? 0 : word_at((const char *)sp + offset);
}
