#!/bin/sh
# emulated_launcher.sh CPU ROOT HOME DIR: makes DIR/bin/java, which starts the JVM at HOME under
# QEMU with the libraries of ROOT, and DIR/release, which says what JVM it is, and for which CPU.
set -e
mkdir -p "$4/bin"
root=$(cd "$2" && pwd)
home=$(cd "$3" && pwd)
cp "$home/release" "$4"
grep -q '^OS_ARCH=' "$4/release" || echo "OS_ARCH=\"$1\"" >>"$4/release"
# Without the shared archive and with few threads the JVM starts fastest.
cat >"$4/java" <<EOF
#!/bin/sh
exec qemu-$1 -L '$root' '$home/bin/java' -Xshare:off -XX:+UseSerialGC "\$@"
EOF
chmod +x "$4/java"
mv "$4/java" "$4/bin"
