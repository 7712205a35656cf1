#!/bin/bash
# The checks of vm-test.sh, within the container: systemd runs, the packages and docs/hub.md lie in /root, the fixtures in
# /srv.
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
recommends() { dpkg-deb --field /root/metube-hub_*.deb Recommends | grep -w "$1"; }
settings=/var/lib/metube-rss/env
# as_user PROGRAM…: as the user of the services.
as_user() { runuser -u metube-rss -- "$@"; }
program() { as_user metube-rss "$@" --home /var/lib/metube-rss; }
has_videos() { [ "$(program list --all --limit 0 --format ids | wc -l)" -ge 30 ]; }
# The commands that docs/hub.md prints for the first user, letter by letter; the password is on standard input.
first_user() {
  sed -n '/^    metube-rss export opml /,/^$/s/^    //p' /root/hub.md >/root/recipe
  grep -q 'user add ann' /root/recipe && grep -q '^sudo systemctl enable --now metube-hub$' /root/recipe &&
    echo 'correct horse' | bash -euxo pipefail /root/recipe
}
# get TOKEN PATH
get() { curl --silent --fail --header "Authorization: Bearer $1" "http://127.0.0.1:5057$2"; }
serves_videos() { get "$1" '/api/v1/videos?limit=1' | grep '"title"'; }
refuses_strangers() {
  [ "$(curl --silent --output /dev/null --write-out '%{http_code}' http://127.0.0.1:5057/api/v1/videos)" = 401 ]
}
has_folder() { [ "$(stat --format='%U:%G %a' /var/lib/metube-rss)" = 'metube-rss:metube-rss 700' ]; }
knows_host() { curl --silent --fail --output /dev/null --header "Host: $1" http://127.0.0.1:5057/health; }
waits_for_database() { journalctl --boot --unit="$1" --output=cat | grep 'waiting up to [0-9]* s for it'; }
refused() { journalctl -u metube-hub -o cat | grep -E 'SYS|core-dump|code=killed'; }
is_tight() { systemd-analyze security --no-pager metube-hub | tail -n 1 | grep -E ' (0|1)\.[0-9] OK'; }
dangling() { find -L /etc/systemd/system -type l -name 'metube-*' | grep .; }
has_log() { ls /var/lib/metube-rss/log/*.jsonl; }
not() { ! "$@"; }

check 'dpkg installs both packages' install_packages
check 'the library of PostgreSQL is recommended' recommends libpq5
check 'installation starts no hub' is metube-hub ActiveState inactive
check 'installation starts no poller' is metube-hub-poll ActiveState inactive
check 'installation starts no timer' is metube-rss.timer ActiveState inactive
check 'the units are valid' systemd-analyze verify metube-hub.service metube-hub-poll.service metube-rss.service metube-rss.timer

systemd-run --quiet --unit=fixtures fixture-server /srv/feeds --port 8080
check 'installation makes the folder of the services' has_folder
# The timer polls, not the hub.
printf '%s\n' METUBE_RSS_FEEDS_URL=http://127.0.0.1:8080 METUBE_HUB_POLL=no >$settings
# As an administrator who has logged in.
export HOME=/root
cd || exit 1
# Three channels: two requests leave in a second.
# shellcheck disable=SC2046
check 'somebody follows channels' metube-rss follow $(cd /srv/feeds && ls UC*.xml | head -n 3 | sed 's/\.xml//')
check 'the first user is added and the hub started, as the manual says' first_user
check 'the timer starts' systemctl enable --now metube-rss.timer
check 'the service of the timer polls' systemctl start metube-rss.service
check 'the poll found videos' has_videos

token=$(as_user metube-hub token add ann vm --home /var/lib/metube-rss)
check 'the hub answers' waits answers
check 'the hub serves what the timer found' serves_videos "$token"
check 'the hub refuses who has no token' refuses_strangers
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

check 'a public host is unknown at first' not knows_host hub.example
printf '%s\n' METUBE_HUB_PUBLIC_URL=https://hub.example METUBE_HUB_DATA=/var/lib/metube-rss/hub >>$settings
check 'a user of a folder is added' bash -c \
  'echo "correct horse" | sudo -u metube-rss metube-hub user add bob --data /var/lib/metube-rss/hub'
token=$(as_user metube-hub token add bob vm --data /var/lib/metube-rss/hub)
check 'the hub starts anew with other settings' systemctl restart metube-hub
check 'the hub answers with them' waits answers
check 'its public host is a setting' knows_host hub.example
check 'its folder is a setting' get "$token" /api/v1/status

sed -i '/METUBE_HUB_DATA=/d' $settings
echo METUBE_HUB_DATABASE=postgresql://metube@127.0.0.1:5432/metube >>$settings
check 'the hub starts before its database' systemctl restart metube-hub
check 'the poller starts before it too' systemctl enable --now metube-hub-poll
for unit in metube-hub metube-hub-poll; do
  check "$unit says that it waits for the database" waits waits_for_database $unit
  check "$unit waits" is $unit ActiveState active
  check "$unit stops within 15 s" timeout 15 systemctl stop $unit
  check "$unit ended in order" is $unit Result success
done
check 'the poller starts once more' systemctl start metube-hub-poll
sed -i '/METUBE_HUB_DATABASE=/d' $settings
check 'the hub starts with the home' systemctl start metube-hub
check 'the hub answers with the home' waits answers

check 'dpkg removes both packages' dpkg -r metube-hub metube-rss
check 'no hub after that' is metube-hub ActiveState inactive
check 'no poller after that' is metube-hub-poll ActiveState inactive
check 'no timer after that' is metube-rss.timer ActiveState inactive
check 'no dangling links after that' not dangling
check 'the log is still there' has_log
echo "vm-test: $failed failed"
