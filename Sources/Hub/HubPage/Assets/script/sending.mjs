// Sends what is queued.

import { api, hook } from './page.mjs'
import { queue } from './queue.mjs'
import { connected, loggedOut, onReturn } from './connection.mjs'

/** Runs once the hub has an entry: with its key, the entry and the response. */
export const onAcknowledged = hook()

/** Runs once the hub refused an entry: with its key, the entry, the status and the response. */
export const onRefused = hook()

let flushing = null
let isStalled = false

/** Sends what waits, in order; one window at a time. */
export function flush() {
  isStalled = false
  flushing ??= (navigator.locks ? navigator.locks.request('metube-changes', drain) : drain()).finally(() => {
    flushing = null
    if (!isStalled && queue.keys().length) flush()
  })
  return flushing
}

async function drain() {
  for (let key; !isStalled && (key = queue.keys()[0]);) {
    queue.sending = key
    const entry = queue.read(key)
    try { isStalled = !(await send(key, entry)) } finally { queue.sending = null }
    // A newer position may have been added meanwhile.
    if (isStalled && entry.play && queue.positions(entry.play).length > 1) queue.remove(key)
  }
}

/** Sends one entry; false if it has to wait. */
async function send(key, entry) {
  if (!entry) { queue.remove(key); return true }
  const age = Math.round((Date.now() - entry.at) / 1000)
  const late = (mark) => (age > 2 ? { ...mark, secondsAgo: age } : mark)
  // A snooze that ended meanwhile leaves the video new.
  const marks = (entry.marks ?? []).filter((mark) => !mark.until || Date.parse(mark.until) > Date.now() + 1000).map(late)
  if (!entry.undo && !marks.length) { queue.remove(key); return true }
  const path = entry.undo ? `/undo?yes=true&action=${encodeURIComponent(entry.undo)}` : '/marks'
  let response
  try {
    response = await fetch(api + path, {
      method: 'POST', keepalive: true, headers: { 'Content-Type': 'application/json' },
      body: entry.undo ? undefined : JSON.stringify({ marks, ...(entry.action && { action: entry.action }) }),
    })
  } catch {
    queue.write(key, { ...entry, isTried: true })
    connected(false)
    return false
  }
  if (response.status === 401) {
    if (!entry.isQuiet) loggedOut()
    return false
  }
  if (response.status === 429 || response.status >= 500) {
    queue.write(key, { ...entry, isTried: true })
    connected(false)
    setTimeout(flush, 1000 * Math.min(60, Number(response.headers.get('Retry-After')) || 5))
    return false
  }
  const result = await response.json().catch(() => ({}))
  queue.remove(key)
  connected(true)
  if (response.ok) onAcknowledged(key, entry, result)
  else if (!entry.isQuiet) onRefused(key, entry, response.status, result)
  return true
}

onReturn.add(flush)
