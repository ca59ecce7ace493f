/*
 * peer_commands.h: encodes the commands that a peer of net= can send to the agent from their
 * text to bytes ("Socket Connection and Communication" in the HPROF manual). Pure.
 */
#ifndef HPROF_COMMAND_PEER_COMMANDS_H
#define HPROF_COMMAND_PEER_COMMANDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PEER_COMMAND_MAX = 32, PEER_ERROR_MAX = 256 };

/* Encodes a command such as "alloc sites gc 0.01" to PEER_COMMAND_MAX bytes at most. id_size is
 * that of the stream; the caller chooses serial. False when the command is invalid: error then
 * says what to write instead. */
bool peer_command_encode(const char *text, unsigned id_size, uint32_t serial, uint8_t *bytes,
                         size_t *length, char error[PEER_ERROR_MAX]);

#endif
