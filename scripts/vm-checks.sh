#!/bin/bash
# The checks of vm-test.sh, within the container: systemd runs, the packages lie in /root, the fixtures in /srv.
failed=0

# check WHAT COMMAND…: whether the command succeeds.
check() {
  local what=$1
  shift
  if "$@" >/tmp/out 2>&1; then
    echo "ok    $what"
  else
    echo "FAIL  $what"
    sed 's/^/      /' /tmp/out
    failed=$((failed + 1))
  fi
}

# is UNIT PROPERTY VALUE
is() {
  local value
  value=$(systemctl show "$1" -p "$2" --value)
  echo "$1: $2=$value"
  [ "$value" = "$3" ]
}

# waits COMMAND…: until the command succeeds, for 20 s at most.
waits() {
  for _ in $(seq 200); do
    "$@" && return 0
    sleep 0.1
  done
  systemctl status --no-pager --lines=20 metube-hub
  return 1
}

answers() { curl --silent --fail --max-time 5 --output /dev/null http://127.0.0.1:5057/health; }
install_packages() { DEBIAN_FRONTEND=noninteractive dpkg -i /root/metube-*.deb; }
program() { runuser -u metube-rss -- metube-rss "$@" --home /var/lib/metube-rss; }
has_videos() { [ "$(program list --all --limit 0 --format ids | wc -l)" -ge 30 ]; }
serves_videos() { curl --silent --fail 'http://127.0.0.1:5057/api/v1/videos?limit=1' | grep '"title"'; }
refused() { journalctl -u metube-hub -o cat | grep -E 'SYS|core-dump|code=killed'; }
is_tight() { systemd-analyze security --no-pager metube-hub | tail -n 1 | grep -E ' (0|1)\.[0-9] OK'; }
dangling() { find -L /etc/systemd/system -type l -name 'metube-*' | grep .; }
has_log() { ls /var/lib/metube-rss/log/*.jsonl; }
not() { ! "$@"; }

check 'dpkg installs both packages' install_packages
check 'installation starts no hub' is metube-hub ActiveState inactive
check 'installation starts no timer' is metube-rss.timer ActiveState inactive
check 'the units are valid' systemd-analyze verify metube-hub.service metube-rss.service metube-rss.timer

systemd-run --quiet --unit=fixtures fixture-server /srv/feeds --port 8080
install -d -o metube-rss -g metube-rss -m 700 /var/lib/metube-rss
echo 'METUBE_RSS_FEEDS_URL=http://127.0.0.1:8080' >/var/lib/metube-rss/env
# Three channels: two requests leave in a second.
# shellcheck disable=SC2046
check 'the user of the service follows channels' program follow $(cd /srv/feeds && ls UC*.xml | head -n 3 | sed 's/\.xml//')
check 'the timer starts' systemctl enable --now metube-rss.timer
check 'the service of the timer polls' systemctl start metube-rss.service
check 'the poll found videos' has_videos

check 'the hub starts' systemctl enable --now metube-hub
check 'the hub answers' waits answers
check 'the hub serves what the timer found' serves_videos
check 'the hub was never restarted' is metube-hub NRestarts 0
check 'no system call of the hub was refused' not refused
check 'the sandbox is tight' is_tight
check 'kill -9 reaches the hub' systemctl kill --signal=KILL metube-hub
check 'the hub is back after it' waits answers
check 'reinstalling' install_packages
check 'the hub answers after that' waits answers
check 'the hub stops' systemctl stop metube-hub
check 'it ended in order' is metube-hub Result success
check 'the hub starts again' systemctl start metube-hub
check 'the hub answers again' waits answers

check 'dpkg removes both packages' dpkg -r metube-hub metube-rss
check 'no hub after that' is metube-hub ActiveState inactive
check 'no timer after that' is metube-rss.timer ActiveState inactive
check 'no dangling links after that' not dangling
check 'the log is still there' has_log
echo "vm-test: $failed failed"
