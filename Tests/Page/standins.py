"""What replaces YouTube's pictures and player: two servers of this machine, each an origin of its own."""
import base64
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# A grey pixel.
PICTURE = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==")

# Speaks the protocol of YouTube's frames; tests move its time and make it fail. As the real one, it sends nothing before
# `listening`, reports time and state as `infoDelivery`, and other events only to those who subscribed to them.
PLAYER = b"""<!doctype html><html lang="en"><title>Stand-in player</title><script>
const query = new URLSearchParams(location.search)
const parentOrigin = query.get('origin')
let time = Number(query.get('start')), isHeard = false, state = 1
const commands = [], subscriptions = new Set()
const send = (event, info) => isHeard && parent.postMessage(JSON.stringify({ event, info, id: 1, channel: 'widget' }), parentOrigin)
const publish = (event, info) => subscriptions.has(event) && send(event, info)
const report = () => send('infoDelivery', { currentTime: time, duration: 600, playerState: state })
const become = (next) => { state = next; report(); publish('onStateChange', next) }
addEventListener('message', (event) => {
  if (event.origin !== parentOrigin || event.source !== parent) return
  const message = JSON.parse(event.data)
  if (message.event === 'command' && isHeard) {
    if (message.func === 'addEventListener') return subscriptions.add(message.args[0])
    commands.push([message.func, ...message.args])
    if (message.func === 'pauseVideo') become(2)
    if (message.func === 'playVideo') become(1)
    if (message.func === 'seekTo') time = message.args[0]
  }
  if (message.event !== 'listening' || window.isDeaf || isHeard) return
  isHeard = true
  send('initialDelivery', { currentTime: time, duration: 600, playerState: state, playbackRate: 1 })
  send('onReady')
  report()
})
const advance = (seconds) => { time += seconds; send('infoDelivery', { currentTime: time, duration: 600 }) }
const pause = () => become(2)
const end = () => { time = 600; become(0) }
const fail = (code) => publish('onError', code)
</script><p>Stand-in player</p></html>"""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        is_player = self.path.startswith("/embed/")
        is_picture = self.path.startswith("/vi/")
        self.server.requests.append((self.path, self.headers.get("Referer")))
        body = PLAYER if is_player else PICTURE if is_picture else b""
        self.send_response(200 if body else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8" if is_player else "image/png")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        try:
            self.wfile.write(body)
        except ConnectionError:
            pass  # The browser left the view.

    def log_message(self, *_):
        pass


class StandIn:
    """A server; its requests as pairs of path and referrer."""

    def __init__(self):
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.server.requests = self.requests = []
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.origin = f"http://127.0.0.1:{self.server.server_port}"

    def stop(self):
        self.server.shutdown()
