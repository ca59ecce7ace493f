#!/bin/sh
# wine.sh WINE PROGRAM [ARGUMENT...]: runs a program under Wine, whose directory WINEPREFIX names.
# Two things happen that have nothing to do with the program, which is begun again then, three
# times at most:
# - Wine's server ends by an assertion of its own (complete_async_poll, when the time of a
#   poll is over just as its socket gets ready), and every program of its directory stands still:
#   the run does not end. It gets another server.
# - One start in several hundred to thousands fails: the run ends with code 1 and not a word.
#   Whatever is run here says something when it fails.
wine=$1
shift
server=$(dirname "$wine")/wineserver
said=$(mktemp -d)
trap 'rm -r "$said"' EXIT
for attempt in 1 2 3; do
	timeout -k 5 "${WINE_SECONDS:-80}" "$wine" "$@" >"$said/out" 2>"$said/err"
	code=$?
	case $code in
	1) test ! -s "$said/out" && test ! -s "$said/err" || break
	   echo "wine.sh: run $attempt of $1 did not start" >&2 ;;
	124 | 137)
	   echo "wine.sh: run $attempt of $1 did not end" >&2
	   "$server" -k ;;
	*) break ;;
	esac
done
cat "$said/out"
cat "$said/err" >&2
exit $code
