/*
 * netdb.h: names of hosts, as Solaris and illumos have it on LP64.
 * Written for these tests from the manual pages
 * and the published layouts of structures; what the agent may use.
 */
#ifndef TESTS_SOLARIS_NETDB_H
#define TESTS_SOLARIS_NETDB_H

#include <netinet/in.h>
#include <sys/socket.h>

struct addrinfo {
	int ai_flags;
	int ai_family;
	int ai_socktype;
	int ai_protocol;
#if defined(__sparcv9)
	int _ai_pad;
#endif
	socklen_t ai_addrlen;
	char *ai_canonname;
	struct sockaddr *ai_addr;
	struct addrinfo *ai_next;
};

#define AI_PASSIVE 0x0008
#define AI_NUMERICHOST 0x0020
#define AI_NUMERICSERV 0x0040
#define EAI_AGAIN 2
#define EAI_FAIL 4
#define EAI_MEMORY 6
#define EAI_NONAME 8
#define EAI_SERVICE 9
#define EAI_SYSTEM 11

int getaddrinfo(const char *restrict, const char *restrict, const struct addrinfo *restrict,
                struct addrinfo **restrict);
void freeaddrinfo(struct addrinfo *);
const char *gai_strerror(int);

#endif
