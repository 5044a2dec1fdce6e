#!/bin/bash
# Builds binder/Dockerfile and runs notebooks in the container as mybinder.org does. The check needs neither a Docker
# engine nor an image registry. The script creates both base images: Debian with debootstrap, and Go from this machine.
# The script prints the size of the image and the time until the first figure, and fails if the image exceeds 900 MB.
# The check takes 5 to 20 minutes and 8 GB of disk space.
#
# Usage: docker/container-check.sh [NOTEBOOK]...       (default: notebooks/00-start-here.ipynb)
#
#   KEEP=1              keep the images and the base system in build/container, which makes the next run faster
#   PUREXP_REPS=N       replicates per experiment inside the container (default 5)
#   CONTAINER_DIR=DIR   work in DIR instead of build/container
#   IMAGE_LIMIT=MB      the size limit of the image (default 900)
#
# Requires root, debootstrap, buildah and iproute2 (apt install debootstrap buildah iproute2), and `make setup`.
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

# --- requirements -----------------------------------------------------------------------------------------------

[ "$(id -u)" = 0 ] || die "must run as root, because debootstrap and buildah need it; run: sudo make container-check"
missing=()
for tool in debootstrap buildah unshare ip go; do
	command -v "$tool" >/dev/null || missing+=("$tool")
done
[ ${#missing[@]} = 0 ] || die "missing programs: ${missing[*]}" "On Debian or Ubuntu: apt install debootstrap buildah util-linux iproute2; Go is at https://go.dev/dl/"
[ -x "$python" ] || die "$python is missing, and the client of this check needs it: run \`make setup\` first."
for notebook in "${notebooks[@]}"; do
	[ -f "$notebook" ] || die "$notebook: the file does not exist; expected a notebook in notebooks/"
done
cmp Dockerfile binder/Dockerfile || die "Dockerfile and binder/Dockerfile differ; copy one to the other"

# The base images of the Dockerfile.
golang=$(sed -n 's/^FROM \(golang:[^ ]*\).*/\1/p' binder/Dockerfile)
debian=$(sed -n 's/^FROM \(debian:[^ ]*\).*/\1/p' binder/Dockerfile)
suite=$(echo "$debian" | sed 's/^debian:\([a-z]*\)-.*/\1/')
[ -n "$golang" ] && [ -n "$debian" ] && [ -n "$suite" ] || die "binder/Dockerfile: expected the base images golang:VERSION and debian:SUITE-DATE"
goroot=$(go env GOROOT)
case "$golang" in
golang:"$(go env GOVERSION | sed s/^go//)"-*) ;;
*) say "note: using $(go env GOVERSION) of this machine instead of $golang" ;;
esac

# --- working folder and cleanup ---------------------------------------------------------------------------------

case "$work" in
*[[:space:]]*) die "$work: debootstrap does not support paths with spaces; choose another folder, e.g. CONTAINER_DIR=/var/tmp/purexp-check" ;;
esac
mkdir -p "$work"
work=$(cd "$work" && pwd)
# The commands below use chroot isolation, because cgroups may be unavailable. Without an overlay file system, each layer
# would be a full copy, so the image then has a single layer on top of Debian.
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
	b rm --all >/dev/null 2>&1 || true # also removes the build stages that buildah leaves
	if [ -z "${KEEP:-}" ]; then
		umount "$work/storage/overlay/overlay" 2>/dev/null || true # a mount of the overlay driver
		# Do not delete the folder while it contains a mount.
		if ! grep -qF " $work/" /proc/self/mountinfo; then
			rm -rf "$work"
		else
			echo "container-check: $work contains a mounted file system and was not deleted; unmount it, then delete the folder" >&2
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
	say "creating $debian with debootstrap $suite"
	rm -rf "$work/base"
	debootstrap --variant=minbase "$suite" "$work/base" >"$work/debootstrap.log" 2>&1 ||
		die "debootstrap failed; the last lines of $work/debootstrap.log:" "$(tail -5 "$work/debootstrap.log")"
	# Like Debian's slim image, exclude archives, manuals and translations, also from packages installed later.
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
	# Copy the trusted certificates of this machine, one per file, so that installing ca-certificates keeps them.
	mkdir -p "$work/base/usr/local/share/ca-certificates" "$work/base/etc/ssl/certs"
	if [ -f /etc/ssl/certs/ca-certificates.crt ]; then
		awk -v dir="$work/base/usr/local/share/ca-certificates" \
			'/BEGIN CERTIFICATE/ { n++ } n { print > (dir "/host-" n ".crt") }' /etc/ssl/certs/ca-certificates.crt
	fi
	touch "$work/base.done"
