#!/usr/bin/env bash
# Installs the server's systemd units, completions, manual pages and sample feeds.
#   install-hub.sh PROGRAM DESTDIR PREFIX     installs them under DESTDIR/PREFIX
#   install-hub.sh --remove DESTDIR PREFIX    removes them
set -euo pipefail
# All users may read them, whoever installs.
umask 022

program=$1
root=$2$3
name=metube-hub
here=$(dirname "$0")
units=$root/lib/systemd/system
services=("$name.service" "$name-poll.service")
bash=$root/share/bash-completion/completions/$name
zsh=$root/share/zsh/site-functions/_$name
fish=$root/share/fish/vendor_completions.d/$name.fish
manual=$root/share/man/man1
docs=$root/share/doc/$name

if [ "$program" = --remove ]; then
  rm -f "${services[@]/#/$units/}" "$bash" "$zsh" "$fish" "$manual/$name.1" "$manual/$name"-*.1
  "$here/documents.py" --remove "$docs"
  "$here/install-demo.sh" --remove "$root/share/metube-rss/demo"
  exit 0
fi

install -d "$units" "$(dirname "$bash")" "$(dirname "$zsh")" "$(dirname "$fish")"
for service in "${services[@]}"; do
  sed "s|/usr/bin/|$3/bin/|" "$here/../docs/examples/$service" >"$units/$service"
done
install -D -m 644 "$here/../Sources/CLI/CLI/Timer/Units/sysusers.conf" "$root/lib/sysusers.d/metube-rss.conf"
"$program" --generate-completion-script bash >"$bash"
"$program" --generate-completion-script zsh >"$zsh"
"$program" --generate-completion-script fish >"$fish"
"$here/install-demo.sh" "$root/share/metube-rss/demo"
if command -v python3 >/dev/null; then
  "$here/documents.py" $name "$docs"
  install -d "$manual"
  "$program" --experimental-dump-help | python3 "$here/manual.py" "$manual"
fi
