/*
 * wall_clock.c: calendar time. Any thread; no lock of ours.
 */
#include "system.h"

#include "local_time.h"
#include "os.h"

/* The system counts 100 ns units from 1601-01-01 UTC. */
#define UNITS_PER_MS INT64_C(10000)
#define UNITS_PER_SECOND INT64_C(10000000)
#define UNITS_TO_1970 INT64_C(116444736000000000)

int64_t os_wall_ms(void)
{
	FILETIME now;
	GetSystemTimePreciseAsFileTime(&now);
	int64_t units = (int64_t)((uint64_t)now.dwHighDateTime << 32 | now.dwLowDateTime);
	return (units - UNITS_TO_1970) / UNITS_PER_MS;
}

static int day_of_year(const SYSTEMTIME *time)
{
	static const int before[12] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
	bool leap = (time->wYear % 4 == 0 && time->wYear % 100 != 0) || time->wYear % 400 == 0;
	return before[(time->wMonth - 1) % 12] + time->wDay - 1 +
	       (leap && time->wMonth > 2 ? 1 : 0);
}

/* By the system's own zones: the C library would go by the variable TZ, in a form
 * of its own, and knows no other year's rules than this one's. */
bool local_time_of(int64_t seconds, struct tm *local)
{
	if (seconds > (INT64_MAX - UNITS_TO_1970) / UNITS_PER_SECOND ||
	    seconds < -UNITS_TO_1970 / UNITS_PER_SECOND)
		return false;
	int64_t units = seconds * UNITS_PER_SECOND + UNITS_TO_1970;
	FILETIME file_time = {.dwLowDateTime = (DWORD)(units & UINT32_MAX),
	                      .dwHighDateTime = (DWORD)(units >> 32)};
	SYSTEMTIME universal;
	SYSTEMTIME here;
	if (!FileTimeToSystemTime(&file_time, &universal) ||
	    !SystemTimeToTzSpecificLocalTime(NULL, &universal, &here))
		return false;
	*local = (struct tm){
	        .tm_sec = here.wSecond,
	        .tm_min = here.wMinute,
	        .tm_hour = here.wHour,
	        .tm_mday = here.wDay,
	        .tm_mon = here.wMonth - 1,
	        .tm_year = here.wYear - 1900,
	        .tm_wday = here.wDayOfWeek,
	        .tm_yday = day_of_year(&here),
	};
	return true;
}
