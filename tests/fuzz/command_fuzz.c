/*
 * libFuzzer harness of the parser of the peer's commands: any input is fed in pieces,
 * whose size its first byte decides. It stops, besides what the sanitizers see, when
 * the pieces make a difference, or a command has what its kind may not have. `make fuzz`
 * builds and runs it.
 */
#include "agent/net_command_parser.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { COMMANDS_MAX = 256 };

struct outcome {
	size_t count;
	bool refused;
	struct net_command commands[COMMANDS_MAX];
};

static void parse(const uint8_t *bytes, size_t length, size_t piece, unsigned id_size,
                  struct outcome *outcome)
{
	struct net_command_parser parser;
	size_t at = 0;

	net_command_parser_init(&parser, id_size);
	while (at < length && !outcome->refused) {
		size_t left = length - at < piece ? length - at : piece;
		size_t taken;
		struct net_command command;
		enum net_command_parse result =
		        net_command_parser_feed(&parser, bytes + at, left, &taken, &command);
		if (taken > left || (taken == 0 && result == NET_COMMAND_PARSE_DONE))
			abort();
		at += taken;
		outcome->refused = result == NET_COMMAND_PARSE_REFUSED;
		if (result == NET_COMMAND_PARSE_DONE && outcome->count < COMMANDS_MAX)
			outcome->commands[outcome->count++] = command;
	}
}

static void check(const struct net_command *command)
{
	if ((unsigned)command->kind > COMMAND_EOF)
		abort();
	if (!(command->cutoff >= 0.0 && command->cutoff <= 1.0) || command->thread_serial != 0)
		abort();
	if (command->depth != 0 && command->kind != COMMAND_MAX_DEPTH)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct outcome whole;
	static struct outcome pieces;

	if (size < 1)
		return 0;
	memset(&whole, 0, sizeof(whole));
	memset(&pieces, 0, sizeof(pieces));
	unsigned id_size = (data[0] & 1) != 0 ? 8 : 4;
	parse(data + 1, size - 1, size, id_size, &whole);
	parse(data + 1, size - 1, 1 + (data[0] >> 1) % 20, id_size, &pieces);
	if (whole.count != pieces.count || whole.refused != pieces.refused)
		abort();
	for (size_t i = 0; i < whole.count; i++) {
		check(&whole.commands[i]);
		if (whole.commands[i].kind != pieces.commands[i].kind ||
		    whole.commands[i].thread_id != pieces.commands[i].thread_id)
			abort();
	}
	return 0;
}
