#!/usr/bin/env bash
# Tests scripts/release.sh: makes a release twice from the same programs and compares each byte, signs with a key of its own
# and verifies, and validates the bill of materials with CycloneDX's own library, which it installs from PyPI into
# .build/release-test. The last line is `release-test: N failed`.
set -euo pipefail
cd "$(dirname "$0")/.."

failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# check WHAT COMMAND…
check() {
  local what=$1
  shift
  if "$@" >"$work/out" 2>&1; then
    echo "ok    $what"
  else
    echo "FAIL  $what"
    tail -n 20 "$work/out" | sed 's/^/      /'
    failed=$((failed + 1))
  fi
}
not() { ! "$@"; }

ssh-keygen -q -t ed25519 -N '' -C metube-rss -f "$work/key"
release() { METUBE_RELEASE_KEY=$1 scripts/release.sh; }
check 'a key in the repository is refused' not release scripts/release.sh
check 'a key that does not exist is refused' not release "$work/none"
check 'a release is made' release "$work/key"
cp -r .build/publish "$work/first"
check 'a release is made again' release "$work/key"
for file in .build/publish/*; do
  name=${file##*/}
  # Ed25519 signs the same bytes the same way.
  check "the same bytes: $name, $(stat --format=%s "$file")" cmp "$work/first/$name" "$file"
done
check 'the sums hold' sh -c 'cd .build/publish && sha256sum --check --strict SHA256SUMS'
check 'the sums name all files' sh -c 'cd .build/publish && [ "$(ls | grep -vc SHA256SUMS)" = "$(grep -c . SHA256SUMS)" ]'
echo "metube-rss $(cut -d ' ' -f 1,2 "$work/key.pub")" >"$work/keys"
verify() { ssh-keygen -Y verify -f "$work/keys" -I metube-rss -n metube-rss-release -s .build/publish/SHA256SUMS.sig <"$1"; }
check 'the signature verifies' verify .build/publish/SHA256SUMS
{ cat .build/publish/SHA256SUMS && echo; } >"$work/changed"
check 'the signature of changed sums does not' not verify "$work/changed"

venv=.build/release-test
[ -x $venv/bin/python ] || { python3 -m venv $venv && $venv/bin/pip install --quiet 'cyclonedx-python-lib[validation]==11.12.0'; } >"$work/pip" 2>&1 ||
  { cat "$work/pip"; echo "release-test: pip cannot install cyclonedx-python-lib"; exit 1; }
cat >"$work/validate.py" <<'PYTHON'
import sys
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
with open(sys.argv[1]) as file:
    problem = JsonStrictValidator(SchemaVersion.V1_6).validate_str(file.read())
sys.exit(str(problem) if problem else 0)
PYTHON
check 'the bill of materials is CycloneDX 1.6' $venv/bin/python "$work/validate.py" .build/publish/*.cdx.json

echo "release-test: $failed failed"
[ $failed -eq 0 ]
