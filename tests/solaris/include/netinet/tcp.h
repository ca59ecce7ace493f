/*
 * tcp.h: TCP, as Solaris and illumos
 * have it on LP64. Written from the manual pages; what the agent may use.
 */
#ifndef TESTS_SOLARIS_NETINET_TCP_H
#define TESTS_SOLARIS_NETINET_TCP_H

#define TCP_NODELAY 0x01

#endif
