/*
 * library.c: the loaded modules of this process, by an address in them. Any
 * thread; takes the loader's lock.
 */
#include "system.h"

#include "names.h"
#include "os_machine.h"

#include <stdlib.h>
#include <string.h>

/* The longest path that the system has, in units of UTF-16. */
enum { LONG_PATH_MAX = 32768 };

static HMODULE module_of(const void *address)
{
	HMODULE module = NULL;
	const DWORD how = GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS |
	                  GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT;
	return GetModuleHandleExW(how, (const wchar_t *)address, &module) ? module : NULL;
}

int os_library_path(char *path, size_t size)
{
	static const char here;
	HMODULE module = module_of(&here);
	if (module == NULL)
		return system_error();
	wchar_t *wide = malloc(LONG_PATH_MAX * sizeof(*wide));
	if (wide == NULL)
		return ERROR_NOT_ENOUGH_MEMORY;
	DWORD length = GetModuleFileNameW(module, wide, LONG_PATH_MAX);
	int error = ERROR_INSUFFICIENT_BUFFER;
	if (length == 0)
		error = system_error();
	else if (length < LONG_PATH_MAX) {
		names_prefer_ascii(wide, LONG_PATH_MAX);
		error = names_to_utf8(wide, path, size);
	}
	free(wide);
	return error;
}

const char *os_library_name(void)
{
	return "hprof.dll";
}

/* An export can be forwarded to another module; that one must not match. */
void *os_symbol_beside(const void *address, const char *name)
{
	HMODULE module = address != NULL ? module_of(address) : NULL;
	if (module == NULL)
		return NULL;
	FARPROC symbol = GetProcAddress(module, name);
	void *found = NULL;
	memcpy(&found, &symbol, sizeof(found)); /* C has no such conversion */
	return found != NULL && module_of(found) == module ? found : NULL;
}
