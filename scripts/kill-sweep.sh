#!/usr/bin/env bash
# kill-sweep.sh [N=500]: kills N polls with SIGKILL at random moments, five in each generation of generated feeds, and
# runs two polls at once in every fourth. After the next undisturbed poll the state must equal that of a home whose polls
# were never disturbed, except for times of discovery; no video may be found twice; the log must be intact.
# If strace is installed, polls are then killed before each system call that changes the disk.
set -euo pipefail
cd "$(dirname "$0")/.."

kills=${1:-500}
export PATH="$PWD/.build/release:$PATH"
for name in ${!METUBE_RSS_@}; do unset "$name"; done
export no_proxy=127.0.0.1 SWIFT_BACKTRACE=enable=no
channels=200 each=5 fresh_after=4 step=40

work=$(mktemp -d)
fixture-server --generate $channels --latency 2 --port-file "$work/port" --exit-after 7200 >"$work/server" 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; rm -rf "$work"' EXIT
for _ in $(seq 400); do
  [ -s "$work/port" ] && break
  kill -0 "$server" 2>/dev/null || { cat "$work/server" >&2; exit 1; }
  sleep 0.05
done
export METUBE_RSS_FEEDS_URL="http://127.0.0.1:$(cat "$work/port")"

fail() {
  echo "kill-sweep: $1; see $work" >&2
  trap 'kill "$server" 2>/dev/null || true' EXIT
  exit 1
}

# generation N: makes the channels publish; in each generation one in a hundred has a new video.
generation() { curl -sS --fail "$METUBE_RSS_FEEDS_URL/__generation?n=$1" >/dev/null; }

# begin HOME: creates a home that follows all channels and has never polled.
begin() {
  rm -rf "$1"
  fixture-server --list-ids $channels | metube-rss import --home "$1" - >/dev/null
}

# poll HOME: polls without a rate limit, with output to HOME.words.
poll() { metube-rss poll --home "$1" --rate 0 --jobs 8 --force >"$1.words" 2>&1; }

# knowledge HOME: the visible state, except for the times of discovery and polling.
knowledge() {
  metube-rss list --home "$1" --all --shorts show --upcoming show --limit 0 --format jsonl |
    sed -E 's/"found":"[^"]*",//' | sort
  metube-rss channels --home "$1" --format jsonl | sed -E 's/"lastChecked":"[^"]*",//' | sort
}

# found HOME: the video of each videoFound event, one per line.
found() { grep -ho '"kind":"videoFound".*"video":"[^"]*"' "$1"/log/*.jsonl | sed -E 's/.*"video":"([^"]*)".*/\1/' | sort; }

log_size() { cat "$1"/log/*.jsonl | wc -c; }

# expect_whole HOME: checks that the log is intact and no video was found twice.
expect_whole() {
  metube-rss log verify --home "$1" >"$work/verify" 2>&1 || fail "log verify: $(cat "$work/verify")"
  [ -z "$(found "$1" | uniq -d)" ] || fail "found twice: $(found "$1" | uniq -d | head -3 | tr '\n' ' ')"
}

# expect_same WHEN: checks that both homes have the same state.
expect_same() {
  knowledge "$work/killed" >"$work/killed.known"
  knowledge "$work/calm" >"$work/calm.known"
  cmp -s "$work/killed.known" "$work/calm.known" || fail "after $1 the two states differ"
}

before=0 between=0 late=0

# kill_one MICROSECONDS: starts a poll and kills it at a random moment within 1.1 times that duration.
kill_one() {
  local size moment process status=0
  size=$(log_size "$work/killed")
  moment=$((RANDOM * 32768 + RANDOM))
  moment=$((moment % ($1 * 11 / 10)))
  metube-rss poll --home "$work/killed" --rate 0 --jobs 8 --force >"$work/killed.words" 2>&1 &
  process=$!
  sleep "$((moment / 1000000)).$(printf %06d $((moment % 1000000)))"
  kill -KILL "$process" 2>/dev/null || true
  wait "$process" 2>/dev/null || status=$?
  if [ "$status" -ne 137 ]; then
    late=$((late + 1))
  elif [ "$(log_size "$work/killed")" -eq "$size" ]; then
    before=$((before + 1))
  else
    between=$((between + 1))
  fi
}

pairs=0 second_refused=0

# poll_together: runs two polls at once; at least one must succeed, and the other may only be refused.
poll_together() {
  local first second
  metube-rss poll --home "$work/killed" --rate 0 --jobs 8 --force >"$work/first" 2>&1 &
  first=$!
  metube-rss poll --home "$work/killed" --rate 0 --jobs 8 --force >"$work/second" 2>&1 &
  second=$!
  local ends=(0 0)
  wait "$first" || ends[0]=$?
  wait "$second" || ends[1]=$?
  pairs=$((pairs + 1))
  case "${ends[*]}" in
    '0 75') grep -q "metube-rss poll (process $first) is still running" "$work/second" || fail 'the holder is not named' ;;
    '75 0') grep -q "metube-rss poll (process $second) is still running" "$work/first" || fail 'the holder is not named' ;;
    '0 0') return ;;
    *) fail "two polls at once exited with ${ends[*]}" ;;
  esac
  second_refused=$((second_refused + 1))
}

rounds=$(((kills + each - 1) / each)) done=0
for round in $(seq 0 $((rounds - 1))); do
  if [ $((round % fresh_after)) -eq 0 ]; then
    begin "$work/killed"
    begin "$work/calm"
  fi
  generation $((2 + round % fresh_after * step))
  began=${EPOCHREALTIME/./}
  poll "$work/calm" || fail "the undisturbed poll exited with $?: $(cat "$work/calm.words")"
  duration=$((${EPOCHREALTIME/./} - began))
  for _ in $(seq $each); do
    [ "$done" -lt "$kills" ] || break
    kill_one "$duration"
    done=$((done + 1))
  done
  [ $((round % fresh_after)) -ne 1 ] || poll_together
  poll "$work/killed" || fail "the poll after the kills exited with $?: $(cat "$work/killed.words")"
  expect_whole "$work/killed"
  expect_same "$done kills"
done
echo "$done polls killed: $before before the first append, $between after an append, $late had already exited"
echo "$pairs pairs polled at once: in $second_refused the second exited with 75 and named the first"

if ! command -v strace >/dev/null; then
  echo 'strace is not installed: no poll was killed before a given system call'
  exit 0
fi
count=0
for feed in first again; do
  begin "$work/calm"
  generation 0
  [ $feed = first ] || { poll "$work/calm"; generation 60; }
  rm -rf "$work/start"
  cp -a "$work/calm" "$work/start"
  poll "$work/calm"
  for call in write fdatasync fsync ftruncate rename mkdir; do
    for number in $(seq 1000); do
      rm -rf "$work/killed"
      cp -a "$work/start" "$work/killed"
      status=0
      {
        strace -f -qq -o /dev/null -e trace=$call -e inject=$call:signal=KILL:when="$number" \
          metube-rss poll --home "$work/killed" --rate 0 --jobs 8 --force || status=$?
      } >"$work/killed.words" 2>&1
      [ "$status" -ne 0 ] || break
      [ "$status" -eq 137 ] || fail "a poll to be killed before $call $number exited with $status"
      count=$((count + 1))
      poll "$work/killed" || fail "the poll after a kill before $call $number exited with $?: $(cat "$work/killed.words")"
      expect_whole "$work/killed"
      expect_same "a kill before $call $number of the $feed poll"
    done
  done
done
echo "$count polls killed, one before each system call that changes the disk"
