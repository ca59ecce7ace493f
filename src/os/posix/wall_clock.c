/*
 * wall_clock.c: calendar time. Any thread; no lock of ours.
 */
#include "local_time.h"
#include "os.h"
#include "time_units.h"

#include <time.h>

int64_t os_wall_ms(void)
{
	struct timespec now;
	if (clock_gettime(CLOCK_REALTIME, &now) != 0)
		return 0;
	return (int64_t)now.tv_sec * (int64_t)MS_PER_SECOND + now.tv_nsec / (int64_t)NS_PER_MS;
}

bool local_time_of(int64_t seconds, struct tm *local)
{
	time_t time = (time_t)seconds;
	return localtime_r(&time, local) != NULL;
}
