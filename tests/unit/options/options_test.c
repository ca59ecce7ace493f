/*
 * Tests of the option string: what each option takes, what is refused, and in
 * which words.
 */
#include "options/option_table.h"
#include "options/options.h"
#include "base/printable.h"
#include "run_suite.h"

#include <ctype.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

static struct settings settings;
static char error[OPTIONS_ERROR_MAX];

static bool parse(const char *text)
{
	memset(&settings, 0xa5, sizeof(settings));
	memset(error, 0, sizeof(error));
	return options_parse(text, &settings, error, sizeof(error));
}

static void accept(const char *text)
{
	bool parsed = parse(text);
	ck_assert_msg(parsed, "'%s' is refused: %s", text, error);
}

/* Refused by one whole line that a terminal shows as it is. */
static void refuse(const char *text)
{
	bool parsed = parse(text);
	ck_assert_msg(!parsed, "'%.200s' is taken", text);
	ck_assert_msg(error[0] != '\0', "'%.200s' is refused without a word", text);
	ck_assert_uint_lt(strlen(error), sizeof(error) - 1);
	char shown[2 * OPTIONS_ERROR_MAX];
	printable_text(error, strlen(error), shown, sizeof(shown));
	ck_assert_str_eq(error, shown);
}

static void refuse_with(const char *text, const char *words)
{
	refuse(text);
	ck_assert_msg(strstr(error, words) != NULL, "no '%s' for '%.200s' in: %s", words, text,
	              error);
}

/* ---- defaults --------------------------------------------------------- */

static void expect_defaults(void)
{
	ck_assert_int_eq(settings.heap, HEAP_ALL);
	ck_assert_int_eq(settings.cpu, CPU_OFF);
	ck_assert(!settings.monitor);
	ck_assert_int_eq(settings.format, FORMAT_TEXT);
	ck_assert_str_eq(settings.file, "");
	ck_assert_str_eq(settings.net_host, "");
	ck_assert_uint_eq(settings.net_port, 0);
	ck_assert_uint_eq(settings.depth, 4);
	ck_assert_uint_eq(settings.interval_ms, 10);
	ck_assert(settings.cutoff == 0.0001);
	ck_assert(settings.lineno);
	ck_assert(!settings.thread);
	ck_assert(settings.doe);
	ck_assert(!settings.msa);
	ck_assert(settings.force);
	ck_assert(settings.replace);
	ck_assert(settings.verbose);
	ck_assert_ptr_null(settings.ignored[0]);
	ck_assert_int_eq(settings.engine, ENGINE_BEST);
	ck_assert(!settings.help);
}

START_TEST(no_options_are_the_defaults_of_the_manual)
{
	accept(NULL);
	expect_defaults();
	accept("");
	expect_defaults();
}
END_TEST

START_TEST(heap_is_all_only_without_another_mode)
{
	static const struct {
		const char *text;
		int heap;
	} cases[] = {
	        {"depth=8", HEAP_ALL},
	        {"monitor=n", HEAP_ALL},
	        {"msa=y", HEAP_ALL},
	        {"help", HEAP_ALL},
	        {"cpu=samples", HEAP_OFF},
	        {"cpu=times", HEAP_OFF},
	        {"cpu=old", HEAP_OFF},
	        {"monitor=y", HEAP_OFF},
	        {"cpu=samples,heap=all", HEAP_ALL},
	        {"heap=sites,monitor=y", HEAP_SITES},
	        {"heap=dump", HEAP_DUMP},
	        {"heap=sites", HEAP_SITES},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		accept(cases[i].text);
		ck_assert_msg(settings.heap == cases[i].heap, "'%s' makes heap %d", cases[i].text,
		              settings.heap);
	}
}
END_TEST

/* ---- values ----------------------------------------------------------- */

