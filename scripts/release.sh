#!/usr/bin/env bash
# Makes all files of a release from the built programs, in .build/publish: Debian packages of both programs, the self-contained
# archive, the image for `docker load`, the sources, a bill of materials (CycloneDX) and SHA256SUMS.
# METUBE_RELEASE_KEY is the path of a private SSH key outside the repository, which signs SHA256SUMS; without it the release is
# unsigned. Verify with the public key of whoever released it, in a file of `metube-rss KEYTYPE KEY` lines (ssh-keygen(1)):
#   ssh-keygen -Y verify -f KEYS -I metube-rss -n metube-rss-release -s SHA256SUMS.sig <SHA256SUMS && sha256sum -c SHA256SUMS
# The same programs, packages and commit give the same bytes; scripts/release-test.sh compares.
set -euo pipefail
cd "$(dirname "$0")/.."

fail() {
  echo "release: $1" >&2
  exit 1
}

key=${METUBE_RELEASE_KEY:-}
if [ -n "$key" ]; then
  [ -f "$key" ] || fail "METUBE_RELEASE_KEY: there is no $key"
  case $(realpath "$key") in "$PWD"/*) fail "METUBE_RELEASE_KEY: $key lies in the repository; move it elsewhere" ;; esac
fi
[ -z "$(git status --porcelain 2>/dev/null)" ] || echo "release: there are changes that are not committed; the sources have none of them" >&2
version=$(scripts/version.sh)
epoch=$(scripts/source-date.sh)
SOURCE_DATE_EPOCH=$epoch
export SOURCE_DATE_EPOCH
publish=.build/publish
rm -rf "$publish"
mkdir -p "$publish"

scripts/deb.sh
scripts/archive.sh
scripts/image.sh
cp .build/dist/{metube-rss,metube-hub}_"$version"_*.deb .build/dist/metube-rss-"$version"-{linux,image}-*.tar.gz "$publish"
# Times of the files are the commit's.
git archive --format=tar --prefix="metube-rss-$version/" HEAD | gzip -9n >"$publish/metube-rss-$version.tar.gz"
scripts/sbom.py .build/image/closure.json .build/archive/closure.json >"$publish/metube-rss-$version.cdx.json"

(cd "$publish" && sha256sum -- * >../SHA256SUMS && mv ../SHA256SUMS .)
if [ -n "$key" ]; then
  ssh-keygen -q -Y sign -f "$key" -n metube-rss-release "$publish/SHA256SUMS"
  echo "signed: $publish/SHA256SUMS.sig"
else
  echo "release: not signed, because METUBE_RELEASE_KEY is not set" >&2
fi
ls -l "$publish"
