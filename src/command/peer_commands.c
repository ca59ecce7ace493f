/*
 * peer_commands.c: see peer_commands.h. A command is a tag (u1), a serial number (u4), the
 * length of its body (u4), and the body, the highest bytes first.
 */
#include "command/peer_commands.h"

#include "base/whole_number.h"
#include "console/messages.h"
#include "hprof/tags.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS_MAX = 8, WORD_BYTES = 24, HEAD_BYTES = HPROF_COMMAND_HEAD_BYTES };

struct words {
	char word[WORDS_MAX][WORD_BYTES];
	int count;
};

struct body {
	uint8_t bytes[PEER_COMMAND_MAX - HEAD_BYTES];
	size_t length;
};

static void add_number(struct body *body, uint64_t number, unsigned size)
{
	for (unsigned shift = size * 8; shift > 0; shift -= 8)
		body->bytes[body->length++] = (uint8_t)(number >> (shift - 8));
}

/* ---- arguments ------------------------------------------------------------------- */

/* Encodes the arguments, which begin at words->word[rest]. False when they are invalid. */
typedef bool encode_body(const struct words *words, int rest, unsigned id_size, struct body *body);

static bool no_body(const struct words *words, int rest, unsigned id_size, struct body *body)
{
	(void)id_size;
	(void)body;
	return rest == words->count;
}

static bool take_cutoff(const char *word, float *cutoff)
{
	char *end = NULL;
	if (word[0] != '.' && (word[0] < '0' || word[0] > '9'))
		return false;
	double number = strtod(word, &end);
	*cutoff = (float)number;
	return *end == '\0' && number >= 0.0 && number <= 1.0;
}

static void add_cutoff(struct body *body, uint16_t flags, float cutoff)
{
	uint32_t bits;
	memcpy(&bits, &cutoff, sizeof(bits));
	add_number(body, flags, 2);
	add_number(body, bits, 4);
}

static bool alloc_sites(const struct words *words, int rest, unsigned id_size, struct body *body)
{
	static const char *const flag_names[] = {"incremental", "allocated", "gc"};
	uint16_t flags = 0;
	float cutoff = 0.0F;

	(void)id_size;
	for (int i = rest; i < words->count; i++) {
		size_t flag = 0;
		while (flag < 3 && strcmp(words->word[i], flag_names[flag]) != 0)
			flag++;
		if (flag < 3)
			flags |= (uint16_t)(1U << flag);
		else if (!take_cutoff(words->word[i], &cutoff))
			return false;
	}
	add_cutoff(body, flags, cutoff);
	return true;
}

static bool cpu_samples(const struct words *words, int rest, unsigned id_size, struct body *body)
{
	float cutoff = 0.0F;
	(void)id_size;
	if (words->count > rest + 1 ||
	    (words->count == rest + 1 && !take_cutoff(words->word[rest], &cutoff)))
		return false;
	add_cutoff(body, 0, cutoff);
	return true;
}

/* CONTROL with a suboption and its data. */
static bool option(const struct words *words, int rest, struct body *body, uint16_t code)
{
	add_number(body, code, 2);
	return rest == words->count;
}

static bool alloc_on(const struct words *words, int rest, unsigned id_size, struct body *body)
{
	(void)id_size;
	return option(words, rest, body, HPROF_CONTROL_ALLOC_TRACES_ON);
}

static bool alloc_off(const struct words *words, int rest, unsigned id_size, struct body *body)
{
	(void)id_size;
	return option(words, rest, body, HPROF_CONTROL_ALLOC_TRACES_OFF);
}

static bool clear(const struct words *words, int rest, unsigned id_size, struct body *body)
{
	(void)id_size;
	return option(words, rest, body, HPROF_CONTROL_CPU_CLEAR);
}

/* The object ID of a thread, hexadecimal with 0x or decimal; none stands for all threads. */
static bool sampling(const struct words *words, int rest, unsigned id_size, struct body *body,
                     uint16_t code)
{
	uint64_t id = 0;
	add_number(body, code, 2);
	if (rest < words->count) {
		const char *word = words->word[rest++];
		char *end = NULL;
		if (word[0] < '0' || word[0] > '9')
			return false;
		errno = 0;
		id = strtoull(word, &end, 0);
		if (errno != 0 || *end != '\0' || (id_size == 4 && id > UINT32_MAX))
			return false;
	}
	add_number(body, id, id_size);
	return rest == words->count;
}

static bool sampling_on(const struct words *words, int rest, unsigned id_size, struct body *body)
{
	return sampling(words, rest, id_size, body, HPROF_CONTROL_CPU_SAMPLING_ON);
}

static bool sampling_off(const struct words *words, int rest, unsigned id_size, struct body *body)
{
	return sampling(words, rest, id_size, body, HPROF_CONTROL_CPU_SAMPLING_OFF);
}

