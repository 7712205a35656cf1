// Cards of videos, and the state that they show.

import { $, $$, root } from './page.mjs'

/** The videos with changes that the hub has not confirmed. */
export const pending = new Map()

export function settle(id) {
  const left = (pending.get(id) ?? 1) - 1
  left > 0 ? pending.set(id, left) : pending.delete(id)
  if (left <= 0) for (const card of cardsOf(id)) card.classList.remove('pending')
}

/** What was learnt of videos since their cards were made: of a list that is shown again. */
export const known = new Map()

export const cardsOf = (id, base = document) => $$(`.card[data-video="${CSS.escape(id)}"]`, base)
/** Those that left the list are hidden, those that do not match what is typed are not. */
export const shownCards = () => $$('#main .card:not([hidden], .leaving, .unmatched)')
export const currentCard = () => $('#main .card.current:not([hidden], .leaving, .unmatched)')
export const titleOf = (card) => $('h3, h1', card)?.textContent.trim() ?? ''

/** Shows a state of a video on its cards. */
export function paint(id, { status, saved, progressSeconds }) {
  const state = { ...known.get(id), ...(status && { status }), ...(saved !== undefined && { saved }), ...(progressSeconds !== undefined && { progressSeconds }) }
  known.set(id, state)
  for (const card of cardsOf(id)) paintCard(card, state)
}

export function paintCard(card, { status, saved, progressSeconds }) {
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
    button.title = labels[value]
    button.ariaLabel = card.matches('.card') ? `${labels[value]}: ${titleOf(card)}` : labels[value]
  }
}

const labels = { watched: 'Watched', skip: 'Skip', new: 'Mark as new again', save: 'Save', unsave: 'Remove from saved' }

/** Whether a card is no longer one of its list. */
export function hasLeft(card) {
  const query = new URLSearchParams(location.search)
  if (root.dataset.view === 'saved') return card.dataset.saved !== 'true'
  if (root.dataset.view !== 'feed' || query.get('status') === 'all') return false
  if (!query.has('status')) return query.get('all') !== 'true' && card.dataset.status !== 'new'
  return !query.getAll('status').includes(card.dataset.status)
}

/** The cards shown that are new: those that a button below them marks. */
export const openCards = () => shownCards().filter((card) => card.dataset.status === 'new')

export function setCurrent(card, focuses = true) {
  for (const other of $$('.card.current')) if (other !== card) other.classList.remove('current')
  card.classList.add('current')
  if (!focuses) return
  $('h3 a', card)?.focus({ preventScroll: true })
  card.scrollIntoView({ block: 'nearest', behavior: 'instant' })
}

/** What the page of a video says of it. */
export const watchedPage = () => ({ ...$('#main .stage')?.dataset, ...$('#main .watch')?.dataset })

/** The video that keys act on: the current card, or that of the page. */
export function subject() {
  const card = currentCard() ?? document.activeElement?.closest('.card')
  if (card) return { id: card.dataset.video, data: card.dataset, card }
  const data = watchedPage()
  return data.video && { id: data.video, data }
}
