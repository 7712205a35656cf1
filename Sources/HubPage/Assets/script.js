// What the page does besides links and forms: marks at once and offline, keys, swipes, the player, live updates.
// Everything that changes the log goes through one queue, which outlives a lost connection and a closed window.

const $ = (selector, root = document) => root.querySelector(selector)
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)]
const root = document.documentElement
const { api = '/api/v1', embed = '', user = '' } = document.body.dataset
/** The path below which a proxy serves the hub: `/metube`; empty for all of its host. */
const base = api.slice(0, -'/api/v1'.length)
/** The hub's own form of a path of the address bar; null for a path of another program on this host. */
const local = (path) => (path === base ? '/' : path.startsWith(`${base}/`) ? path.slice(base.length) : null)
const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)')

/** An element with properties and children; text is never parsed as HTML. */
function element(name, properties = {}, ...children) {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(properties)) {
    if (key in made) made[key] = value
    else made.setAttribute(key, value)
  }
  made.append(...children)
  return made
}

/** One of the icons that each document has. */
function icon(name) {
  const [svg, use] = ['svg', 'use'].map((part) => document.createElementNS('http://www.w3.org/2000/svg', part))
  use.setAttribute('href', `#i-${name}`)
  svg.setAttribute('class', 'icon')
  svg.setAttribute('aria-hidden', 'true')
  svg.append(use)
  return svg
}

/** Storage of this hub, which shares the browser's with others on its host; it may be full or forbidden: then nothing is kept. */
const storage = (area) => ({
  read(key) { try { return JSON.parse(area().getItem(base + key)) } catch { return null } },
  write(key, value) { try { area().setItem(base + key, JSON.stringify(value)); return true } catch { return false } },
  remove(key) { try { area().removeItem(base + key) } catch { } },
  keys() { try { return Object.keys(area()).filter((key) => key.startsWith(base)).map((key) => key.slice(base.length)) } catch { return [] } },
})
const kept = storage(() => localStorage)
const ofWindow = storage(() => sessionStorage)

// MARK: Messages

const announcer = element('p', { className: 'vh', role: 'status' })
document.body.append(announcer)

/** Shows a message for some seconds, longer while it is pointed at or focused; returns it. Each button is `{ text, run }`. */
function toast(content, ...buttons) {
  const shown = element('div', { className: 'toast' }, element('span', {}, ...[content].flat()))
  const close = () => shown.remove()
  for (const button of buttons) shown.append(element('button', { type: 'button', textContent: button.text, onclick: () => { close(); button.run() } }))
  const area = $('#toasts')
  area.append(shown)
  while (area.children.length > 3) area.firstChild.remove()
  const wait = () => setTimeout(() => (shown.matches(':hover, :focus-within') ? wait() : close()), 8000)
  wait()
  return shown
}

const named = (title) => element('bdi', { textContent: title.length > 60 ? title.slice(0, 59) + '…' : title })

let isConnected = true

/** Says whether the hub answers, and how many marks wait for it. */
function connected(state) {
  const returned = state && !isConnected
  isConnected = state
  const waiting = queue.keys().length
  const notice = $('#offline')
  notice.hidden = state
  notice.textContent = state
    ? ''
    : `No connection to the hub.${waiting ? ` ${waiting} ${waiting === 1 ? 'change waits' : 'changes wait'} to be sent.` : ' Changes are kept here until it is back.'}`
  if (returned) flush()
}

// MARK: The queue

const queue = {
  prefix: `change:${user}:`,
  spare: new Map(),
  serial: 0,
  sending: null,
  keys() { return [...kept.keys().filter((key) => key.startsWith(this.prefix)), ...this.spare.keys()].sort() },
  read(key) { return this.spare.get(key) ?? kept.read(key) },
  write(key, entry) { if (!kept.write(key, entry)) this.spare.set(key, entry) },
  remove(key) { this.spare.delete(key); kept.remove(key) },
  add(entry) {
    const key = `${this.prefix}${Date.now()}-${String(++this.serial).padStart(6, '0')}-${Math.random().toString(36).slice(2, 8)}`
    this.write(key, { at: Date.now(), ...entry })
    return key
  },
  /** The keys of the positions of a play. */
  positions(play) { return this.keys().filter((key) => this.read(key)?.play === play) },
}

let flushing = null
let isStalled = false

/** Sends what waits, in order; one window at a time. */
function flush() {
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
  const answer = await response.json().catch(() => ({}))
  queue.remove(key)
  connected(true)
  if (response.ok) acknowledged(key, entry, answer)
  else if (!entry.isQuiet) refused(key, entry, response.status, answer)
  return true
}

const loggedOut = () => toast('You are logged out. What was not sent yet is sent once you log in again.', { text: 'Log in', run: () => location.assign(`${base}/login`) })

function acknowledged(key, entry, answer) {
  if (!entry.undo && answer.action) {
    for (const step of steps) for (const part of step.parts) if (part.key === key) part.action = answer.action
    saveSteps()
    if (entry.play && entry.play === playing?.key) playing.action = answer.action
    // Its undo waits behind it.
    for (const other of queue.keys()) {
      const waiting = queue.read(other)
      if (waiting?.of === key) queue.write(other, { ...waiting, undo: answer.action })
    }
  }
  for (const mark of entry.marks ?? []) settle(mark.video)
  if (entry.reload && !isTyping()) reload()
}

/** Whether a field has what its form did not send yet. */
const isTyping = () => $$('#main textarea, #main input:not([type="hidden"], [type="checkbox"])').some((field) => field.value !== field.defaultValue)