static const struct {
	const char *text;
	const int *setting;
	int value;
} word_cases[] = {
        {"heap=dump", &settings.heap, HEAP_DUMP},
        {"heap=sites", &settings.heap, HEAP_SITES},
        {"heap=all", &settings.heap, HEAP_ALL},
        {"cpu=samples", &settings.cpu, CPU_SAMPLES},
        {"cpu=times", &settings.cpu, CPU_TIMES},
        {"cpu=old", &settings.cpu, CPU_OLD},
        {"format=a", &settings.format, FORMAT_TEXT},
        {"format=b", &settings.format, FORMAT_BINARY},
        {"cpu=samples,engine=async", &settings.engine, ENGINE_ASYNC},
        {"engine=clock,cpu=samples", &settings.engine, ENGINE_CLOCK},
};

START_TEST(words_select_what_they_say)
{
	accept(word_cases[_i].text);
	ck_assert_int_eq(*word_cases[_i].setting, word_cases[_i].value);
}
END_TEST

static const struct {
	const char *name;
	const bool *setting;
} flag_cases[] = {
        {"monitor", &settings.monitor},
        {"lineno", &settings.lineno},
        {"thread", &settings.thread},
        {"doe", &settings.doe},
        {"vthreads", &settings.virtual_threads},
        {"msa", &settings.msa},
        {"force", &settings.force},
        {"verbose", &settings.verbose},
        {"replace", &settings.replace},
};

START_TEST(flags_are_y_or_n)
{
	char text[32];

	snprintf(text, sizeof(text), "%s=y", flag_cases[_i].name);
	accept(text);
	ck_assert(*flag_cases[_i].setting);
	snprintf(text, sizeof(text), "%s=n", flag_cases[_i].name);
	accept(text);
	ck_assert(!*flag_cases[_i].setting);
}
END_TEST

/* Options that the older agent has and that mean nothing here. */
static const char *const ignored_cases[][2] = {
        {"gc_okay=y", "gc_okay"},
        {"gc_okay=n", "gc_okay"},
        {"logflags=4", "logflags"},
        {"logflags=0xC", "logflags"},
        {"logflags=0", "logflags"},
        {"debugflags=0x01", "debugflags"},
        {"X=017", "X"},
        {"X=4294967295", "X"},
        {"coredump=n", "coredump"},
        {"errorexit=y", "errorexit"},
        {"pause=n", "pause"},
        {"debug=y", "debug"},
        {"primfields=y", "primfields"},
        {"primarrays=n", "primarrays"},
};

START_TEST(an_option_without_effect_is_accepted_and_noted)
{
	accept(ignored_cases[_i][0]);
	ck_assert_str_eq(settings.ignored[0], ignored_cases[_i][1]);
	ck_assert_ptr_null(settings.ignored[1]);
	settings.ignored[0] = NULL;
	expect_defaults();
}
END_TEST

START_TEST(all_options_without_effect_are_noted_together)
{
	accept("X=1,primarrays=y,primfields=y,debug=y,pause=y,errorexit=y,coredump=y,"
	       "debugflags=1,logflags=4,gc_okay=y,cpu=samples");
	size_t count = 0;
	while (settings.ignored[count] != NULL)
		count++;
	ck_assert_uint_eq(count, 10);
	ck_assert_int_eq(settings.cpu, CPU_SAMPLES);
}
END_TEST

START_TEST(the_details_are_off_unless_requested)
{
	accept("cpu=samples");
	ck_assert(!settings.timeline && !settings.costs && !settings.notes);
	ck_assert_str_eq(settings.messages, "");
	accept("cpu=samples,timeline=y");
	ck_assert(settings.timeline && settings.notes && !settings.costs);
	accept("cpu=times,costs=y");
	ck_assert(!settings.timeline && settings.notes && settings.costs);
	accept("monitor=y,costs=y,cpu=samples,timeline=y");
	accept("heap=sites,notes=y");
	ck_assert(settings.notes);
	accept("format=b,timeline=n,costs=n,notes=n");
}
END_TEST

START_TEST(details_require_their_mode_and_text)
{
	refuse_with("timeline=y", "requires cpu=samples");
	refuse_with("cpu=times,timeline=y", "requires cpu=samples");
	refuse_with("cpu=old,timeline=y", "requires cpu=samples");
	refuse_with("costs=y", "requires cpu=times or monitor=y");
	refuse_with("cpu=samples,costs=y", "requires cpu=times or monitor=y");
	refuse_with("format=b,cpu=samples,timeline=y", "write format=a");
	refuse_with("format=b,costs=y", "write format=a");
	refuse_with("format=b,notes=y", "write format=a");
}
END_TEST

