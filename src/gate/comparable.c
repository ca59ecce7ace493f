/*
 * comparable.c: see comparable.h.
 */
#include "gate/comparable.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_LEAST = 1024 };

/* The length of the item at the beginning of an option string. */
static size_t item_length(const char *item)
{
	return strcspn(item, ",");
}

static bool item_is(const char *item, const char *name)
{
	size_t length = strlen(name);
	return strncmp(item, name, length) == 0 && item[length] == '=';
}

bool option_value(const char *options, const char *name, char value[OPTION_VALUE_MAX])
{
	bool found = false;

	for (const char *item = options;; item++) {
		size_t length = item_length(item);
		if (item_is(item, name)) {
			const char *text = item + strlen(name) + 1;
			size_t size = (size_t)(item + length - text);
			if (size >= OPTION_VALUE_MAX)
				size = OPTION_VALUE_MAX - 1;
			memcpy(value, text, size);
			value[size] = '\0';
			found = true;
		}
		item += length;
		if (*item == '\0')
			return found;
	}
}

/* Whether one string has every item of that name that the other has. */
static bool has_items_of(const char *one, const char *other, const char *name)
{
	for (const char *item = other;; item++) {
		size_t length = item_length(item);
		bool found = !item_is(item, name);
		for (const char *mine = one; !found; mine++) {
			size_t mine_length = item_length(mine);
			found = mine_length == length && memcmp(mine, item, length) == 0;
			mine += mine_length;
			if (*mine == '\0')
				break;
		}
		if (!found)
			return false;
		item += length;
		if (*item == '\0')
			return true;
	}
}

static bool same_items(const char *one, const char *other, const char *name)
{
	return has_items_of(one, other, name) && has_items_of(other, one, name);
}

/* Whether the option's value is a number equal to 0. */
static bool is_zero(const char *value)
{
	return value[0] != '\0' && value[strspn(value, "0.")] == '\0';
}

/* The text after the name of the file; NULL if there is nothing to say. */
static const char *find_obstacle(const struct side_facts *facts)
{
	char value[OPTION_VALUE_MAX];

	if (facts->tracked)
		return "has allocations as the JVM reports them, which varies with its compilers; "
		       "record both with live=n, on JDK 11 without heap=";
	if (facts->sampled)
		return "has a sample of the allocations; record both without heapinterval=";
	if (facts->options == NULL)
		return "has no NOTE: options, so its depth and cutoff are unknown; record both "
		       "with " GATE_OPTIONS;
	if (facts->rest || !option_value(facts->options, "cutoff", value) || !is_zero(value))
		return "lacks what its cutoff left out; record both with cutoff=0";
	if (!option_value(facts->options, "depth", value) || atol(value) < DEPTH_LEAST)
		return "has stacks that its depth cut; record both with depth=1024";
	return NULL;
}

static bool check_sections(const struct contexts *contexts, const struct side_facts facts[SIDES],
                           char refusal[REFUSAL_MAX])
{
	static const char *const names[MEASURES] = {
	        [MEASURE_CALLS] = "CPU TIME section (cpu=times)",
	        [MEASURE_BYTES] = "SITES section (heap=sites,live=n)"};
	bool any = false;

	for (int i = 0; i < MEASURES; i++) {
		const bool *has = contexts->measured[i].has;
		if (has[SIDE_OLD] != has[SIDE_NEW]) {
			(void)snprintf(refusal, REFUSAL_MAX,
			               "only %s has a %s; record both with the same options",
			               facts[has[SIDE_NEW] ? SIDE_NEW : SIDE_OLD].name, names[i]);
			return false;
		}
		any = any || has[SIDE_NEW];
	}
	if (!any)
		(void)snprintf(refusal, REFUSAL_MAX,
		               "%s has neither calls nor allocations; record both with %s",
		               facts[SIDE_NEW].name, GATE_OPTIONS);
	return any;
}

/* A comparison of nothing would always pass. */
static bool check_classes(const struct contexts *contexts, const struct side_facts facts[SIDES],
                          char refusal[REFUSAL_MAX])
{
	for (int side = 0; side < SIDES; side++) {
		uint64_t all = 0;
		for (int i = 0; i < MEASURES; i++)
			all = report_sum(all, contexts->measured[i].all[side]);
		if (all > 0)
			continue;
		(void)snprintf(refusal, REFUSAL_MAX,
		               "%s has no method of the program's own classes; name them with "
		               "--classes PATTERN",
		               facts[side].name);
		return false;
	}
	return true;
}

bool profiles_comparable(const struct contexts *contexts, const struct side_facts facts[SIDES],
                         char refusal[REFUSAL_MAX])
{
	if (!check_sections(contexts, facts, refusal))
		return false;
	for (int side = 0; side < SIDES; side++) {
		const char *obstacle = find_obstacle(&facts[side]);
		if (obstacle == NULL)
			continue;
		(void)snprintf(refusal, REFUSAL_MAX, "%s %s", facts[side].name, obstacle);
		return false;
	}
	if (!same_items(facts[SIDE_OLD].options, facts[SIDE_NEW].options, "include") ||
	    !same_items(facts[SIDE_OLD].options, facts[SIDE_NEW].options, "exclude")) {
		(void)snprintf(refusal, REFUSAL_MAX,
		               "%s and %s were recorded with different include= or exclude=; "
		               "record both with the same options",
		               facts[SIDE_OLD].name, facts[SIDE_NEW].name);
		return false;
	}
	return check_classes(contexts, facts, refusal);
}
