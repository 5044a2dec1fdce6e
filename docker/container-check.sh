#!/bin/bash
# Builds binder/Dockerfile and runs a notebook in it the way mybinder.org does, on a machine that has neither a
# Docker engine nor an image registry: the two base images are made here, Debian's with debootstrap and Go's from
# the Go of this machine. Says how large the image is, and fails above 900 MB; says how soon the notebook
# shows its first figure. Takes 5 to 20 minutes and 8 GB.
#
# Usage: docker/container-check.sh [NOTEBOOK]...       (default: notebooks/00-start-here.ipynb)
#
#   KEEP=1              leaves images and base system in build/container, so that the next run is quicker
#   PUREXP_REPS=N       replicates per experiment inside the container (default 5)
#   CONTAINER_DIR=DIR   works in DIR instead of build/container
#   IMAGE_LIMIT=MB      the size that the image may have (default 900)
#
# Needs root, debootstrap, buildah and iproute2 (apt install debootstrap buildah iproute2), and `make setup`.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
work=${CONTAINER_DIR:-$root/build/container}
reps=${PUREXP_REPS:-5}
limit=${IMAGE_LIMIT:-900}
notebooks=("$@")
[ $# -gt 0 ] || notebooks=(notebooks/00-start-here.ipynb)
python=${PUREXP_VENV:-$root/.venv}/bin/python

say() { printf 'container-check: %s (%d min)\n' "$*" $((SECONDS / 60)); }
die() {
	printf 'container-check: %s\n' "$@" >&2
	exit 1
}

# --- what must be there -----------------------------------------------------------------------------------------

[ "$(id -u)" = 0 ] || die "must run as root: debootstrap and buildah need it here. Try: sudo make container-check"
missing=()
for tool in debootstrap buildah unshare ip go; do
	command -v "$tool" >/dev/null || missing+=("$tool")
done
[ ${#missing[@]} = 0 ] || die "missing: ${missing[*]}" "On Debian or Ubuntu: apt install debootstrap buildah util-linux iproute2; Go is at https://go.dev/dl/"
[ -x "$python" ] || die "$python is missing: run \`make setup\` first (the client of the check lives there)."
for notebook in "${notebooks[@]}"; do
	[ -f "$notebook" ] || die "$notebook: no such notebook"
done
cmp Dockerfile binder/Dockerfile || die "Dockerfile and binder/Dockerfile differ."

# The images that the Dockerfile starts from.
golang=$(sed -n 's/^FROM \(golang:[^ ]*\).*/\1/p' binder/Dockerfile)
debian=$(sed -n 's/^FROM \(debian:[^ ]*\).*/\1/p' binder/Dockerfile)
suite=$(echo "$debian" | sed 's/^debian:\([a-z]*\)-.*/\1/')
[ -n "$golang" ] && [ -n "$debian" ] && [ -n "$suite" ] || die "binder/Dockerfile does not start from golang:... and debian:SUITE-..."
goroot=$(go env GOROOT)
case "$golang" in
golang:"$(go env GOVERSION | sed s/^go//)"-*) ;;
*) say "note: $(go env GOVERSION) of this machine stands in for $golang" ;;
esac

# --- one place for everything, and a way out --------------------------------------------------------------------

case "$work" in
*[[:space:]]*) die "debootstrap cannot work in a path with spaces, and $work has one: choose another with CONTAINER_DIR=/var/tmp/purexp-check" ;;
esac
mkdir -p "$work"
work=$(cd "$work" && pwd)
# chroot isolation, because there may be no cgroups to manage. Without an overlay file system the whole image is one
# layer besides Debian, as each would be a copy of all before it.
driver=overlay layers=true
b() { buildah --root "$work/storage/$driver" --runroot "$work/run/$driver" --storage-driver "$driver" "$@"; }
if ! b info >/dev/null 2>&1; then
	driver=vfs layers=false
