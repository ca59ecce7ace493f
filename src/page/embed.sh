# Prints the page's files as C: embed.sh page.html page.css page.js. A file's array is named after
# it; the script and the style have their SHA-256 in base64, for the Content-Security-Policy.
set -e

# The digits of sha256sum as bytes, by way of printf's octal escapes.
hash() {
	digits=$(sha256sum "$1" | cut -c 1-64 | sed 's/../0x& /g')
	# shellcheck disable=SC2059,SC2086 # the format is made of them
	printf "$(printf '\\%03o' $digits)" | base64
}

echo '#include "page/page_assets.h"'
for file in "$@"; do
	name=$(basename "$file" | tr . _)
	printf '\nconst unsigned char %s[] = {\n' "$name"
	od -An -v -tx1 "$file" | sed 's/ *\([0-9a-f][0-9a-f]\)/0x\1,/g'
	printf '};\nconst size_t %s_length = sizeof(%s);\n' "$name" "$name"
	case $file in
	*.css | *.js) printf 'const char %s_hash[] = "%s";\n' "$name" "$(hash "$file")" ;;
	esac
done
