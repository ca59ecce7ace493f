/*
 * section_names.c: see section_names.h.
 */
#include "report/section_names.h"

#include <string.h>

static const struct section_name names[] = {
        {SECTION_SAMPLES, "samples", "CPU SAMPLES", "samples"},
        {SECTION_TIMES, "times", "CPU TIME", "ns"},
        {SECTION_OFF_CPU, "off-cpu", "OFF-CPU TIME", "ns"},
        {SECTION_SITES, "sites", "SITES", "bytes"},
        {SECTION_MONITORS, "monitors", "MONITOR TIME", "ns"},
        {SECTION_USR, "usr", "TRACE MICROSTATES, usr", "ns"},
        {SECTION_SYS, "sys", "TRACE MICROSTATES, sys", "ns"},
        {SECTION_TFL, "tfl", "TRACE MICROSTATES, tfl", "ns"},
        {SECTION_DFL, "dfl", "TRACE MICROSTATES, dfl", "ns"},
        {SECTION_LCK, "lck", "TRACE MICROSTATES, lck", "ns"},
        {SECTION_SLP, "slp", "TRACE MICROSTATES, slp", "ns"},
        {SECTION_IO, "i/o", "TRACE MICROSTATES, i/o", "ns"},
        {SECTION_LAT, "lat", "TRACE MICROSTATES, lat", "ns"},
        {SECTION_STW, "stw", "TRACE MICROSTATES, stw", "ns"},
};
enum { NAMES = sizeof(names) / sizeof(names[0]) };

const struct section_name *section_name_of_word(const char *word)
{
	for (size_t i = 0; i < NAMES; i++) {
		if (strcmp(names[i].word, word) == 0)
			return &names[i];
	}
	return NULL;
}

const struct section_name *section_name_of_kind(enum section_kind kind)
{
	size_t i = 0;
	while (i + 1 < NAMES && names[i].kind != kind)
		i++;
	return &names[i];
}