fi

# image NAME DIR DEST: creates the image NAME with the files of DIR in DEST.
image() {
	if [ -n "$(b images --quiet "docker.io/library/$1" 2>/dev/null)" ]; then
		return
	fi
	say "creating the image $1"
	container=$(b from scratch)
	b add --quiet "$container" "$2" "$3" >/dev/null
	b config --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$container"
	b commit --quiet "$container" "docker.io/library/$1" >/dev/null
	b rm "$container" >/dev/null
	container=
}
# The images created here have other digests, so the digests are removed from a copy of the Dockerfile.
image "${debian%@*}" "$work/base" /
image "${golang%@*}" "$goroot" /usr/local/go
sed 's/^\(FROM [^ @]*\)@sha256:[0-9a-f]*/\1/' binder/Dockerfile >"$work/Dockerfile"

# --- build as on mybinder.org: the context is the repository, with two arguments ---------------------------------

say "building binder/Dockerfile"
b bud --isolation chroot --pull=never --layers=$layers --ulimit nofile=1024:1024 --build-arg NB_USER=jovyan --build-arg NB_UID=1000 \
	-f "$work/Dockerfile" -t purexp-check . >"$work/build.log" 2>&1 ||
	die "the build of the image failed; the last lines of $work/build.log:" "$(tail -40 "$work/build.log")"
grep '^notebooks: ' "$work/build.log" || true
say "built"

# --- size as in `docker images`: the total size of the files in all layers, in MB ------------------------------------

# bytes DIR...: prints the total size of all files in the folders, in MB.
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
	sizes="unknown without an overlay file system"
fi
say "the image has $size MB (layers: $sizes)"
parts=
for folder in usr/local/go opt/purexp/go opt/purexp/gocache opt/purexp/venv opt/purexp/bin home; do
	parts="$parts$(bytes "$mounted/$folder") /$folder, "
done
say "sizes in MB, of $(bytes "$mounted") MB in total: ${parts}the rest is Debian"
[ "$size" -le "$limit" ] || die "the image has $size MB; expected at most $limit. The largest files:" \
	"$(cd "$mounted" && find . -xdev -type f -size +8M -printf '%s %p\n' | sort -rn | sed -n 1,20p)"
b umount "$container" >/dev/null

# --- run without a network --------------------------------------------------------------------------------------

# As on mybinder.org, JupyterLab is started in the working folder of the image, with a base URL and a token.
# The server and the client share a network namespace that contains only the loopback device. They also share a
# process namespace, which ends with its first process, so no server process is left running.
say "starting JupyterLab in the container, without a network"
token=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
base=/user/purexp-check/
cat >"$work/inside.sh" <<-INSIDE
	set -eu
	id -u | grep -qx 1000 || { echo "the user id is wrong; expected 1000"; exit 1; }
	python3 -c 'import jupyterlab, sys; sys.exit(int(jupyterlab.__version__.split(".")[0]) < 3)'
	# The network must be unreachable, so that modules can only come from the image.
	if python3 -c 'import socket; socket.create_connection(("proxy.golang.org", 443), 3)' 2>/dev/null; then
	    echo "proxy.golang.org is reachable; expected no network"; exit 1
	fi
	exec jupyter-lab --ip=127.0.0.1 --port=8888 --no-browser --ServerApp.base_url=$base --IdentityProvider.token=$token
INSIDE
export -f b
export work driver
cat >"$work/outside.sh" <<-'OUTSIDE'
	# Arguments: the container, the number of replicates, and the command line of the client
	set -euo pipefail
	ip link set lo up
	container=$1 reps=$2
	shift 2
	script=$(cat "$work/inside.sh")
	b run --isolation chroot --user 1000 --env "PUREXP_REPS=$reps" "$container" -- sh -c "$script" >"$work/server.log" 2>&1 &
	"$@"
OUTSIDE
client=("$python" docker/run_in_server.py --url "http://127.0.0.1:8888$base" --token "$token" "${notebooks[@]}")
set -m # give the job its own process group, so that cleanup can end all of its processes
unshare --net --pid --fork --kill-child --mount-proc bash "$work/outside.sh" "$container" "$reps" "${client[@]}" </dev/null &
server=$!
set +m
if wait "$server"; then server=; else
	server=
	die "a notebook failed in the container; the last lines of $work/server.log:" "$(tail -30 "$work/server.log")"
fi
say "all cells of ${notebooks[*]} ran in the container, as uid 1000, without a network"
