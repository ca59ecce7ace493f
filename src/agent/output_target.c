/*
 * output_target.c: see output_target.h.
 */
#include "agent/output_target.h"

#include "base/printable.h"

#include <stdio.h>
#include <string.h>

enum { CONNECT_DEADLINE_MS = 10000, SUFFIXES_MAX = 100000 };

/* Limits how long the end of the JVM waits for the peer: see net in man/hprof-agent.7. */
static const struct sink_socket_limits socket_limits = {
        .memory_bytes = (size_t)1024 * 1024,
        .stall_ms = 5000,
        .deliver_ms = 10000,
        .bytes_per_second = 1024 * 1024,
        .linger_ms = 1000,
};

/* How much of a name a message shows, with its NUL: less than a line holds, so that the reason
 * after it is not cut off. */
enum { SHOWN_MAX = 1024 };

/* Appends to a name; false when it does not fit. */
static bool append(char *name, size_t size, const char *piece, size_t length)
{
	size_t used = strlen(name);
	if (length >= size - used)
		return false;
	memcpy(name + used, piece, length);
	name[used + length] = '\0';
	return true;
}

/* The replacement of %c in a name; NULL when there is none. */
static const char *expansion(char c, const char *pid, const char *stamp)
{
	switch (c) {
	case 'p':
		return pid;
	case 't':
		return stamp;
	case '%':
		return "%";
	default:
		return NULL;
	}
}

bool output_target_file_name(const struct settings *settings, uint64_t pid, int64_t wall_ms,
                             char *name, size_t size)
{
	const char *pattern = settings->file;
	char pid_text[24];
	char stamp[32];

	if (pattern[0] == '\0')
		pattern = settings->format == FORMAT_TEXT ? "java.hprof.txt" : "java.hprof";
	(void)snprintf(pid_text, sizeof(pid_text), "%llu", (unsigned long long)pid);
	os_local_time_stamp(wall_ms, stamp, sizeof(stamp));

	name[0] = '\0';
	for (const char *at = pattern; *at != '\0'; at++) {
		const char *piece = at[0] == '%' ? expansion(at[1], pid_text, stamp) : NULL;
		if (!(piece == NULL ? append(name, size, at, 1)
		                    : append(name, size, piece, strlen(piece))))
			return false;
		if (piece != NULL)
			at++;
	}
	return true;
}

static bool ends_in_gz(const char *name)
{
	size_t length = strlen(name);
	return length > 3 && strcmp(name + length - 3, ".gz") == 0;
}

static int create_unused(char *name, size_t size, struct os_file *file)
{
	size_t length = strlen(name);
	int error = os_file_create(name, OS_FILE_EXCLUSIVE, file);

	for (int i = 1; os_file_exists_error(error) && i < SUFFIXES_MAX; i++) {
		if ((size_t)snprintf(name + length, size - length, ".%d", i) >= size - length)
			break;
		error = os_file_create(name, OS_FILE_EXCLUSIVE, file);
	}
	return error;
}

void output_target_explain(char *error, size_t error_size, const char *what, const char *name,
                           int code, const char *advice)
{
	char text[OS_ERROR_TEXT_MAX];
	char shown[SHOWN_MAX];
	os_error_text(code, text, sizeof(text));
	printable_text(name, strlen(name), shown, sizeof(shown));
	(void)snprintf(error, error_size, "can't %s %s: %s; %s", what, shown, text, advice);
}

/* A sink that owns the file; NULL, with the file closed, if out of memory. */
static struct sink *file_sink(struct os_file *file, bool compressed)
{
	struct sink *sink = sink_file_create(file);
	if (sink == NULL) {
		(void)os_file_close(file);
		return NULL;
	}
	struct sink *outer = compressed ? sink_gzip_create(sink) : sink;
	if (outer == NULL)
		(void)sink->ops->close(sink);
	return outer;
}

static struct sink *open_file(const struct settings *settings, char *name, size_t name_size,
                              char *error, size_t error_size)
{
	struct os_file file;

	if (!output_target_file_name(settings, os_pid(), os_wall_ms(), name, name_size)) {
		char shown[SHOWN_MAX];
		printable_text(settings->file, strlen(settings->file), shown, sizeof(shown));
		(void)snprintf(error, error_size,
		               "the name file=%s is too long; write a shorter one", shown);
		return NULL;
	}
	bool compressed = ends_in_gz(name);
	int code = settings->force ? os_file_create(name, OS_FILE_KEEP, &file)
	                           : create_unused(name, name_size, &file);
	if (code != 0) {
		output_target_explain(error, error_size, "write", name, code,
		                      "write file=NAME with a name that can be written");
		return NULL;
	}
	struct sink *sink = file_sink(&file, compressed);
	if (sink == NULL)
		(void)snprintf(error, error_size, "out of memory");
	return sink;
}

/* Connects to a local socket, and checks that the peer runs as the same user. */
static int connect_local(const struct settings *settings, struct os_socket *socket)
{
	int code = os_socket_connect_local(settings->net_host, CONNECT_DEADLINE_MS, socket);
	if (code != 0)
		return code;
	code = os_socket_check_peer(socket);
	if (code != 0)
		os_socket_close(socket);
	return code;
}

/* Connects, and writes the address to name. False with the reason in error. */
static bool connect_to(const struct settings *settings, char *name, size_t name_size,
                       struct os_socket *socket, char *error, size_t error_size)
{
	bool ipv6 = strchr(settings->net_host, ':') != NULL;
	int code;

	if (settings->net_local) {
		(void)snprintf(name, name_size, "unix:%s", settings->net_host);
		code = connect_local(settings, socket);
	} else {
		(void)snprintf(name, name_size, ipv6 ? "[%s]:%u" : "%s:%u", settings->net_host,
		               settings->net_port);
		code = os_socket_connect(settings->net_host, settings->net_port,
		                         CONNECT_DEADLINE_MS, socket);
	}
	if (code != 0)
		output_target_explain(
		        error, error_size, "connect to", name, code,
		        settings->net_local && code != OS_UNSUPPORTED
		                ? "write net=unix:/PATH where your own hprof listen waits"
		                : "write net=HOST:PORT of a listening front end");
	return code == 0;
}

static struct sink *open_connection(const struct settings *settings, char *name, size_t name_size,
                                    struct net_link **link, char *error, size_t error_size)
{
	struct os_socket socket;

	if (!connect_to(settings, name, name_size, &socket, error, error_size))
		return NULL;
	*link = net_link_create(&socket);
	if (*link == NULL) {
		os_socket_close(&socket);
		(void)snprintf(error, error_size, "out of memory");
		return NULL;
	}
	struct sink *sink = sink_socket_create(*link, &socket_limits);
	if (sink == NULL) {
		net_link_release(*link);
		*link = NULL;
		(void)snprintf(error, error_size, "out of memory, or no thread for the connection");
	}
	return sink;
}

struct sink *output_target_open(const struct settings *settings, char *name, size_t name_size,
                                struct net_link **link, char *error, size_t error_size)
{
	*link = NULL;
	if (settings->net_host[0] != '\0')
		return open_connection(settings, name, name_size, link, error, error_size);
	return open_file(settings, name, name_size, error, error_size);
}
