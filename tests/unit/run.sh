#!/bin/sh
# Runs one unit test and shows all that it says in one piece, as others may run beside it.
#
#   run.sh FAILED [COMMAND...] TEST
#
# COMMAND runs a program of another system. The name of a test that fails is added to
# the file FAILED.
failed=$1
shift
for test do :; done
"$@" >"$test.log" 2>&1 || echo "$test" >>"$failed"
{ echo "== $test"; cat "$test.log"; }
