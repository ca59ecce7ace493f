/*
 * net_command_parser.h: bytes of the peer of net= to commands ("Socket Connection and
 * Communication" in the HPROF manual). Everything in them is hostile. Knows neither
 * sockets nor the VM; no lock: a parser belongs to one thread.
 */
#ifndef HPROF_AGENT_NET_COMMAND_PARSER_H
#define HPROF_AGENT_NET_COMMAND_PARSER_H

#include "profile/net_command.h"

#include <stddef.h>

/* No command that is understood is longer. */
enum { NET_COMMAND_BYTES_MAX = 9 + 10, NET_COMMAND_ERROR_MAX = 128 };

struct net_command_parser {
	unsigned id_size; /* of identifiers, 4 or 8 */
	size_t length;    /* of what is there of the next command */
	uint8_t bytes[NET_COMMAND_BYTES_MAX];
	char error[NET_COMMAND_ERROR_MAX]; /* why a command was refused, for a message */
};

enum net_command_parse {
	NET_COMMAND_PARSE_MORE,    /* all bytes are taken; the command is not complete yet */
	NET_COMMAND_PARSE_DONE,    /* a command; the bytes behind it are not taken */
	NET_COMMAND_PARSE_REFUSED, /* no command, and none can follow */
};

/* Begins with the first byte of a command. */
void net_command_parser_init(struct net_command_parser *parser, unsigned id_size);

/* Takes some of the length bytes, *taken says how many. A command's thread_serial
 * stays 0: who knows the threads looks it up. The tag of EOF is a command by
 * itself, since the classic agent looked at no more of it. A length that is not the
 * command's own is refused as soon as it is there. */
enum net_command_parse net_command_parser_feed(struct net_command_parser *parser,
                                               const uint8_t *bytes, size_t length, size_t *taken,
                                               struct net_command *command);

#endif