function refused(key, entry, status, answer) {
  // Nothing to undo any more is no failure for whoever wants it undone.
  if (entry.undo && (status === 404 || status === 409)) return
  for (const mark of entry.marks ?? []) settle(mark.video)
  for (const mark of entry.inverse ?? []) paint(mark.video, mark)
  arrange((entry.inverse ?? []).map((mark) => mark.video))
  const place = steps.findIndex((step) => step.parts.some((part) => part.key === key))
  if (place >= 0) steps.splice(place, 1)
  saveSteps()
  toast(`The hub refused the change: ${answer.detail ?? `status ${status}`}`)
}

/** The videos with changes that the hub has not confirmed. */
const pending = new Map()
function settle(id) {
  const left = (pending.get(id) ?? 1) - 1
  left > 0 ? pending.set(id, left) : pending.delete(id)
  if (left <= 0) for (const card of cardsOf(id)) card.classList.remove('pending')
}

// MARK: Cards

/** What was learnt of videos since their cards were made: of a list that is shown again. */
const known = new Map()
const cardsOf = (id, base = document) => $$(`.card[data-video="${CSS.escape(id)}"]`, base)
const shownCards = () => $$('#main .card:not([hidden], .leaving)')
const currentCard = () => $('#main .card.current:not([hidden], .leaving)')
const titleOf = (card) => $('h3, h1', card)?.textContent.trim() ?? ''

/** Shows a state of a video on its cards. */
function paint(id, { status, saved, progressSeconds }) {
  const state = { ...known.get(id), ...(status && { status }), ...(saved !== undefined && { saved }), ...(progressSeconds !== undefined && { progressSeconds }) }
  known.set(id, state)
  for (const card of cardsOf(id)) paintCard(card, state)
}

function paintCard(card, { status, saved, progressSeconds }) {
  const data = card.dataset
  if (status) data.status = status
  if (saved !== undefined) data.saved = String(saved)
  if (progressSeconds !== undefined) {
    data.position = progressSeconds
    const bar = $('progress', card)
    if (bar) bar.value = progressSeconds
  }
  for (const button of $$('.marks button[name="action"]', card)) {
    const kind = (button.dataset.kind ??= button.value)
    const isOn = { watched: data.status === 'watched', skip: data.status === 'skipped', save: data.saved === 'true', unsave: data.saved === 'true', new: data.status !== 'new' }[kind]
    const value = { watched: ['watched', 'new'], skip: ['skip', 'new'], save: ['save', 'unsave'], unsave: ['save', 'unsave'], new: ['watched', 'new'] }[kind]?.[Number(isOn)]
    if (!value || value === button.value) continue
    button.value = value
    button.title = button.ariaLabel = labels[value]
  }
}

const labels = { watched: 'Watched', skip: 'Skip', new: 'Mark as new again', save: 'Save', unsave: 'Remove from saved' }

/** Whether a card is no longer one of its list. */
function hasLeft(card) {
  const query = new URLSearchParams(location.search)
  if (root.dataset.view === 'saved') return card.dataset.saved !== 'true'
  if (root.dataset.view !== 'feed' || query.get('status') === 'all') return false
  if (!query.has('status')) return query.get('all') !== 'true' && card.dataset.status !== 'new'
  return !query.getAll('status').includes(card.dataset.status)
}

function updateDays() {
  for (const day of $$('#main .day')) day.hidden = !$('.card:not([hidden])', day)
  countLeft()
  const all = $('#main form.all .count')
  if (!all) return
  const count = openCards().length
  all.textContent = count
  all.closest('button').hidden = !count
}

/** Counts what left the list since it was loaded out of the numbers that it came with. */
function countLeft() {
  const left = $$('#main #list .card[hidden]').length
  for (const text of $$('#main > .heading .summary, #main form.all [name="all"]')) {
    if (text.children.length) continue
    text.dataset.loaded ??= text.textContent
    const [, before, number, noun = '', after] = /^(\D*)(\d+)( (?:new )?video)?s?(.*)$/.exec(text.dataset.loaded) ?? []
    const count = Math.max(0, number - left)
    if (number) text.textContent = `${before}${count}${noun}${noun && count !== 1 ? 's' : ''}${after}`
  }
}

/** The cards shown that are new: those that a button below them marks. */
const openCards = () => shownCards().filter((card) => card.dataset.status === 'new')

/** Removes cards that left their list, or brings them back; whoever had the focus on one gets the next. */
function arrange(ids) {
  const all = ids.flatMap((id) => cardsOf(id))
  const leaving = all.filter((card) => hasLeft(card) && !card.hidden)
  const back = all.filter((card) => !hasLeft(card) && (card.hidden || card.classList.contains('leaving')))
  const focused = leaving.find((card) => card.contains(document.activeElement) || card.classList.contains('current'))
  if (focused) {
    const cards = shownCards()
    const place = cards.indexOf(focused)
    const next = cards.slice(place + 1).find((card) => !leaving.includes(card)) ?? cards.slice(0, place).reverse().find((card) => !leaving.includes(card))
    next ? setCurrent(next) : $('#main').focus({ preventScroll: true })
  }
  const hide = () => {
    for (const card of leaving) if (card.classList.contains('leaving')) { card.hidden = true; card.classList.remove('leaving') }
    updateDays()
    // The end of the list says what there is besides.
    if (leaving.length && !shownCards().length) flush().then(loadMore).then((more) => more || !isConnected || reload())
  }
  for (const card of leaving) {
    card.classList.add('leaving')
    const box = $('.select', card)
    if (box) box.checked = false
  }
  if (leaving.length) reducedMotion.matches ? hide() : setTimeout(hide, 200)
  for (const card of back) { card.classList.remove('leaving'); card.hidden = false }
  if (back.length) { updateDays(); setCurrent(back[0]) }
  showSelection()
}

