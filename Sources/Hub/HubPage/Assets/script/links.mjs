// Clicks: links, boxes and starters of the player; and pictures that do not load.

import { $, local, root } from './page.mjs'
import { shownCards } from './cards.mjs'
import { lastBox, select } from './selection.mjs'
import { visit } from './views.mjs'
import { loadMore } from './paging.mjs'
import { openMenu } from './menu.mjs'
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
  const card = event.target.closest?.('#main .card')
  if (card && !box && root.classList.contains('selecting') && event.pointerType === 'touch') {
    event.preventDefault()
    return select(card)
  }
  const more = event.target.closest?.('.card .menu')
  if (more && !event.shiftKey) {
    event.preventDefault()
    return openMenu(card, more)
  }
  const starter = event.target.closest?.('.stage button, .stage a, .card .thumb')
  const link = event.target.closest?.('a[href]')
  if (link?.matches('.watch a.time') && !event.shiftKey && $('#main .stage')?.dataset.kind !== 'article') {
    event.preventDefault()
    return openAt($('#main .stage'), Number(link.dataset.seconds))
  }
  const started = starter?.closest('[data-video]')
  // An article has its page alone.
  if (started && !event.shiftKey && started.dataset.kind !== 'article') {
    event.preventDefault()
    return open(started)
  }
  if (!link || event.shiftKey || link.target || link.hasAttribute('download') || link.origin !== location.origin) return
  const path = local(link.pathname)
  if (path === null || /^\/(api|feeds|login|logout|share)\b/.test(path) || link.getAttribute('href').startsWith('#')) return
  event.preventDefault()
  if (link.matches('a.more')) return loadMore()
  if (link.id === 'fresh') return showFresh()
  visit(link.href)
})

/** What YouTube has instead of a picture is 120 pixels wide, which a set of pictures makes less. */
const isMissing = (image, failed) => failed || (image.srcset && image.naturalWidth < 100)

/** Leaves the space of a picture empty that the browser cannot or may not load; of several sizes the first exists always. */
function check(image, failed) {
  if (image.srcset && isMissing(image, failed)) return image.removeAttribute('srcset')
  image.classList.toggle('missing', failed)
}

for (const kind of ['error', 'load']) {
  document.addEventListener(kind, ({ target }) => { if (target.matches?.('img')) check(target, kind === 'error') }, true)
}

// What failed before this ran.
for (const image of document.images) if (image.complete) check(image, !image.naturalWidth)
