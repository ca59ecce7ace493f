#!/bin/sh
# wine.sh WINE PROGRAM [ARGUMENT...]: runs a program under Wine, whose directory WINEPREFIX names.
# Three faults are Wine's and not the program's, which is then started again, three times at most:
# - Wine's server fails an assertion (complete_async_poll, when a poll times out just as its
#   socket becomes ready), and every program of its directory hangs: the run does not end, nor
#   does another program. The next run gets another server.
# - The server ends during the run: Wine reports "wine client error".
# - One start in several hundred to thousands fails: the run ends with code 1 and no output. All
#   programs that are run here print something when they fail.
# What was started again is noted in WINEPREFIX/restarts, as stdout and stderr are the program's.
wine=$1
shift
server=$(dirname "$wine")/wineserver
limit=${WINE_SECONDS:-80}
output=$(mktemp -d)
trap 'rm -r "$output"' EXIT

note() {
	echo "wine.sh: run $attempt of $program $1" >>"$WINEPREFIX/restarts"
}

program=$1
for attempt in 1 2 3; do
	timeout -k 5 "$limit" "$wine" "$@" >"$output/out" 2>"$output/err"
	code=$?
	if grep -q '^wine client error:' "$output/err"; then
		note "lost Wine's server"
		continue
	fi
	case $code in
	1) test ! -s "$output/out" && test ! -s "$output/err" || break
	   note "did not start" ;;
	124 | 137)
	   if timeout -k 5 30 "$wine" cmd.exe /c exit >/dev/null 2>&1; then
		   echo "wine.sh: $program was still running after $limit s" >>"$output/err"
		   break
	   fi
	   note "did not end, nor did another program"
	   "$server" -k ;;
	*) break ;;
	esac
done
cat "$output/out"
cat "$output/err" >&2
exit $code
