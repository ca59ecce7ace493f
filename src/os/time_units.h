/*
 * time_units.h: how many of one unit of time are in another. Unsigned and 64 bits wide, as all
 * times of os.h are; a signed time needs a cast.
 */
#ifndef HPROF_OS_TIME_UNITS_H
#define HPROF_OS_TIME_UNITS_H

#include <stdint.h>

#define NS_PER_US UINT64_C(1000)
#define NS_PER_MS UINT64_C(1000000)
#define NS_PER_SECOND UINT64_C(1000000000)
#define US_PER_MS UINT64_C(1000)
#define US_PER_SECOND UINT64_C(1000000)
#define MS_PER_SECOND UINT64_C(1000)

#endif
