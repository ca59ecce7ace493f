/*
 * held_folder.c: nothing is held here, and nothing that was left behind removed: a folder
 * whose process was killed stays.
 */
#include "system.h"

#include "os.h"

int os_folder_hold(const char *path, struct os_file *hold)
{
	(void)path;
	hold->handle = -1;
	hold->shared = false;
	return 0;
}

void os_folder_release(const char *path, struct os_file *hold)
{
	(void)path;
	(void)hold;
}

void os_folders_remove_left(const char *path)
{
	(void)path;
}
