// Live updates: what the hub has by now.

import { $, $$, api, base, root } from './page.mjs'
import { announcer } from './messages.mjs'
import { connected, loggedOut } from './connection.mjs'
import { queue } from './queue.mjs'
import { flush } from './sending.mjs'
import { cardsOf, hasLeft, known, paint, pending } from './cards.mjs'
import { updateDays } from './list.mjs'
import { isSending, onSend, onShown, reload, swap, viewIn } from './views.mjs'

let token = null
let events = null
/** The present list as the hub has it by now, for the bar that shows it. */
let freshView = null
let looking = null

export function hear() {
  events?.close()
  events = null
  // A window in the background needs none of the few connections that a browser has for one server.
  if (document.hidden || root.dataset.view === 'login') return
  events = new EventSource(`${api}/events`)
  events.onopen = () => connected(true)
  events.addEventListener('change', (event) => catchUp(event.data))
  events.onerror = async () => {
    if (events?.readyState !== EventSource.CLOSED) return connected(false)
    const status = await fetch(`${api}/session`).then((response) => response.status, () => 0)
    if (status === 401) return loggedOut()
    connected(status === 200)
    setTimeout(hear, 10_000)
  }
}

let catchingUp = null

/** Shows what changed until a token, in place; what is new only as a number. */
async function catchUp(latest) {
  if (latest === token || !token) { token = latest; return }
  if (catchingUp) { catchingUp = latest; return }
  catchingUp = latest
  let isNew = false
  try {
    for (let more = true; more;) {
      const response = await fetch(`${api}/changes?since=${encodeURIComponent(token)}`)
      if (!response.ok) { token = latest; isNew = true; break }
      const changes = await response.json()
      // No video: a check of the feeds ended, or what is hidden changed.
      isNew ||= !changes.videos.length
      for (const { video: id, status, saved } of changes.videos) {
        if (pending.has(id)) continue
        if (!known.has(id) && !cardsOf(id).length) isNew ||= status === 'new'
        paint(id, { status, saved })
        for (const card of cardsOf(id)) if (card.hidden && !hasLeft(card)) { card.hidden = false; updateDays() }
      }
      ;({ token, more } = changes)
    }
  } catch { } finally {
    const next = catchingUp
    catchingUp = null
    if (next !== latest && next !== token) catchUp(next)
  }
  if (isNew && $('#list')) lookForNew()
}

/** Fetches the present list in the background and says how many of its cards are not shown yet; not while a form is
 * sent, which may give the list another address. */
async function lookForNew() {
  if (isSending) return
  const url = location.href
  looking = new AbortController()
  try {
    const response = await fetch(url, { headers: { Accept: 'text/html' }, signal: looking.signal })
    const view = response.ok && viewIn(await response.text())
    if (!view || url !== location.href) return
    const [checked, banner, trouble] = [$('.checked', view.main), $('#main .banner'), $('.banner', view.main)]
    // Copies: the view itself may be shown later.
    $('#main .checked')?.replaceWith(checked?.cloneNode(true) ?? '')
    banner?.replaceWith(trouble?.cloneNode(true) ?? '')
    const isThere = new Set($$('#main .card').map((card) => card.dataset.video))
    const count = $$('.card', view.main).filter((card) => !isThere.has(card.dataset.video)).length
    if (!count) return
    freshView = view
    const bar = $('#fresh')
    bar.textContent = `${count} new`
    bar.href = url
    bar.hidden = false
    announcer.textContent = bar.textContent
  } catch { }
}

export function showFresh() {
  if (!freshView) return reload()
  swap(freshView)
  scrollTo(0, 0)
  $('#main').focus({ preventScroll: true })
}

onSend.add(() => looking?.abort())
onShown.add(() => {
  $('#fresh').hidden = true
  freshView = null
  token ??= $('#list')?.dataset.changes
})

document.addEventListener('visibilitychange', hear)
addEventListener('online', () => { hear(); flush() })
addEventListener('offline', () => connected(false))

// What a window that is closed meanwhile cannot send.
addEventListener('storage', ({ key, newValue }) => {
  if (newValue && key?.slice(base.length).startsWith(queue.prefix)) setTimeout(() => queue.keys().length && flush(), navigator.locks ? 3000 : 30_000)
})
