/*
 * libFuzzer harness of calls of the tools of `hprof mcp`: the bytes up to a NUL are the parameters
 * of a call, those after it what the subcommand prints. The answer is a result or an error that
 * JSON can have. `make fuzz` builds and runs it.
 */
#include "mcp/mcp_call.h"
#include "os/os_programs.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const uint8_t *printed;
static size_t printed_length;

/* In place of the platform's: no program runs. */
int os_program_run(const char *const *arguments, char *output, size_t size, int *exit_code)
{
	size_t length = printed_length < size - 1 ? printed_length : size - 1;

	for (const char *const *word = arguments; *word != NULL; word++)
		*exit_code += (int)strlen(*word);
	*exit_code %= 2;
	memcpy(output, printed, length);
	output[length] = '\0';
	return 0;
}

static void require(int holds)
{
	if (!holds)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct mcp_command command = {.path = "hprof", .version = "1"};
	const uint8_t *end = size == 0 ? NULL : memchr(data, 0, size);
	size_t length = end == NULL ? size : (size_t)(end - data);
	json_t *params = json_loadb((const char *)data, length, JSON_REJECT_DUPLICATES, NULL);
	struct mcp_error error = {.text = ""};

	printed = data + length;
	printed_length = size - length;
	if (printed_length > 0) {
		printed++;
		printed_length--;
	}
	json_t *result = mcp_call(&command, params, &error);
	json_t *text = mcp_text(error.text, strlen(error.text));
	char *line = result == NULL ? NULL : json_dumps(result, JSON_COMPACT);
	require(text != NULL && (result == NULL) == (error.text[0] != '\0'));
	require((result == NULL) == (line == NULL));
	free(line);
	json_decref(text);
	json_decref(result);
	json_decref(params);
	return 0;
}
