// Short messages at the edge of the window, and those for screen readers.

import { $, element } from './page.mjs'

export const announcer = element('p', { className: 'vh', role: 'status' })
document.body.append(announcer)

/** Shows a message for some seconds, longer while it is pointed at or focused; returns it. Each button is `{ text, run }`. */
export function toast(content, ...buttons) {
  const shown = element('div', { className: 'toast' }, element('span', {}, ...[content].flat()))
  const close = () => shown.remove()
  for (const button of buttons) shown.append(element('button', { type: 'button', textContent: button.text, onclick: () => { close(); button.run() } }))
  const area = $('#toasts')
  area.append(shown)
  while (area.children.length > 3) area.firstChild.remove()
  const wait = () => setTimeout(() => (shown.matches(':hover, :focus-within') ? wait() : close()), 8000)
  wait()
  return shown
}

export const named = (title) => element('bdi', { textContent: title.length > 60 ? title.slice(0, 59) + '…' : title })
