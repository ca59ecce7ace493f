/*
 * process.c: facts about this process. Any thread; no lock.
 */
#include "os.h"

#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

static int descriptor_of(enum os_standard stream)
{
	return stream == OS_STANDARD_OUTPUT ? STDOUT_FILENO : STDERR_FILENO;
}

uint64_t os_pid(void)
{
	return (uint64_t)getpid();
}

bool os_is_terminal(enum os_standard stream)
{
	return isatty(descriptor_of(stream)) == 1;
}

uint32_t os_terminal_columns(enum os_standard stream)
{
	struct winsize size;
	return ioctl(descriptor_of(stream), TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}