/* The message about an invalid option goes there, too. */
START_TEST(the_file_for_messages_is_found_around_an_invalid_option)
{
	accept("messages=out.txt,cpu=samples");
	ck_assert_str_eq(settings.messages, "out.txt");
	accept("stop,messages=out.txt");
	ck_assert(settings.stop);
	ck_assert_str_eq(settings.messages, "out.txt");
	refuse("messages=out.txt,cpu=many");
	ck_assert_str_eq(settings.messages, "out.txt");
	refuse_with("cpu=many,depth=many,messages=out.txt,nonsense", "cpu=many");
	ck_assert_str_eq(settings.messages, "out.txt");
	refuse_with("messages=out.txt,messages=other.txt", "given twice");
	ck_assert_str_eq(settings.messages, "out.txt");
	refuse("cpu=many,messages,messages=");
	ck_assert_str_eq(settings.messages, "");
	refuse_with("stop,messages=out.txt,depth=4", "excludes all others except messages");
}
END_TEST

START_TEST(help_stands_alone_or_among_others)
{
	accept("help");
	ck_assert(settings.help);
	accept("cpu=samples,help,depth=5");
	ck_assert(settings.help);
}
END_TEST

static const struct {
	const char *text;
	const uint32_t *setting;
	uint32_t value;
} number_cases[] = {
        {"depth=0", &settings.depth, 0},
        {"depth=1", &settings.depth, 1},
        {"depth=0016", &settings.depth, 16},
        {"depth=65535", &settings.depth, 65535},
        {"interval=1", &settings.interval_ms, 1},
        {"interval=08", &settings.interval_ms, 8},
        {"interval=3600000", &settings.interval_ms, 3600000},
};

START_TEST(whole_numbers_are_decimal)
{
	accept(number_cases[_i].text);
	ck_assert_uint_eq(*number_cases[_i].setting, number_cases[_i].value);
}
END_TEST

static const struct {
	const char *text;
	double value;
} ratio_cases[] = {
        {"cutoff=0", 0},  {"cutoff=1", 1},     {"cutoff=0.0001", 0.0001}, {"cutoff=.5", 0.5},
        {"cutoff=0.", 0}, {"cutoff=1.000", 1}, {"cutoff=0.25", 0.25},     {"cutoff=00.125", 0.125},
};

START_TEST(ratios_are_decimal_numbers_up_to_one)
{
	accept(ratio_cases[_i].text);
	ck_assert(settings.cutoff == ratio_cases[_i].value);
}
END_TEST

START_TEST(ratios_do_not_depend_on_the_locale)
{
	const char *const locales[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"};
	size_t i = 0;

	/* Where no such locale is installed there is nothing to tell apart. */
	while (i < 4 && !setlocale(LC_ALL, locales[i]))
		i++;
	accept("cutoff=0.25");
	ck_assert(settings.cutoff == 0.25);
}
END_TEST

START_TEST(file_names_are_taken_as_written)
{
	static const char *const names[] = {"a", "/tmp/x y.txt", "%p.%t.%%", "a=b",
	                                    "=", "../\xc3\xa4"};
	char text[64];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(text, sizeof(text), "cpu=samples,file=%s,depth=7", names[i]);
		accept(text);
		ck_assert_str_eq(settings.file, names[i]);
		ck_assert_uint_eq(settings.depth, 7);
	}
}
END_TEST

START_TEST(the_longest_file_name_fits_and_one_byte_more_is_refused)
{
	static char text[sizeof("file=") + SETTING_FILE_MAX];

	memset(text, 'f', sizeof(text));
	memcpy(text, "file=", 5);
	text[5 + SETTING_FILE_MAX - 1] = '\0';
	accept(text);
	ck_assert_uint_eq(strlen(settings.file), SETTING_FILE_MAX - 1);
	text[5 + SETTING_FILE_MAX - 1] = 'f';
	text[5 + SETTING_FILE_MAX] = '\0';
	refuse_with(text, "file=NAME with NAME a file name of 1 to 4095 bytes");
}
END_TEST

