#!/bin/sh
# wine.sh WINE PROGRAM [ARGUMENT...]: runs a program under Wine, whose folder WINEPREFIX names.
# Wine's server can end by an assertion of its own (complete_async_poll, when the time of a
# poll is over just as its socket gets ready), and every program of its folder stands still
# then. So a run that does not end is begun again, with another server; three times at most.
wine=$1
shift
server=$(dirname "$wine")/wineserver
for attempt in 1 2 3; do
	timeout -k 5 "${WINE_SECONDS:-80}" "$wine" "$@"
	code=$?
	test $code -eq 124 || test $code -eq 137 || exit $code
	echo "wine.sh: run $attempt of $1 did not end" >&2
	"$server" -k
done
exit $code
