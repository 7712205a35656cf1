// The keyboard.

import { $, base } from './page.mjs'
import { currentCard, setCurrent, subject } from './cards.mjs'
import { clearSelection, select, selectCurrent } from './selection.mjs'
import { visit } from './views.mjs'
import { move } from './paging.mjs'
import { playing } from './playing.mjs'
import { undo } from './steps.mjs'
import { markAbove, markByKey } from './marks.mjs'
import { openMenuOfSubject } from './menu.mjs'
import { command, openSubject, playNeighbour, seek } from './player.mjs'
import { poll } from './forms.mjs'

const places = { f: '/', c: '/channels', s: '/saved', h: '/history' }
let goesTo = 0

const keys = {
  j: () => move(1), k: () => move(-1),
  o: () => openSubject(),
  v: () => {
    const id = subject()?.id
    if (id) window.open($(`.card[data-video="${CSS.escape(id)}"] a.outside, #main a.outside`)?.href ?? `https://www.youtube.com/watch?v=${id}`, '_blank', 'noopener,noreferrer')
  },
  m: () => markByKey('watched', true), x: () => markByKey('skip', true), z: () => markByKey('snooze', true),
  t: () => markByKey('tonight', true), w: () => markByKey('weekend', true), s: () => markByKey('save'),
  u: undo, n: () => playNeighbour(1), p: () => playNeighbour(-1),
  i: () => openFields(), e: () => openFields('#note'), c: () => openFields('#collection'), Z: () => openFields('#until'),
  f: openFilter,
  a: selectCurrent, J: () => selectAnd(1), K: () => selectAnd(-1), b: () => $('#bulk:not([hidden]) button')?.focus(),
  '.': openMenuOfSubject,
  A: markAbove, r: poll, g: () => { goesTo = Date.now() },
  '/': () => $('input[type="search"]')?.focus(), '?': () => { $('#help').showModal(); $('#help').scrollTop = 0 },
  Escape: clearSelection,
}

function openFilter() {
  $('#filter')?.showPopover()
  $('#filter nav a')?.focus()
}

/** Selects the current card and the one that it moves to. */
async function selectAnd(by) {
  if (currentCard()) select(currentCard(), true)
  await move(by)
  if (currentCard()) select(currentCard(), true)
}

/** The key by its letter, or by its position where the layout has other letters, whatever Caps Lock says. */
function keyOf(event) {
  const { key, code, shiftKey } = event
  const isForeign = key.length === 1 && key > '~'
  const letter = isForeign ? /^Key([A-Z])$/.exec(code)?.[1] : /^[a-z]$/i.test(key) && event.getModifierState('CapsLock') ? key : null
  if (letter) return shiftKey ? letter.toUpperCase() : letter.toLowerCase()
  return isForeign && code === 'Slash' ? (shiftKey ? '?' : '/') : key
}

document.addEventListener('keydown', (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing || $('dialog[open], :popover-open')) return
  if (event.key === 'Escape' && event.target.matches?.('#q')) return $('#main').focus({ preventScroll: true })
  if (event.target.closest?.('input:not([type="checkbox"]), textarea, select, [contenteditable]')) return
  const key = keyOf(event)
  if (Date.now() - goesTo < 1500 && places[key]) {
    goesTo = 0
    event.preventDefault()
    return visit(base + places[key])
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
  const run = isTitle ? keys.o : Object.hasOwn(keys, key) && keys[key]
  if (!run || (event.repeat && !'jkJK'.includes(key))) return
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
