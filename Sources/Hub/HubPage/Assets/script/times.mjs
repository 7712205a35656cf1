// Times in the reader's own zone, where the hub renders those of another one and the person chose none.

import { $, $$, element, root } from './page.mjs'
import { momentText, sectionOf } from './clock.mjs'
import { updateDays } from './list.mjs'
import { onShown } from './views.mjs'
import { onMore } from './paging.mjs'

/** In the reader's own form. */
const long = (time) => new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }).format(time)

const published = (card) => { const time = $('.meta > time', card); return time && new Date(time.dateTime) }

/** Puts the cards of a list of days under the headings of the reader's own days. */
function divide(list) {
  const now = new Date()
  const sections = $$(':scope > .day', list)
  const belongs = (card, section) => { const time = published(card); return !time || section.getAttribute('aria-labelledby') === `d-${sectionOf(time, now).key}` }
  if (sections.every((section) => $$('.card', section).every((card) => belongs(card, section)))) return
  const made = new Map()
  for (const card of $$('.card', list)) {
    const time = published(card)
    const { key, heading } = time ? sectionOf(time, now) : { key: 'unseen', heading: 'In no feed yet' }
    if (!made.has(key)) {
      const cards = element('div', { className: 'cards' })
      made.set(key, cards)
      list.append(element('section', { className: 'day', 'aria-labelledby': `d-${key}` }, element('h2', { id: `d-${key}`, textContent: heading }), cards))
    }
    made.get(key).append(card)
  }
  for (const section of sections) section.remove()
}

/** Shows the times of the present view, or of what was added to it. */
export function localize() {
  if ('zoned' in root.dataset) return
  for (const time of $$('#main time[datetime]')) {
    const moment = new Date(time.dateTime)
    if (Number.isNaN(moment.getTime())) continue
    time.title = long(moment)
    if ('moment' in time.dataset) time.textContent = momentText(moment)
  }
  const list = $('#list[data-by="days"]')
  if (list) divide(list)
}

onShown.add(() => { localize(); updateDays() })
onMore.add(localize)
