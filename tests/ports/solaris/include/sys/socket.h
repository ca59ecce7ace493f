/*
 * socket.h: sockets, as Solaris and illumos have it on LP64.
 * Written for these tests from the manual pages
 * and the published layouts of structures; what the agent may use.
 */
#ifndef TESTS_SOLARIS_SYS_SOCKET_H
#define TESTS_SOLARIS_SYS_SOCKET_H

#include <sys/types.h>

typedef uint32_t socklen_t;
typedef uint16_t sa_family_t;
/* A pointer to socklen_t only where a standard is asked for by its macro. */
typedef void *restrict Psocklen_t;

struct sockaddr {
	sa_family_t sa_family;
	char sa_data[14];
};

struct sockaddr_storage {
	sa_family_t ss_family;
	char pad1[6];
	double align;
	char pad2[256 - 16];
};

#define SOCK_DGRAM 1
#define SOCK_STREAM 2
#define SOCK_CLOEXEC 0x080000
#define SOCK_NONBLOCK 0x100000
#define SOL_SOCKET 0xffff
#define SO_REUSEADDR 0x0004
#define SO_KEEPALIVE 0x0008
#define SO_SNDBUF 0x1001
#define SO_RCVBUF 0x1002
#define SO_ERROR 0x1007
#define AF_UNSPEC 0
#define AF_UNIX 1
#define AF_INET 2
#define AF_INET6 26
#define SHUT_RD 0
#define SHUT_WR 1
#define SHUT_RDWR 2
#define MSG_PEEK 0x2
#define MSG_DONTWAIT 0x80
#define MSG_NOSIGNAL 0x200

int socket(int, int, int);
int bind(int, const struct sockaddr *, socklen_t);
int listen(int, int);
int connect(int, const struct sockaddr *, socklen_t);
int accept(int, struct sockaddr *restrict, Psocklen_t);
int accept4(int, struct sockaddr *restrict, Psocklen_t, int);
ssize_t send(int, const void *, size_t, int);
ssize_t recv(int, void *, size_t, int);
int shutdown(int, int);
int getsockname(int, struct sockaddr *restrict, Psocklen_t);
int getpeername(int, struct sockaddr *restrict, Psocklen_t);
int getsockopt(int, int, int, void *restrict, Psocklen_t);
int setsockopt(int, int, int, const void *, socklen_t);

#endif