function setCurrent(card, focuses = true) {
  for (const other of $$('.card.current')) if (other !== card) other.classList.remove('current')
  card.classList.add('current')
  if (!focuses) return
  $('h3 a', card)?.focus({ preventScroll: true })
  card.scrollIntoView({ block: 'nearest', behavior: 'instant' })
}

/** Moves the current card; at the end of the page the next one is loaded. */
async function move(by) {
  const cards = shownCards()
  const place = cards.indexOf(currentCard() ?? document.activeElement?.closest('.card'))
  if (place < 0) {
    const first = cards.find((card) => card.getBoundingClientRect().bottom > 80)
    if (first) setCurrent(first)
  } else if (cards[place + by]) setCurrent(cards[place + by])
  else if (by > 0 && (await loadMore())) move(1)
}

// MARK: Marks

const words = { watched: 'Watched', skipped: 'Skipped', new: 'New again', snoozed: 'Snoozed until tomorrow' }
const steps = ofWindow.read(`steps:${user}`) ?? []
const saveSteps = () => ofWindow.write(`steps:${user}`, steps.slice(-200))

/** When a snooze ends: a span counts from now, not from when the hub gets it; a day begins at midnight; else tomorrow at
 * six in the morning. */
function snoozeEnd(text) {
  const time = new Date()
  const [, count, unit] = /^(\d+)([hdw])$/.exec(text) ?? []
  if (/^\d{4}-\d\d-\d\d$/.test(text)) time.setTime(new Date(`${text}T00:00`))
  else if (count) time.setTime(time.getTime() + count * { h: 3600e3, d: 86400e3, w: 604800e3 }[unit])
  else {
    time.setDate(time.getDate() + 1)
    time.setHours(6, 0, 0, 0)
  }
  return time.toISOString().replace(/\.\d+/, '')
}

/** What the page of a video says of it. */
const watchedPage = () => ({ ...$('#main .stage')?.dataset, ...$('#main .watch')?.dataset })

/** The mark that restores what a change replaces. */
function inverse(id, change) {
  const page = watchedPage()
  const card = cardsOf(id)[0]?.dataset ?? (page.video === id ? page : known.get(id)) ?? {}
  const before = { video: id }
  if (change.status) before.status = !card.status || card.status === 'snoozed' ? 'new' : card.status
  if (change.saved !== undefined) before.saved = !change.saved
  if (change.note !== undefined) before.note = change.previous ?? ''
  if (change.progressSeconds !== undefined) before.progressSeconds = known.get(id)?.progressSeconds ?? (Number(card.position) || 0)
  if (change.collection) Object.assign(before, { collection: change.collection, member: change.member === false })
  return before
}

/** The messages that offer to undo a step; gone when it is undone. */
const toastOf = new WeakMap()

function addStep(step, shown) {
  steps.push(step)
  toastOf.set(step, shown)
  saveSteps()
}

/** Marks videos: at once on the page, soon at the hub, undone by one step. */
function mark(ids, change, text, options = {}) {
  if (!ids.length) return
  const title = ids.length > 1 ? '' : playing?.id === ids[0] ? playing.title : titleOf(cardsOf(ids[0])[0] ?? $('#main'))
  const parts = []
  for (let start = 0; start < ids.length; start += 400) {
    const some = ids.slice(start, start + 400)
    const undone = some.map((id) => inverse(id, change))
    const { previous, ...members } = change
    const key = queue.add({ marks: some.map((video) => ({ video, ...members })), inverse: undone, ...options })
    parts.push({ key, inverse: undone })
  }
  for (const id of ids) {
    pending.set(id, (pending.get(id) ?? 0) + 1)
    paint(id, change)
    for (const card of cardsOf(id)) card.classList.add('pending')
  }
  arrange(ids)
  addStep({ parts, text }, toast(title ? [`${text}: `, named(title)] : `${text}: ${ids.length} videos`, { text: 'Undo', run: undo }))
  flush()
}

/** Undoes the last step of this window, else the hub's last action. */
async function undo() {
  const step = steps.pop()
  if (!step) return undoAtHub()
  saveSteps()
  toastOf.get(step)?.remove()
  for (const { key, inverse, action } of step.parts) {
    const entry = queue.read(key)
    if (entry && key !== queue.sending && !entry.isTried) queue.remove(key)
    else if (action) queue.add({ undo: action })
    else queue.add({ of: key, marks: inverse })
    for (const mark of inverse) {
      if (entry) settle(mark.video)
      paint(mark.video, mark)
    }
  }
  arrange(step.parts.flatMap((part) => part.inverse.map((mark) => mark.video)))
  toast(`Undone: ${step.text[0].toLowerCase()}${step.text.slice(1)}`)
  if (!isConnected) connected(false)
  await flush()
  // What a form did shows on any view.
  const isOfForm = step.parts.some((part) => !part.inverse.length)
  if ((isOfForm || !$('#list')) && !isTyping()) reload()
}

async function undoAtHub() {
  try {
    const response = await fetch(`${api}/undo`, { method: 'POST' })
    const answer = await response.json()
    toast(response.ok ? `Undone: ${answer.undone}` : answer.detail)
    if (response.ok) reload()
  } catch { toast('No connection: nothing was undone.') }
}

