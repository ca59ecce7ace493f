/*
 * net_command_parser.c: see net_command_parser.h.
 */
#include "agent/net_command_parser.h"

#include "hprof/tags.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { HEAD_BYTES = HPROF_COMMAND_HEAD_BYTES, OPTION_BYTES = 2 };

/* Layout of the body of a command. */
enum body {
	BODY_NONE,
	BODY_FLAGS_AND_CUTOFF, /* u2, float */
	BODY_OPTION            /* CONTROL: u2, and the operand of that sub-option */
};

/* Operand of a sub-option of CONTROL. */
enum operand { OPERAND_NONE, OPERAND_ID, OPERAND_DEPTH };

static const struct known_command {
	uint8_t tag;
	enum body body;
	enum net_command_kind kind; /* of CONTROL: replaced by that of the sub-option */
} known_commands[] = {
        {HPROF_COMMAND_FORCE_GC, BODY_NONE, COMMAND_FORCE_GC},
        {HPROF_COMMAND_DUMP_HEAP, BODY_NONE, COMMAND_DUMP_HEAP},
        {HPROF_COMMAND_ALLOC_SITES, BODY_FLAGS_AND_CUTOFF, COMMAND_ALLOC_SITES},
        {HPROF_COMMAND_HEAP_SUMMARY, BODY_NONE, COMMAND_HEAP_SUMMARY},
        {HPROF_COMMAND_EXIT, BODY_NONE, COMMAND_EXIT_VM},
        {HPROF_COMMAND_DUMP_TRACES, BODY_NONE, COMMAND_DUMP_TRACES},
        {HPROF_COMMAND_CPU_SAMPLES, BODY_FLAGS_AND_CUTOFF, COMMAND_CPU_SAMPLES},
        {HPROF_COMMAND_CONTROL, BODY_OPTION, COMMAND_MAX_DEPTH},
};

static const struct known_option {
	uint16_t option;
	enum operand operand;
	enum net_command_kind kind;
} known_options[] = {
        {HPROF_CONTROL_ALLOC_TRACES_ON, OPERAND_NONE, COMMAND_ALLOC_TRACES_ON},
        {HPROF_CONTROL_ALLOC_TRACES_OFF, OPERAND_NONE, COMMAND_ALLOC_TRACES_OFF},
        {HPROF_CONTROL_CPU_SAMPLING_ON, OPERAND_ID, COMMAND_CPU_SAMPLING_ON},
        {HPROF_CONTROL_CPU_SAMPLING_OFF, OPERAND_ID, COMMAND_CPU_SAMPLING_OFF},
        {HPROF_CONTROL_CPU_CLEAR, OPERAND_NONE, COMMAND_CPU_CLEAR},
        {HPROF_CONTROL_MAX_DEPTH, OPERAND_DEPTH, COMMAND_MAX_DEPTH},
};

static uint64_t number(const uint8_t *bytes, size_t size)
{
	uint64_t value = 0;
	for (size_t i = 0; i < size; i++)
		value = value << 8 | bytes[i];
	return value;
}

void net_command_parser_init(struct net_command_parser *parser, unsigned id_size)
{
	parser->id_size = id_size;
	parser->length = 0;
	parser->error[0] = '\0';
}

static enum net_command_parse refuse(struct net_command_parser *parser, const char *what,
                                     uint64_t value)
{
	(void)snprintf(parser->error, sizeof(parser->error), "%s 0x%llx", what,
	               (unsigned long long)value);
	return NET_COMMAND_PARSE_REFUSED;
}

static const struct known_command *find_command(uint8_t tag)
{
	for (size_t i = 0; i < sizeof(known_commands) / sizeof(known_commands[0]); i++) {
		if (known_commands[i].tag == tag)
			return &known_commands[i];
	}
	return NULL;
}

static const struct known_option *find_option(uint16_t option)
{
	for (size_t i = 0; i < sizeof(known_options) / sizeof(known_options[0]); i++) {
		if (known_options[i].option == option)
			return &known_options[i];
	}
	return NULL;
}

static size_t operand_size(const struct net_command_parser *parser, enum operand operand)
{
	switch (operand) {
	case OPERAND_ID:
		return parser->id_size;
	case OPERAND_DEPTH:
		return 2;
	case OPERAND_NONE:
		break;
	}
	return 0;
}

