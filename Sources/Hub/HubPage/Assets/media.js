// The document of a frame that plays a file of a feed from the file's own host. It speaks the protocol of YouTube's frames
// with the page around it, so that position, speed, chapters and the next of the list are the page's for both; what
// that protocol lacks is the message `step`: to the next or the previous of the list.

const player = document.querySelector('audio, video')
const subscriptions = new Set()
let isHeard = false
let state = -1

const send = (event, info) => isHeard && parent.postMessage(JSON.stringify({ event, info, id: 1, channel: 'widget' }), location.origin)
const publish = (event, info) => subscriptions.has(event) && send(event, info)
const report = () => send('infoDelivery', { currentTime: player.currentTime, duration: Number.isFinite(player.duration) ? player.duration : 0, playerState: state })

/** What to do before the player knows how long the file is. */
let start = Number(player.dataset.start)

function become(next) {
  if (next === state) return
  state = next
  report()
  publish('onStateChange', state)
}

const commands = {
  addEventListener: (name) => { subscriptions.add(name); if (player.error) fail() },
  playVideo: () => player.play().catch(() => {}),
  pauseVideo: () => player.pause(),
  seekTo: (seconds) => { player.readyState ? player.currentTime = seconds : start = seconds },
  setPlaybackRate: (rate) => { player.defaultPlaybackRate = player.playbackRate = rate },
}

function fail() { publish('onError', player.error.code === MediaError.MEDIA_ERR_NETWORK ? 'network' : 'format') }

addEventListener('message', (event) => {
  if (event.source !== parent || event.origin !== location.origin) return
  let message
  try { message = JSON.parse(event.data) } catch { return }
  if (message?.event === 'listening' && !isHeard) {
    isHeard = true
    send('onReady')
    report()
  }
  if (message?.event === 'command' && Object.hasOwn(commands, message.func)) commands[message.func](...message.args)
})

player.addEventListener('loadedmetadata', () => { if (start) player.currentTime = start; report() })
player.addEventListener('timeupdate', report)
player.addEventListener('playing', () => become(1))
player.addEventListener('pause', () => { if (!player.ended) become(2) })
player.addEventListener('ended', () => become(0))
player.addEventListener('error', fail)

// Buttons of headphones, keyboards and lock screens.
if (navigator.mediaSession) {
  const { title, artist } = player.dataset
  navigator.mediaSession.metadata = new MediaMetadata({ title, artist })
  const seek = (by) => { player.currentTime = Math.max(0, Math.min(player.currentTime + by, player.duration || Infinity)) }
  const handlers = {
    seekbackward: ({ seekOffset }) => seek(-(seekOffset || 15)), seekforward: ({ seekOffset }) => seek(seekOffset || 15),
    seekto: ({ seekTime }) => { player.currentTime = seekTime },
    previoustrack: () => send('step', -1), nexttrack: () => send('step', 1),
  }
  for (const [action, handler] of Object.entries(handlers)) try { navigator.mediaSession.setActionHandler(action, handler) } catch { }
}

player.play().catch(() => become(2))
