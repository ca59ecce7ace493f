/* walk_registers.c (other CPUs): see walk_registers.h; it is not known where they lead. */
#include "hotspot/walk_registers.h"

void walk_registers_search(struct walk_search *search)
{
	(void)search;
}