#define NET_LEGAL "net=HOST:PORT with PORT from 1 to 65535, or net=unix:/PATH"

static const struct {
	const char *text;
	const char *host;
	unsigned port;
} address_cases[] = {
        {"net=localhost:1", "localhost", 1},           {"net=127.0.0.1:65535", "127.0.0.1", 65535},
        {"net=a.example:04000", "a.example", 4000},    {"net=[::1]:4000", "::1", 4000},
        {"net=[fe80::1%eth0]:80", "fe80::1%eth0", 80}, {"net=[host]:80", "host", 80},
};

START_TEST(addresses_are_host_and_port)
{
	accept(address_cases[_i].text);
	ck_assert_str_eq(settings.net_host, address_cases[_i].host);
	ck_assert_uint_eq(settings.net_port, address_cases[_i].port);
}
END_TEST

START_TEST(an_address_may_be_a_socket_of_this_system)
{
	static const char *const names[] = {"/a", "/run/user/1/h p.sock", "@hprof", "/a:b"};
	char text[64];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		(void)snprintf(text, sizeof(text), "net=unix:%s", names[i]);
		accept(text);
		ck_assert(settings.net_local);
		ck_assert_str_eq(settings.net_host, names[i]);
		ck_assert_uint_eq(settings.net_port, 0);
	}
	accept("net=unix:4000"); /* a host that is called so */
	ck_assert(!settings.net_local);
	ck_assert_str_eq(settings.net_host, "unix");
	refuse_with("net=unix:@", NET_LEGAL);
	refuse_with("net=unix:/", NET_LEGAL);
	refuse_with("net=unix:a", NET_LEGAL);
	refuse_with("net=unix:", NET_LEGAL);
}
END_TEST

/* Writes net=, a host of length bytes in brackets or not, and a port. */
static void make_address(char *text, size_t length, bool brackets)
{
	text += sprintf(text, "net=%s", brackets ? "[" : "");
	memset(text, 'h', length);
	sprintf(text + length, "%s:65535", brackets ? "]" : "");
}

START_TEST(the_longest_host_fits_and_one_byte_more_is_refused)
{
	char text[SETTING_HOST_MAX + 32];

	for (int brackets = 0; brackets < 2; brackets++) {
		make_address(text, SETTING_HOST_MAX - 1, brackets);
		accept(text);
		ck_assert_uint_eq(strlen(settings.net_host), SETTING_HOST_MAX - 1);
		make_address(text, SETTING_HOST_MAX, brackets);
		refuse_with(text, NET_LEGAL);
	}
}
END_TEST

START_TEST(options_are_reported_apart_by_commas_in_any_order)
{
	accept("verbose=n,file=o.txt,cutoff=0.5,heap=sites,doe=n,cpu=samples,interval=20,"
	       "msa=y,thread=y,depth=30,lineno=n,force=n,format=a,monitor=y,engine=clock");
	ck_assert_int_eq(settings.heap, HEAP_SITES);
	ck_assert_int_eq(settings.cpu, CPU_SAMPLES);
	ck_assert_int_eq(settings.format, FORMAT_TEXT);
	ck_assert_int_eq(settings.engine, ENGINE_CLOCK);
	ck_assert_str_eq(settings.file, "o.txt");
	ck_assert_uint_eq(settings.interval_ms, 20);
	ck_assert_uint_eq(settings.depth, 30);
	ck_assert(settings.cutoff == 0.5);
	ck_assert(settings.monitor && settings.msa && settings.thread);
	ck_assert(!settings.verbose && !settings.doe && !settings.lineno && !settings.force);
}
END_TEST

/* ---- bad values ------------------------------------------------------- */

#define DEPTH_LEGAL "depth=N with N a whole number from 0 to 65535"
#define INTERVAL_LEGAL "interval=N with N a whole number from 1 to 3600000"
#define CUTOFF_LEGAL "cutoff=N with N a decimal number from 0 to 1"
#define FILE_LEGAL "file=NAME with NAME a file name of 1 to 4095 bytes"

