/*
 * command_listen.c: `hprof listen`, the peer of the agent's net=. The main thread receives what
 * the agent sends. Once the header of the stream is known, a second thread reads commands from
 * standard input and sends them; it still runs when the command exits. With --send the main
 * thread sends the commands, and there is no second thread. No lock: one thread writes to the
 * connection, the other reads.
 */
#include "base/whole_number.h"
#include "command/command.h"
#include "command/peer_commands.h"
#include "console/output.h"

#include <stdio.h>
#include <string.h>

enum {
	PORT_MAX = 65535,
	SENDS_MAX = 64,
	HOST_BYTES = 256,
	READ_BYTES = 64 * 1024,
	LINE_BYTES = 256,
	HEADER_NAME = 19, /* with its NUL; the size of identifiers comes next */
	HEADER_BYTES = HEADER_NAME + 4,
	SEND_DEADLINE_MS = 30 * 1000,
	WAIT_MS = 3600 * 1000
};

struct listener {
	char host[HOST_BYTES];
	uint16_t port;
	bool is_local;      /* host is the path of a UNIX socket */
	const char *output; /* NULL: standard output */
	const char *sends[SENDS_MAX];
	int send_count;

	struct os_socket connection;
	uint8_t header[HEADER_BYTES];
	size_t header_length;
	unsigned id_size; /* size of identifiers in the binary stream; 0: not known yet */
	bool is_text;
	uint32_t serial; /* of the last command */
	struct os_thread_handle reader;
};

/* ---- the command line --------------------------------------------------------- */

static bool parse_address(struct listener *listener, const char *text)
{
	static const char local[] = "unix:";
	const char *name = text + sizeof(local) - 1;
	const char *colon = strrchr(text, ':');
	const char *port_text = colon == NULL ? text : colon + 1;
	size_t length = colon == NULL ? 0 : (size_t)(colon - text);
	long long port;

	listener->is_local =
	        strncmp(text, local, sizeof(local) - 1) == 0 && (name[0] == '/' || name[0] == '@');
	if (listener->is_local)
		return name[1] != '\0' && strlcpy(listener->host, name, sizeof(listener->host)) <
		                                  sizeof(listener->host);
	if (!whole_number_parse(port_text, 0, PORT_MAX, &port))
		return false;
	listener->port = (uint16_t)port;
	if (colon == NULL)
		return strlcpy(listener->host, "127.0.0.1", sizeof(listener->host)) > 0;
	if (length >= 2 && text[0] == '[' && text[length - 1] == ']') {
		text++;
		length -= 2;
	} else if (memchr(text, ':', length) != NULL) {
		return false;
	}
	if (length == 0 || length >= sizeof(listener->host))
		return false;
	memcpy(listener->host, text, length);
	listener->host[length] = '\0';
	return true;
}

/* Commands are checked before a peer is connected. */
static bool take_send(struct listener *listener, const char *text)
{
	uint8_t bytes[PEER_COMMAND_MAX];
	char error[PEER_ERROR_MAX];
	size_t length;

	if (listener->send_count == SENDS_MAX) {
		(void)console_usage("too many --send options; write %d at most", SENDS_MAX);
		return false;
	}
	if (!peer_command_encode(text, 8, 1, bytes, &length, error)) {
		(void)console_usage("--send: %s", error);
		return false;
	}
	listener->sends[listener->send_count++] = text;
	return true;
}

static bool parse(int count, char **arguments, struct listener *listener)
{
	const char *address = NULL;

	for (int i = 0; i < count; i++) {
		bool output = strcmp(arguments[i], "-o") == 0;
		bool send = strcmp(arguments[i], "--send") == 0;
		if (!output && !send && (arguments[i][0] == '-' || address != NULL)) {
			(void)console_usage("unexpected argument %s; write hprof listen [-o FILE] "
			                    "[--send COMMAND]... [HOST:]PORT|unix:/PATH",
			                    console_shown(arguments[i]).text);
			return false;
		}
		if (!output && !send) {
			address = arguments[i];
			continue;
		}
		if (i + 1 == count) {
			(void)console_usage("%s requires a value; write %s", arguments[i],
			                    output ? "-o FILE" : "--send COMMAND");
			return false;
		}
		i++;
		if (output)
			listener->output = arguments[i];
		else if (!take_send(listener, arguments[i]))
			return false;
	}
	if (address != NULL && parse_address(listener, address))
		return true;
	(void)console_usage("write hprof listen PORT or HOST:PORT, with a port from 0 to 65535, or "
	                    "unix:/PATH");
	return false;
}

/* ---- sending ----------------------------------------------------------------------- */

/* Sends a command. An invalid command is reported and is no failure. False when the connection
 * has failed. */
static bool send_command(struct listener *listener, const char *text)
{
	uint8_t bytes[PEER_COMMAND_MAX];
	char problem[PEER_ERROR_MAX];
	size_t length;

	if (!peer_command_encode(text, listener->id_size, listener->serial + 1, bytes, &length,
	                         problem)) {
		console_print("%s", problem);
		return true;
	}
	listener->serial++;
	int error = os_socket_write(&listener->connection, bytes, length, SEND_DEADLINE_MS);
	if (error != 0)
		console_print("can't send '%s': %s", console_shown(text).text,
		              console_reason(error).text);
	return error == 0;
}

