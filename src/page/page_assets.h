/*
 * page_assets.h: the page's own files, embedded by the build, and the SHA-256 of the script and
 * the style in base64, by which the page's Content-Security-Policy allows these and no others.
 */
#ifndef HPROF_PAGE_PAGE_ASSETS_H
#define HPROF_PAGE_PAGE_ASSETS_H

#include <stddef.h>

extern const unsigned char page_html[];
extern const size_t page_html_length;
extern const unsigned char page_css[];
extern const size_t page_css_length;
extern const char page_css_hash[];
extern const unsigned char page_js[];
extern const size_t page_js_length;
extern const char page_js_hash[];

#endif
