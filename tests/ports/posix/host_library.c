/*
 * host_library.c: see host_library.h.
 */
#include "../host_library.h"

#include <dlfcn.h>
#include <stdio.h>

void *host_library_load(const char *path)
{
	void *library = dlopen(path, RTLD_LAZY);
	if (library == NULL)
		(void)fprintf(stderr, "jvmti_host: %s\n", dlerror());
	return library;
}

char **host_library_arguments(int *count, char **arguments)
{
	(void)count;
	return arguments;
}

void *host_library_symbol(void *library, const char *name)
{
	return dlsym(library, name);
}
