// The player: a frame of YouTube, or one of the hub that plays the file of another feed, over the stage of its video or in
// the corner.

import { $, $$, base, element, embed, icon, root } from './page.mjs'
import { kept } from './storage.mjs'
import { toast } from './messages.mjs'
import { connected } from './connection.mjs'
import { queue } from './queue.mjs'
import { flush } from './sending.mjs'
import { known, paint, shownCards, subject, titleOf } from './cards.mjs'
import { onShown, viewIn, visit } from './views.mjs'
import { entryOf, isNowWatched, playing, positionToKeep, setPlaying, startOf } from './playing.mjs'
import { preferred } from './preferences.mjs'
import { mark, markAs, statusTexts } from './marks.mjs'
import { call, listening, reported } from './protocol.mjs'

const box = $('#player')

/** The list that the video came from, as far as it is loaded, and the URL of its next page. */
let line = []
let nextPage = null

/** Shows the page of a card's or stage's video, and plays it there, from a second on or where it was left. */
export async function open(card, from) {
  const entry = card.matches('.stage') ? { ...entryOf(card), title: titleOf($('#main')) } : entryOf(card)
  if (card.matches('.card')) [line, nextPage] = [playable(shownCards()), $('#narrowed') ? null : $('#main a.more')?.href]
  else if (!line.some((other) => other.id === entry.id)) [line, nextPage] = [[entry], null]
  if (!card.matches('.stage')) await visit(`${base}/videos/${entry.id}`)
  play(entry, from)
}

/** What cards have that can be played: not articles. */
const playable = (cards) => cards.filter((card) => card.dataset.kind !== 'article').map(entryOf)

/** Plays the video of the stage from a second on. */
export async function openAt(stage, seconds) {
  if (playing?.id === stage.dataset.video && playing.frame) {
    playing.time = seconds
    command('seekTo', seconds, true)
    command('playVideo')
  } else {
    await open(stage, seconds)
  }
  stage.scrollIntoView({ block: 'nearest' })
}

export function openSubject() {
  const { card } = subject() ?? {}
  const target = card ?? $('#main .stage')
  if (target?.dataset.kind === 'article') return $('.thumb, .start', target).click()
  if (target) open(target)
}

function neighbour(by) {
  const index = line.findIndex((entry) => entry.id === playing?.id)
  return index < 0 ? undefined : line[index + by]
}

/** Loads the next page of the list; false if there is none. */
async function extendLine() {
  const url = nextPage
  if (!url) return false
  try {
    const response = await fetch(url, { headers: { Accept: 'text/html' } })
    const view = response.ok && viewIn(await response.text())
    if (url !== nextPage) return true
    if (!view) return false
    const isThere = new Set(line.map((entry) => entry.id))
    line.push(...playable($$('.card', view.main)).filter((entry) => !isThere.has(entry.id)))
    nextPage = $('a.more', view.main)?.href
    return true
  } catch {
    connected(false)
    return false
  }
}

export async function playNeighbour(by) {
  if (!playing) return
  const { key } = playing
  let entry = neighbour(by)
  while (!entry && by > 0 && (await extendLine())) entry = neighbour(by)
  if (playing?.key !== key) return
  if (!entry) return toast(by > 0 ? 'This was the last video of the list.' : 'This is the first video of the list.')
  keepPosition(true)
  if (box.dataset.mode === 'stage') await visit(`${base}/videos/${entry.id}`)
  play({ ...entry, position: known.get(entry.id)?.progressSeconds ?? entry.position })
}

/** Puts a new frame into the player: a change of its address would become a step of the history. */
function play(entry, from = startOf(entry)) {
  if (playing?.id === entry.id && playing.frame) return command('playVideo')
  closeFrame()
  const { origin } = location
  const query = entry.kind ? new URLSearchParams({ start: from }) : new URLSearchParams({ enablejsapi: 1, origin, start: from, rel: 0, playsinline: 1, autoplay: 1 })
  const frame = element('iframe', {
    src: `${entry.kind ? `${base}/play` : `${embed}/embed`}/${encodeURIComponent(entry.id)}?${query}`, title: entry.title || 'Video',
    referrerPolicy: 'strict-origin-when-cross-origin', allow: 'autoplay; encrypted-media; picture-in-picture; fullscreen',
  })
  const button = (kind, text, sign, run) => element('button', { type: 'button', 'data-do': kind, title: text, ariaLabel: text, onclick: run }, sign)
  setPlaying({ ...entry, frame, origin: entry.kind ? origin : embed, key: `${Date.now()}`, time: from, kept: from, action: null, isOver: false, isWatched: false, isHeard: false })
  box.replaceChildren(
    element('div', { className: 'frame' }, frame),
    element('div', { className: 'bar' },
      element('a', { className: 'title', href: `${base}/videos/${entry.id}`, dir: 'auto', textContent: entry.title }),
      button('previous', 'Previous of the list', '‹', () => playNeighbour(-1)), button('next', 'Next of the list', '›', () => playNeighbour(1)),
      button('theatre', 'Wide or narrow', '▭', toggleTheatre), button('watched', 'Watched', icon('watched'), () => markAs('watched', [playing.id])), button('close', 'Close the player', icon('skip'), closePlayer)))
  box.hidden = false
  const now = playing
  frame.addEventListener('load', () => listen(now))
  dock()
}

