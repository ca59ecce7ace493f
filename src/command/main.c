/*
 * main.c: the hprof command. What it does is elsewhere, so that tests can link it.
 */
#include "command/command.h"
#include "os/os_programs.h"

int main(int count, char **arguments)
{
	os_program_arguments(&count, &arguments);
	return command_main(count, arguments);
}
