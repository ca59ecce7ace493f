/*
 * interval.c: see interval.h.
 */
#include "report/interval.h"

#include <math.h>

struct interval interval_of_share(uint64_t part, uint64_t total)
{
	const double z = 1.959963984540054; /* of the normal distribution, for 95% */
	double n = (double)total;
	double share = (double)part / n;

	if (total == 0)
		return (struct interval){.low = 0, .high = 1};
	double centre = share + z * z / (2 * n);
	double width = z * sqrt(share * (1 - share) / n + z * z / (4 * n * n));
	double scale = 1 + z * z / n;
	struct interval interval = {.low = (centre - width) / scale,
	                            .high = (centre + width) / scale};
	/* Rounding can leave the range where the share is 0 or 1. */
	if (interval.low < 0 || part == 0)
		interval.low = 0;
	if (interval.high > 1 || part == total)
		interval.high = 1;
	return interval;
}
