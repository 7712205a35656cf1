// The video in the player: where it starts, and which of its positions are kept.

import { known, titleOf } from './cards.mjs'
import { preferred, watchedFrom } from './preferences.mjs'

/** The video in the player; null while it is closed. */
export let playing = null
export const setPlaying = (video) => { playing = video }

/** Seconds before the end of a video that count as its end. */
const atEnd = 10

export const entryOf = (card) => {
  const { video: id, position, duration, speed, kind } = card.dataset
  return { id, kind, title: titleOf(card), position: known.get(id)?.progressSeconds ?? (Number(position) || 0), duration: Number(duration) || 0, speed: speed ?? preferred().speed }
}

/** The second at which a video starts: where it was left, unless that is its beginning or its end. */
export const startOf = ({ position, duration }) => (position > 5 && (!duration || position <= duration - atEnd) ? Math.floor(position) : 0)

/** The second to keep of a video that plays: every ten seconds, or any other one `now`; null if there is none to keep. */
export function positionToKeep({ time, duration, kept, isOver, isWatched }, now = false) {
  // What was watched begins at its start the next time.
  if (isOver || isWatched || (duration && time > duration - atEnd)) return null
  const seconds = Math.floor(time)
  return seconds === kept || (!now && Math.abs(seconds - kept) < 10) ? null : seconds
}

/** Whether a video that plays has passed what the person counts as watched, for the first time. */
export const isNowWatched = ({ time, duration, state, isOver, isWatched }) =>
  state === 1 && !isOver && !isWatched && time >= watchedFrom(preferred().watchedAt, duration)