/** The video that keys act on: the current card, or that of the page. */
function subject() {
  const card = currentCard() ?? document.activeElement?.closest('.card')
  if (card) return { id: card.dataset.video, data: card.dataset, card }
  const data = watchedPage()
  return data.video && { id: data.video, data }
}

/** Marks by the name of a button or a key. */
function markAs(action, ids, form) {
  const reloads = $('#list') ? {} : { reload: true }
  const field = (name) => form?.elements[name]?.value?.trim() ?? ''
  switch (action) {
    case 'watched': case 'new': return mark(ids, { status: action }, words[action], reloads)
    case 'skip': return mark(ids, { status: 'skipped' }, words.skipped, reloads)
    case 'snooze': {
      const time = field('date') || field('until')
      return mark(ids, { status: 'snoozed', until: snoozeEnd(time) }, /^\d/.test(time) ? 'Snoozed' : words.snoozed, reloads)
    }
    case 'save': case 'unsave': return mark(ids, { saved: action === 'save' }, action === 'save' ? 'Saved' : 'Removed from saved', reloads)
    case 'note': {
      const { note } = form.elements
      const previous = note.defaultValue
      note.defaultValue = note.value
      return mark(ids, { note: field('note'), previous }, field('note') ? 'Note kept' : 'Note removed', { reload: true })
    }
    case 'collect': case 'uncollect': {
      const collection = field('collection')
      if (!collection) return toast('Which collection?')
      form.reset()
      return mark(ids, { collection, member: action === 'collect' }, `${action === 'collect' ? 'Added to' : 'Removed from'} ${collection}`, reloads)
    }
  }
}

/** Marks the subject by a key, and goes on to the next card where this one stays. */
function markByKey(action, on = false) {
  const { id, data, card } = subject() ?? {}
  if (!id) return
  const isSet = { watched: data.status === 'watched', skip: data.status === 'skipped' }[action]
  markAs(action === 'save' && data.saved === 'true' ? 'unsave' : isSet ? 'new' : action, [id])
  if (on && card && currentCard() === card) move(1)
}

// MARK: Selection

const selected = () => $$('#main .select:checked').filter((box) => !box.closest('.card')?.hidden)
let lastBox = null

function showSelection() {
  const bulk = $('#bulk')
  if (!bulk) return
  const count = selected().length
  bulk.hidden = count === 0
  bulk.dataset.selected = count
  root.classList.toggle('selecting', count > 0)
  if (count && !$('.above', bulk)) {
    ;($('.sheet', bulk) ?? bulk).prepend(element('button', { type: 'button', className: 'above', textContent: 'Select everything above', onclick: selectAbove }))
  }
  const output = $('output', bulk)
  if (output) output.textContent = `${count} selected`
}

function selectAbove() {
  const boxes = shownCards().map((card) => $('.select', card)).filter(Boolean)
  const last = boxes.findLastIndex((box) => box.checked)
  for (const box of boxes.slice(0, last + 1)) box.checked = true
  showSelection()
}

function clearSelection() {
  for (const box of selected()) box.checked = false
  showSelection()
}

/** Marks every card above the current one as watched. */
function markAbove() {
  const cards = shownCards()
  const place = cards.indexOf(currentCard())
  mark(cards.slice(0, Math.max(0, place)).filter((card) => card.dataset.status !== 'watched').map((card) => card.dataset.video), { status: 'watched' }, words.watched)
}

document.addEventListener('change', (event) => {
  if (!event.target.matches?.('.select')) return
  lastBox = event.target
  showSelection()
})

// MARK: Moving between views

history.scrollRestoration = 'manual'
let here = history.state?.page ?? 0
/** The views left behind, so that going back shows them as they were. */
const views = new Map()
let loading = null
/** The visit that the person asked for, while it loads, and whether the hub changed something meanwhile. */
let going = null
let isOutdated = false
/** Whether a form is sent whose answer takes the place of the present view. */
let isSending = false
let looking = null

const remember = () => views.set(here, { main: $('#main'), header: $('body > header'), title: document.title, view: root.dataset.view, place: place() })
const savePlace = () => history.replaceState({ ...history.state, page: here, place: place() }, '')

/** Where a view is scrolled to: the first card seen stays where it is, whatever the heights above it. */
function place() {
  const card = scrollY > 0 && shownCards().find((other) => other.getBoundingClientRect().bottom > 80)
  return { scroll: scrollY, ...(card && { card: card.dataset.video, top: card.getBoundingClientRect().top }) }
}

/** Puts a view in the place of the present one. */
function swap({ main, header, title, view }, isNew = true) {
  $('#main').replaceWith(main)
  $('body > header')?.replaceWith(header)
  document.title = title
  root.dataset.view = view ?? ''
  $('#fresh').hidden = true
  freshView = null
  setUp(isNew)
}

/** The view of an HTML document from the hub; nil if it is no view. */
function viewIn(text) {
  const page = new DOMParser().parseFromString(text, 'text/html')
  const main = $('#main', page)
  return main && { main: document.adoptNode(main), header: document.adoptNode($('body > header', page) ?? page.createElement('header')), title: page.title, view: page.documentElement.dataset.view }
}

/** Fetches a URL and shows it. `how` is `push`, `replace` (same place), `refresh` (unless someone types meanwhile), or
 * `pop` (moved already). */
