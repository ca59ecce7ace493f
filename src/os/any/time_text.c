/*
 * time_text.c: calendar time as text, which never depends on the program's locale.
 * Any thread; no lock of ours.
 */
#include "local_time.h"
#include "os.h"

#include <stdio.h>

/* Floor division, so that times before 1970 are correct too. */
static bool local_time(int64_t wall_ms, struct tm *local)
{
	return local_time_of(wall_ms / 1000 - (wall_ms % 1000 < 0 ? 1 : 0), local);
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
