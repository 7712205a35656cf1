// Clicks: links, boxes and starters of the player; and pictures that do not load.

import { $, local } from './page.mjs'
import { shownCards } from './cards.mjs'
import { lastBox } from './selection.mjs'
import { visit } from './views.mjs'
import { loadMore } from './paging.mjs'
import { open, openAt } from './player.mjs'
import { showFresh } from './live.mjs'

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
  if (link?.matches('.watch a.time') && !event.shiftKey) {
    event.preventDefault()
    return openAt($('#main .stage'), Number(link.dataset.seconds))
  }
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

// A picture that the browser cannot or may not load leaves its space empty.
for (const kind of ['error', 'load']) {
  document.addEventListener(kind, ({ target }) => { if (target.matches?.('img')) target.classList.toggle('missing', kind === 'error') }, true)
}

// What failed before this ran.
for (const image of document.images) if (image.complete && !image.naturalWidth) image.classList.add('missing')
