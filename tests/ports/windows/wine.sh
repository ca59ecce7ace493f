#!/bin/sh
# wine.sh WINE PROGRAM [ARGUMENT...]: runs a program under Wine, whose directory WINEPREFIX names.
# Three faults are Wine's and not the program's, which is then started again, three times at most:
# - Wine's server fails an assertion (complete_async_poll, when a poll times out just as its
#   socket becomes ready), and every program of its directory hangs: the run does not end. The
#   next one gets another server.
# - The server ends during the run: Wine reports "wine client error".
# - One start in several hundred to thousands fails: the run ends with code 1 and no output. All
#   programs that are run here print something when they fail.
wine=$1
shift
server=$(dirname "$wine")/wineserver
output=$(mktemp -d)
trap 'rm -r "$output"' EXIT
for attempt in 1 2 3; do
	timeout -k 5 "${WINE_SECONDS:-80}" "$wine" "$@" >"$output/out" 2>"$output/err"
	code=$?
	if grep -q '^wine client error:' "$output/err"; then
		echo "wine.sh: run $attempt of $1 lost Wine's server" >&2
		continue
	fi
	case $code in
	1) test ! -s "$output/out" && test ! -s "$output/err" || break
	   echo "wine.sh: run $attempt of $1 did not start" >&2 ;;
	124 | 137)
	   echo "wine.sh: run $attempt of $1 did not end" >&2
	   "$server" -k ;;
	*) break ;;
	esac
done
cat "$output/out"
cat "$output/err" >&2
exit $code