fi
export driver
container=
server=
cleanup() {
	status=$?
	trap - EXIT INT TERM
	if [ -n "$server" ]; then
		kill -- "-$server" 2>/dev/null || true
		wait "$server" 2>/dev/null || true
	fi
	b rm --all >/dev/null 2>&1 || true # and what buildah leaves of the stages
	if [ -z "${KEEP:-}" ]; then
		umount "$work/storage/overlay/overlay" 2>/dev/null || true # the driver's own
		# Never delete through a mount that was left behind.
		if ! grep -qF " $work/" /proc/self/mountinfo; then
			rm -rf "$work"
		else
			echo "container-check: something is still mounted below $work, which is left in place" >&2
		fi
	else
		echo "container-check: kept $work"
	fi
	exit $status
}
trap cleanup EXIT
trap 'exit 130' INT TERM

# --- base images ------------------------------------------------------------------------------------------------

if [ ! -f "$work/base.done" ]; then
	say "making $debian with debootstrap $suite"
	rm -rf "$work/base"
	debootstrap --variant=minbase "$suite" "$work/base" >"$work/debootstrap.log" 2>&1 ||
		die "debootstrap failed; the end of its log:" "$(tail -5 "$work/debootstrap.log")"
	# Debian's slim image has no archives, manuals and translations, and never gets any.
	cat >"$work/base/etc/dpkg/dpkg.cfg.d/docker" <<-'SLIM'
		path-exclude /usr/share/doc/*
		path-include /usr/share/doc/*/copyright
		path-exclude /usr/share/info/*
		path-exclude /usr/share/locale/*
		path-exclude /usr/share/man/*
	SLIM
	find "$work/base/usr/share/doc" -type f ! -name copyright -delete
	for folder in usr/share/info usr/share/locale usr/share/man var/cache/apt var/lib/apt/lists var/log; do
		find "$work/base/$folder" -mindepth 1 -type f -delete
	done
	# Certificates that this machine trusts, one a file, so that they survive the installation of ca-certificates.
	mkdir -p "$work/base/usr/local/share/ca-certificates" "$work/base/etc/ssl/certs"
	if [ -f /etc/ssl/certs/ca-certificates.crt ]; then
		awk -v dir="$work/base/usr/local/share/ca-certificates" \
			'/BEGIN CERTIFICATE/ { n++ } n { print > (dir "/host-" n ".crt") }' /etc/ssl/certs/ca-certificates.crt
	fi
	touch "$work/base.done"
fi

# image NAME DIR DEST: an image of that name with the files of DIR at DEST.
image() {
	if [ -n "$(b images --quiet "docker.io/library/$1" 2>/dev/null)" ]; then
		return
	fi
	say "making the image $1"
	container=$(b from scratch)
	b add --quiet "$container" "$2" "$3" >/dev/null
	b config --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$container"
	b commit --quiet "$container" "docker.io/library/$1" >/dev/null
	b rm "$container" >/dev/null
	container=
}
# Those made here have other digests than the ones that the Dockerfile asks for.
image "${debian%@*}" "$work/base" /
image "${golang%@*}" "$goroot" /usr/local/go
sed 's/^\(FROM [^ @]*\)@sha256:[0-9a-f]*/\1/' binder/Dockerfile >"$work/Dockerfile"

# --- build, as mybinder.org does: context = the repository, two arguments ----------------------------------------

say "building binder/Dockerfile"
b bud --isolation chroot --pull=never --layers=$layers --ulimit nofile=1024:1024 --build-arg NB_USER=jovyan --build-arg NB_UID=1000 \
	-f "$work/Dockerfile" -t purexp-check . >"$work/build.log" 2>&1 ||
	die "the image does not build; the end of $work/build.log:" "$(tail -40 "$work/build.log")"
grep '^notebooks: ' "$work/build.log" || true
say "built"

# --- size, as `docker images` has it: what is in the files of all layers, in millions of bytes -----------------------

