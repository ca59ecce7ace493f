/*
 * termios.h: terminals, as Solaris and illumos have it on LP64.
 * Written for these tests from the manual pages; what the command may use.
 */
#ifndef TESTS_SOLARIS_TERMIOS_H
#define TESTS_SOLARIS_TERMIOS_H

#define TIOCGWINSZ (('T' << 8) | 104)

struct winsize {
	unsigned short ws_row;
	unsigned short ws_col;
	unsigned short ws_xpixel;
	unsigned short ws_ypixel;
};

#endif
