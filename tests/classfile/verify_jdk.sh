#!/bin/sh
# The JDK's own classes rewritten and verified by that JDK: as the agent does it for
# cpu=times, for heap=sites,live=n, and for heap=sites. All that is said comes in one piece, as another
# JDK may be at it beside this one.
#
#   BUILD=build HPROF_AGENT=libhprof.so verify_jdk.sh K/N JAVA_HOME
set -eu
part=$1
java_home=$2
BUILD=$BUILD/verify/$(printf '%s' "$java_home" | tr / _)
export BUILD
mkdir -p "$BUILD"
here=$(dirname "$0")
{
	sh "$here/verify.sh" "$java_home" agent --part "$part" jrt &&
		sh "$here/verify.sh" "$java_home" allocations --part "$part" jrt &&
		sh "$here/verify.sh" "$java_home" marks --part "$part" jrt
} >"$BUILD/said" 2>&1 || failed=1
echo "== $java_home, part $part"
cat "$BUILD/said"
exit ${failed:-0}
