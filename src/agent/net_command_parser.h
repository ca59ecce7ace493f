/*
 * net_command_parser.h: parses the commands of the peer of net= ("Socket Connection and
 * Communication" in the HPROF manual). The bytes are untrusted. Independent of sockets and the
 * VM. No lock: a parser belongs to one thread.
 */
#ifndef HPROF_AGENT_NET_COMMAND_PARSER_H
#define HPROF_AGENT_NET_COMMAND_PARSER_H

#include "profile/net_command.h"

#include <stddef.h>

/* Length of the longest known command. */
enum { NET_COMMAND_BYTES_MAX = 9 + 10, NET_COMMAND_ERROR_MAX = 128 };

struct net_command_parser {
	unsigned id_size; /* of identifiers, 4 or 8 */
	size_t length;    /* bytes of the next command received so far */
	uint8_t bytes[NET_COMMAND_BYTES_MAX];
	char error[NET_COMMAND_ERROR_MAX]; /* why a command was refused, for a message */
};

enum net_command_parse {
	NET_COMMAND_PARSE_MORE,    /* all bytes are consumed; the command is incomplete */
	NET_COMMAND_PARSE_DONE,    /* a command; the bytes after it are not consumed */
	NET_COMMAND_PARSE_REFUSED, /* not a command; the rest of the stream is unusable */
};

/* Prepares for the first byte of a command. id_size is 4 or 8. */
void net_command_parser_init(struct net_command_parser *parser, unsigned id_size);

/* Consumes up to length bytes, *taken of them, and fills command for
 * NET_COMMAND_PARSE_DONE. thread_serial stays 0: the caller looks up thread_id. The tag of EOF
 * alone is a command, as for the classic agent. A wrong length is refused as soon as it has
 * arrived; after a refusal, error says why. */
enum net_command_parse net_command_parser_feed(struct net_command_parser *parser,
                                               const uint8_t *bytes, size_t length, size_t *taken,
                                               struct net_command *command);

#endif
