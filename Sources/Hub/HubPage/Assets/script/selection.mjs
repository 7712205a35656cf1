// The cards selected by their boxes, for the bar and the keys that mark them together.

import { $, $$, element, root } from './page.mjs'
import { currentCard, shownCards } from './cards.mjs'

export const selected = () => $$('#main .select:checked').filter((box) => !box.closest('.card')?.hidden)
export let lastBox = null

export function showSelection() {
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

export function clearSelection() {
  for (const box of selected()) box.checked = false
  showSelection()
}

/** Selects a card, or no longer. */
export function select(card, isSelected = !$('.select', card)?.checked) {
  const box = $('.select', card)
  if (!box) return
  box.checked = isSelected
  lastBox = box
  showSelection()
}

/** Selects the current card, or no longer. */
export function selectCurrent() {
  const card = currentCard()
  if (card) select(card)
}

/** The videos that are selected, which no longer are then. */
export function takeSelection() {
  const ids = selected().map((box) => box.value)
  clearSelection()
  return ids
}

document.addEventListener('change', (event) => {
  if (!event.target.matches?.('.select')) return
  lastBox = event.target
  showSelection()
})
