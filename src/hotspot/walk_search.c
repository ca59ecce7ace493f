/* walk_search.c: see walk_search.h. */
#include "hotspot/walk_search.h"

bool walk_search_try(struct walk_search *search, uintptr_t pc, uintptr_t sp, uintptr_t fp,
                     enum java_walk_frame frame)
{
	struct java_walk_start start = {
	        .at = {.sp = sp, .pc = pc, .fp = fp, .base = search->base},
	        .frame = frame,
	        .method = search->method,
	        .bci = search->bci,
	};
	search->found = search->found || java_walk_try(&search->walk, &start);
	return search->found;
}

bool walk_search_try_caller(struct walk_search *search, uintptr_t pc, uintptr_t sp, uintptr_t fp,
                            enum java_walk_frame frame)
{
	return walk_search_is_code(search, pc) && walk_search_is_on_stack(search, sp) &&
	       walk_search_try(search, pc, sp, fp, frame);
}
