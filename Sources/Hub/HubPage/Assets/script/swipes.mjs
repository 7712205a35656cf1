// Swipes of cards on a touch screen.

import { markAs } from './marks.mjs'

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
