// Moving between views without loading another document.

import { $, $$, base, hook, root } from './page.mjs'
import { ofWindow } from './storage.mjs'
import { queue } from './queue.mjs'
import { announcer, toast } from './messages.mjs'
import { connected } from './connection.mjs'
import { cardsOf, currentCard, hasLeft, shownCards } from './cards.mjs'
import { showSelection } from './selection.mjs'
import { arrange, prepare, updateDays } from './list.mjs'
import { takeLook } from './preferences.mjs'

/** Runs when a view was put in. */
export const onShown = hook()

/** Runs before a form is sent whose response replaces the present view. */
export const onSend = hook()

/** Runs with what a form did. */
export const onDone = hook()

history.scrollRestoration = 'manual'
export let here = history.state?.page ?? 0
/** The views left behind, so that going back shows them as they were. */
export const views = new Map()

let loading = null
/** The visit that the person asked for, while it loads, and whether the hub changed something meanwhile. */
let going = null
let isOutdated = false
/** When the present view came. */
let shownAt = Date.now()
/** Whether a form is sent whose response replaces the present view. */
export let isSending = false

const remember = () => views.set(here, { main: $('#main'), header: $('body > header'), title: document.title, view: root.dataset.view, place: scrollPosition() })
const saveScrollPosition = () => history.replaceState({ ...history.state, page: here, place: scrollPosition() }, '')

/** Where a view is scrolled to: the first card seen stays where it is, whatever the heights above it. */
function scrollPosition() {
  const card = scrollY > 0 && shownCards().find((other) => other.getBoundingClientRect().bottom > 80)
  return { scroll: scrollY, ...(card && { card: card.dataset.video, top: card.getBoundingClientRect().top }) }
}

/** Replaces the present view. */
export function swap({ main, header, title, view }, isNew = true) {
  $('#main').replaceWith(main)
  $('body > header')?.replaceWith(header)
  document.title = title
  root.dataset.view = view ?? ''
  setUp(isNew)
}

/** The view of an HTML document from the hub; nil if it is no view. */
export function viewIn(text) {
  const page = new DOMParser().parseFromString(text, 'text/html')
  const main = $('#main', page)
  return main && { main: document.adoptNode(main), header: document.adoptNode($('body > header', page) ?? page.createElement('header')), title: page.title, view: page.documentElement.dataset.view, page }
}

/** Whether a document is of another version of the page, and nothing keeps this one from leaving. */
function isUpgrade(page) {
  const files = (of) => $$('head script[src], head link[rel="stylesheet"]', of).map((file) => file.getAttribute('src') ?? file.getAttribute('href')).join()
  return $('#player').hidden && !queue.keys().length && !isTyping() && files(page) !== files(document)
}

/** Fetches a URL and shows it. `how` is `push`, `replace` (same URL), `refresh` (unless someone types meanwhile), or
 * `pop` (moved already). */