/* For each option: values it does not take, up to a NULL, and what the message
 * says is legal. */
static const struct {
	const char *name;
	const char *legal;
	const char *values[32];
} bad_values[] = {
        {"heap",
         "heap=dump|sites|all",
         {"", "ALL", "al", "alll", " all", "all ", "dump|sites", "y"}},
        {"cpu",
         "cpu=samples|times|old",
         {"", "sample", "samples2", "Samples", "off", "samples depth=4", "samples;depth=4"}},
        {"monitor", "monitor=y|n", {"", "Y", "yes", "1", "true", "y "}},
        {"format", "format=a|b", {"", "c", "ab", "A", "text", "a|b"}},
        {"file", FILE_LEGAL, {""}},
        {"net",
         NET_LEGAL,
         {"",
          ":",
          "localhost",
          "localhost:",
          ":4000",
          "localhost:0",
          "h:65536",
          "h:-1",
          "h:+1",
          "h: 1",
          "h:1 ",
          "h:0x10",
          "h:http",
          "::1:80",
          "[]:80",
          "[::1]",
          "[::1]80",
          "[::1:80",
          "::1]:80",
          "a:b:80",
          "[::1]:",
          "[::1]:99999",
          "h:99999999999999999999",
          "[:80",
          "]:80",
          "[[::1]]:80",
          "a]b:80",
          "h:1.5",
          "[::1]x:80"}},
        {"depth",
         DEPTH_LEGAL,
         {"",
          "-1",
          "+1",
          " 4",
          "4 ",
          "4x",
          "x4",
          "0x10",
          "4.0",
          "1e3",
          "65536",
          "4294967296",
          "4294967300",
          "18446744073709551616",
          "99999999999999999999",
          "4\t",
          "\t4",
          "4\n",
          "y",
          "00000000000000000000000000000000004",
          "\xd9\xa4"}},
        {"interval",
         INTERVAL_LEGAL,
         {"", "0", "-5", "+5", " 10", "10 ", "10ms", "1.5", "3600001", "4294967297", "0x1", "inf"}},
        {"cutoff",
         CUTOFF_LEGAL,
         {"", ".", "2", "1.0001", "-0.1", "+0.1", "-0", " 0.1", "0.1 ", "0.1.2", "1e-3", "0x1",
          "nan", "inf", "few", "5%", "99999999999999999999999999999999999999"}},
        {"lineno", "lineno=y|n", {"", "yes", "N"}},
        {"thread", "thread=y|n", {"", "no", "0"}},
        {"doe", "doe=y|n", {"", "yn", "y|n"}},
        {"msa", "msa=y|n", {"", "on", "\xff"}},
        {"force", "force=y|n", {"", "off", "\n"}},
        {"verbose", "verbose=y|n", {"", "2", "y\x1b[2J"}},
        {"replace", "replace=y|n", {"", "no", "1"}},
        {"gc_okay", "gc_okay=y|n", {"", "okay", "="}},
        {"logflags",
         "logflags=N with N a number such as 4 or 0xc",
         {"", "y", "0x", "0xg", "-1", "+4", " 4", "4 ", "09", "4294967296", "1.5",
          "0x00000000000000000000000000000000001"}},
        {"X", "X=N with N a number such as 4 or 0xc", {"", "n", "99999999999999999999"}},
        {"errorexit", "errorexit=y|n", {"", "yes", "1"}},
        {"debug", "debug=y|n", {"", "4"}},
        {"engine", "engine=async|clock", {"", "best", "magic", "async|clock"}},
        {"help", "help, without a value", {"", "y", "help"}},
};

START_TEST(a_bad_value_is_refused_with_the_legal_ones)
{
	char text[256];
	char option[32];

	snprintf(option, sizeof(option), "option %s=", bad_values[_i].name);
	for (const char *const *value = bad_values[_i].values; *value != NULL; value++) {
		snprintf(text, sizeof(text), "%s=%s", bad_values[_i].name, *value);
		refuse_with(text, option);
		refuse_with(text, bad_values[_i].legal);
	}
}
END_TEST

