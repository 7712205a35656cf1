// Swipes of cards on a touch screen, and long presses, which select.

import { select } from './selection.mjs'
import { markAs } from './marks.mjs'

let swipe = null
/** The timer of a press that stays where it is, and the card that it selected last. */
let press = 0
let pressed = null
const longPress = 500
const farEnough = (card) => Math.min(120, card.offsetWidth * 0.35)

document.addEventListener('pointerdown', (event) => {
  const card = event.pointerType === 'touch' && event.isPrimary && event.target.closest?.('#main .card')
  swipe = card ? { card, x: event.clientX, y: event.clientY, by: 0, isOn: false } : null
  clearTimeout(press)
  pressed = null
  if (card && !event.target.closest('button, input')) press = setTimeout(() => hold(card), longPress)
})

/** Selects the card that is pressed long; what the browser would do then stays undone. */
function hold(card) {
  swipe = null
  pressed = card
  select(card)
  navigator.vibrate?.(20)
}

document.addEventListener('contextmenu', (event) => { if (pressed || (swipe && event.target.closest?.('#main .card'))) event.preventDefault() })
document.addEventListener('click', (event) => {
  if (!pressed) return
  pressed = null
  event.preventDefault()
  event.stopPropagation()
}, true)

document.addEventListener('pointermove', (event) => {
  if (!swipe || !event.isPrimary) return
  if (Math.hypot(event.clientX - swipe.x, event.clientY - swipe.y) > 10) clearTimeout(press)
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
  swipe.card.classList.toggle('far', Math.abs(dx) >= farEnough(swipe.card))
})

const endSwipe = (event) => {
  clearTimeout(press)
  if (!swipe) return
  const { card, by, isOn } = swipe
  swipe = null
  card.classList.remove('swiping', 'far')
  card.style.removeProperty('--swipe')
  delete card.dataset.swipe
  if (!isOn) return
  // A browser that takes the end of a swipe for a tap opens nothing.
  card.addEventListener('click', (click) => { click.preventDefault(); click.stopPropagation() }, { capture: true, once: true, signal: AbortSignal.timeout(300) })
  if (event.type === 'pointerup' && Math.abs(by) >= farEnough(card)) markAs(by > 0 ? 'watched' : 'skip', [card.dataset.video])
}

document.addEventListener('pointerup', endSwipe)
document.addEventListener('pointercancel', endSwipe)
