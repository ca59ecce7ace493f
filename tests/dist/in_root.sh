#!/bin/sh
# in_root.sh ROOT TARBALL JVM JAVA_HOME: unpacks the tarball in ROOT, and profiles a program there in
# JVM, which needs no library but glibc: with the command, by attach, and with the agent alone. ROOT
# needs no shell. JAVA_HOME compiles the program.
set -e
root=$1
tarball=$2
jvm=$3
java_home=$4
here=$(dirname "$0")

mkdir -p "$root/opt" "$root/work"
rm -rf "$root/opt/jvm"
cp -a "$jvm" "$root/opt/jvm"
tar -C "$root/opt" -xf "$tarball"
hprof=/opt/$(basename "$tarball" .tar.gz)
"$java_home/bin/javac" --release 11 -d "$root/work" "$here/../../docs/Demo.java" "$here"/../java/HeapGraph.java \
	"$here"/../java/Truth.java "$here"/../java/TimesShares.java

# The way of the JVM to its own files, and that of attach to the process.
mount -t proc proc "$root/proc"
trap 'umount "$root/proc"' EXIT
inside() { chroot "$root" "$@"; }
java=/opt/jvm/bin/java

inside "$hprof/bin/hprof" run -o /work/samples.txt -- $java -cp /work Demo
inside "$hprof/bin/hprof" report --top 1 --by method /work/samples.txt | grep 'CPU SAMPLES: '
inside "$hprof/bin/hprof" run -e calls -o /work/calls.txt -- $java -cp /work TimesShares 100
inside "$hprof/bin/hprof" report --top 3 --by method /work/calls.txt | grep 'CPU TIME'
inside $java -agentpath:"$hprof/lib/libhprof.so=heap=dump,format=b,file=/work/heap.hprof" -cp /work HeapGraph 10
inside "$hprof/bin/hprof" check /work/heap.hprof | tail -n 1
for suffix in html collapsed pb.gz json firefox.json svg; do
	inside "$hprof/bin/hprof" report -o "/work/samples.$suffix" /work/samples.txt
	test -s "$root/work/samples.$suffix"
done

inside $java -cp /work Demo >"$root/work/demo.out" &
until ls "$root"/tmp/hsperfdata_*/* >/dev/null 2>&1; do
	kill -0 $! || { echo "the program has ended before it was seen" >&2; exit 1; }
	sleep 0.1
done
inside "$hprof/bin/hprof" attach -d 1 -o /work/attach.txt Demo
wait $!
inside "$hprof/bin/hprof" report --top 1 --by method /work/attach.txt | grep 'CPU SAMPLES: '
echo "the tarball works in $root"
