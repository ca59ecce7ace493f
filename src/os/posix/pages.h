/*
 * pages.h: what the systems' os_pages_discard() share.
 */
#ifndef HPROF_OS_POSIX_PAGES_H
#define HPROF_OS_POSIX_PAGES_H

#include <stddef.h>

/* Puts zeroed pages in the place of these. Any thread; no lock. */
void pages_replace(void *pages, size_t size);

#endif
