// What the person prefers, as each document has it: looks on its root, the player's on its body.

import { $$, root } from './page.mjs'

/** What the person prefers of the player. */
export function preferred() {
  const { watchedAt = '90%', autoplay = 'yes', speed = '1' } = document.body.dataset
  return { watchedAt, playsNext: autoplay === 'yes', speed }
}

/** The second from which a video counts as watched: `90%` of its length, or `30s` before its end. */
export function watchedFrom(threshold, duration) {
  if (!(duration > 0)) return Infinity
  const number = Number.parseFloat(threshold)
  if (threshold.endsWith('%')) return duration * number / 100
  return number < duration ? duration - number : duration
}

/** Takes over what another document of the hub says that the person prefers. */
export function takeLook(page) {
  const copy = (to, from, names) => {
    for (const name of names) {
      if (from[name] === undefined) delete to[name]
      else to[name] = from[name]
    }
  }
  copy(root.dataset, page.documentElement.dataset, ['theme', 'density'])
  copy(document.body.dataset, page.body.dataset, ['watchedAt', 'autoplay', 'speed'])
  const colors = (of) => $$('meta[name="color-scheme"], meta[name="theme-color"]', of)
  const fresh = colors(page)
  colors(document).forEach((meta, index) => { if (fresh[index]) meta.content = fresh[index].content })
}
