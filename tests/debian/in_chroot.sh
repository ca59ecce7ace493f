#!/bin/sh
# in_chroot.sh PACKAGE ROOT SUITE MIRROR JAVA_HOME: installs the package in a new Debian of SUITE at ROOT,
# with what it asks for and a JVM, profiles a program there as a user without rights, and removes it:
# nothing of it stays. JAVA_HOME compiles the program.
set -e
package=$1
root=$2
suite=$3
mirror=$4
java_home=$5
here=$(dirname "$0")

rm -rf "$root"
debootstrap --variant=minbase "$suite" "$root" "$mirror"
mount -t proc proc "$root/proc"
trap 'umount "$root/proc"' EXIT
inside() { env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/ DEBIAN_FRONTEND=noninteractive chroot "$root" "$@"; }
as_user() { env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/work chroot --userspec=1000:1000 "$root" "$@"; }
files() { inside find / -xdev -path /proc -prune -o \( -type f -o -type l -o -type d \) -print | sort; }

cp "$package" "$root/hprof.deb"
mkdir -m 777 "$root/work"
"$java_home/bin/javac" --release 11 -d "$root/work" "$here/../../docs/Demo.java"
inside apt-get install -y --no-install-recommends default-jre-headless man-db >"$root/work/jre.log" 2>&1 ||
	{ tail -n 20 "$root/work/jre.log"; exit 1; }
# What hprof asks for, without hprof: a list of files to compare with.
inside sh -c 'apt-get install -y --no-install-recommends $(dpkg-deb -f /hprof.deb Depends |
	sed "s/([^)]*)//g; s/,/ /g")' >>"$root/work/jre.log" 2>&1
files >"$root.before"

inside apt-get install -y --no-install-recommends /hprof.deb
as_user sh -c 'cd /work && hprof run -o samples.html -- java -cp /work Demo && test -s samples.html'
as_user sh -c 'cd /work && java -agentlib:hprof=cpu=samples,file=run.txt -cp /work Demo'
as_user sh -c 'cd /work && hprof report --top 1 --by method run.txt' | grep 'CPU SAMPLES: '
inside man -w hprof hprof-agent
inside apt-get purge -y hprof
rm -rf "$root/work/"*.html "$root/work/"*.txt
files >"$root.after"
# Logs, caches and lists of packages change with each installation.
left=$(comm -13 "$root.before" "$root.after" | grep -vE '^/var/(log|cache|lib/(apt|dpkg))/' || true)
test -z "$left" || { echo "the package leaves behind:" $left >&2; exit 1; }
echo "the package was installed, used and removed in $suite"
