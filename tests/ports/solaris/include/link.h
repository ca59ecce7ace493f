/*
 * link.h: the list of loaded objects, as Solaris and illumos have it on LP64.
 * Written for these tests from the manual pages
 * and the published layouts of structures; what the agent may use.
 */
#ifndef TESTS_SOLARIS_LINK_H
#define TESTS_SOLARIS_LINK_H

typedef struct tests_solaris_dynamic Elf64_Dyn;
typedef struct link_map Link_map;
struct link_map {
	unsigned long l_addr;
	char *l_name;
	Elf64_Dyn *l_ld;
	Link_map *l_next;
	Link_map *l_prev;
	char *l_refname;
};

#endif
