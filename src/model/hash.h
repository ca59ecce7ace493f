/*
 * hash.h: uthash as the tables of this folder use it: without memory an
 * insertion leaves the element out (its table is told through hash_failed)
 * instead of ending the process.
 */
#ifndef HPROF_MODEL_HASH_H
#define HPROF_MODEL_HASH_H

#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(element) ((element)->hash_failed = true)

#include <uthash.h>

#endif
