#!/usr/bin/env bash
# Installs the program's systemd units, completions, manual pages and docs.
#   install-extras.sh PROGRAM DESTDIR PREFIX     installs them under DESTDIR/PREFIX
#   install-extras.sh --remove DESTDIR PREFIX    removes them
set -euo pipefail
# All users may read them, whoever installs.
umask 022

program=$1
root=$2$3
name=metube-rss
units=$root/lib/systemd
bash=$root/share/bash-completion/completions/$name
zsh=$root/share/zsh/site-functions/_$name
fish=$root/share/fish/vendor_completions.d/$name.fish
manual=$root/share/man/man1
docs=$root/share/doc/metube-rss

if [ "$program" = --remove ]; then
  rm -f "$units/user/$name".{service,timer} "$units/system/$name".{service,timer} "$root/lib/sysusers.d/$name.conf"
  rm -f "$bash" "$zsh" "$fish" "$manual/$name.1" "$manual/$name"-*.1 "$root/share/man/man5/$name-log.5"
  "$(dirname "$0")/documents.py" --remove "$docs"
  exit 0
fi

shipped=$(dirname "$0")/../Sources/CLI/CLI/Timer/Units
for owner in user system; do
  install -D -m 644 "$shipped/hourly.timer" "$units/$owner/$name.timer"
  sed "s|/usr/bin/|$3/bin/|" "$shipped/$owner.service" >"$units/$owner/$name.service"
done
install -D -m 644 "$shipped/sysusers.conf" "$root/lib/sysusers.d/$name.conf"

install -d "$(dirname "$bash")" "$(dirname "$zsh")" "$(dirname "$fish")"
"$program" --generate-completion-script bash >"$bash"
"$program" --generate-completion-script zsh >"$zsh"
"$program" --generate-completion-script fish >"$fish"

install -D -m 644 "$(dirname "$0")/../man/metube-rss-log.5" "$root/share/man/man5/metube-rss-log.5"
if command -v python3 >/dev/null; then
  "$(dirname "$0")/documents.py" $name "$docs"
  install -d "$manual"
  "$program" --experimental-dump-help | python3 "$(dirname "$0")/manual.py" "$manual"
fi
