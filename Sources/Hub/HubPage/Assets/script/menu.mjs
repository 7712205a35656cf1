// The menu of a card: what is done less often with a video, and what is done with its channel.

import { $, $$, api, base, element, local } from './page.mjs'
import { toast } from './messages.mjs'
import { subject, titleOf } from './cards.mjs'
import { views, visit } from './views.mjs'
import { mark, markAs } from './marks.mjs'

const menuBox = element('div', { id: 'menu', popover: 'auto' })
document.body.append(menuBox)

/** The menu, or what follows one of its lines, at a button or else in the middle of the window. */
function showMenu(role, label, button, children) {
  menuBox.role = role
  menuBox.ariaLabel = label
  menuBox.replaceChildren(...children)
  if (!menuBox.matches(':popover-open')) menuBox.showPopover()
  const at = button?.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = menuBox
  const place = (start, room) => `${Math.max(8, Math.min(start, room - 8))}px`
  menuBox.style.left = place(at?.width ? at.right - width : (innerWidth - width) / 2, innerWidth - width)
  menuBox.style.top = place(at?.width ? at.bottom + 4 : (innerHeight - height) / 2, innerHeight - height)
  $('input, button, a', menuBox)?.focus()
}

function closing(run) {
  return () => { menuBox.hidePopover(); run() }
}

const menuLine = (text, key, run) => element('button', { type: 'button', role: 'menuitem', onclick: run, 'data-key': key ?? '' },
  element('span', { textContent: text, dir: 'auto' }), ...(key ? [element('kbd', { textContent: key, ariaHidden: 'true' })] : []))

/** Changes what the channel of a video shows, or ends following it, as its form does. */
function change(channel, fields) {
  views.clear()
  const body = new URLSearchParams({ ...fields, back: (local(location.pathname) ?? '/') + location.search })
  return visit(`${base}/channels/${channel}`, 'push', { method: 'POST', body })
}

/** Opens the menu of a card. */
export function openMenu(card, button = $('.marks .menu', card)) {
  const { video: id, channel } = card.dataset
  const name = $('.channel', card)?.textContent.trim() || 'its channel'
  const go = (path) => closing(() => visit(base + path))
  const snooze = (kind) => closing(() => markAs(kind, [id]))
  const ofChannel = channel && !('unfollowed' in card.dataset) ? [
    element('hr'),
    menuLine(`Hide Shorts of ${name}`, '', closing(() => change(channel, { action: 'set', shorts: 'hide' }))),
    menuLine(`Hide streams of ${name}`, '', closing(() => change(channel, { action: 'set', live: 'hide' }))),
    menuLine(`Unfollow ${name}`, '', closing(() => change(channel, { action: 'unfollow' }))),
  ] : []
  showMenu('menu', titleOf(card), button, [
    menuLine('Snooze until tonight', 't', snooze('tonight')), menuLine('Snooze until tomorrow', 'z', snooze('snooze')),
    menuLine('Snooze until the weekend', 'w', snooze('weekend')),
    element('hr'),
    menuLine('Add to a collection…', 'c', () => pick(id, button)), menuLine('Details and note', 'i', go(`/videos/${id}`)),
    element('a', { role: 'menuitem', href: `https://www.youtube.com/watch?v=${id}`, rel: 'noreferrer', target: '_blank', 'data-key': 'v', onclick: () => menuBox.hidePopover() },
      element('span', { textContent: 'Open on YouTube' }), element('kbd', { textContent: 'v', ariaHidden: 'true' })),
    ...(channel ? [menuLine('Hide videos like this…', 'h', go(`/rules?like=${id}`))] : []), ...ofChannel,
  ])
}

export function openMenuOfSubject() {
  const { card } = subject() ?? {}
  if (card) openMenu(card)
  else $('#actions')?.scrollIntoView({ block: 'center' })
}

/** Asks for the collection that a video is added to. */
async function pick(id, button) {
  let names
  try {
    const response = await fetch(`${api}/collections`)
    names = (await response.json()).collections.map((row) => row.collection).filter((name) => name !== 'saved')
  } catch {
    menuBox.hidePopover()
    return toast('No connection: the collections could not be read.')
  }
  const add = (collection) => mark([id], { collection, member: true }, `Added to ${collection}`, $('#list') ? {} : { reload: true })
  const field = element('input', { id: 'new-name', name: 'collection', placeholder: 'New collection', required: true, dir: 'auto', autocomplete: 'off', ariaLabel: 'New collection' })
  const form = element('form', { className: 'inline' }, field, element('button', { textContent: 'Add' }))
  form.onsubmit = (event) => {
    event.preventDefault()
    event.stopPropagation()
    const name = field.value.trim()
    if (name) closing(() => add(name))()
  }
  showMenu('dialog', 'Add to a collection', button, [
    element('h2', { textContent: 'Add to a collection' }),
    ...names.map((name) => element('button', { type: 'button', onclick: closing(() => add(name)) }, element('span', { textContent: name, dir: 'auto' }))), form,
  ])
}

menuBox.addEventListener('keydown', (event) => {
  if (event.target.matches('input') || event.ctrlKey || event.metaKey || event.altKey) return
  const lines = $$('button, a', menuBox)
  const index = lines.indexOf(document.activeElement)
  const to = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: -1 }[event.key]
  const chosen = event.key.length === 1 && lines.find((each) => each.dataset.key === event.key)
  if (to === undefined && !chosen) return
  event.preventDefault()
  event.stopPropagation()
  chosen ? chosen.click() : lines.at(to % lines.length)?.focus()
})