async function visit(url, how = 'push', request = {}) {
  // A refresh keeps nobody from going elsewhere; it comes afterwards.
  if (how === 'refresh' && going) { isOutdated = true; return false }
  loading?.abort()
  isSending = Boolean(request.method)
  if (isSending) looking?.abort()
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
  if (!view) { location.assign(response.url); return false }
  // What was typed stays where it is.
  if (request.method && view.view === 'problem' && !response.ok) {
    toast($('p', view.main)?.textContent ?? view.title)
    return false
  }
  if (how === 'refresh' && isTyping()) return false
  const target = new URL(response.url)
  target.hash = new URL(url, location.href).hash
  const done = request.method && takeNotice(view.main, target)
  if (request.method && target.pathname + target.search === location.pathname + location.search) how = 'replace'
  if (how === 'push') {
    savePlace()
    remember()
    for (const page of [...views.keys()]) if (page > here || page < here - 20) views.delete(page)
    history.pushState({ page: ++here }, '', target)
  } else if (how !== 'pop' && target.href !== location.href) history.replaceState({ ...history.state, page: here }, '', target)
  const before = how === 'pop' ? history.state?.place : place()
  swap(view)
  if (how === 'push') {
    const anchor = target.hash && document.getElementById(target.hash.slice(1))
    anchor ? anchor.scrollIntoView() : scrollTo(0, 0)
    $('#main').focus({ preventScroll: true })
    announcer.textContent = document.title
  } else {
    scrollBack(before)
    if (document.activeElement === document.body) $('#main').focus({ preventScroll: true })
  }
  if (done) sayDone(done)
  if (isOutdated) { isOutdated = false; reload() }
  return true
}

const reload = () => visit(location.href, 'refresh')

/** Scrolls to a place of a view that was just put in, with the true heights of all its cards. */
function scrollBack({ scroll = 0, card, top } = {}) {
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
  loading?.abort()
  root.classList.remove('loading')
  swap(view, false)
  scrollBack(view.place)
  arrange(shownCards().filter(hasLeft).map((card) => card.dataset.video))
  // The place stays even where the current card is at an edge of the window, or outside it.
  const card = currentCard()
  ;((card && $('h3 a', card)) ?? $('#main')).focus({ preventScroll: true })
  announcer.textContent = document.title
})
// What the history is given now may be lost.
addEventListener('pagehide', () => ofWindow.write('place', { page: here, ...place() }))

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

/** Says what a form did; its action is one more step to undo. */
function sayDone({ text, action, isFollow }) {
  const shown = toast(element('bdi', { textContent: text }), ...(action ? [{ text: 'Undo', run: undo }] : []), ...(isFollow ? [{ text: 'Check now', run: poll }] : []))
  if (action) addStep({ parts: [{ action, inverse: [] }], text }, shown)
}

/** Prepares a view that was just put in. What is in a new one counts, but for marks that the hub does not have yet. */
function setUp(isNew = true) {
  for (const card of $$('#main .card')) prepare(card, isNew)
  updateDays()
  showSelection()
  token ??= $('#list')?.dataset.changes
  dock()
}

function prepare(card, isNew) {
  const { video: id, status, saved } = card.dataset
  if (isNew && !pending.has(id)) known.set(id, { status, saved: saved === 'true' })
  else if (known.has(id)) paintCard(card, known.get(id))
  if (pending.has(id) && hasLeft(card)) card.hidden = true
}

/** Appends the next page of a list; false if there is none. */
async function loadMore() {
  const link = $('#main a.more')
  if (!link || link.ariaBusy === 'true') return false
  link.ariaBusy = 'true'
  let view = null
  try {
    const response = await fetch(link.href, { headers: { Accept: 'text/html' } })
    if (response.ok) view = viewIn(await response.text())
  } catch { connected(false) }
  if (!view) {
    link.ariaBusy = 'false'
    toast('The next page could not be loaded.')
    return false
  }
  const list = $('#list')
  for (const day of $$('#list > *', view.main)) {
    const label = day.getAttribute('aria-labelledby')
    const same = label && list.querySelector(`:scope > [aria-labelledby="${CSS.escape(label)}"]`)
    const cards = $$('.card', day).filter((card) => !cardsOf(card.dataset.video, list).length)
    for (const card of cards) prepare(card, true)
    if (same) ($('.cards', same) ?? same).append(...cards)
    else list.append(day)
  }
  const next = $('a.more', view.main)
  const end = $('.end', view.main)
  next ? link.replaceWith(next) : end ? link.replaceWith(end) : link.remove()
  updateDays()
  announcer.textContent = `${shownCards().length} videos`
  return true
}

document.addEventListener('click', async (event) => {
  if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.altKey) return
  const box = event.target.closest?.('.select')
  if (box && event.shiftKey && lastBox) {
    const boxes = shownCards().map((card) => $('.select', card))
    const [from, to] = [boxes.indexOf(lastBox), boxes.indexOf(box)].sort((a, b) => a - b)
    if (from >= 0) for (const other of boxes.slice(from, to + 1)) other.checked = box.checked
  }
  const closer = event.target.closest?.('#help [data-close], #help .close')
  if (closer) return $('#help').close()
  const starter = event.target.closest?.('.stage button, .stage a, .card .thumb')
  const link = event.target.closest?.('a[href]')
  if (starter && !event.shiftKey) {
    event.preventDefault()
    return open(starter.closest('[data-video]'))
  }
  if (!link || event.shiftKey || link.target || link.hasAttribute('download') || link.origin !== location.origin) return
  const path = local(link.pathname)
  if (path === null || /^\/(api|feeds|login|logout|share)\b/.test(path) || link.getAttribute('href').startsWith('#')) return
  event.preventDefault()
  if (link.matches('a.more')) return loadMore()
  if (link.id === 'fresh') return showFresh()
  visit(link.href)
})