static bool depth(const struct words *words, int rest, unsigned id_size, struct body *body)
{
	long long number;
	(void)id_size;
	if (words->count != rest + 1 ||
	    !whole_number_parse(words->word[rest], 0, UINT16_MAX, &number))
		return false;
	add_number(body, HPROF_CONTROL_MAX_DEPTH, 2);
	add_number(body, (uint64_t)number, 2);
	return true;
}

/* ---- commands ----------------------------------------------------------------------- */

static const struct command_name {
	const char *name;
	const char *rest; /* the arguments, for messages */
	uint8_t tag;
	encode_body *encode;
} names[] = {
        {"force gc", "", HPROF_COMMAND_FORCE_GC, no_body},
        {"dump heap", "", HPROF_COMMAND_DUMP_HEAP, no_body},
        {"alloc sites", " [incremental] [allocated] [gc] [CUTOFF]", HPROF_COMMAND_ALLOC_SITES,
         alloc_sites},
        {"heap summary", "", HPROF_COMMAND_HEAP_SUMMARY, no_body},
        {"exit", "", HPROF_COMMAND_EXIT, no_body},
        {"dump traces", "", HPROF_COMMAND_DUMP_TRACES, no_body},
        {"cpu samples", " [CUTOFF]", HPROF_COMMAND_CPU_SAMPLES, cpu_samples},
        {"control alloc traces on", "", HPROF_COMMAND_CONTROL, alloc_on},
        {"control alloc traces off", "", HPROF_COMMAND_CONTROL, alloc_off},
        {"control cpu sampling on", " [THREAD]", HPROF_COMMAND_CONTROL, sampling_on},
        {"control cpu sampling off", " [THREAD]", HPROF_COMMAND_CONTROL, sampling_off},
        {"control clear", "", HPROF_COMMAND_CONTROL, clear},
        {"control depth", " FRAMES", HPROF_COMMAND_CONTROL, depth},
        {"eof", "", HPROF_COMMAND_EOF, no_body},
};

enum { NAME_COUNT = sizeof(names) / sizeof(names[0]) };

/* False when there are too many words, or one is too long. */
static bool split(const char *text, struct words *words)
{
	words->count = 0;
	for (;;) {
		text += strspn(text, " \t\r\n");
		size_t length = strcspn(text, " \t\r\n");
		if (length == 0)
			return true;
		if (words->count == WORDS_MAX || length >= WORD_BYTES)
			return false;
		memcpy(words->word[words->count], text, length);
		words->word[words->count++][length] = '\0';
		text += length;
	}
}

/* The number of words of the name if words begins with it; otherwise 0. */
static int match(const struct words *words, const char *name)
{
	struct words expected;
	if (!split(name, &expected) || expected.count > words->count)
		return 0;
	for (int i = 0; i < expected.count; i++) {
		if (strcmp(expected.word[i], words->word[i]) != 0)
			return 0;
	}
	return expected.count;
}

static bool refuse(const char *text, const struct command_name *known, char error[PEER_ERROR_MAX])
{
	if (known != NULL) {
		(void)snprintf(error, PEER_ERROR_MAX, "invalid arguments; write %s%s", known->name,
		               known->rest);
		return false;
	}
	(void)snprintf(error, PEER_ERROR_MAX,
	               "unknown command %.40s; write one of:", console_shown(text).text);
	for (int i = 0; i < NAME_COUNT; i++) {
		/* The commands that begin with control are one in the list. */
		if (strncmp(names[i].name, "control", strlen("control")) == 0)
			continue;
		(void)strlcat(error, " '", PEER_ERROR_MAX);
		(void)strlcat(error, names[i].name, PEER_ERROR_MAX);
		(void)strlcat(error, "'", PEER_ERROR_MAX);
	}
	(void)strlcat(error, " 'control ...'", PEER_ERROR_MAX);
	return false;
}

bool peer_command_encode(const char *text, unsigned id_size, uint32_t serial, uint8_t *bytes,
                         size_t *length, char error[PEER_ERROR_MAX])
{
	struct words words;
	struct body body = {.length = 0};
	const struct command_name *known = NULL;
	int rest = 0;

	if (!split(text, &words))
		return refuse(text, NULL, error);
	for (int i = 0; i < NAME_COUNT && rest == 0; i++) {
		rest = match(&words, names[i].name);
		known = rest > 0 ? &names[i] : NULL;
	}
	if (known == NULL || !known->encode(&words, rest, id_size, &body))
		return refuse(text, known, error);
	*length = 1;
	bytes[0] = known->tag;
	if (known->tag == HPROF_COMMAND_EOF)
		return true; /* the tag alone is enough */
	struct body head = {.length = 0};
	add_number(&head, serial, 4);
	add_number(&head, body.length, 4);
	memcpy(bytes + 1, head.bytes, head.length);
	memcpy(bytes + HEAD_BYTES, body.bytes, body.length);
	*length = HEAD_BYTES + body.length;
	return true;
}
