// Texts of times in the browser's zone, and when snoozes end.

const formatter = (options) => { const made = new Intl.DateTimeFormat('en-GB', options); return (time) => made.format(time) }
const clock = formatter({ hour: '2-digit', minute: '2-digit' })
const weekday = formatter({ weekday: 'long' })
const dayOfMonth = formatter({ day: 'numeric', month: 'long' })
const dayOfYear = formatter({ day: 'numeric', month: 'long', year: 'numeric' })
const month = formatter({ month: 'long' })
const monthOfYear = formatter({ month: 'long', year: 'numeric' })
const daysBefore = (time, now) => Math.round((new Date(now).setHours(0, 0, 0, 0) - new Date(time).setHours(0, 0, 0, 0)) / 86_400_000)
const number = (count) => String(count).padStart(2, '0')
const monthKey = (time) => `${time.getFullYear()}-${number(time.getMonth() + 1)}`

/** A day near now: `today`, `tomorrow`, `Friday`, `12 November`, `12 November 2025`. */
function dayText(time, now) {
  const days = daysBefore(time, now)
  const near = { 0: 'today', 1: 'yesterday', '-1': 'tomorrow' }[days]
  if (near) return near
  if (days > 1 && days < 7) return weekday(time)
  return time.getFullYear() === now.getFullYear() ? dayOfMonth(time) : dayOfYear(time)
}

/** A moment near now: `today 18:05`, `12 November 18:05`. */
export const momentText = (time, now = new Date()) => `${dayText(time, now)} ${clock(time)}`

/** The section of a list that a time belongs to, as the hub divides lists: days of the last week, then months. */
export function sectionOf(time, now = new Date()) {
  const days = daysBefore(time, now)
  if (days < 7) {
    const text = dayText(time, now)
    return { key: `${monthKey(time)}-${number(time.getDate())}`, heading: text[0].toUpperCase() + text.slice(1) }
  }
  if (time.getFullYear() !== now.getFullYear()) return { key: monthKey(time), heading: monthOfYear(time) }
  return { key: monthKey(time), heading: time.getMonth() === now.getMonth() ? `Earlier in ${month(time)}` : month(time) }
}

/** When a snooze ends: a span counts from now, not from when the hub gets it; a day begins at midnight; tonight at eight,
 * or in three hours if it is six or later; the weekend on Saturday at nine; else tomorrow at six in the morning. */
export function snoozeEnd(text, now = new Date()) {
  const time = new Date(now)
  const [, count, unit] = /^(\d+)([hdw])$/.exec(text) ?? []
  if (/^\d{4}-\d\d-\d\d$/.test(text)) time.setTime(new Date(`${text}T00:00`))
  else if (count) time.setTime(time.getTime() + count * { h: 3600e3, d: 86400e3, w: 604800e3 }[unit])
  else if (text === 'tonight') now.getHours() < 18 ? time.setHours(20, 0, 0, 0) : time.setTime(time.getTime() + 3 * 3600e3)
  else if (text === 'weekend') {
    time.setDate(time.getDate() + ((6 - time.getDay() + 7) % 7 || 7))
    time.setHours(9, 0, 0, 0)
  } else {
    time.setDate(time.getDate() + 1)
    time.setHours(6, 0, 0, 0)
  }
  return time.toISOString().replace(/\.\d+/, '')
}
