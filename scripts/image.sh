#!/usr/bin/env bash
# Builds the container image of the built programs: .build/dist/metube-rss-VERSION-image-ARCH.tar.gz, which `docker load` and
# `podman load` read. The same programs, packages and commit give the same bytes: all times are the commit's.
# Needs buildah, which it installs from Debian if missing, but no Docker; run as root. METUBE_IMAGE_STORE is where buildah
# keeps its files (.build/image/store, deleted afterwards).
set -euo pipefail
cd "$(dirname "$0")/.."

fail() {
  echo "image: $1" >&2
  exit 1
}

for program in metube-rss metube-hub; do
  [ -x .build/release/$program ] || fail ".build/release/$program is missing; run make build hub"
done
if ! command -v buildah >/dev/null; then
  command -v apt-get >/dev/null || fail "there is no buildah; install it"
  [ "$(id -u)" -eq 0 ] || fail "there is no buildah; run as root: apt-get install buildah"
  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends buildah >/dev/null; } ||
    fail "apt-get cannot install buildah"
fi

version=$(scripts/version.sh)
epoch=$(scripts/source-date.sh)
revision=$(git rev-parse HEAD 2>/dev/null || echo unknown)
context=$PWD/.build/image
root=$context/root
dist=$PWD/.build/dist
case $(uname -m) in
  x86_64) architecture=amd64 ;;
  aarch64) architecture=arm64 ;;
  *) architecture=$(uname -m) ;;
esac
archive=$dist/metube-rss-$version-image-$architecture.tar.gz

rm -rf "$context"
mkdir -p "$dist" "$root"
chmod 755 "$root"
scripts/closure.py image .build/release/metube-rss .build/release/metube-hub --into "$root" --manifest "$context/closure.json"
for program in metube-rss metube-hub; do install -D -s -m 755 .build/release/$program "$root/usr/bin/$program"; done
scripts/install-demo.sh "$root/usr/share/metube-rss/demo"
scripts/install-notices.sh "$root/usr/share/doc/metube-rss"
mv "$root/data" "$context/data"
scripts/same-times.sh "$context" "$epoch"

store=${METUBE_IMAGE_STORE:-$context/store}
build() { buildah --root "$store/root" --runroot "$store/run" --storage-driver vfs "$@"; }
build bud --quiet --isolation chroot --format docker --timestamp "$epoch" --file Containerfile \
  --build-arg VERSION="$version" --build-arg REVISION="$revision" \
  --build-arg CREATED="$(date --utc --date="@$epoch" +%Y-%m-%dT%H:%M:%SZ)" \
  --tag "metube-rss:$version" "$context" >/dev/null
build push --quiet "metube-rss:$version" "docker-archive:$context/image.tar:metube-rss:$version" >/dev/null
[ -n "${METUBE_IMAGE_STORE:-}" ] || { build rmi --all --force >/dev/null 2>&1 || true; rm -rf "$store"; }
scripts/image-archive.py "$context/image.tar" "$archive" "$epoch"
rm "$context/image.tar"

echo "$archive: $(stat --format=%s "$archive") bytes, $(du -sb "$root" | cut -f 1) unpacked"
