#!/bin/sh
# Fails when a source outside src/os asks at compile time which system it is for.
# no_os_ifdefs.sh DIRECTORY...
set -e

systems='_?_?(linux|gnu_linux|unix|sun|sparc|SVR4|svr4|illumos|APPLE|FreeBSD|NetBSD|OpenBSD|ANDROID|CYGWIN|HAIKU)(_?_?)'
windows='_?_?(WIN32|WIN64|WINDOWS|MINGW[0-9]*|MSC_VER|WINNT)(_?_?)'
pattern="^[[:space:]]*#[[:space:]]*(if|ifdef|ifndef|elif|elifdef)\\b.*\\b($systems|$windows)\\b"

seen() {
	grep -rnE --include='*.[ch]' "$pattern" "$@"
}

# What it is to find it does find.
sample=$(mktemp -d)
trap 'rm -r "$sample"' EXIT
for macro in __linux__ __sun _WIN32 __MINGW32__ __SVR4 _MSC_VER __illumos__ __APPLE__; do
	printf '#if defined(X) && defined(%s)\n#endif\n' "$macro" > "$sample/a.c"
	seen "$sample" >/dev/null || { echo "$0: does not see $macro" >&2; exit 1; }
	printf '#ifdef %s\n#endif\n' "$macro" > "$sample/a.c"
	seen "$sample" >/dev/null || { echo "$0: does not see #ifdef $macro" >&2; exit 1; }
done

if seen "$@"; then
	echo "these belong in src/os" >&2
	exit 1
fi
