#!/bin/bash
# The checks of vm-reboot.sh, within the virtual machine, started at each boot: the first sets up and reboots, the second checks,
# upgrades and powers off. The packages lie in /root, earlier ones in /root/earlier, the fixtures in /srv.
notes=/var/lib/reboot-checks
mkdir -p $notes
failed=$(cat $notes/failed 2>/dev/null || echo 0)

# check WHAT COMMAND…: whether the command succeeds.
check() {
  local what=$1
  shift
  if "$@" >/tmp/out 2>&1 </dev/null; then
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

# waits COMMAND…: until the command succeeds, for two minutes at most.
waits() {
  for _ in $(seq 600); do
    "$@" && return 0
    sleep 0.2
  done
  systemctl status --no-pager --lines=20 metube-hub
  return 1
}

data=/var/lib/metube-rss
answers() { curl --silent --fail --max-time 20 --output /dev/null http://127.0.0.1:5057/health; }
fixtures_answer() { curl --silent --max-time 20 --output /dev/null http://127.0.0.1:8080/; }
program() { runuser -u metube-rss -- metube-rss "$@" --home $data; }
# as_ann COMMAND…: as a user who is not logged in, whose manager runs because of lingering.
as_ann() { runuser -u ann -- env --chdir=/home/ann HOME=/home/ann XDG_RUNTIME_DIR="/run/user/$(id -u ann)" "$@"; }
anns_timer_runs() { [ "$(as_ann systemctl --user is-active metube-rss.timer)" = active ]; }
manager_runs() { as_ann systemctl --user list-units >/dev/null; }
# All that is stored, with its marks, in one checksum.
videos() { program list --all --format jsonl --limit 0 | sha256sum; }
anns_videos() { as_ann metube-rss list --all --format jsonl --limit 0 | sha256sum; }
same() { [ "$("$1")" = "$(cat "$notes/$1")" ]; }
enough() { [ "$("$@" list --all --limit 0 --format ids | wc -l)" -ge 10 ]; }
serves() {
  curl --silent --fail --header "Authorization: Bearer $(cat $notes/token)" 'http://127.0.0.1:5057/api/v1/videos?limit=1' |
    grep '"title"'
}
install_packages() { DEBIAN_FRONTEND=noninteractive dpkg -i /root/"${1:-}"metube-*.deb; }
follow() { "$@" follow "$(cd /srv/feeds && ls UC*.xml | head -n 1 | sed 's/\.xml//')"; }
add_user() { echo 'correct horse battery' | runuser -u metube-rss -- metube-hub user add ann --home $data; }
marks() { program watched "$(program list --limit 1 --format ids)"; }

if [ ! -f $notes/failed ]; then
  check 'dpkg installs an earlier version' install_packages earlier/
  check 'the fixture server answers' waits fixtures_answer
  echo METUBE_RSS_FEEDS_URL=http://127.0.0.1:8080 >$data/env
  echo METUBE_HUB_POLL=no >>$data/env
  check 'a channel is followed' follow program
  check 'the service of the timer polls' systemctl start metube-rss.service
  check 'it found videos' enough program
  check 'a video is marked' marks
  check 'the first user of the hub is added' add_user
  runuser -u metube-rss -- metube-hub token add ann vm --home $data >$notes/token
  check 'the hub is enabled and started' systemctl enable --now metube-hub
  check 'the system timer is enabled and started' systemctl enable --now metube-rss.timer
  check 'the hub answers' waits answers

  useradd --create-home --shell /bin/bash ann
  install -d -o ann -g ann /home/ann/.config /home/ann/.config/metube-rss
  echo METUBE_RSS_FEEDS_URL=http://127.0.0.1:8080 | install -o ann -g ann -m 600 /dev/stdin /home/ann/.config/metube-rss/env
  check 'a user may linger' loginctl enable-linger ann
  check "the user's manager runs" waits manager_runs
  check 'the user follows a channel' follow as_ann metube-rss
  check 'the user installs a timer' as_ann metube-rss timer install
  check "the user's timer is active" waits anns_timer_runs
  check "the service of the user's timer polls" as_ann systemctl --user start metube-rss.service
  check 'the user has videos' enough as_ann metube-rss
  videos >$notes/videos
  anns_videos >$notes/anns_videos
  echo "$failed" >$notes/failed
  cp /proc/sys/kernel/random/boot_id $notes/
  sync
  echo 'reboot'
  systemctl reboot
  exit
fi

check 'this is another boot' bash -c "! cmp /proc/sys/kernel/random/boot_id $notes/boot_id"
check 'the hub is back' waits answers
check 'it was started once' is metube-hub NRestarts 0
check 'the hub serves videos' serves
check 'the system timer is back' is metube-rss.timer ActiveState active
check "the lingering user's timer is back" waits anns_timer_runs
check 'all data are there' same videos
check "all of the user's data are there" same anns_videos
check 'upgrading' install_packages
check 'the hub answers after that' waits answers
check 'the hub serves videos after that' serves
check 'the system timer is active after that' is metube-rss.timer ActiveState active
check "the user's timer is active after that" anns_timer_runs
check 'all data are there after that' same videos
check "all of the user's data are there after that" same anns_videos
echo "vm-reboot: $failed failed"
sync
systemctl poweroff
