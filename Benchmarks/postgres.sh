#!/usr/bin/env bash
# Measures the hub's tables on a PostgreSQL server of its own: claims, appends, cursors, numbers; and the size of rows.
# CHANNELS (1,000,000), VIDEOS (3,000,000: 5 GB) and SECONDS_EACH (10) may be given. All data is deleted afterwards.
set -euo pipefail
cd "$(dirname "$0")/.."

channels=${CHANNELS:-1000000} videos=${VIDEOS:-3000000} seconds=${SECONDS_EACH:-10} users=10000

if [ -z "${POSTGRES_DATA:-}" ]; then
  export POSTGRES_OPTIONS="-c shared_buffers=1GB -c max_wal_size=1GB -c checkpoint_timeout=15min -c wal_compression=on"
  exec scripts/with-postgres.sh "$0"
fi

sql() { psql -XAtq -v ON_ERROR_STOP=1 "$@"; }

# run NAME CLIENTS FACTOR UNIT SCRIPT [OPTIONS]: a line of the table.
run() {
  local name=$1 clients=$2 factor=$3 unit=$4 script=$5
  shift 5
  local output
  sql -c CHECKPOINT
  output=$(pgbench -n -M prepared -c "$clients" -j 2 -T "$seconds" -D users=$users -D lines="$videos" \
    -f "Benchmarks/postgres/$script.sql" "$@" 2>&1) || { echo "$output" >&2; exit 1; }
  awk -v name="$name" -v clients="$clients" -v factor="$factor" -v unit="$unit" '
    /^latency average/ { latency = $4 }
    /^tps/ { tps = $3 }
    /^number of failed/ && $5 + 0 > 0 { print "failed transactions: " $0 > "/dev/stderr"; exit 1 }
    END { printf "| %s | %d | %.0f %s | %.2f ms |\n", name, clients, tps * factor, unit, latency }' <<<"$output"
}

while read -r _ file; do sql -1 -f "$file"; done < <(find Sources -path '*/Migrations/*.sql' -printf '%f %p\n' | sort)
sql <<END
CREATE SEQUENCE bench_id START 1000000000000;
INSERT INTO owner(n, device) SELECT n, 'log' || n FROM generate_series(1, $users) AS n;
INSERT INTO owner(n, device) VALUES (0, 'benchlog');
INSERT INTO poll_channel(subscription, due, requested, answered, last_answer, form, newest, interval_seconds, hub, topic)
  SELECT 'UC' || left(md5(n::text), 22), 1790000000 + hashint4(n) % 86400, 1780000000, 1780000000, '200', 'channel',
    1780000000, 86400, 'https://pubsubhubbub.appspot.com/subscribe',
    'https://www.youtube.com/xml/feeds/videos.xml?channel_id=UC' || left(md5(n::text), 22)
  FROM generate_series(1, $channels) AS n;
CREATE TABLE plain_channel(subscription text PRIMARY KEY, due bigint, poller integer);
INSERT INTO plain_channel SELECT subscription, due FROM poll_channel LIMIT $((channels / 2));
CREATE INDEX ON plain_channel(due);
INSERT INTO log(owner, name, device, generation, length) VALUES (0, 'benchlog', 'benchlog', 1, $videos::bigint * 1185);
INSERT INTO log_line
  SELECT 1, (n - 1)::bigint * 1185, 0, n, decode(lpad(to_hex(n), 32, '0'), 'hex'),
    convert_to(repeat(md5(n::text), 37) || E'\n', 'UTF8')
  FROM generate_series(1, $videos) AS n;
UPDATE owner SET lines = $videos WHERE n = 0;
END
sql -c 'VACUUM ANALYZE'

echo "$channels feeds, $videos videos; PostgreSQL $(sql -c 'SHOW server_version'), $(nproc) cores, fsync on"
echo
echo "| rows | bytes a row | of them indexes |"
echo "|---|---|---|"
size() {
  sql -c "SELECT format('| %s | %s | %s |', '$1', pg_total_relation_size('$1') / count(*), pg_indexes_size('$1') / count(*)) FROM $1"
}
size poll_channel
size log_line
echo
echo "| what | connections | a second | latency |"
echo "|---|---|---|---|"
for clients in 1 4; do
  run "claims of feeds, 100 at a time, the least SQL" $clients 100 feeds claim-plain
  run "claims of feeds, 100 at a time" $clients 100 feeds claim
done
for table in plain_channel poll_channel; do
  [ "$(sql -c "SELECT count(*) > 1000 FROM $table WHERE due < 1800000000")" = t ] ||
    echo "$table ran out of feeds that are due: the figures are too high; use more CHANNELS"
done
sql -c "UPDATE poll_channel SET due = 1790000000, lease_until = NULL, poller = NULL, due_before = NULL" -c 'VACUUM ANALYZE poll_channel'
for clients in 1 4; do run "claims of 32 feeds and keeping the results" $clients 32 feeds poll; done
for clients in 1 4; do run "reserving ten moments of one address" $clients 1 reservations slots; done
for clients in 1 4 16; do run "32 lines of 1.2 KB to the catalogue" $clients 32 lines append; done
for clients in 1 4 16; do run "a mark of one of $users users" $clients 1 marks mark; done
for clients in 1 16; do
  run "the same, with a notification in the transaction" $clients 1 marks mark-notify
  run "the same, with a notification after it" $clients 1 marks mark-then-notify
done
for clients in 1 4; do run "100 lines after a place in the catalogue" $clients 100 lines changes; done
for clients in 1 4; do run "numbers of 50 videos, 5 of them new" $clients 1 requests numbers; done
run "counting an attempt to log in" 4 1 attempts attempt
echo
echo "| rows | bytes a row | of them indexes |"
echo "|---|---|---|"
size poll_channel
size number
echo
sql -c "SELECT 'At most ' || pg_size_pretty(pg_database_size(current_database())) || ' of tables and ' || pg_size_pretty(sum(size)) || ' of WAL.' FROM pg_ls_waldir()"
# A line that is lost or doubled would show here.
sql -c "SELECT CASE WHEN count(*) = 0 THEN 'Every owner has as many lines as numbers.' ELSE 'WRONG: ' || count(*) || ' owners' END
  FROM owner WHERE lines <> (SELECT count(*) FROM log_line WHERE owner = owner.n)"
