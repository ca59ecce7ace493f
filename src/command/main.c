/*
 * main.c: the hprof command. What it does is elsewhere, so that tests can link it.
 */
#include "command/command.h"

int main(int count, char **arguments)
{
	return command_main(count, arguments);
}