START_TEST(a_bad_value_is_refused_wherever_it_stands)
{
	refuse_with("depth=x,cpu=samples", DEPTH_LEGAL);
	refuse_with("cpu=samples,depth=x,lineno=y", DEPTH_LEGAL);
	refuse_with("cpu=samples,lineno=y,depth=x", DEPTH_LEGAL);
	refuse_with("cutoff=0,1", "option '1' does not exist");
}
END_TEST

START_TEST(an_option_without_its_value_is_refused_with_the_legal_ones)
{
	if (strcmp(bad_values[_i].name, "help") == 0)
		return;
	char words[64];
	snprintf(words, sizeof(words), "option %s has no value", bad_values[_i].name);
	refuse_with(bad_values[_i].name, words);
	refuse_with(bad_values[_i].name, bad_values[_i].legal);
}
END_TEST

START_TEST(an_unknown_option_is_refused_with_the_names_of_all)
{
	static const char *const texts[] = {"nonsense=1",
	                                    "nonsense",
	                                    "CPU=samples",
	                                    "cp=samples",
	                                    "cpus=samples",
	                                    " cpu=samples",
	                                    "cpu =samples",
	                                    "=",
	                                    "=samples",
	                                    ",",
	                                    "cpu=samples,",
	                                    ",cpu=samples",
	                                    "cpu=samples,,depth=4",
	                                    "engines=clock",
	                                    "-",
	                                    "%s%n"};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		refuse_with(texts[i], "does not exist; the options are heap cpu monitor ");
		for (const struct option *option = option_table; option->name != NULL; option++) {
			char word[32];
			snprintf(word, sizeof(word), " %s", option->name);
			if (option->section != SECTION_NONE)
				refuse_with(texts[i], word);
		}
	}
	refuse_with("dept=4", "option 'dept' does not exist");
}
END_TEST

/* ---- repeated, contradictory ------------------------------------------ */

START_TEST(an_option_given_twice_is_refused)
{
	static const struct {
		const char *text;
		const char *name;
	} cases[] = {
	        {"heap=all,heap=all", "heap"},
	        {"cpu=samples,cpu=times", "cpu"},
	        {"monitor=y,monitor=n", "monitor"},
	        {"format=a,format=a", "format"},
	        {"file=a,file=b", "file"},
	        {"net=a:1,net=a:1", "net"},
	        {"cpu=samples,depth=4,lineno=y,depth=8", "depth"},
	        {"interval=1,interval=1", "interval"},
	        {"cutoff=0,cutoff=1", "cutoff"},
	        {"lineno=y,lineno=y", "lineno"},
	        {"thread=y,thread=y", "thread"},
	        {"doe=y,doe=n", "doe"},
	        {"msa=n,msa=y", "msa"},
	        {"force=y,force=n", "force"},
	        {"verbose=y,verbose=n", "verbose"},
	        {"gc_okay=y,gc_okay=y", "gc_okay"},
	        {"logflags=4,logflags=4", "logflags"},
	        {"cpu=samples,engine=clock,engine=async", "engine"},
	        {"help,help", "help"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char words[64];
		snprintf(words, sizeof(words), "option %s is given twice; write it once",
		         cases[i].name);
		refuse_with(cases[i].text, words);
	}
}
END_TEST

static const struct {
	const char *text;
	const char *words[3];
} contradictions[] = {
        {"format=b,monitor=y", {"option format=b", "monitor=y", "write format=a or monitor=n"}},
        {"monitor=y,cpu=samples,format=b", {"option format=b", "monitor=y", "write format=a"}},
        {"format=b,cpu=times", {"option format=b", "cpu=times", "write format=a or cpu=samples"}},
        {"cpu=times,format=b", {"option format=b", "cpu=times", "write format=a or cpu=samples"}},
        {"cpu=old,format=b", {"option format=b", "cpu=old", "write format=a or cpu=samples"}},
        {"format=b,heap=dump,cpu=old", {"option format=b", "cpu=old", "write format=a"}},
        {"file=a.txt,net=h:1",
         {"file", "net", "write one of file=NAME, net=HOST:PORT, net=unix:/PATH"}},
        {"net=h:1,cpu=samples,file=a",
         {"file", "net", "write one of file=NAME, net=HOST:PORT, net=unix:/PATH"}},
        {"engine=clock", {"option engine", "cpu=samples", "remove engine"}},
        {"engine=async,cpu=old", {"option engine", "cpu=samples", "remove engine"}},
        {"heap=dump,engine=clock", {"option engine", "cpu=samples", "remove engine"}},
};

START_TEST(a_contradiction_is_refused_with_the_ways_out)
{
	for (size_t i = 0; i < 3; i++)
		refuse_with(contradictions[_i].text, contradictions[_i].words[i]);
}
END_TEST

START_TEST(binary_output_goes_with_samples_and_heap)
{
	accept("format=b,cpu=samples");
	accept("format=b,heap=dump");
	accept("format=b,heap=sites,cpu=samples,monitor=n");
	accept("format=b");
}
END_TEST

/* ---- hostile text ----------------------------------------------------- */

enum { HUGE_LENGTH = 100 * 1024 };

/* prefix and then fill up to 100 KB. */
static const char *huge(const char *prefix, char fill)
{
	static char text[HUGE_LENGTH + 1];

	memset(text, fill, HUGE_LENGTH);
	memcpy(text, prefix, strlen(prefix));
	text[HUGE_LENGTH] = '\0';
	return text;
}

START_TEST(huge_texts_are_refused_by_a_short_line)
{
	static const char *const prefixes[] = {
	        "",       "cpu=",    "heap=",     "file=", "net=",      "net=[", "net=h:",
	        "depth=", "cutoff=", "cutoff=0.", "help=", "interval=", "doe=",  "engine="};
	static const char fills[] = {'x', '0', '1',  ':',    '=',    ',',    '.',    '[',
	                             ']', '%', '\n', '\x1b', '\x7f', '\x80', '\xff', ' '};

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		for (size_t k = 0; k < sizeof(fills); k++) {
			refuse(huge(prefixes[i], fills[k]));
			ck_assert_uint_lt(strlen(error), 400);
		}
	}
}
END_TEST

