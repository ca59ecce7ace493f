/*
 * error_texts.h: words for the codes that os.h itself defines, the same on all
 * systems. Private to the platform layer.
 */
#ifndef HPROF_OS_ERROR_TEXTS_H
#define HPROF_OS_ERROR_TEXTS_H

/* NULL for a code of the system's. Any thread; signal-safe. */
const char *error_text_of_ours(int code);

#endif
