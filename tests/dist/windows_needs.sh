#!/bin/sh
# windows_needs.sh OBJDUMP FILE...: what these PE files ask of Windows is in every Windows; they have no
# symbols, and let the system choose their addresses and keep data from being run.
set -e
objdump=$1
shift
fail() { echo "$file: $1" >&2; exit 1; }

for file; do
	headers=$("$objdump" -p "$file")
	needed=$(printf '%s\n' "$headers" | awk '$1 == "DLL" && $2 == "Name:" { print tolower($3) }')
	test -n "$needed" || fail "imports nothing: not a program of Windows?"
	other=$(printf '%s\n' "$needed" | grep -vxE '(kernel32|advapi32|ws2_32|msvcrt)\.dll' || true)
	test -z "$other" || fail "needs $other"
	"$objdump" -t "$file" | grep -qx 'no symbols' || fail "has symbols"
	"$objdump" -h "$file" | grep -q '\.debug' && fail "has debugging information"
	for flag in DYNAMIC_BASE NX_COMPAT HIGH_ENTROPY_VA; do
		printf '%s\n' "$headers" | grep -qw "$flag" || fail "is not linked with $flag"
	done
	echo "$file: needs" $needed
done
