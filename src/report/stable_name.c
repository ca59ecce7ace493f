/*
 * stable_name.c: see stable_name.h. The forms are those of HotSpot, of the JDK, and of the usual
 * libraries that generate classes. A number is left out only where it is an address, random, or a
 * counter of the run: numbering classes again would depend on the order of threads.
 */
#include "report/stable_name.h"

#include <string.h>

/* The end of a name that is read from at on. */
struct rest {
	const char *at;
	const char *end;
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_hexadecimal(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static bool is_alphanumeric(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Bytes of other characters in UTF-8 count as letters. */
static bool is_in_word(char c)
{
	return is_alphanumeric(c) || c == '_' || (unsigned char)c >= 0x80;
}

/* Takes the bytes of a class; returns how many there were. */
static size_t take_all(struct rest *rest, bool (*is)(char c))
{
	const char *from = rest->at;
	while (rest->at < rest->end && is(*rest->at))
		rest->at++;
	return (size_t)(rest->at - from);
}

static bool take_text(struct rest *rest, const char *text)
{
	size_t length = strlen(text);
	if ((size_t)(rest->end - rest->at) < length || memcmp(rest->at, text, length) != 0)
		return false;
	rest->at += length;
	return true;
}

static bool at_word_end(const struct rest *rest)
{
	return rest->at == rest->end || !is_in_word(*rest->at);
}

/* ---- what is left out ---------------------------------------------------------- */

/* "14" */
static bool take_number(struct rest *rest)
{
	return take_all(rest, is_digit) > 0;
}

/* "1701234567890123": a time in milliseconds, and more digits. */
static bool take_time(struct rest *rest)
{
	enum { DIGITS_OF_MS = 13 };
	return take_all(rest, is_digit) >= DIGITS_OF_MS;
}

/* "1a2b3c4d", "1a2b3c4d_2" */
static bool take_hash(struct rest *rest)
{
	return take_all(rest, is_hexadecimal) > 0 && (!take_text(rest, "_") || take_number(rest));
}

/* "4a3_1f" */
static bool take_two_numbers(struct rest *rest)
{
	return take_all(rest, is_hexadecimal) > 0 && take_text(rest, "_") &&
	       take_all(rest, is_hexadecimal) > 0;
}

/* "aB3dE6gH", or a number. */
static bool take_random(struct rest *rest)
{
	enum { RANDOM_LENGTH = 8 };
	const char *from = rest->at;
	size_t digits = take_all(rest, is_digit);
	size_t others = take_all(rest, is_alphanumeric);
	return others == 0 ? digits > 0 : rest->at - from == RANDOM_LENGTH;
}

static const struct form {
	const char *mark;
	bool begins;           /* the mark is the beginning of a simple name */
	const char *separator; /* between the mark and the number; left out, too */
	bool (*take)(struct rest *rest);
} forms[] = {
        /* JDK: lambdas up to 20; proxies and their packages; reflection up to 21 */
        {"$$Lambda", false, "$", take_number},
        {"$Proxy", true, "", take_number},
        {"jdk.proxy", true, "", take_number},
        {"jdk/proxy", true, "", take_number},
        {"jdk.MHProxy", true, "", take_number},
        {"jdk/MHProxy", true, "", take_number},
        {"GeneratedMethodAccessor", true, "", take_number},
        {"GeneratedConstructorAccessor", true, "", take_number},
        {"GeneratedSerializationConstructorAccessor", true, "", take_number},
        /* CGLIB, also in Spring and Guice: hashes of the run, counters */
        {"CGLIB", false, "$$", take_hash},
        {"ByGuice", false, "$$", take_hash},
        {"CGLIB$$FastClass", false, "$$", take_number},
        {"CGLIB$STATICHOOK", true, "", take_number},
        /* Byte Buddy, also in Mockito and Hibernate: random names */
        {"$ByteBuddy", false, "$", take_random},
        {"$MockitoMock", false, "$", take_random},
        {"$HibernateProxy", false, "$", take_random},
        {"$HibernateBasicProxy", false, "$", take_random},
        {"$HibernateInstantiator", false, "$", take_random},
        {"$HibernateAccessOptimizer", false, "$", take_random},
        {"$auxiliary", false, "$", take_random},
        {"$original", false, "$", take_random},
        {"$accessor", false, "$", take_random},
        /* Javassist: an identity hash and a counter, or a counter */
        {"_$$_jvst", false, "", take_two_numbers},
        {"_$$_javassist_", false, "", take_number},
        /* JBoss EJB */
        {"$$$view", false, "", take_number},
        /* Groovy: scripts without a name have the time */
        {"script", true, "", take_time},
};

/* Whether a simple name begins at start; in the signature of a class, it may follow an L. */
static bool begins_word(const char *name, const char *start, bool signature)
{
	if (signature && start > name && start[-1] == 'L')
		start--;
	return start == name || !(is_in_word(start[-1]) || start[-1] == '$');
}

static size_t form_length(const struct form *form, const char *name, const struct rest *from)
{
	struct rest rest = *from;
	size_t length = strlen(form->mark);

	if ((size_t)(from->at - name) < length ||
	    memcmp(from->at - length, form->mark, length) != 0 ||
	    !take_text(&rest, form->separator) || !form->take(&rest) || !at_word_end(&rest))
		return 0;
	bool signature = memchr(rest.at, ';', (size_t)(rest.end - rest.at)) != NULL;
	if (form->begins && !begins_word(name, from->at - length, signature))
		return 0;
	return (size_t)(rest.at - from->at);
}

/* The address of a hidden class after its name: "/0x1f" in files of this agent and as Java prints
 * it, ".0x1f" in JVM TI, "+0x1f" in the JVM's own dumps. JDK 8 has a hash, "/31"; in a signature
 * that can be the name of a class. */
static size_t address_length(const struct rest *from)
{
	struct rest rest = *from;
	char mark = *rest.at++;

	if (mark != '/' && mark != '.' && mark != '+')
		return 0;
	bool taken = take_text(&rest, "0x") ? take_all(&rest, is_hexadecimal) > 0
	                                    : mark == '/' && take_number(&rest) &&
	                                              (rest.at == rest.end || *rest.at != ';');
	return taken && at_word_end(&rest) ? (size_t)(rest.at - from->at) : 0;
}

/* CGLIB numbers the methods it adds in the order in which the JVM lists those of the class, which
 * differs between runs: "CGLIB$run$0". */
static size_t cglib_method_length(const char *name, const struct rest *from)
{
	static const char mark[] = "CGLIB$";
	struct rest rest = *from;
	const char *start = from->at;

	if (!take_text(&rest, "$") || !take_number(&rest) || rest.at != rest.end)
		return 0;
	while (start > name && start[-1] != '.')
		start--;
	struct rest method = {start, from->at};
	return start > name && take_text(&method, mark) && method.at < method.end
	               ? (size_t)(rest.at - from->at)
	               : 0;
}

/* The length of what is left out at a place of the name; 0: nothing. */
static size_t unstable_length(const char *name, const struct rest *from)
{
	size_t length = address_length(from);

	if (length == 0)
		length = cglib_method_length(name, from);
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]) && length == 0; i++)
		length = form_length(&forms[i], name, from);
	return length;
}

bool stable_name_may_differ(const char *name, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		char c = name[i];
		if (c == '$' || c == '/' || c == '+' || is_digit(c))
			return true;
	}
	return false;
}

size_t stable_name(const char *name, size_t length, char *stable)
{
	struct rest rest = {name, name + length};
	size_t used = 0;

	while (rest.at < rest.end) {
		size_t left_out = unstable_length(name, &rest);
		rest.at += left_out;
		if (left_out == 0)
			stable[used++] = *rest.at++;
	}
	return used;
}
