// The next page of a list, and moving through its cards.

import { $, $$, hook } from './page.mjs'
import { announcer, toast } from './messages.mjs'
import { connected, isConnected } from './connection.mjs'
import { flush } from './sending.mjs'
import { cardsOf, currentCard, setCurrent, shownCards } from './cards.mjs'
import { onEmptied, prepare, updateDays } from './list.mjs'
import { reload, viewIn } from './views.mjs'
import { narrow } from './filter.mjs'

/** Runs when a page was appended. */
export const onMore = hook()

/** Appends the next page of a list; false if there is none. */
export async function loadMore() {
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
  onMore()
  updateDays()
  narrow()
  announcer.textContent = `${shownCards().length} videos`
  return true
}

/** Moves the current card; at the end of the page the next one is loaded. */
export async function move(by) {
  const cards = shownCards()
  const index = cards.indexOf(currentCard() ?? document.activeElement?.closest('.card'))
  if (index < 0) {
    const first = cards.find((card) => card.getBoundingClientRect().bottom > 80)
    if (first) setCurrent(first)
  } else if (cards[index + by]) setCurrent(cards[index + by])
  else if (by > 0 && (await loadMore())) move(1)
}

// The end of the list says what there is besides.
onEmptied.add(() => flush().then(loadMore).then((more) => more || !isConnected || reload()))
