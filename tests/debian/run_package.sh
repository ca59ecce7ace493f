#!/bin/sh
# run_package.sh PACKAGE ROOT JAVA_HOME: unpacks the package to ROOT and profiles a program with
# the command there, and with its library as a JVM finds it by name.
set -e
package=$1
root=$2
java_home=$3
here=$(dirname "$0")

rm -rf "$root"
dpkg -x "$package" "$root"
mkdir "$root/work"
"$java_home/bin/javac" -d "$root/work" "$here/../java/HeapGraph.java" "$here/../../docs/Demo.java"
cd "$root/work"

library=$(find "$root/usr/lib" -name libhprof.so)
test -f "$library" || { echo "no libhprof.so in the package" >&2; exit 1; }
for page in man1/hprof.1 man7/hprof-agent.7; do
	test -f "$root/usr/share/man/$page.gz" || { echo "no manual $page" >&2; exit 1; }
done
for file in bash-completion/completions/hprof zsh/vendor-completions/_hprof; do
	test -f "$root/usr/share/$file" || { echo "no completion $file" >&2; exit 1; }
done

"$root/usr/bin/hprof" run cpu=samples,file=run.txt -- "$java_home/bin/java" Demo 2 >run.out
"$root/usr/bin/hprof" report --top 1 run.txt | grep 'CPU SAMPLES'
LD_LIBRARY_PATH=$(dirname "$library") "$java_home/bin/java" \
	-agentlib:hprof=heap=dump,format=b,file=heap.hprof HeapGraph 10
"$root/usr/bin/hprof" check heap.hprof | tail -1
echo "the package works"