# bytes DIR...: what is in the files below, in millions.
bytes() { find "$@" -xdev -type f -printf '%D:%i %s\n' | sort -u | awk '{ s += $2 } END { printf "%.0f\n", s / 1e6 }'; }
container=$(b from --pull=never localhost/purexp-check)
mounted=$(b mount "$container")
if [ $driver = overlay ]; then
	folders=$(b inspect --type image --format '{{range .OCIv1.RootFS.DiffIDs}}{{println .}}{{end}}' localhost/purexp-check |
		"$python" -c '
import json, sys
storage = sys.argv[1]
layers = json.load(open(storage + "/overlay-layers/layers.json"))
images = json.load(open(storage + "/overlay-images/images.json"))
parent = {layer["id"]: layer.get("parent") for layer in layers}
image = next(i for i in images if "localhost/purexp-check:latest" in i.get("names", []))
chain, layer = [], image["layer"]
while layer:
    chain.append(layer)
    layer = parent[layer]
assert len(chain) == len(sys.stdin.read().split()), "layers are missing"
print(*(f"{storage}/overlay/{layer}/diff" for layer in reversed(chain)))' "$work/storage/$driver")
	size=0 sizes=
	for folder in $folders; do
		one=$(bytes "$folder")
		size=$((size + one)) sizes="$sizes${sizes:+ + }$one"
	done
else
	size=$(bytes "$mounted")
	sizes="not known: no overlay file system here"
fi
say "the image has $size MB (layers: $sizes)"
parts=
for folder in usr/local/go opt/purexp/go opt/purexp/gocache opt/purexp/venv opt/purexp/bin home; do
	parts="$parts$(bytes "$mounted/$folder") /$folder, "
done
say "of its $(bytes "$mounted") MB of files are in ${parts}the rest in Debian"
[ "$size" -le "$limit" ] || die "the image has $size MB; expected at most $limit. Its largest files:" \
	"$(cd "$mounted" && find . -xdev -type f -size +8M -printf '%s %p\n' | sort -rn | sed -n 1,20p)"
b umount "$container" >/dev/null

# --- run, without a network -------------------------------------------------------------------------------------

# mybinder.org asks the image's python3 for JupyterLab, and starts it with an address and a token of its own,
# in the image's working folder. Here server and client share a network namespace that has nothing but loopback, and
# a process namespace, which ends with its first process: no server stays behind.
say "starting JupyterLab in it, without a network"
token=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
base=/user/purexp-check/
cat >"$work/inside.sh" <<-INSIDE
	set -eu
	id -u | grep -qx 1000 || { echo "not uid 1000"; exit 1; }
	python3 -c 'import jupyterlab, sys; sys.exit(int(jupyterlab.__version__.split(".")[0]) < 3)'
	# No way out: the modules must come from the image.
	if python3 -c 'import socket; socket.create_connection(("proxy.golang.org", 443), 3)' 2>/dev/null; then
	    echo "the network is still there"; exit 1
	fi
	exec jupyter-lab --ip=127.0.0.1 --port=8888 --no-browser --ServerApp.base_url=$base --IdentityProvider.token=$token
INSIDE
export -f b
export work driver
cat >"$work/outside.sh" <<-'OUTSIDE'
	# $1 container, $2 replicates, then the client's command line
	set -euo pipefail
	ip link set lo up
	container=$1 reps=$2
	shift 2
	script=$(cat "$work/inside.sh")
	b run --isolation chroot --user 1000 --env "PUREXP_REPS=$reps" "$container" -- sh -c "$script" >"$work/server.log" 2>&1 &
	"$@"
OUTSIDE
client=("$python" docker/run_in_server.py --url "http://127.0.0.1:8888$base" --token "$token" "${notebooks[@]}")
set -m # its own process group, to end it as a whole
unshare --net --pid --fork --kill-child --mount-proc bash "$work/outside.sh" "$container" "$reps" "${client[@]}" </dev/null &
server=$!
set +m
if wait "$server"; then server=; else
	server=
	die "a notebook does not run in the container; the end of the server's log:" "$(tail -30 "$work/server.log")"
fi
say "all cells of ${notebooks[*]} ran in the container, as uid 1000, without a network"
