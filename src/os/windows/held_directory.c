/*
 * held_directory.c: no marks on this system: the private directory of a killed process
 * stays.
 */
#include "system.h"

#include "os.h"

int os_directory_hold(const char *path, struct os_file *hold)
{
	(void)path;
	hold->handle = -1;
	hold->shared = false;
	return 0;
}

void os_directory_release(const char *path, struct os_file *hold)
{
	(void)path;
	(void)hold;
}

void os_directories_remove_left(const char *path)
{
	(void)path;
}
