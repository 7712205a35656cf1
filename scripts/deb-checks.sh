#!/bin/bash
# deb-checks.sh OLD NEW: the checks of deb-test.sh, in a root folder without a running systemd: packages of both versions lie in
# /srv/old and /srv/new, the fixtures in /srv/feeds. The last line is `checks: N failed`.
old=$1 new=$2
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

export DEBIAN_FRONTEND=noninteractive
apt() { apt-get -y -qq -o Dpkg::Use-Pty=0 -o APT::Get::List-Cleanup=false "$@" >/tmp/apt 2>&1 || { cat /tmp/apt; return 1; }; }
said() { grep -F "$1" /tmp/apt || { cat /tmp/apt; return 1; }; }
install_all() { apt install /srv/"$1"/metube-*.deb; }
has_version() { [ "$(dpkg-query -W -f '${Version}' metube-rss) $(dpkg-query -W -f '${Version}' metube-hub)" = "$1 $1" ]; }
state_of() { dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null || echo unknown; }
is_in_state() { [ "$(state_of "$1")" = "$2" ] || { state_of "$1"; return 1; }; }
links() { find /etc/systemd/system -type l -name 'metube-*' -printf '%P\n' | sort; }
has_links() { [ "$(links | paste -sd ' ')" = "$*" ] || { links; return 1; }; }
all_links='multi-user.target.wants/metube-hub.service timers.target.wants/metube-rss.timer'
left_state() { find /var/lib/systemd -name '*metube*' | grep .; }
not() { ! "$@"; }