document.addEventListener('submit', (event) => {
  const form = event.target
  const button = event.submitter
  const action = new URL(button?.getAttribute('formaction') ?? form.getAttribute('action') ?? '', location.href)
  if (event.defaultPrevented || form.method === 'dialog' || action.origin !== location.origin) return
  const path = local(action.pathname)
  if (path === '/login' || path === '/logout') return forget(path)
  const data = new FormData(form, button)
  event.preventDefault()
  if (form.method === 'get') {
    action.search = new URLSearchParams([...data].filter(([, value]) => value !== ''))
    return visit(action)
  }
  if (path === '/poll') return poll()
  if (path === '/undo' && !data.get('action')) return undo()
  if (path === '/marks') {
    const ids = form.id === 'bulk' ? selected().map((chosen) => chosen.value)
      : form.matches('.all') ? openCards().map((card) => card.dataset.video) : data.getAll('video')
    const kind = data.get('action')
    if (form.id === 'bulk' && (kind !== 'collect' || data.get('collection').trim())) clearSelection()
    if (['watched', 'new', 'skip', 'snooze', 'save', 'unsave', 'note', 'collect', 'uncollect'].includes(kind)) return markAs(kind, ids, form)
  }
  views.clear()
  const isFile = form.enctype === 'multipart/form-data'
  visit(action, 'push', { method: 'POST', body: isFile ? data : new URLSearchParams(data) })
})

/** Before a logout: nothing of this user stays on this machine. */
function forget(path) {
  if (path !== '/logout') return
  for (const key of kept.keys()) if (key.startsWith('change:')) kept.remove(key)
  try { sessionStorage.clear() } catch { }
  navigator.serviceWorker?.controller?.postMessage('forget')
}

// A picture that the browser cannot or may not load leaves its place empty.
for (const kind of ['error', 'load']) {
  document.addEventListener(kind, ({ target }) => { if (target.matches?.('img')) target.classList.toggle('missing', kind === 'error') }, true)
}
// What failed before this ran.
for (const image of document.images) if (image.complete && !image.naturalWidth) image.classList.add('missing')

// A file dropped anywhere on the view of an import is its file.
for (const kind of ['dragover', 'dragleave', 'drop']) {
  document.addEventListener(kind, (event) => {
    const field = $('#main .drop input[type="file"]')
    if (!field || !event.dataTransfer?.types.includes('Files')) return
    event.preventDefault()
    field.closest('.drop').classList.toggle('over', kind === 'dragover')
    if (kind !== 'drop' || !event.dataTransfer.files.length) return
    field.files = event.dataTransfer.files
    const { form } = field
    form.requestSubmit($('button[value="import"]', form))
  })
}

// MARK: Keys

const places = { f: '/', c: '/channels', s: '/saved', h: '/history' }
let goesTo = 0

const keys = {
  j: () => move(1), k: () => move(-1),
  o: () => openSubject(),
  v: () => {
    const id = subject()?.id
    if (id) window.open($(`.card[data-video="${CSS.escape(id)}"] a.outside, #main a.outside`)?.href ?? `https://www.youtube.com/watch?v=${id}`, '_blank', 'noopener,noreferrer')
  },
  m: () => markByKey('watched', true), x: () => markByKey('skip', true), z: () => markByKey('snooze', true), s: () => markByKey('save'),
  u: undo, n: () => playNeighbour(1), p: () => playNeighbour(-1),
  i: () => openFields(), e: () => openFields('#note'), c: () => openFields('#collection'), Z: () => openFields('#until'),
  A: markAbove, r: poll, g: () => { goesTo = Date.now() },
  '/': () => $('input[type="search"]')?.focus(), '?': () => { $('#help').showModal(); $('#help').scrollTop = 0 },
  Escape: clearSelection,
}

document.addEventListener('keydown', (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing || $('dialog[open]')) return
  if (event.target.closest?.('input:not([type="checkbox"]), textarea, select, [contenteditable]')) return
  if (Date.now() - goesTo < 1500 && places[event.key]) {
    goesTo = 0
    event.preventDefault()
    return visit(base + places[event.key])
  }
  const seeks = playing && !event.shiftKey && { ArrowLeft: -10, ArrowRight: 10 }[event.key]
  if (seeks && !event.target.closest?.('.table, .tabs')) {
    event.preventDefault()
    return seek(seeks)
  }
  if (playing && event.key === ' ' && !event.repeat && !event.target.closest?.('button, summary, input, [tabindex="0"]')) {
    event.preventDefault()
    return command(playing.state === 2 ? 'playVideo' : 'pauseVideo')
  }
  const isTitle = event.key === 'Enter' && event.target.matches?.('.card.current h3 a')
  const run = isTitle ? keys.o : Object.hasOwn(keys, event.key) && keys[event.key]
  if (!run || (event.repeat && !'jk'.includes(event.key))) return
  event.preventDefault()
  run()
})

document.addEventListener('focusin', (event) => {
  const card = event.target.closest?.('#main .card')
  if (card) setCurrent(card, false)
})

/** Shows the page of the current video without playing it, with the focus in a field. */
async function openFields(field) {
  const { id, card } = subject() ?? {}
  if (!id || (card && !(await visit(`${base}/videos/${id}`)))) return
  const found = field && $(`#main ${field}`)
  found?.focus()
  found?.scrollIntoView({ block: 'center', behavior: 'instant' })
}

