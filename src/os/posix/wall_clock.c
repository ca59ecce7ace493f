/*
 * wall_clock.c: calendar time as number and as text. Any thread; no lock of
 * ours. The text never depends on the program's locale.
 */
#include "os.h"

#include <stdio.h>
#include <time.h>

int64_t os_wall_ms(void)
{
	struct timespec now;
	if (clock_gettime(CLOCK_REALTIME, &now) != 0)
		return 0;
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Floor division, so that moments before 1970 come out right too. */
static bool local_time(int64_t wall_ms, struct tm *local)
{
	time_t seconds = (time_t)(wall_ms / 1000 - (wall_ms % 1000 < 0 ? 1 : 0));
	return localtime_r(&seconds, local) != NULL;
}

void os_local_time_text(int64_t wall_ms, char *text, size_t size)
{
	static const char days[7][4] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
	static const char months[12][4] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
	                                   "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
	struct tm t;
	if (!local_time(wall_ms, &t)) {
		(void)snprintf(text, size, "%lld ms", (long long)wall_ms);
		return;
	}
	(void)snprintf(text, size, "%s %s %2d %02d:%02d:%02d %lld", days[t.tm_wday % 7],
	               months[t.tm_mon % 12], t.tm_mday, t.tm_hour, t.tm_min, t.tm_sec,
	               t.tm_year + 1900LL);
}

void os_local_time_stamp(int64_t wall_ms, char *text, size_t size)
{
	struct tm t;
	if (!local_time(wall_ms, &t)) {
		(void)snprintf(text, size, "%lld", (long long)wall_ms);
		return;
	}
	(void)snprintf(text, size, "%04lld%02d%02d-%02d%02d%02d", t.tm_year + 1900LL, t.tm_mon + 1,
	               t.tm_mday, t.tm_hour, t.tm_min, t.tm_sec);
}
