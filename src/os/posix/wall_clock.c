/*
 * wall_clock.c: calendar time. Any thread; no lock of ours.
 */
#include "local_time.h"
#include "os.h"

#include <time.h>

int64_t os_wall_ms(void)
{
	struct timespec now;
	if (clock_gettime(CLOCK_REALTIME, &now) != 0)
		return 0;
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

bool local_time_of(int64_t seconds, struct tm *local)
{
	time_t time = (time_t)seconds;
	return localtime_r(&time, local) != NULL;
}
