// The video in the player.

import { known, titleOf } from './cards.mjs'

/** The video in the player; null while it is closed. */
export let playing = null
export const setPlaying = (video) => { playing = video }

/** Seconds before the end of a video that count as its end. */
export const atEnd = 10

export const entryOf = (card) => {
  const { video: id, position, duration } = card.dataset
  return { id, title: titleOf(card), position: known.get(id)?.progressSeconds ?? (Number(position) || 0), duration: Number(duration) || 0 }
}
