/*
 * library.c: the loaded objects of this process, by an address in them. Any
 * thread; takes the dynamic linker's lock.
 */
#include "os_machine.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool find_object(const void *address, Dl_info *info, const struct link_map **map)
{
	void *found = NULL;
	/* Not every system takes a pointer to const here. */
	if (dladdr1((void *)(uintptr_t)address, info, &found, RTLD_DL_LINKMAP) == 0 ||
	    found == NULL)
		return false;
	*map = found;
	return true;
}

/* The program comes first, and its name is not always a path. */
static bool is_main_program(const struct link_map *map)
{
	return map->l_prev == NULL;
}

static int copy_path(const char *from, char *path, size_t size)
{
	size_t length = strlen(from);
	if (length >= size)
		return ENAMETOOLONG;
	memcpy(path, from, length + 1);
	return 0;
}

static int link_path(const char *link, char *path, size_t size)
{
	ssize_t length = readlink(link, path, size);
	if (length < 0)
		return errno;
	if ((size_t)length >= size)
		return ENAMETOOLONG;
	path[length] = '\0';
	return 0;
}

const char *os_library_name(void)
{
	return "libhprof.so";
}

int os_library_path(char *path, size_t size)
{
	static const char here;
	Dl_info info;
	const struct link_map *map;
	if (!find_object(&here, &info, &map))
		return ENOENT;
	if (is_main_program(map))
		return link_path(OS_PROGRAM_LINK, path, size);
	char *full = realpath(map->l_name, NULL);
	if (full == NULL)
		return errno;
	int error = copy_path(full, path, size);
	free(full);
	return error;
}

/* dlsym() also searches the library's dependencies; they must not match. */
static void *symbol_of(void *library, const char *name, const void *base)
{
	Dl_info info;
	void *symbol = dlsym(library, name);
	if (symbol == NULL || dladdr(symbol, &info) == 0 || info.dli_fbase != base)
		return NULL;
	return symbol;
}

void *os_symbol_beside(const void *address, const char *name)
{
	Dl_info info;
	const struct link_map *map;
	if (!find_object(address, &info, &map))
		return NULL;
	void *library = is_main_program(map) ? dlopen(NULL, RTLD_LAZY)
	                                     : dlopen(map->l_name, RTLD_LAZY | RTLD_NOLOAD);
	if (library == NULL)
		return NULL;
	void *symbol = symbol_of(library, name, info.dli_fbase);
	(void)dlclose(library);
	return symbol;
}
