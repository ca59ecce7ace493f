/*
 * pprof_types.c: see pprof_types.h. The names are those of Go's own profiles where it has the
 * same numbers.
 */
#include "export/pprof_types.h"

#include "os/time_units.h"

static int64_t limited(uint64_t value)
{
	return value > INT64_MAX ? INT64_MAX : (int64_t)value;
}

static int64_t cost(const struct section_row *row, uint32_t interval_ms)
{
	(void)interval_ms;
	return limited(row->cost);
}

static int64_t cpu_time(const struct section_row *row, uint32_t interval_ms)
{
	uint64_t each = interval_ms * NS_PER_MS;
	return each != 0 && row->cost > INT64_MAX / each ? INT64_MAX : limited(row->cost * each);
}

static int64_t count_of(const struct section_row *row, uint32_t interval_ms)
{
	(void)interval_ms;
	return limited(row->count);
}

static int64_t live_bytes(const struct section_row *row, uint32_t interval_ms)
{
	(void)interval_ms;
	return limited(row->live_bytes);
}

static int64_t allocated_objects(const struct section_row *row, uint32_t interval_ms)
{
	(void)interval_ms;
	return limited(row->allocated_objects);
}

static int64_t allocated_bytes(const struct section_row *row, uint32_t interval_ms)
{
	(void)interval_ms;
	return limited(row->allocated_bytes);
}

static const struct pprof_type all[] = {
        {SECTION_SAMPLES, "samples", "count", cost, .is_cost = true},
        {SECTION_SAMPLES, "cpu", "nanoseconds", cpu_time, .is_interval = true, .is_cost = true},
        {SECTION_TIMES, "calls", "count", count_of, .is_cost = false},
        {SECTION_TIMES, "cpu", "nanoseconds", cost, .is_cost = true},
        {SECTION_OFF_CPU, "off_cpu", "nanoseconds", cost, .is_cost = true},
        {SECTION_SITES, "alloc_objects", "count", allocated_objects, .is_cost = false},
        {SECTION_SITES, "alloc_space", "bytes", allocated_bytes, .is_cost = true},
        {SECTION_SITES, "inuse_objects", "count", count_of, .is_live = true},
        {SECTION_SITES, "inuse_space", "bytes", live_bytes, .is_live = true, .is_cost = true},
        {SECTION_MONITORS, "contentions", "count", count_of, .is_cost = false},
        {SECTION_MONITORS, "delay", "nanoseconds", cost, .is_cost = true},
        {SECTION_USR, "usr", "nanoseconds", cost, .is_cost = true},
        {SECTION_SYS, "sys", "nanoseconds", cost, .is_cost = true},
        {SECTION_TFL, "tfl", "nanoseconds", cost, .is_cost = true},
        {SECTION_DFL, "dfl", "nanoseconds", cost, .is_cost = true},
        {SECTION_LCK, "lck", "nanoseconds", cost, .is_cost = true},
        {SECTION_SLP, "slp", "nanoseconds", cost, .is_cost = true},
        {SECTION_IO, "io", "nanoseconds", cost, .is_cost = true},
        {SECTION_LAT, "lat", "nanoseconds", cost, .is_cost = true},
        {SECTION_STW, "stw", "nanoseconds", cost, .is_cost = true},
};
enum { ALL = sizeof(all) / sizeof(all[0]) };

_Static_assert((int)ALL <= (int)PPROF_TYPES_MAX, "a profile may have all types");

/* Sites in the order of allocated bytes count no live objects. */
static bool has_type(const struct stack_profile *stacks, const struct stack_series *series,
                     const struct pprof_type *type)
{
	return type->kind == series->section.kind &&
	       (!type->is_live || !series->section.by_allocation) &&
	       (!type->is_interval || stacks->profile->facts.interval_ms != 0);
}

void pprof_types_of(const struct stack_profile *stacks, const struct pprof_type **types,
                    size_t *count, size_t *first)
{
	*count = 0;
	*first = 0;
	for (size_t i = 0; i < stacks->series_count; i++) {
		for (size_t j = 0; j < ALL; j++) {
			if (!has_type(stacks, &stacks->series[i], &all[j]))
				continue;
			if (i == 0 && all[j].is_cost)
				*first = *count;
			types[(*count)++] = &all[j];
		}
	}
}
