#!/bin/sh
# Rewrites classes by a test plan inside a JVM and lets the JVM verify them.
#
#   verify.sh JAVA_HOME PLAN[,old] [--part K/N] jrt | JAR[:JAR...] ...
#   verify.sh JAVA_HOME behaviour
#   HPROF_AGENT=libhprof.so verify.sh JAVA_HOME agent [--part K/N] jrt | JAR...
#
# The first form links every class of the JDK's own image (jrt), or of a class
# path's first jar, and fails on any VerifyError; --part takes every N-th class
# from the K-th on, so that a long run can be split. The plans are in
# test_plans.c; "none" rewrites nothing, "allocations" does what the agent itself does
# for heap=sites,live=n, "marks" what it does for heap=sites, and "broken" must fail. The second form
# runs a program whose output and call counts must be the same whatever the plan.
# The third is the first with what the agent itself does for cpu=times.
# Files go to $BUILD/verify (default build/verify). CC, CFLAGS as usual.
set -eu

[ $# -ge 2 ] || { sed -n '2,/^set/p' "$0" | sed '$d;s/^# \{0,1\}//' >&2; exit 2; }
java_home=$1
plan=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
work=${BUILD:-$root/build}/verify
mkdir -p "$work/base" "$work/boot" "$work/classes"

"$java_home/bin/javac" -d "$work/classes" "$here/VerifyAll.java"

# The plans' own agent, what the code that they insert calls, and what is run with it.
build_plans()
{
	# shellcheck disable=SC2086 # CFLAGS is a list
	${CC:-cc} ${CFLAGS:--O2 -g} -std=gnu11 -D_GNU_SOURCE -fPIC -shared -I"$root/src" -I"$here" \
		-I"$root/src/os" -I"$root/src/os/linux" -I"$root/src/os/posix" \
		-I"$java_home/include" -I"$java_home/include/linux" -o "$work/rewrite_agent.so" \
		"$here/rewrite_agent.c" "$here/test_plans.c" "$root"/src/classfile/*.c \
		"$root/src/alloc/alloc_instrumenter.c" "$root/src/alloc/mark_locals.c" \
		"$root/src/vm/class_rewriting.c" \
		"$root/src/base/messages.c"
	"$java_home/bin/javac" --patch-module java.base="$here" -d "$work/base" \
		"$here/java/lang/HprofHeap.java"
	"$java_home/bin/javac" -d "$work/boot" "$here/HprofTestTracker.java"
	"$java_home/bin/javac" -cp "$work/boot" -d "$work/classes" \
		"$here/NewCode.java" "$here/CountCalls.java"
}

# run PLAN OPTION-OR-CLASS...
run()
{
	agent=$1
	shift
	"$java_home/bin/java" -Xshare:off -XX:+UnlockDiagnosticVMOptions \
		-XX:+BytecodeVerificationLocal -XX:+BytecodeVerificationRemote \
		-XX:TieredStopAtLevel=1 --patch-module java.base="$work/base" \
		-Xbootclasspath/a:"$work/boot" \
		-agentpath:"$work/rewrite_agent.so=$agent" -cp "$work/classes" "$@"
}

if [ "$plan" = agent ]; then
	"$java_home/bin/java" -XX:+UnlockDiagnosticVMOptions -XX:+BytecodeVerificationLocal \
		-XX:+BytecodeVerificationRemote -XX:TieredStopAtLevel=1 -Xmx700m \
		-agentpath:"$HPROF_AGENT=cpu=times,verbose=n,file=$work/agent.hprof.txt" \
		-cp "$work/classes" --add-modules ALL-SYSTEM VerifyAll "$@"
elif [ "$plan" = behaviour ]; then
	build_plans
	run none NewCode | grep -v '^agent:' >"$work/expected"
	for each in track locals sites every allocations marks; do
		run "$each" NewCode | grep -v '^agent:' >"$work/seen"
		cmp "$work/expected" "$work/seen" || { echo "plan $each: the output differs"; exit 1; }
	done
	for each in locals every; do
		run "$each" -Xss512k CountCalls
	done
else
	build_plans
	run "$plan" -Xmx700m --add-modules ALL-SYSTEM VerifyAll "$@"
fi
