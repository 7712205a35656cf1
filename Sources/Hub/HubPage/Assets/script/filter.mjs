// What is typed into the search field narrows the cards of the view, before Enter searches all videos.

import { $, $$, element } from './page.mjs'
import { shownCards } from './cards.mjs'
import { updateDays } from './list.mjs'
import { onShown } from './views.mjs'

/** A text without case and accents. */
const plain = (text) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** Shows only cards whose title or channel has every word that is typed; all while the field is as the view came. */
export function narrow() {
  const field = $('#q')
  const words = field && field.value !== field.defaultValue ? plain(field.value).split(/\s+/).filter(Boolean) : []
  for (const card of $$('#main #list .card')) {
    const text = words.length ? plain(`${$('h3', card)?.textContent ?? ''} ${$('.channel', card)?.textContent ?? ''}`) : ''
    card.classList.toggle('unmatched', !words.every((word) => text.includes(word)))
  }
  for (const day of $$('#main .day:has(.card)')) day.classList.toggle('unmatched', !$('.card:not(.unmatched)', day))
  updateDays()
  $('#narrowed')?.remove()
  if (!words.length || !$('#list')) return
  const count = shownCards().length
  $('#list').before(element('p', { id: 'narrowed', role: 'status' },
    `${count} of the videos loaded here ${count === 1 ? 'matches' : 'match'}. Enter searches all videos.`))
}

document.addEventListener('input', ({ target }) => { if (target.id === 'q') narrow() })
onShown.add(narrow)

// The chosen chip of a row that scrolls is in sight.
onShown.add(() => {
  for (const chip of $$('#main .tabs [aria-current]')) {
    const row = chip.closest('.tabs')
    row.scrollLeft = Math.max(0, chip.offsetLeft - row.offsetLeft - row.clientWidth / 2)
  }
})