/* The second thread. A line that is too long is read completely and refused. */
static void read_commands(void *user)
{
	struct listener *listener = user;
	struct os_file input;
	char line[LINE_BYTES];
	size_t length = 0;
	size_t got = 1;

	if (os_file_standard(OS_STANDARD_INPUT, &input) != 0)
		return;
	while (got > 0) {
		char letter = '\n';
		if (os_file_read(&input, &letter, 1, &got) != 0)
			return;
		if (got > 0 && letter != '\n') {
			if (length < sizeof(line) - 1)
				line[length++] = letter;
			continue;
		}
		line[length] = '\0';
		length = 0;
		if (line[strspn(line, " \t\r")] != '\0' && !send_command(listener, line))
			return;
	}
}

static bool begin_sending(struct listener *listener)
{
	if (listener->is_text) {
		if (listener->send_count > 0)
			console_print("can't send commands: the agent writes text, and accepts "
			              "commands only with format=b");
		return listener->send_count == 0;
	}
	for (int i = 0; i < listener->send_count; i++) {
		if (!send_command(listener, listener->sends[i]))
			return false;
	}
	if (listener->send_count > 0)
		return true;
	int error = os_thread_start(&listener->reader, read_commands, listener);
	if (error != 0)
		console_print("can't start the thread that reads commands: %s",
		              console_reason(error).text);
	return error == 0;
}

/* ---- receiving ------------------------------------------------------------------- */

/* Collects the header of the stream. True when this call has completed it. */
static bool take_header(struct listener *listener, const uint8_t *bytes, size_t length)
{
	size_t room = HEADER_BYTES - listener->header_length;
	size_t taken = length < room ? length : room;

	if (room == 0)
		return false;
	memcpy(listener->header + listener->header_length, bytes, taken);
	listener->header_length += taken;
	if (listener->header_length < HEADER_BYTES)
		return false;
	uint8_t size = listener->header[HEADER_BYTES - 1];
	listener->is_text = listener->header[HEADER_NAME - 1] != 0 || (size != 4 && size != 8);
	listener->id_size = listener->is_text ? 0 : size;
	return true;
}

/* Writes what arrives to output, which keeps it even if the connection fails. */
static bool receive(struct listener *listener, struct output *output)
{
	static uint8_t bytes[READ_BYTES];
	uint64_t total = 0;
	bool good = true;

	for (;;) {
		size_t got = 0;
		int error =
		        os_socket_read(&listener->connection, bytes, sizeof(bytes), WAIT_MS, &got);
		if (error == OS_TIMED_OUT)
			continue;
		if (error == OS_CLOSED)
			break;
		if (error != 0) {
			console_print("the connection failed: %s", console_reason(error).text);
			good = false;
			break;
		}
		total += got;
		if (!output_raw(output, bytes, got))
			return false; /* reported when the output is closed */
		if (take_header(listener, bytes, got) && !begin_sending(listener))
			good = false;
	}
	console_print("received %llu bytes", (unsigned long long)total);
	return good && total > 0;
}

static bool listen_at_port(const struct listener *listener, struct os_socket *socket)
{
	uint16_t port = 0;
	const char *open = strchr(listener->host, ':') != NULL ? "[" : "";
	const char *close = open[0] != '\0' ? "]" : "";
	const struct shown host = console_shown(listener->host);

	int error = os_socket_listen_on(listener->host, listener->port, socket, &port);
	if (error != 0)
		console_print("can't listen on %s%s%s:%u: %s; write another port, or an address "
		              "of this machine",
		              open, host.text, close, listener->port, console_reason(error).text);
	else
		console_print("listening on %s%s%s:%u", open, host.text, close, port);
	return error == 0;
}

static bool listen_at_name(const struct listener *listener, struct os_socket *socket)
{
	const struct shown name = console_shown(listener->host);

	int error = os_socket_listen_local(listener->host, socket);
	if (error != 0)
		console_print("can't listen on unix:%s: %s; write a path in a directory of your "
		              "own, or [HOST:]PORT",
		              name.text, console_reason(error).text);
	else
		console_print("listening on unix:%s", name.text);
	return error == 0;
}

/* Accepts one connection. Local connections of other users, except root, are closed. */
static int accept_one(struct listener *listener, struct os_socket *socket)
{
	for (;;) {
		int error = os_socket_accept(socket, WAIT_MS, &listener->connection);
		if (error == OS_TIMED_OUT)
			continue;
		if (error != 0 || !listener->is_local ||
		    os_socket_check_peer(&listener->connection) == 0)
			return error;
		os_socket_close(&listener->connection);
		console_print("closed a connection of another user");
	}
}

static bool accept_agent(struct listener *listener)
{
	struct os_socket socket;

	if (!(listener->is_local ? listen_at_name(listener, &socket)
	                         : listen_at_port(listener, &socket)))
		return false;
	int error = accept_one(listener, &socket);
	os_socket_close(&socket);
	if (listener->is_local && listener->host[0] != '@')
		(void)os_file_remove(listener->host);
	if (error != 0)
		console_print("can't accept a connection: %s", console_reason(error).text);
	return error == 0;
}

int command_listen(int count, char **arguments)
{
	/* Static: the second thread may still use it after this function has returned. */
	static struct listener listener;
	struct output output;

	if (!parse(count, arguments, &listener))
		return EXIT_USAGE;
	if (!output_open(&output, listener.output))
		return EXIT_FAILED;
	bool accepted = accept_agent(&listener);
	bool good = accepted && receive(&listener, &output);
	bool written = output_close(&output, accepted);
	return good && written ? EXIT_DONE : EXIT_FAILED;
}
