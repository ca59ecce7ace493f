#!/bin/sh
# run.sh MODEL [NAME...]: all interleavings of tests/model/MODEL.pml, and of the model with each NAME
# defined, which takes out a part of the protocol: spin must find no fault in the first, and one in
# each of the others, or the model would show nothing. Works in the directory BUILD.
model=$(dirname "$0")/$1.pml
name=$1
shift

# Prints the count of faults and a line; nothing when the model can't be built or searched fully.
search() {
	directory=$BUILD/$name${1:+-$1}
	mkdir -p "$directory" && cp "$model" "$directory/model.pml" && cd "$directory" || exit 1
	spin -a ${1:+-D"$1"} model.pml >spin.log && ${CC:-cc} -O0 -w -DSAFETY -o pan pan.c || exit 1
	./pan -m1000000 >pan.log || exit 1
	grep -q 'max search depth too small\|out of memory' pan.log && exit 1
	states=$(sed -n 's/^ *\([0-9]*\) states, stored.*/\1/p' pan.log)
	errors=$(sed -n 's/.*errors: \([0-9]*\)$/\1/p' pan.log)
	printf '%-18s %-22s %8s states, errors: %s\n' "$name" "${1:-as it is}" "$states" "$errors"
}

case $model in /*) ;; *) model=$PWD/$model ;; esac
result=$(search) || { echo "$name: can't be searched: see $BUILD/$name" >&2; exit 1; }
echo "$result"
case $result in *'errors: 0') ;; *) exit 1 ;; esac
for left_out; do
	result=$(search "$left_out") || { echo "$name: can't be searched with $left_out" >&2; exit 1; }
	echo "$result"
	case $result in *'errors: 0') echo "$name: the search misses $left_out" >&2; exit 1 ;; esac
done
