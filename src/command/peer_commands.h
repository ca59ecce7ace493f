/*
 * peer_commands.h: the commands that a peer of net= can send to the agent, as people write
 * them and as bytes ("Socket Connection and Communication" in the HPROF manual). Pure.
 */
#ifndef HPROF_COMMAND_PEER_COMMANDS_H
#define HPROF_COMMAND_PEER_COMMANDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PEER_COMMAND_MAX = 32, PEER_ERROR_MAX = 256 };

/* Makes the bytes, PEER_COMMAND_MAX at most, of a command such as "alloc sites gc 0.01".
 * id_size is that of the stream, serial a number of the caller's own. False with what to
 * write instead in error. */
bool peer_command_encode(const char *text, unsigned id_size, uint32_t serial, uint8_t *bytes,
                         size_t *length, char error[PEER_ERROR_MAX]);

#endif