START_TEST(a_text_that_is_cut_in_a_message_says_so)
{
	refuse_with(huge("cpu=", 'x'), "xxx... is invalid; write cpu=samples|times|old");
	refuse_with(huge("", 'y'), "yyy...' does not exist");
}
END_TEST

START_TEST(control_characters_in_a_message_are_escaped)
{
	refuse_with("in\x1b[31mter\nval=3", "option 'in\\x1b[31mter\\x0aval' does not exist");
	refuse_with("cpu=sam\rples\x07\x7f\t", "option cpu=sam\\x0dples\\x07\\x7f\\x09 is invalid");
	refuse_with("depth=4\n\xc2\x85\x9b", "option depth=4\\x0a\\xc2\\x85\\x9b is invalid");
}
END_TEST

START_TEST(conversions_in_a_text_are_not_expanded)
{
	refuse_with("%n%s%s=1", "option '%n%s%s' does not exist");
	refuse_with("cpu=%n%s%d", "option cpu=%n%s%d is invalid");
}
END_TEST

/* Every byte in the place of a name and of a value, and in front of and after
 * one that is right. */
START_TEST(no_byte_gets_through_raw)
{
	for (int byte = 1; byte < 256; byte++) {
		char text[32];

		snprintf(text, sizeof(text), "cpu=samples%c", byte);
		if (byte != ',')
			refuse_with(text, "write cpu=samples|times|old");
		else
			refuse_with(text, "option '' does not exist");
		snprintf(text, sizeof(text), "%c=samples", byte);
		refuse_with(text, byte == 'X' ? "option X=samples" : "does not exist");
		snprintf(text, sizeof(text), "depth=%c4", byte);
		if (!isdigit(byte))
			refuse(text);
		snprintf(text, sizeof(text), "cutoff=0%c1", byte);
		if (!isdigit(byte) && byte != '.')
			refuse(text);
	}
}
END_TEST