/* Whether a body of that kind can have this length. */
static bool is_length(const struct net_command_parser *parser, enum body body, uint64_t length)
{
	switch (body) {
	case BODY_FLAGS_AND_CUTOFF:
		return length == 2 + 4;
	case BODY_OPTION:
		return length == OPTION_BYTES || length == OPTION_BYTES + 2 ||
		       length == OPTION_BYTES + parser->id_size;
	case BODY_NONE:
		break;
	}
	return length == 0;
}

static enum net_command_parse parse_cutoff(struct net_command_parser *parser,
                                           struct net_command *command)
{
	uint32_t bits = (uint32_t)number(parser->bytes + HEAD_BYTES + 2, 4);
	float cutoff;

	memcpy(&cutoff, &bits, sizeof(cutoff));
	/* Written so that NaN is refused too. */
	if (!(cutoff >= 0.0F && cutoff <= 1.0F))
		return refuse(parser, "cutoff ratio", bits);
	if (command->kind == COMMAND_ALLOC_SITES)
		command->flags = (uint16_t)number(parser->bytes + HEAD_BYTES, 2);
	command->cutoff = (double)cutoff;
	return NET_COMMAND_PARSE_DONE;
}

static enum net_command_parse parse_option(struct net_command_parser *parser, size_t body_length,
                                           struct net_command *command)
{
	const uint8_t *body = parser->bytes + HEAD_BYTES;
	uint16_t code = (uint16_t)number(body, OPTION_BYTES);
	const struct known_option *option = find_option(code);

	if (option == NULL)
		return refuse(parser, "sub-option", code);
	size_t size = operand_size(parser, option->operand);
	if (body_length != OPTION_BYTES + size)
		return refuse(parser, "length", body_length);
	uint64_t operand = number(body + OPTION_BYTES, size);
	command->kind = option->kind;
	if (option->operand == OPERAND_ID)
		command->thread_id = operand;
	else
		command->depth = (uint16_t)operand;
	return NET_COMMAND_PARSE_DONE;
}

/* The length of the command: of its head while that is incomplete, 0 when the head is
 * invalid. */
static size_t required_length(struct net_command_parser *parser)
{
	if (parser->length < HEAD_BYTES)
		return HEAD_BYTES;
	const struct known_command *known = find_command(parser->bytes[0]);
	uint64_t body_length = number(parser->bytes + 5, 4);
	if (known == NULL || !is_length(parser, known->body, body_length)) {
		(void)refuse(parser, "length", body_length);
		return 0;
	}
	return HEAD_BYTES + (size_t)body_length;
}

static enum net_command_parse parse(struct net_command_parser *parser, struct net_command *command)
{
	const struct known_command *known = find_command(parser->bytes[0]);
	size_t body_length = parser->length - HEAD_BYTES;

	memset(command, 0, sizeof(*command));
	parser->length = 0;
	if (known == NULL)
		return refuse(parser, "tag", parser->bytes[0]);
	command->kind = known->kind;
	command->serial = (uint32_t)number(parser->bytes + 1, 4);
	switch (known->body) {
	case BODY_FLAGS_AND_CUTOFF:
		return parse_cutoff(parser, command);
	case BODY_OPTION:
		return parse_option(parser, body_length, command);
	case BODY_NONE:
		break;
	}
	return NET_COMMAND_PARSE_DONE;
}

enum net_command_parse net_command_parser_feed(struct net_command_parser *parser,
                                               const uint8_t *bytes, size_t length, size_t *taken,
                                               struct net_command *command)
{
	*taken = 0;
	for (;;) {
		size_t required = required_length(parser);
		if (required == 0)
			return NET_COMMAND_PARSE_REFUSED;
		if (parser->length == required)
			return parse(parser, command);
		if (*taken == length)
			return NET_COMMAND_PARSE_MORE;
		uint8_t byte = bytes[(*taken)++];
		parser->bytes[parser->length++] = byte;
		if (parser->length > 1)
			continue;
		if (byte == HPROF_COMMAND_EOF) {
			memset(command, 0, sizeof(*command));
			command->kind = COMMAND_EOF;
			parser->length = 0;
			return NET_COMMAND_PARSE_DONE;
		}
		if (find_command(byte) == NULL)
			return refuse(parser, "tag", byte);
	}
}