data=/var/lib/metube-rss
# as_user COMMAND…: as the user of the services, on their data.
as_user() { METUBE_RSS_HOME=$data METUBE_RSS_FEEDS_URL=http://127.0.0.1:8080 runuser -u metube-rss -- "$@"; }
ids() { as_user metube-rss list --all --limit 0 --format ids; }
counts() { [ "$(ids | wc -l)" -eq "$1" ]; }
has_videos() { [ "$(ids | wc -l)" -ge "${1:-30}" ]; }
polls() { as_user metube-rss poll --quiet; }
imports() {
  as_user metube-rss import - <<END
<?xml version="1.0"?><opml version="2.0"><body>$(cd /srv/feeds &&
    printf '%s\n' UC*.xml | head -n 3 | sed 's:\(.*\)\.xml:<outline type="rss" text="\1" xmlUrl="https\://www.youtube.com/feeds/videos.xml?channel_id=\1"/>:')</body></opml>
END
}
fixtures_answer() { curl --silent --max-time 5 --output /dev/null http://127.0.0.1:8080/; }
answers() { curl --silent --fail --max-time 5 --output /dev/null http://127.0.0.1:5057/health; }
waits() {
  for _ in $(seq 200); do
    "$@" && return 0
    sleep 0.1
  done
  cat /tmp/hub /tmp/fixture
  return 1
}
has_command() { metube-hub "$1" --help 2>/dev/null | grep -q "^USAGE: metube-hub $1"; }
first_user() {
  if has_command setup; then
    echo 'correct horse battery' | metube-hub setup ann
  else
    echo 'correct horse battery' | as_user metube-hub user add ann
  fi
}
has_samples() { [ -s /usr/share/metube-rss/demo/feeds.opml ] && ls /usr/share/metube-rss/demo/channels/UC*.xml; }
shows_page() { curl --silent --fail --location --max-time 5 "$1" | grep -i '<html'; }
serves() { curl --silent --fail --header "Authorization: Bearer $token" 'http://127.0.0.1:5057/api/v1/videos?limit=1' | grep '"title"'; }
has_mode() { [ "$(stat --format='%U:%G %a' $data)" = 'metube-rss:metube-rss 700' ]; }
has_document() { [ -s "/usr/share/doc/$1" ]; }
mentions() { zcat --force "/usr/share/doc/$1" | grep -q "$2"; }
units_are_valid() {
  local output
  output=$(systemd-analyze verify metube-hub.service metube-hub-poll.service metube-rss.service metube-rss.timer 2>&1 | grep metube)
  echo "$output"
  [ -z "$output" ]
}
# Each link between installed documents leads to one.
dead_links() {
  local page link
  find /usr/share/doc/metube-* -name '*.md' | while read -r page; do
    for link in $(grep -o '](\(\.\./\)*[a-z][^):#]*' "$page" | sed 's/^](//' | grep -v '^http'); do
      [ -e "$(dirname "$page")/$link" ] || echo "$page: $link"
    done
  done | grep .
}

echo "$old to $new"
check 'apt installs an earlier version' install_all old
check 'it has that version' has_version "$old"
check 'installation enables nothing' has_links ''
check 'installation makes the folder of the services' has_mode
check 'metube-rss prints its version' metube-rss --version
check 'metube-hub prints its version' metube-hub --version
check 'the units are valid' units_are_valid
check 'the notices name the linked packages' mentions metube-hub/copyright 'swift-nio'
check 'the notices of metube-rss are there' mentions metube-rss/copyright 'swift-argument-parser'
check 'the change log is there' mentions metube-rss/NEWS.gz '^## '
check 'the documents of the hub are in its package' has_document metube-hub/household.md
check 'no link between documents is dead' not dead_links

fixture-server /srv/feeds --port 8080 >/tmp/fixture 2>&1 &
check 'the fixture server answers' waits fixtures_answer
check 'a list of feeds is imported' imports
check 'a poll succeeds' polls
check 'the poll found videos' has_videos
count=$(ids | wc -l)
check 'the first user is added' first_user
token=$(as_user metube-hub token add ann test)
# Replaced by the hub, so that it gets the signal.
METUBE_RSS_HOME=$data setpriv --reuid metube-rss --regid metube-rss --init-groups metube-hub serve --no-poll >/tmp/hub 2>&1 &
hub=$!
check 'the hub answers' waits answers
check 'the hub serves videos' serves
kill $hub
check 'the hub ends with 0 after SIGTERM' wait $hub

if has_command demo; then
  check 'the sample feeds are installed' has_samples
  setpriv --reuid nobody --regid nogroup --clear-groups metube-hub demo --listen 127.0.0.1:5058 >/tmp/demo 2>&1 &
  demo=$!
  check 'the demo shows its page' waits shows_page http://127.0.0.1:5058/
  kill $demo
fi

check 'the hub and the timer are enabled' systemctl enable metube-hub.service metube-rss.timer
check 'both links are there' has_links "$all_links"
check 'apt upgrades to the present version' install_all new
check 'it has the present version' has_version "$new"
check 'both are enabled still' has_links "$all_links"
check 'all videos are there after the upgrade' counts "$count"

check 'apt removes both' apt remove metube-rss metube-hub
check 'removal names the folder of the data' said /var/lib/metube-rss
check 'metube-rss is gone' not test -e /usr/bin/metube-rss
check 'metube-hub is gone' not test -e /usr/bin/metube-hub
check 'no link is left' has_links ''
check 'the log is there' bash -c "ls $data/log/*.jsonl"
check 'metube-rss can be purged' is_in_state metube-rss config-files
check 'metube-hub can be purged' is_in_state metube-hub config-files

check 'apt installs both again' install_all new
check 'what was enabled is enabled again' has_links "$all_links"
check 'all videos are there again' counts "$count"
check 'an administrator disables the hub' systemctl disable metube-hub.service
check 'apt removes the hub' apt remove metube-hub
check 'apt installs the hub again' install_all new
check 'what was disabled stays so' has_links 'timers.target.wants/metube-rss.timer'
check 'reinstalling' apt install --reinstall /srv/new/metube-rss_*.deb
check 'that keeps the state' has_links 'timers.target.wants/metube-rss.timer'

check 'apt removes both once more' apt remove metube-rss metube-hub
check 'apt purges the removed packages' apt purge metube-rss metube-hub
check 'purge names the folder and how to delete it' said "rm -r $data"
check 'dpkg knows neither' bash -c '! dpkg-query -W metube-rss metube-hub'
check 'no state of the units is left' not left_state
check 'purge kept the log' bash -c "ls $data/log/*.jsonl"
check 'purge kept its owner' getent passwd metube-rss
check 'apt installs both after the purge' install_all new
check 'nothing is enabled' has_links ''
check 'all videos are there still' counts "$count"

check 'the data are deleted' rm -r $data
check 'apt purges both at once' apt purge metube-rss metube-hub
check 'the user is gone with the data' not getent passwd metube-rss
check 'no folder is left' not test -e $data
check 'apt installs both anew' install_all new
check 'the folder is made anew' has_mode
check 'apt purges an unused installation' apt purge metube-rss metube-hub
check 'nothing of it is left' not bash -c "test -e $data || getent passwd metube-rss"
kill %1 2>/dev/null
echo "checks: $failed failed"
