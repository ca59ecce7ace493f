#!/bin/sh
# Makes seeds for classfile_fuzz from a JDK's own small classes: of a sample of
# them, those that together reach all code that the sample reaches; of these,
# COUNT (40 if not given) of evenly spread sizes.
#
#   make_corpus.sh FUZZER JAVA_HOME DIRECTORY [COUNT]
#
# The seed old_subroutines is not from here: it is ../classfile/OldCode.java as
# `ecj -1.3 -target 1.1 -g:none` compiles it, for jsr and ret.
#
# FUZZER is the built classfile_fuzz, DIRECTORY is where the seeds go.
set -eu

[ $# -ge 3 ] || { sed -n '2,/^set/p' "$0" | sed '$d;s/^# \{0,1\}//' >&2; exit 2; }
fuzzer=$1
java_home=$2
directory=$3
count=${4:-40}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/image" "$work/sample" "$work/cover" "$directory"

"$java_home/bin/jimage" extract --dir "$work/image" "$java_home/lib/modules"
# Every 7th class under 1.5 KB, in the order of names: the same for the same JDK.
find "$work/image" -name '*.class' -size -1500c | LC_ALL=C sort | awk 'NR % 7 == 0' |
	while read -r file; do
		cp "$file" "$work/sample/$(basename "$file")"
	done
"$fuzzer" -set_cover_merge=1 "$work/cover" "$work/sample" 2>"$work/log" || cat "$work/log" >&2
find "$work/cover" -type f -printf '%s %p\n' | sort -n >"$work/list"
awk -v all="$(wc -l <"$work/list")" -v count="$count" \
	'int(NR * count / all) != int((NR - 1) * count / all)' "$work/list" |
	while read -r size file; do
		cp "$file" "$directory/$(basename "$file" | cut -c1-16)"
		echo "$size $(basename "$file" | cut -c1-16)"
	done | awk '{ total += $1 } END { print NR " seeds, " total " bytes" }'
