/*
 * posix.c: functions of POSIX that the tests use and the C library here has not.
 */
#include <direct.h>
#include <process.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int setenv(const char *name, const char *value, int overwrite)
{
	(void)overwrite;
	return _putenv_s(name, value) == 0 ? 0 : -1;
}

/* The name ends in XXXXXX. */
char *mkdtemp(char *name)
{
	char *end = name + strlen(name) - 6;
	for (unsigned i = 0; i < 100000; i++) {
		(void)snprintf(end, 7, "%06u", ((unsigned)_getpid() * 31 + i) % 1000000);
		if (_mkdir(name) == 0)
			return name;
		if (errno != EEXIST)
			return NULL;
	}
	return NULL;
}
