#!/usr/bin/env bash
# Writes a copy of ICU's data library that has the tables of character sets only: icu-converters.sh LIBRARY COPY
# libxml2 uses ICU for nothing else. The whole library has the words of 800 locales besides: 31 MB, 12 MB compressed, a
# quarter of an image. Needs icupkg (icu-devtools, which comes with the headers of libxml2) and a compiler.
set -euo pipefail

fail() {
  echo "icu-converters: $1" >&2
  exit 1
}

library=$(realpath "$1")
copy=$(realpath -m "$2")
PATH=$PATH:/usr/sbin:/sbin
command -v icupkg >/dev/null || fail "there is no icupkg; install icu-devtools"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The one symbol is the data, as a file of icupkg's format: value, size and name, and the section it is in.
read -r address size symbol < <(readelf --wide --dyn-syms "$library" | awk '$8 ~ /^icudt[0-9]+_dat$/ { print $2, $3, $8 }') ||
  fail "$1 is not ICU's data library"
read -r start offset < <(readelf --wide --sections "$library" | sed 's/\[ */[/' | awk '$2 == ".rodata" { print $4, $5 }')
soname=$(readelf --wide --dynamic "$library" | sed -n 's/.*(SONAME).*\[\(.*\)\]$/\1/p')
data=$work/${symbol%_dat}l.dat
dd if="$library" of="$data" iflag=skip_bytes,count_bytes bs=64K status=none \
  skip=$((16#$address - 16#$start + 16#$offset)) count=$((size))

cd "$work"
mkdir kept
# The name of the file is the name of the package in it; a list ends with .txt.
icupkg --list "$data" | grep -vE '(\.cnv|^cnvalias\.icu)$' >unwanted.txt || fail "$1 has nothing but character sets"
icupkg --remove unwanted.txt "$data" "kept/${data##*/}"
cat >data.s <<'S'
.section .rodata
.balign 16
.globl SYMBOL
.type SYMBOL, %object
SYMBOL: .incbin "DATA"
.size SYMBOL, . - SYMBOL
.section .note.GNU-stack, "", %progbits
S
sed -i "s/SYMBOL/$symbol/g; s/DATA/kept\/${data##*/}/" data.s
compiler=(clang -fuse-ld=lld)
! command -v gcc >/dev/null || compiler=(gcc)
"${compiler[@]}" -shared -nostdlib -s -Wl,-soname,"$soname" -Wl,--build-id=none -o "$copy" data.s