function pollWords({ state, pollerSeen }) {
  if (state === 'running') return 'A check of the feeds is running already.'
  if (state !== 'waiting') return 'Checking the feeds that are due…'
  const seen = pollerSeen ? `the last one was seen ${new Date(pollerSeen).toLocaleString()}` : 'none was seen for a week'
  return `No poller works; ${seen}. The feeds are checked as soon as one does.`
}

async function poll() {
  try {
    const response = await fetch(`${api}/poll`, { method: 'POST' })
    const answer = await response.json()
    toast(response.ok ? pollWords(answer) : answer.detail)
  } catch { connected(false); toast('No connection: the feeds were not checked.') }
}

// MARK: Swipes

let swipe = null
const farEnough = (card) => Math.min(120, card.offsetWidth * 0.35)

document.addEventListener('pointerdown', (event) => {
  const card = event.pointerType === 'touch' && event.isPrimary && event.target.closest?.('#main .card')
  swipe = card ? { card, x: event.clientX, y: event.clientY, by: 0, isOn: false } : null
})
document.addEventListener('pointermove', (event) => {
  if (!swipe || !event.isPrimary) return
  const [dx, dy] = [event.clientX - swipe.x, event.clientY - swipe.y]
  if (!swipe.isOn) {
    if (Math.abs(dy) > 12) swipe = null
    if (!swipe || Math.abs(dx) < 12) return
    swipe.isOn = true
    swipe.card.classList.add('swiping')
  }
  swipe.by = dx
  swipe.card.style.setProperty('--swipe', `${Math.round(dx)}px`)
  swipe.card.dataset.swipe = dx > 0 ? 'right' : 'left'
})
const endSwipe = (event) => {
  if (!swipe) return
  const { card, by, isOn } = swipe
  swipe = null
  card.classList.remove('swiping')
  card.style.removeProperty('--swipe')
  delete card.dataset.swipe
  if (!isOn) return
  // A browser that takes the end of a swipe for a tap opens nothing.
  card.addEventListener('click', (click) => { click.preventDefault(); click.stopPropagation() }, { capture: true, once: true, signal: AbortSignal.timeout(300) })
  if (event.type === 'pointerup' && Math.abs(by) >= farEnough(card)) markAs(by > 0 ? 'watched' : 'skip', [card.dataset.video])
}
document.addEventListener('pointerup', endSwipe)
document.addEventListener('pointercancel', endSwipe)

// MARK: The player

const box = $('#player')
/** The video in the player; nil while it is closed. */
let playing = null
/** The list that it came from. */
let line = []

/** Seconds before the end of a video that count as its end. */
const atEnd = 10

const entryOf = (card) => {
  const { video: id, position, duration } = card.dataset
  return { id, title: titleOf(card), position: known.get(id)?.progressSeconds ?? (Number(position) || 0), duration: Number(duration) || 0 }
}

/** Shows the page of a card's or stage's video, and plays it there. */
async function open(card) {
  const entry = card.matches('.stage') ? { ...entryOf(card), title: titleOf($('#main')) } : entryOf(card)
  if (card.matches('.card')) line = shownCards().map(entryOf)
  else if (!line.some((other) => other.id === entry.id)) line = [entry]
  if (!card.matches('.stage')) await visit(`${base}/videos/${entry.id}`)
  play(entry)
}

function openSubject() {
  const { card } = subject() ?? {}
  const target = card ?? $('#main .stage')
  if (target) open(target)
}

function neighbour(by) {
  const place = line.findIndex((entry) => entry.id === playing?.id)
  return place < 0 ? undefined : line[place + by]
}

async function playNeighbour(by) {
  if (!playing) return
  const entry = neighbour(by)
  if (!entry) return toast(by > 0 ? 'This was the last video of the list.' : 'This is the first video of the list.')
  keepPosition(true)
  if (box.dataset.mode === 'stage') await visit(`${base}/videos/${entry.id}`)
  play({ ...entry, position: known.get(entry.id)?.progressSeconds ?? entry.position })
}

/** Puts a new frame into the player: a change of its address would become a step of the history. */
function play(entry) {
  if (playing?.id === entry.id && playing.frame) return command('playVideo')
  closeFrame()
  const from = entry.position > 5 && (!entry.duration || entry.position <= entry.duration - atEnd) ? Math.floor(entry.position) : 0
  const query = new URLSearchParams({ enablejsapi: 1, origin: location.origin, start: from, rel: 0, playsinline: 1, autoplay: 1 })
  const frame = element('iframe', {
    src: `${embed}/embed/${encodeURIComponent(entry.id)}?${query}`, title: entry.title || 'Video',
    referrerPolicy: 'strict-origin-when-cross-origin', allow: 'autoplay; encrypted-media; picture-in-picture; fullscreen',
  })
  const button = (kind, text, sign, run) => element('button', { type: 'button', 'data-do': kind, title: text, ariaLabel: text, onclick: run }, sign)
  playing = { ...entry, frame, key: `${Date.now()}`, time: from, kept: from, action: null, isOver: false, isHeard: false }
  box.replaceChildren(
    element('div', { className: 'frame' }, frame),
    element('div', { className: 'bar' },
      element('a', { className: 'title', href: `${base}/videos/${entry.id}`, dir: 'auto', textContent: entry.title }),
      button('previous', 'Previous of the list', '‹', () => playNeighbour(-1)), button('next', 'Next of the list', '›', () => playNeighbour(1)),
      button('watched', 'Watched', icon('watched'), () => markAs('watched', [playing.id])), button('close', 'Close the player', icon('skip'), closePlayer)))
  box.hidden = false
  const now = playing
  frame.addEventListener('load', () => listen(now))
  dock()
}

