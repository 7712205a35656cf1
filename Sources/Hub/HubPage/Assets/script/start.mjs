// Starts the page.

import { base, root } from './page.mjs'
import { ofWindow } from './storage.mjs'
import { queue } from './queue.mjs'
import { flush } from './sending.mjs'
import { paint, pending } from './cards.mjs'
import { here, scrollBack, setUp } from './views.mjs'
import { hear } from './live.mjs'
import './links.mjs'
import './keys.mjs'
import './swipes.mjs'
import './times.mjs'

root.classList.add('scripted')
history.replaceState({ ...history.state, page: here }, '')
const left = ofWindow.read('place')
if (left?.page === here && performance.getEntriesByType('navigation')[0]?.type !== 'navigate') scrollBack(left)

for (const key of queue.keys()) {
  for (const change of queue.read(key)?.marks ?? []) {
    pending.set(change.video, (pending.get(change.video) ?? 0) + 1)
    paint(change.video, change)
  }
}

setUp()
hear()
if (queue.keys().length) flush()
navigator.serviceWorker?.register(`${base}/sw.js`).catch(() => { })
