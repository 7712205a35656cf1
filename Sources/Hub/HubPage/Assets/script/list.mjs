// Cards that leave their list or come back, and the numbers above them.

import { $, $$, hook, reducedMotion } from './page.mjs'
import { cardsOf, hasLeft, known, openCards, paintCard, pending, setCurrent, shownCards } from './cards.mjs'
import { showSelection } from './selection.mjs'

/** Runs when the last card left the list. */
export const onEmptied = hook()

export function updateDays() {
  for (const day of $$('#main .day:has(.card)')) day.hidden = !$('.card:not([hidden])', day)
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

/** Removes cards that left their list, or brings them back; whoever had the focus on one gets the next. */
export function arrange(ids) {
  const all = ids.flatMap((id) => cardsOf(id))
  const leaving = all.filter((card) => hasLeft(card) && !card.hidden)
  const back = all.filter((card) => !hasLeft(card) && (card.hidden || card.classList.contains('leaving')))
  const focused = leaving.find((card) => card.contains(document.activeElement) || card.classList.contains('current'))
  if (focused) {
    const cards = shownCards()
    const index = cards.indexOf(focused)
    const next = cards.slice(index + 1).find((card) => !leaving.includes(card)) ?? cards.slice(0, index).reverse().find((card) => !leaving.includes(card))
    next ? setCurrent(next) : $('#main').focus({ preventScroll: true })
  }
  const hide = () => {
    for (const card of leaving) if (card.classList.contains('leaving')) { card.hidden = true; card.classList.remove('leaving') }
    updateDays()
    // The end of the list says what there is besides; cards that do not match what is typed are still there.
    if (leaving.length && !$('#main .card:not([hidden], .leaving)')) onEmptied()
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

export function prepare(card, isNew) {
  const { video: id, status, saved } = card.dataset
  if (isNew && !pending.has(id)) known.set(id, { status, saved: saved === 'true' })
  else if (known.has(id)) paintCard(card, known.get(id))
  if (pending.has(id) && hasLeft(card)) card.hidden = true
}
