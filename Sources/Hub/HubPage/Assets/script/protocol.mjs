// Messages between the page and the frame of a player: YouTube's, and the hub's own, which speaks the same.
// https://developers.google.com/youtube/iframe_api_reference

/** Asks the frame to report what it plays. */
export const listening = JSON.stringify({ event: 'listening', id: 1, channel: 'widget' })

/** Calls a function of the player. */
export const call = (func, args) => JSON.stringify({ event: 'command', func, args, id: 1, channel: 'widget' })

const errors = {
  2: 'YouTube does not know this video.', 5: 'This video cannot be played in a browser.', 100: 'The video was removed or is private.',
  101: 'Its owner does not allow it to be played on other pages.', 150: 'Its owner does not allow it to be played on other pages.',
  153: 'YouTube refused to play it here.',
  network: 'Its server does not send the file.', format: 'This browser cannot play the file, or its server does not send it.',
}

/** What a message of the frame reports; null if it is no message of the player. An error as its text: `{ error }`; a new
 * state: `{ state }`; a wish of the hub's own frame for another one of the list: `{ step }`; while it plays `{ isProgress: true }` with what it has of `time` and `duration`, both in seconds, and
 * `state`. */
export function reported(data) {
  if (typeof data !== 'string') return null
  let message
  try { message = JSON.parse(data) } catch { return null }
  const info = message?.info
  if (message?.event === 'onError') return { error: (Object.hasOwn(errors, info) && errors[info]) || `YouTube reports error ${Number(info)}.` }
  if (message?.event === 'step') return { step: Math.sign(info) || 0 }
  if (message?.event === 'onStateChange') return { state: info }
  if (!info || typeof info !== 'object') return {}
  const { duration, currentTime: time, playerState: state } = info
  return {
    isProgress: true, ...(Number.isFinite(duration) && duration > 0 && { duration }),
    ...(Number.isFinite(time) && time >= 0 && { time }), ...(state !== undefined && { state }),
  }
}