/** Asks the frame to report until it answers. */
function listen(now) {
  let tries = 0
  const ask = () => {
    if (now !== playing || now.isHeard) return
    if (++tries > 40) return fail('The player does not answer.')
    now.frame.contentWindow?.postMessage(JSON.stringify({ event: 'listening', id: 1, channel: 'widget' }), embed)
    setTimeout(ask, 300)
  }
  ask()
}

function command(func, ...args) {
  playing?.frame?.contentWindow?.postMessage(JSON.stringify({ event: 'command', func, args, id: 1, channel: 'widget' }), embed)
}

/** Requests the events that the frame sends only to subscribers, once it listens. */
function subscribe() {
  playing.isHeard = true
  for (const name of ['onError', 'onStateChange']) command('addEventListener', name)
}

function seek(by) {
  playing.time = Math.max(0, playing.time + by)
  command('seekTo', playing.time, true)
}

const errors = {
  2: 'YouTube does not know this video.', 5: 'This video cannot be played in a browser.', 100: 'The video was removed or is private.',
  101: 'Its owner does not allow it to be played on other pages.', 150: 'Its owner does not allow it to be played on other pages.',
  153: 'YouTube refused to play it here.',
}

function fail(text) {
  $('.player-error', box)?.remove()
  box.prepend(element('p', { className: 'player-error', role: 'alert' }, `${text} `,
    element('a', { href: `https://www.youtube.com/watch?v=${playing.id}`, target: '_blank', rel: 'noopener noreferrer', textContent: 'Watch it on YouTube' })))
  dock()
}

addEventListener('message', (event) => {
  if (!playing?.frame || event.source !== playing.frame.contentWindow || event.origin !== embed || typeof event.data !== 'string') return
  let message
  try { message = JSON.parse(event.data) } catch { return }
  const info = message?.info
  if (!playing.isHeard) subscribe()
  if (message?.event === 'onError') return fail(errors[info] ?? `YouTube reports error ${Number(info)}.`)
  if (message?.event === 'onStateChange') return changed(info)
  if (!info || typeof info !== 'object') return
  if (Number.isFinite(info.duration) && info.duration > 0) playing.duration = info.duration
  if (Number.isFinite(info.currentTime) && info.currentTime >= 0 && !playing.isOver) playing.time = info.currentTime
  keepPosition()
  if (info.playerState !== undefined) changed(info.playerState)
})

function changed(state) {
  if (state === playing.state) return
  playing.state = state
  if (state === 1) playing.isOver = false
  if (state === 2) keepPosition(true)
  if (state === 0 && !playing.isOver) {
    playing.isOver = true
    mark([playing.id], { status: 'watched', progressSeconds: 0 }, words.watched, $('.stage') ? { reload: !neighbour(1) } : {})
    if (neighbour(1)) playNeighbour(1)
  }
}

/** Keeps the position every ten seconds, as one action of the log for each play. */
function keepPosition(now = false) {
  if (!playing || playing.isOver) return
  const { id, key, action, duration } = playing
  // Nobody resumes in the last seconds; the end itself marks the video.
  if (duration && playing.time > duration - atEnd) return
  const seconds = Math.floor(playing.time)
  if (seconds === playing.kept || (!now && Math.abs(seconds - playing.kept) < 10)) return
  playing.kept = seconds
  for (const other of queue.positions(key)) if (other !== queue.sending) queue.remove(other)
  queue.add({ marks: [{ video: id, progressSeconds: seconds }], play: key, action, isQuiet: true })
  paint(id, { progressSeconds: seconds })
  flush()
}

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
  playing = null
}

function closePlayer() {
  closeFrame()
  box.hidden = true
  $('#main .stage')?.style.removeProperty('--bar')
  $('#main').focus({ preventScroll: true })
}

new ResizeObserver(dock).observe(document.body)
for (const name of ['pagehide', 'visibilitychange']) addEventListener(name, () => { if (document.hidden || name === 'pagehide') keepPosition(true) })

// MARK: Live updates

let token = null
let events = null
/** The present list as the hub has it by now, for the bar that shows it. */
let freshView = null

function hear() {
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
    $('#main .checked')?.replaceWith(checked ?? '')
    banner?.replaceWith(trouble ?? '')
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

function showFresh() {
  if (!freshView) return reload()
  swap(freshView)
  scrollTo(0, 0)
  $('#main').focus({ preventScroll: true })
}

document.addEventListener('visibilitychange', hear)
addEventListener('online', () => { hear(); flush() })
addEventListener('offline', () => connected(false))

// MARK: Start

root.classList.add('scripted')
history.replaceState({ ...history.state, page: here }, '')
const left = ofWindow.read('place')
if (left?.page === here && performance.getEntriesByType('navigation')[0]?.type !== 'navigate') scrollBack(left)
for (const key of queue.keys()) {
  for (const change of queue.read(key)?.marks ?? []) {
    pending.set(change.video, (pending.get(change.video) ?? 0) + 1)
    paint(change.video, change)
  }
}
setUp()
hear()
if (queue.keys().length) flush()
navigator.serviceWorker?.register(`${base}/sw.js`).catch(() => { })