/** Asks the frame to report until it responds. */
function listen(now) {
  let tries = 0
  const ask = () => {
    if (now !== playing || now.isHeard) return
    if (++tries > 400) return
    if (tries === 17) fail('The player does not answer.')
    now.frame.contentWindow?.postMessage(listening, now.origin)
    setTimeout(ask, 300)
  }
  ask()
}

export function command(func, ...args) {
  playing?.frame?.contentWindow?.postMessage(call(func, args), playing.origin)
}

/** Requests the events that the frame sends only to subscribers, once it listens. */
function subscribe() {
  playing.isHeard = true
  $('.player-error', box)?.remove()
  for (const name of ['onError', 'onStateChange']) command('addEventListener', name)
  const speed = Number(playing.speed)
  if (speed && speed !== 1) command('setPlaybackRate', speed)
}

export function seek(by) {
  playing.time = Math.max(0, playing.time + by)
  command('seekTo', playing.time, true)
}

function fail(text) {
  $('.player-error', box)?.remove()
  box.prepend(element('p', { className: 'player-error', role: 'alert' }, `${text} `,
    playing.kind ? element('a', { href: `${base}/videos/${playing.id}`, textContent: 'Open its page' })
      : element('a', { href: `https://www.youtube.com/watch?v=${playing.id}`, target: '_blank', rel: 'noopener noreferrer', textContent: 'Watch it on YouTube' })))
  dock()
}

addEventListener('message', (event) => {
  if (!playing?.frame || event.source !== playing.frame.contentWindow || event.origin !== playing.origin) return
  const report = reported(event.data)
  if (!report) return
  if (!playing.isHeard) subscribe()
  if (report.error) return fail(report.error)
  if (report.step && playing.kind) return playNeighbour(report.step)
  if (report.duration) playing.duration = report.duration
  if (report.time !== undefined && !playing.isOver) playing.time = report.time
  if ('state' in report && report.state !== 0) changed(report.state)
  if (isNowWatched(playing)) watch()
  if (report.isProgress) keepPosition()
  if (report.state === 0) changed(0)
})

/** Marks the video as watched while it plays; its end says nothing more then. */
function watch(options = $('.stage') ? { reload: true } : {}) {
  playing.isWatched = true
  mark([playing.id], { status: 'watched', progressSeconds: 0 }, statusTexts.watched, options)
}

function changed(state) {
  if (state === playing.state) return
  playing.state = state
  if (state === 1) playing.isOver = false
  if (state === 2) keepPosition(true)
  if (state === 0 && !playing.isOver) {
    playing.isOver = true
    const goesOn = preferred().playsNext && (neighbour(1) || nextPage)
    if (!playing.isWatched) watch($('.stage') ? { reload: !goesOn } : {})
    if (goesOn) playNeighbour(1)
  }
}

/** Keeps the position every ten seconds, as one action of the log for each play. */
function keepPosition(now = false) {
  const seconds = playing && positionToKeep(playing, now)
  if (seconds === null) return
  const { id, key, action } = playing
  playing.kept = seconds
  for (const other of queue.positions(key)) if (other !== queue.sending) queue.remove(other)
  queue.add({ marks: [{ video: id, progressSeconds: seconds }], play: key, action, isQuiet: true })
  paint(id, { progressSeconds: seconds })
  flush()
}

/** Gives the player the width of the window, or takes it back; kept for this browser. */
function toggleTheatre() {
  kept.write('theatre', root.classList.toggle('theatre'))
  dock()
}

root.classList.toggle('theatre', kept.read('theatre') === true)

/** Places the player over the stage of its video, which makes room for what stands below the frame; else in the corner. */
function dock() {
  if (!playing) return
  const stage = $(`#main .stage[data-video="${CSS.escape(playing.id)}"]`)
  box.dataset.mode = stage ? 'stage' : 'mini'
  if (!stage) return
  const { top, left, width } = stage.getBoundingClientRect()
  for (const [name, value] of [['top', top + scrollY], ['left', left + scrollX], ['width', width]]) box.style.setProperty(`--player-${name}`, `${value}px`)
  stage.style.setProperty('--bar', `${Math.max(0, box.offsetHeight - stage.offsetHeight)}px`)
}

function closeFrame() {
  keepPosition(true)
  box.replaceChildren()
  setPlaying(null)
}

function closePlayer() {
  closeFrame()
  box.hidden = true
  $('#main .stage')?.style.removeProperty('--bar')
  $('#main').focus({ preventScroll: true })
}

onShown.add(dock)
new ResizeObserver(dock).observe(document.body)

for (const name of ['pagehide', 'visibilitychange']) addEventListener(name, () => { if (document.hidden || name === 'pagehide') keepPosition(true) })