START_TEST(a_message_never_leaves_its_room)
{
	for (size_t size = 1; size < 400; size += size < 20 ? 1 : 31) {
		static const char *const texts[] = {"nonsense", "cpu=x", "cpu",
		                                    "format=b,monitor=y", "doe=y,doe=y"};
		for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
			char *room = malloc(size);
			ck_assert_ptr_nonnull(room);
			memset(room, '#', size);
			ck_assert(!options_parse(texts[i], &settings, room, size));
			ck_assert_ptr_nonnull(memchr(room, '\0', size));
			free(room);
		}
	}
}
END_TEST

START_TEST(many_options_are_refused_at_the_first_bad_one)
{
	static char text[200 * 1024] = "";
	size_t at = 0;

	while (at + 10 < sizeof(text))
		at += (size_t)snprintf(text + at, sizeof(text) - at, "depth=4,");
	refuse_with(text, "option depth is given twice");
}
END_TEST

#define COUNT(cases) ((int)(sizeof(cases) / sizeof((cases)[0])))

static TCase *good_values(void)
{
	TCase *good = tcase_create("good values");

	tcase_add_test(good, no_options_are_the_defaults_of_the_manual);
	tcase_add_test(good, heap_is_all_only_without_another_mode);
	tcase_add_loop_test(good, words_select_what_they_say, 0, COUNT(word_cases));
	tcase_add_loop_test(good, flags_are_y_or_n, 0, COUNT(flag_cases));
	tcase_add_loop_test(good, an_option_without_effect_is_accepted_and_noted, 0,
	                    COUNT(ignored_cases));
	tcase_add_test(good, all_options_without_effect_are_noted_together);
	tcase_add_test(good, help_stands_alone_or_among_others);
	tcase_add_test(good, the_details_are_off_unless_requested);
	tcase_add_test(good, details_require_their_mode_and_text);
	tcase_add_test(good, the_file_for_messages_is_found_around_an_invalid_option);
	tcase_add_loop_test(good, whole_numbers_are_decimal, 0, COUNT(number_cases));
	tcase_add_loop_test(good, ratios_are_decimal_numbers_up_to_one, 0, COUNT(ratio_cases));
	tcase_add_test(good, ratios_do_not_depend_on_the_locale);
	tcase_add_test(good, file_names_are_taken_as_written);
	tcase_add_test(good, the_longest_file_name_fits_and_one_byte_more_is_refused);
	tcase_add_loop_test(good, addresses_are_host_and_port, 0, COUNT(address_cases));
	tcase_add_test(good, an_address_may_be_a_socket_of_this_system);
	tcase_add_test(good, the_longest_host_fits_and_one_byte_more_is_refused);
	tcase_add_test(good, options_are_reported_apart_by_commas_in_any_order);
	return good;
}

static TCase *bad_texts(void)
{
	TCase *bad = tcase_create("bad texts");

	tcase_set_timeout(bad, 60);
	tcase_add_loop_test(bad, a_bad_value_is_refused_with_the_legal_ones, 0, COUNT(bad_values));
	tcase_add_test(bad, a_bad_value_is_refused_wherever_it_stands);
	tcase_add_loop_test(bad, an_option_without_its_value_is_refused_with_the_legal_ones, 0,
	                    COUNT(bad_values));
	tcase_add_test(bad, an_unknown_option_is_refused_with_the_names_of_all);
	tcase_add_test(bad, an_option_given_twice_is_refused);
	tcase_add_loop_test(bad, a_contradiction_is_refused_with_the_ways_out, 0,
	                    COUNT(contradictions));
	tcase_add_test(bad, binary_output_goes_with_samples_and_heap);
	tcase_add_test(bad, huge_texts_are_refused_by_a_short_line);
	tcase_add_test(bad, a_text_that_is_cut_in_a_message_says_so);
	tcase_add_test(bad, control_characters_in_a_message_are_escaped);
	tcase_add_test(bad, conversions_in_a_text_are_not_expanded);
	tcase_add_test(bad, no_byte_gets_through_raw);
	tcase_add_test(bad, a_message_never_leaves_its_room);
	tcase_add_test(bad, many_options_are_refused_at_the_first_bad_one);
	return bad;
}

int main(void)
{
	Suite *suite = suite_create("options");

	suite_add_tcase(suite, good_values());
	suite_add_tcase(suite, bad_texts());
	return run_suite(suite);
}
