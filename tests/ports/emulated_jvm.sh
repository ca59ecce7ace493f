#!/bin/sh
# emulated_jvm.sh CPU DIR: fetches Debian's JVM for another CPU, and the libraries with which
# the agent is built for that CPU. Unpacks them to DIR/root and makes DIR/jdk/bin/java, which
# starts the JVM under QEMU, and the compiler DIR/cc. Nothing is installed: apt keeps its state in DIR, too. The
# system's package sources are used.
set -e
cpu=$1
launcher=$(cd "$(dirname "$0")" && pwd)/emulated_launcher.sh
mkdir -p "$2/apt/lists/partial" "$2/apt/archives/partial"
dir=$(cd "$2" && pwd)
case $cpu in
aarch64) debian=arm64 ;;
*) debian=$cpu ;;
esac
jvm=usr/lib/jvm/java-17-openjdk-$debian

: >"$dir/apt/status"
apt() {
	apt-get -q -o APT::Architecture="$debian" -o APT::Architectures="$debian" \
		-o Dir::State="$dir/apt" -o Dir::State::status="$dir/apt/status" -o Dir::Cache="$dir/apt" \
		-o APT::Sandbox::User=root -o Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false "$@"
}
apt update
cd "$dir/apt/archives"
rm -f ./*.deb
apt download openjdk-17-jre-headless libc6 libgcc-s1 libstdc++6 zlib1g libbsd0 libmd0 \
	libc6-dev linux-libc-dev libbsd-dev libmd-dev zlib1g-dev uthash-dev

rm -rf "$dir/root"
for package in *.deb; do
	dpkg -x "$package" "$dir/root"
done
# The linker would follow absolute links out of the root.
find "$dir/root" -type l -lname '/*' | while read -r link; do
	target=$dir/root$(readlink "$link")
	test ! -e "$target" || ln -sfn "$(realpath --relative-to="$(dirname "$link")" "$target")" "$link"
done

cat >"$dir/cc" <<END
#!/bin/sh
exec $cpu-linux-gnu-gcc --sysroot='$dir/root' "\$@"
END
chmod +x "$dir/cc"
# Last, as make looks for it.
sh "$launcher" "$cpu" "$dir/root" "$dir/root/$jvm" "$dir/jdk"
