#!/bin/sh
# needs.sh GLIBC COMMAND LIBRARY: what these ELF files ask of a system is at most that version of glibc.
set -e
oldest=$1
shift
fail() { echo "$file: $1" >&2; exit 1; }

for file; do
	# The libraries of glibc 2.17, and no other.
	other=$(objdump -p "$file" | awk '$1 == "NEEDED" { print $2 }' |
		grep -vxE 'lib(c|m|pthread|dl|rt)\.so\.[0-9]|ld-linux-x86-64\.so\.2' || true)
	test -z "$other" || fail "needs $other"
	newest=$(objdump -T "$file" | grep -oE 'GLIBC_[0-9.]+' | sort -Vu | tail -n 1)
	test -n "$newest" || fail "asks for no version of glibc: not an ELF file of glibc?"
	test "$(printf '%s\n' "$newest" "GLIBC_$oldest" | sort -V | tail -n 1)" = "GLIBC_$oldest" ||
		fail "asks for $newest: $(objdump -T "$file" | grep -wF "$newest" | awk '{ print $NF }' | tr '\n' ' ')"
	echo "$file: $newest is the newest version of glibc that it asks for"
done

# Before 2.34 glibc leaves the constructors of a program to its start-up code, which the build
# machine's no longer has. The compiler's own one, which does nothing here, may be missed.
size=$(readelf -SW "$1" | sed 's/^ *\[ *[0-9]*\] *//' | awk '$1 == ".init_array" { print $5 }')
test "$size" = 000008 || { echo "$1: has constructors, which glibc before 2.34 would not call" >&2; exit 1; }
