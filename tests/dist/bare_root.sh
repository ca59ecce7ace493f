#!/bin/sh
# bare_root.sh ROOT: a root directory with the files of Debian's package libc6 and none of any other.
set -e
root=$1

rm -rf "$root"
mkdir -p "$root/tmp" "$root/proc" "$root/dev"
dpkg -L "libc6:$(dpkg --print-architecture)" | grep -E '\.so(\.|$)' | tar -cf - -T - 2>/dev/null | tar -C "$root" -xf -

# A JVM without a name for its user has no file in /tmp by which hprof attach finds it.
echo 'root:x:0:0:root:/:/bin/sh' >"$root/etc/passwd"
