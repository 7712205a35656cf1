#!/bin/bash
# The checks of vm-test.sh, within the container: systemd runs; the packages lie in /root, earlier ones in /root/earlier, the
# documents in /root/docs, the fixtures in /srv.
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
# What `systemctl start` promises: with Type=notify it returns when the hub listens.
listens() { if has_notify metube-hub; then answers; else waits answers; fi; }
has_notify() { [ "$(systemctl show "$1" -p Type --value)" = notify ]; }
install_packages() { DEBIAN_FRONTEND=noninteractive dpkg -i /root/"${1:-}"metube-*.deb; }
has_version() { [ "$(dpkg-query -W -f '${Version}' metube-hub)" = "$(dpkg-deb --field /root/"${1:-}"metube-hub_*.deb Version)" ]; }
main_pid() { systemctl show metube-hub -p MainPID --value; }
was_restarted() { [ "$(main_pid)" != 0 ] && [ "$(main_pid)" != "$1" ]; }
# removes ACTION: dpkg removes or purges both packages, and says where the data are.
removes() { dpkg "$1" metube-hub metube-rss >/tmp/said 2>&1 && cat /tmp/said && grep -F "/var/lib/metube-rss" /tmp/said; }
recommends() { dpkg-deb --field /root/metube-hub_*.deb Recommends | grep -w "$1"; }
settings=/var/lib/metube-rss/env
# as_user PROGRAM…: as the user of the services.
as_user() { runuser -u metube-rss -- "$@"; }
program() { as_user metube-rss "$@" --home /var/lib/metube-rss; }
has_videos() { [ "$(program list --all --limit 0 --format ids | wc -l)" -ge 30 ]; }
# The blocks of docs/household.md that are run as root-vm, letter by letter; the password is on standard input.
first_user() {
  sed -n '/^```sh as=root-vm/,/^```$/{/^```/d;p}' /root/docs/household.md >/root/recipe
  grep -q 'setup ann' /root/recipe && grep -q '^sudo systemctl enable --now metube-hub$' /root/recipe &&
    echo 'correct horse' | bash -euxo pipefail /root/recipe
}
import_file() {
  metube-rss export opml --output subs.opml && sudo install -m 644 subs.opml /tmp/ &&
    sudo -u metube-rss metube-rss --home /var/lib/metube-rss import /tmp/subs.opml
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
logs_failures() { journalctl -u metube-hub -o cat | grep -i -E 'failed|error'; }
last_run_is_named() { metube-rss timer status --system | tee /dev/stderr | grep '^last run: [A-Z]'; }
has_no_units() { [ -z "$(ls /etc/systemd/system/metube-rss.{service,timer} /etc/sysusers.d/metube-rss.conf 2>/dev/null)" ]; }
is_tight() { systemd-analyze security --no-pager metube-hub | tail -n 1 | grep -E ' (0|1)\.[0-9] OK'; }
# A hub that waits for its database runs, but has not started as far as systemd knows.
is_waiting() { if has_notify "$1"; then is "$1" ActiveState activating; else is "$1" ActiveState active; fi; }
dangling() { find -L /etc/systemd/system -type l -name 'metube-*' | grep .; }
# Not drop-ins, which are a person's choices.
links() { find /etc/systemd/system -type l -name 'metube-*' | grep .; }
left_state() { find /var/lib/systemd -name '*metube*' | grep .; }
has_log() { ls /var/lib/metube-rss/log/*.jsonl; }
not() { ! "$@"; }

check 'dpkg installs an earlier version of both packages' install_packages earlier/
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
check 'a file is imported by command, as the manual says' import_file
check 'the timer starts' systemctl enable --now metube-rss.timer
check 'the service of the timer polls' systemctl start metube-rss.service
check 'the poll found videos' has_videos
check 'the status of the timer names that run' last_run_is_named
check 'timer remove finds what was enabled' metube-rss timer remove --system
check 'the timer is off after that' is metube-rss.timer UnitFileState disabled
check 'timer install uses the units of the package' metube-rss timer install --system --writable /srv/videos
check 'its choices are a drop-in' grep -x 'ReadWritePaths=-/srv/videos' /etc/systemd/system/metube-rss.service.d/timer-install.conf
check 'no unit of the package is hidden' has_no_units
check 'the timer is on again' is metube-rss.timer UnitFileState enabled

token=$(as_user metube-hub token add ann vm --home /var/lib/metube-rss)
check 'the hub answers' listens
check 'the hub serves what the timer found' serves_videos "$token"
check 'the hub refuses who has no token' refuses_strangers
check 'the hub was never restarted' is metube-hub NRestarts 0
check 'no system call of the hub was refused' not refused
check 'the hub logs no failure' not logs_failures
check 'the sandbox is tight' is_tight
check 'kill -9 reaches the hub' systemctl kill --signal=KILL metube-hub
check 'the hub is back after it' waits answers
before=$(main_pid)
check 'upgrading' install_packages
check 'the present version is installed' has_version
check 'the hub was restarted' was_restarted "$before"
check 'the hub answers after that' waits answers
check 'the poller was not started' is metube-hub-poll ActiveState inactive
check 'the timer is active after that' is metube-rss.timer ActiveState active
check 'reinstalling' install_packages
check 'the hub answers after that too' waits answers
check 'the hub stops' systemctl stop metube-hub
check 'it ended in order' is metube-hub Result success
check 'reinstalling while it is stopped' install_packages
check 'it stays stopped' is metube-hub ActiveState inactive
check 'the hub starts again' systemctl start metube-hub
check 'the hub answers again' listens

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
check 'the hub starts before its database' systemctl restart --no-block metube-hub
check 'the poller starts before it too' systemctl enable --now --no-block metube-hub-poll
for unit in metube-hub metube-hub-poll; do
  check "$unit says that it waits for the database" waits waits_for_database $unit
  check "$unit waits" is_waiting $unit
  check "$unit stops within 15 s" timeout 15 systemctl stop $unit
  check "$unit ended in order" is $unit Result success
done
check 'the poller starts once more' systemctl start --no-block metube-hub-poll
sed -i '/METUBE_HUB_DATABASE=/d' $settings
check 'the hub starts with the home' systemctl start metube-hub
check 'the hub answers with the home' waits answers

check 'dpkg removes both packages and says where the data are' removes --remove
check 'no hub after that' is metube-hub ActiveState inactive
check 'no poller after that' is metube-hub-poll ActiveState inactive
check 'no timer after that' is metube-rss.timer ActiveState inactive
check 'no dangling links after that' not dangling
check 'no links at all after that' not links
check 'the log is still there' has_log
check 'dpkg installs both again' install_packages
check 'the hub runs again, as it was enabled' waits answers
check 'the timer is active again' is metube-rss.timer ActiveState active
check 'the videos are still there' has_videos
check 'dpkg removes both once more' removes --remove
check 'dpkg purges them and says where the data are' removes --purge
check 'no state of the units after that' not left_state
check 'the log is still there after that' has_log
check 'its owner is still there' getent passwd metube-rss
check 'no unit failed' bash -c '! systemctl list-units --failed --plain --no-legend "metube-*" | grep .'
echo "vm-test: $failed failed"
