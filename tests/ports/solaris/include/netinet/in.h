/*
 * in.h: addresses of the Internet, as Solaris and illumos have it on LP64.
 * Written for these tests from the manual pages
 * and the published layouts of structures; what the agent may use.
 */
#ifndef TESTS_SOLARIS_NETINET_IN_H
#define TESTS_SOLARIS_NETINET_IN_H

#include <sys/socket.h>
#include <sys/types.h>

typedef uint16_t in_port_t;
typedef uint32_t in_addr_t;

struct in_addr {
	union {
		struct {
			uint8_t s_b1, s_b2, s_b3, s_b4;
		} S_un_b;
		struct {
			uint16_t s_w1, s_w2;
		} S_un_w;
		uint32_t S_addr;
	} S_un;
};
#define s_addr S_un.S_addr

struct in6_addr {
	union {
		uint8_t bytes[16];
		uint32_t words[4];
		uint32_t align;
	} S6_un;
};

struct sockaddr_in {
	sa_family_t sin_family;
	in_port_t sin_port;
	struct in_addr sin_addr;
	char sin_zero[8];
};

struct sockaddr_in6 {
	sa_family_t sin6_family;
	in_port_t sin6_port;
	uint32_t sin6_flowinfo;
	struct in6_addr sin6_addr;
	uint32_t sin6_scope_id;
	uint32_t __sin6_src_id;
};

#define IPPROTO_TCP 6
#define IPPROTO_IPV6 41
#define IPV6_V6ONLY 0x27
#define INADDR_ANY 0x00000000U
#define INADDR_LOOPBACK 0x7F000001U

#if defined(__sparcv9)
#define htons(number) (number)
#define ntohs(number) (number)
#define htonl(number) (number)
#define ntohl(number) (number)
#else
uint16_t htons(uint16_t);
uint16_t ntohs(uint16_t);
uint32_t htonl(uint32_t);
uint32_t ntohl(uint32_t);
#endif

#endif
