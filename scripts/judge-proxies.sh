#!/usr/bin/env bash
# Judges the examples for nginx and Caddy, with a port that is not 443, at the root of a host and below a path as
# docs/household.md says: a client sends what a browser sends. BIN is the folder of the programs. All files are in .bench/proxies.
set -uo pipefail
cd "$(dirname "$0")/.." || exit
. scripts/judge-common.sh

export PATH="${BIN:-$PWD/.build/release}:$PATH"
for name in ${!METUBE_RSS_@} ${!METUBE_HUB_@}; do
  case $name in METUBE_RSS_JUDGES) ;; *) unset "$name" ;; esac
done
folder=$PWD/.bench/proxies
rm -rf "$folder"
mkdir -p "$folder/home"
export METUBE_RSS_HOME=$folder/home
processes=()
trap 'kill "${processes[@]}" 2>/dev/null; wait' EXIT

# background NAME COMMAND…: starts a program whose output goes to NAME.log.
background() {
  local name=$1
  shift
  "$@" >"$folder/$name.log" 2>&1 &
  processes+=($!)
}
# waits COMMAND…: until the command succeeds, for a minute at most.
waits() {
  for _ in $(seq 600); do
    "$@" && return 0
    sleep 0.1
  done
  echo "not in a minute: $*" >&2
  return 1
}
# hub NAME PORT PATH: starts a hub whose public URL has this port and path, and sets `port` to its own port.
hub() {
  background "$1" metube-hub serve --no-poll --listen 127.0.0.1:0 --public-url "https://hub.example:$2$3" \
    --trusted-proxy 127.0.0.1 --log-requests
  waits grep -qs '^metube-hub: http' "$folder/$1.log" || exit 1
  port=$(sed -n 's|^metube-hub: .*:\([0-9]*\)/$|\1|p' "$folder/$1.log")
}

# proxied NAME PORT PATH: whether the hub of this name can be used through the proxy at the port.
proxied() {
  local base=https://hub.example:$2$3 answer
  local client=(curl -sk -m 10 --resolve "hub.example:$2:127.0.0.1")
  local bearer=(-H "Authorization: Bearer $token")
  waits "${client[@]}" -o /dev/null "$base/health" || return 1
  answer=$("${client[@]}" "${bearer[@]}" -o /dev/null -o /dev/null -o /dev/null -w '%{http_code} ' \
    "$base/"{api/v1/videos,feeds/atom,api/v1/status})
  [ "$answer" = '200 200 200 ' ] || { echo "answers: $answer"; return 1; }
  answer=$("${client[@]}" "${bearer[@]}" "$base/feeds/atom")
  [[ $answer = *"$base/feeds/atom"* ]] || { echo 'the feed does not name its address'; return 1; }
  # A form of the page.
  answer=$("${client[@]}" -H "Origin: https://hub.example:$2" --data-urlencode name=ann \
    --data-urlencode 'password=correct horse' -o /dev/null -w '%{http_code} %{redirect_url}' "$base/login")
  [ "$answer" = "303 $base/" ] || { echo "login: $answer"; return 1; }
  answer=$("${client[@]}" -H 'Origin: https://other.example' --data name=ann --data password=x -o /dev/null \
    -w '%{http_code}' "$base/login")
  [ "$answer" = 403 ] || { echo "a form of another site: $answer"; return 1; }
  # Events arrive at once, and attempts to log in count for the client.
  timeout 5 "${client[@]}" -N "${bearer[@]}" "$base/api/v1/events" >"$folder/events.txt"
  grep -q 'event: change' "$folder/events.txt" || { echo 'no event'; return 1; }
  "${client[@]}" -H 'X-Forwarded-For: 192.0.2.99' "$base/health" >/dev/null
  ! grep -q ' 192.0.2.99 ' "$folder/$1.log" || { echo 'the client chose its address'; return 1; }
}

metube-rss import feeds.opml >/dev/null && echo 'correct horse' | metube-hub user add ann >/dev/null || exit 1
token=$(metube-hub token add ann judge)
openssl req -x509 -newkey rsa:2048 -nodes -keyout "$folder/key.pem" -out "$folder/cert.pem" -days 2 \
  -subj /CN=hub.example >/dev/null 2>&1

# with_nginx NAME PORT PATH: the example with its addresses replaced, and with a path as the manual says.
with_nginx() {
  hub "$1" "$2" "$3"
  sed -e "s|443 ssl|127.0.0.1:$2 ssl|; s|127.0.0.1:5057|127.0.0.1:$port|" \
    -e "s|/etc/ssl/certs/hub.example.pem|$folder/cert.pem|; s|/etc/ssl/private/hub.example.key|$folder/key.pem|" \
    -e "s|location / |location $3/ |; s|location = /api|location = $3/api|" \
    -e "s|access_log off|access_log off; error_log $folder/$1-errors.log|" docs/examples/nginx.conf >"$folder/$1-site.conf"
  cat >"$folder/$1.conf" <<END
daemon off; master_process off; pid $folder/$1.pid; error_log $folder/$1-errors.log;
events {}
http {
  access_log off; client_body_temp_path $folder/body; proxy_temp_path $folder/proxy;
  fastcgi_temp_path $folder/f; uwsgi_temp_path $folder/u; scgi_temp_path $folder/s;
  include $folder/$1-site.conf;
}
END
  background "$1-proxy" nginx -c "$folder/$1.conf" -p "$folder"
  judge "nginx with docs/examples/nginx.conf at :$2$3/" proxied "$@"
}
# with_caddy NAME PORT PATH: the same.
with_caddy() {
  hub "$1" "$2" "$3"
  { printf '{\n  admin off\n  auto_https disable_redirects\n  skip_install_trust\n}\n'
    sed -e "s|^hub.example|https://hub.example:$2|; s|127.0.0.1:5057|127.0.0.1:$port|" \
      -e "s|^  request_body|  bind 127.0.0.1\n  tls $folder/cert.pem $folder/key.pem\n  handle $3* {\n  request_body|" \
      -e 's|^}$|}\n}|' docs/examples/Caddyfile
  } >"$folder/$1.caddy"
  background "$1-proxy" env HOME="$folder" XDG_DATA_HOME="$folder/$1-data" \
    caddy run --adapter caddyfile --config "$folder/$1.caddy"
  judge "Caddy with docs/examples/Caddyfile at :$2$3/" proxied "$@"
}

if program nginx nginx; then
  with_nginx nginx 5443 ''
  with_nginx nginx-path 5445 /metube
else
  skipped nginx 'not installed'
fi
if program caddy caddy; then
  with_caddy caddy 5444 ''
  with_caddy caddy-path 5446 /metube
else
  skipped Caddy 'not installed'
fi
[ "$complaints" -eq 0 ]