export async function visit(url, how = 'push', request = {}) {
  // A refresh does not interrupt another visit; it comes afterwards.
  if (how === 'refresh' && going) { isOutdated = true; return false }
  loading?.abort()
  isSending = Boolean(request.method)
  if (isSending) onSend()
  const control = (loading = new AbortController())
  if (how !== 'refresh') [going, isOutdated] = [control, false]
  root.classList.add('loading')
  let view, response
  try {
    response = await fetch(url, { ...request, signal: control.signal, headers: { Accept: 'text/html', ...request.headers } })
    view = response.headers.get('Content-Type')?.startsWith('text/html') ? viewIn(await response.text()) : null
    connected(!response.headers.has('X-Offline'))
  } catch (error) {
    if (control.signal.aborted) return false
    connected(false)
    toast(request.method ? 'No connection: nothing was sent.' : 'No connection: this view is not kept here.')
    return false
  } finally {
    if (loading === control) {
      root.classList.remove('loading')
      isSending = false
    }
    if (going === control) going = null
  }
  const isFresh = view && how !== 'refresh' && !request.method && !response.headers.has('X-Offline')
  if (!view || (isFresh && isUpgrade(view.page))) {
    how === 'pop' ? location.reload() : location.assign(response.url + new URL(url, location.href).hash)
    return false
  }
  // What was typed stays where it is.
  if (request.method && !response.ok) {
    toast(($('.notice.problem', view.main) ?? $('p', view.main))?.textContent ?? view.title)
    return false
  }
  if (how === 'refresh' && isTyping()) return false
  // A problem knows of no preferences.
  if (response.ok && !response.headers.has('X-Offline')) takeLook(view.page)
  const target = new URL(response.url)
  target.hash = new URL(url, location.href).hash
  const done = request.method && takeNotice(view.main, target)
  if (request.method && target.pathname + target.search === location.pathname + location.search) how = 'replace'
  if (how === 'push') {
    saveScrollPosition()
    remember()
    for (const page of [...views.keys()]) if (page > here || page < here - 20) views.delete(page)
    history.pushState({ page: ++here }, '', target)
  } else if (how !== 'pop' && target.href !== location.href) history.replaceState({ ...history.state, page: here }, '', target)
  const before = how === 'pop' ? history.state?.place : scrollPosition()
  const field = how === 'refresh' && document.activeElement?.matches('#main textarea, #main input') && document.activeElement.id
  swap(view)
  if (how === 'push') {
    const anchor = target.hash && document.getElementById(target.hash.slice(1))
    anchor ? anchor.scrollIntoView() : scrollTo(0, 0)
    $('#main').focus({ preventScroll: true })
    announcer.textContent = document.title
  } else {
    scrollBack(before)
    // Who begins to type does so in the field that was chosen, and not with keys that mark videos.
    if (field) document.getElementById(field)?.focus({ preventScroll: true })
    if (document.activeElement === document.body) $('#main').focus({ preventScroll: true })
  }
  if (done) onDone(done)
  if (isOutdated) { isOutdated = false; reload() }
  return true
}

export const reload = () => visit(location.href, 'refresh')

/** Scrolls to a position in a view that was just shown, with the true heights of all its cards. */
export function scrollBack({ scroll = 0, card, top } = {}) {
  root.classList.add('whole')
  const [anchor] = card ? cardsOf(card, $('#main')) : []
  scrollTo(0, scroll)
  if (anchor && !anchor.hidden) scrollBy({ top: anchor.getBoundingClientRect().top - top, behavior: 'instant' })
  requestAnimationFrame(() => requestAnimationFrame(() => root.classList.remove('whole')))
}

addEventListener('popstate', (event) => {
  if (event.state?.page === undefined) return history.replaceState({ page: here }, '')
  remember()
  here = event.state.page
  const view = views.get(here)
  if (!view) return visit(location.href, 'pop')
  for (const field of $$('#q', view.header)) field.value = field.defaultValue
  loading?.abort()
  root.classList.remove('loading')
  swap(view, false)
  scrollBack(view.place)
  arrange(shownCards().filter(hasLeft).map((card) => card.dataset.video))
  // The scroll position stays even where the current card is at an edge of the window, or outside it.
  const card = currentCard()
  ;((card && $('h3 a', card)) ?? $('#main')).focus({ preventScroll: true })
  announcer.textContent = document.title
})

// What the history is given now may be lost.
addEventListener('pagehide', () => ofWindow.write('place', { page: here, ...scrollPosition() }))

/** Takes what a form did out of the view that follows it: it is said as a toast. */
function takeNotice(main, target) {
  const [notice] = target.searchParams.has('done') || target.searchParams.has('undone') ? $$('.notice:not(.problem)', main) : []
  target.searchParams.delete('done')
  target.searchParams.delete('undone')
  notice?.remove()
  return notice && {
    text: $('p', notice).textContent.replace(/\.$/, ''), action: $(`form[action="${base}/undo"] [name="action"]`, notice)?.value,
    isFollow: Boolean($(`form[action="${base}/poll"]`, notice)),
  }
}

/** Prepares a view that was just put in. What is in a new one counts, but for marks that the hub does not have yet. */
export function setUp(isNew = true) {
  for (const card of $$('#main .card')) prepare(card, isNew)
  updateDays()
  showSelection()
  if (isNew) shownAt = Date.now()
  onShown()
}

/** Whether the hub may have rendered the present view, or the one that loads, before it had a change queued at a time. */
export const precedes = (queuedAt) => Boolean(going) || shownAt > queuedAt

/** Whether a field has what its form did not send yet. */
export const isTyping = () => $$('#q, #main textarea, #main input:not([type="hidden"], [type="checkbox"])').some((field) => field.value !== field.defaultValue)
