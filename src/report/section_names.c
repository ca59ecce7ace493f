/*
 * section_names.c: see section_names.h.
 */
#include "report/section_names.h"

#include "hprof/text_titles.h"

#include <string.h>

static const struct section_name names[] = {
        {SECTION_SAMPLES, "samples", TEXT_CPU_SAMPLES, "samples"},
        {SECTION_TIMES, "times", TEXT_CPU_TIME, "ns"},
        {SECTION_OFF_CPU, "off-cpu", TEXT_OFF_CPU_TIME, "ns"},
        {SECTION_SITES, "sites", TEXT_SITES, "bytes"},
        {SECTION_MONITORS, "monitors", TEXT_MONITOR_TIME, "ns"},
        {SECTION_USR, "usr", TEXT_TRACE_MICROSTATES ", usr", "ns"},
        {SECTION_SYS, "sys", TEXT_TRACE_MICROSTATES ", sys", "ns"},
        {SECTION_TFL, "tfl", TEXT_TRACE_MICROSTATES ", tfl", "ns"},
        {SECTION_DFL, "dfl", TEXT_TRACE_MICROSTATES ", dfl", "ns"},
        {SECTION_LCK, "lck", TEXT_TRACE_MICROSTATES ", lck", "ns"},
        {SECTION_SLP, "slp", TEXT_TRACE_MICROSTATES ", slp", "ns"},
        {SECTION_IO, "i/o", TEXT_TRACE_MICROSTATES ", i/o", "ns"},
        {SECTION_LAT, "lat", TEXT_TRACE_MICROSTATES ", lat", "ns"},
        {SECTION_STW, "stw", TEXT_TRACE_MICROSTATES ", stw", "ns"},
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
