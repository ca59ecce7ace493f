/*
 * tcp.h: TCP, as Solaris and illumos have it on LP64.
 * Written for these tests from the manual pages
 * and the published layouts of structures; what the agent may use.
 */
#ifndef TESTS_SOLARIS_NETINET_TCP_H
#define TESTS_SOLARIS_NETINET_TCP_H

#define TCP_NODELAY 0x01

#endif
