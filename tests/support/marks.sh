#!/bin/sh
# Prints the marks of tests, MARK:FILE in a line each, for tests/check.mk. They are in the first line
# of a test's file: /* marks: timed, posix */
exec awk '
/^\/\* *marks?[ :]/ {
	if (FNR > 1 || !sub(/^\/\* marks: /, "") || !sub(/ \*\/$/, "")) {
		print "misplaced:" FILENAME
		next
	}
	count = split($0, mark, /, /)
	for (i = 1; i <= count; i++)
		print mark[i] ":" FILENAME
}' "$@"
