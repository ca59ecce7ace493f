#!/bin/sh
# Runs one unit test and shows all that it prints in one piece, as others may run beside it.
#
#   run.sh FAILED [COMMAND...] TEST
#
# COMMAND runs a program of another system. The name of a test that fails is added to
# the file FAILED, or it is recorded in HPROF_CHECK_FAILURES (tests/check/failures.py). A test
# that takes longer than UNIT_LIMIT seconds (1200) is ended, with the stacks of its processes, as
# far as gdb is there to show them.
failed=$1
shift
for test do :; done
limit=${UNIT_LIMIT:-1200}

# A process and those that it has started.
tree() {
	echo "$1"
	for child in $(pgrep -P "$1"); do tree "$child"; done
}

end_late() {
	sleep "$limit"
	echo "== $test: ended after $limit s"
	all=$(tree "$1")
	for pid in $all; do
		command -v gdb >/dev/null &&
			timeout 30 gdb -batch -nx -p "$pid" -ex 'thread apply all backtrace 30' 2>&1
	done
	kill -KILL $all
}

# The test that failed, for whoever runs the tests.
record() {
	if [ -z "${HPROF_CHECK_FAILURES:-}" ]; then
		echo "$test" >>"$failed"
		return
	fi
	name=$(mktemp "$HPROF_CHECK_FAILURES/$(basename "$test").XXXXXX")
	{ echo "$test"; cat "$test.log" "$test.late"; echo "exit code $code"; } >"$name.txt"
	{
		export -p | sed '/^export HPROF_CHECK_FAILURES=/d'
		echo "cd '$(pwd)' || exit"
		printf 'exec sh'
		printf " '%s'" "$0" "$failed" "$@"
		echo
	} >"$name.sh"
	rm "$name"
}

"$@" >"$test.log" 2>&1 &
running=$!
end_late "$running" >"$test.late" 2>&1 &
watch=$!
wait "$running"
code=$?
kill $(tree "$watch") 2>/dev/null
[ $code -eq 0 ] || record "$@"
{ echo "== $test"; cat "$test.log" "$test.late"; rm -f "$test.late"; }
