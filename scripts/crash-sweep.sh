#!/usr/bin/env bash
# crash-sweep.sh [quick]: runs the commands that write the log, and makes each of the calls by which they change the disk
# fail once: killed before it, no space, an error of the disk, an interrupted call, a short write. After
# each, the program is started again. What was told as done before and by the command must be there, what was there
# before must be there, the log must be whole and take another event. Needs strace; `quick` takes every fifth point.
set -euo pipefail
cd "$(dirname "$0")/.."

every=1
[ "${1:-}" != quick ] || every=5
command -v strace >/dev/null || { echo 'crash-sweep: strace is not there' >&2; exit 69; }
export PATH="$PWD/.build/release:$PATH" SWIFT_BACKTRACE=enable=no
for name in ${!METUBE_RSS_@}; do unset "$name"; done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
home=$work/home

fail() {
  echo "crash-sweep: $1; see $work" >&2
  trap - EXIT
  exit 1
}

channel() { printf 'UC%021dA\n' "$1"; }

# The person before each command: forty channels, one of them unfollowed; and one whose log has a broken line.
begin() {
  for number in $(seq 40); do channel "$number"; done >"$work/channels"
  metube-rss import --home "$work/start" "$work/channels" >/dev/null
  metube-rss unfollow --home "$work/start" "$(channel 1)" >/dev/null
  metube-rss follow --home "$work/other" "$(channel 90)" >/dev/null
  cp -a "$work/start" "$work/damaged"
  local log
  log=$(echo "$work"/damaged/log/*.jsonl)
  printf '{"v":1,"broken":true}\n' >"$work/broken"
  { head -n 5 "$log"; cat "$work/broken"; tail -n +6 "$log"; } >"$work/log"
  cat "$work/log" >"$log"
}

# events HOME: the lines of events that are in the log, sorted.
events() { cat "$1"/log/*.jsonl | grep -a '"kind":"channel' | sort -u; }

points=0

# check START WHAT STATUS: what must hold after a command that was disturbed.
check() {
  points=$((points + 1))
  metube-rss list --home "$home" >/dev/null 2>"$work/words" || fail "$2: list after it: $(cat "$work/words")"
  case "$2" in *repair*) [ "$3" -eq 0 ] || metube-rss log repair --yes --home "$home" >/dev/null 2>&1 || true ;; esac
  metube-rss follow --home "$home" "$(channel 99)" >/dev/null 2>"$work/words" ||
    fail "$2: nothing can be appended after it: $(cat "$work/words")"
  metube-rss log verify --home "$home" >"$work/words" 2>&1 || fail "$2: log verify after it: $(cat "$work/words")"
  events "$home" >"$work/after"
  events "$1" | comm -23 - "$work/after" >"$work/lost"
  [ ! -s "$work/lost" ] || fail "$2: lost $(head -1 "$work/lost")"
  grep -q "$(channel 99)" "$work/after" || fail "$2: the next event is not there"
  [ "$3" -ne 0 ] || [ -z "${expected:-}" ] || grep -q "$expected" "$work/after" || fail "$2: told as done and not there"
}

# disturb START CALL INJECTION COMMAND...: the command with the n-th call disturbed, for each n that there is.
disturb() {
  local start=$1 call=$2 injection=$3 number status
  shift 3
  for number in $(seq 1 $every 200); do
    rm -rf "$home"
    cp -a "$start" "$home"
    status=0
    { strace -f -qq -o "$work/trace" -e trace="$call" -e inject="$call:$injection:when=$number" \
      metube-rss "$@" --home "$home" || status=$?; } >"$work/words" 2>&1
    grep -aq 'INJECTED\|killed by SIGKILL' "$work/trace" || return 0
    check "$start" "$* with $call $number $injection" "$status"
  done
}

sweep() {
  local start=$1
  shift
  for call in write fdatasync fsync rename link ftruncate; do
    disturb "$start" "$call" signal=KILL "$@"
    disturb "$start" "$call" error=EIO "$@"
    disturb "$start" "$call" error=ENOSPC "$@"
    disturb "$start" "$call" error=EINTR "$@"
  done
  disturb "$start" write retval=40 "$@"
}

begin
expected=$(channel 80) sweep "$work/start" follow "$(channel 80)"
expected=$(channel 40) sweep "$work/start" unfollow "$(channel 40)"
for number in $(seq 41 60); do channel "$number"; done >"$work/more"
expected=$(channel 60) sweep "$work/start" import "$work/more"
expected=$(channel 90) sweep "$work/start" log merge "$work/other/log"
expected='' sweep "$work/damaged" log repair --yes
echo "$points points, nothing lost"
