// Marks of videos: at once on the page, soon at the hub.

import { $ } from './page.mjs'
import { snoozeEnd } from './clock.mjs'
import { named, toast } from './messages.mjs'
import { queue } from './queue.mjs'
import { flush } from './sending.mjs'
import { cardsOf, currentCard, known, paint, pending, shownCards, subject, titleOf, watchedPage } from './cards.mjs'
import { takeSelection } from './selection.mjs'
import { arrange } from './list.mjs'
import { move } from './paging.mjs'
import { playing } from './playing.mjs'
import { addStep, undo } from './steps.mjs'

export const statusTexts = { watched: 'Watched', skipped: 'Skipped', new: 'New again', snoozed: 'Snoozed until tomorrow' }
const snoozeTexts = { tonight: 'Snoozed until tonight', weekend: 'Snoozed until the weekend' }

/** The mark that restores what a change replaces. */
function inverse(id, change) {
  const page = watchedPage()
  const card = cardsOf(id)[0]?.dataset ?? (page.video === id ? page : known.get(id)) ?? {}
  const before = { video: id }
  if (change.status) before.status = !card.status || card.status === 'snoozed' ? 'new' : card.status
  if (change.saved !== undefined) before.saved = !change.saved
  if (change.note !== undefined) before.note = change.previous ?? ''
  if (change.progressSeconds !== undefined) before.progressSeconds = known.get(id)?.progressSeconds ?? (Number(card.position) || 0)
  if (change.collection) Object.assign(before, { collection: change.collection, member: change.member === false })
  return before
}

/** Marks videos: at once on the page, soon at the hub, undone by one step. */
export function mark(ids, change, text, options = {}) {
  if (!ids.length) return
  const title = ids.length > 1 ? '' : playing?.id === ids[0] ? playing.title : titleOf(cardsOf(ids[0])[0] ?? $('#main'))
  const parts = []
  // The title that the video was shared with goes with its first mark.
  const page = watchedPage()
  const about = ids.length === 1 && page.video === ids[0] && page.title ? { title: page.title } : {}
  for (let start = 0; start < ids.length; start += 400) {
    const some = ids.slice(start, start + 400)
    const undone = some.map((id) => inverse(id, change))
    const { previous, ...members } = change
    const key = queue.add({ marks: some.map((video) => ({ video, ...members, ...about })), inverse: undone, ...options })
    parts.push({ key, inverse: undone })
  }
  for (const id of ids) {
    pending.set(id, (pending.get(id) ?? 0) + 1)
    paint(id, change)
    for (const card of cardsOf(id)) card.classList.add('pending')
  }
  arrange(ids)
  addStep({ parts, text, title }, toast(title ? [`${text}: `, named(title)] : `${text}: ${ids.length} videos`, { text: 'Undo', run: undo }))
  flush()
}

/** Marks by the name of a button or a key. */
export function markAs(action, ids, form) {
  const reloads = $('#list') ? {} : { reload: true }
  const field = (name) => form?.elements[name]?.value?.trim() ?? ''
  switch (action) {
    case 'watched': case 'new': return mark(ids, { status: action }, statusTexts[action], reloads)
    case 'skip': return mark(ids, { status: 'skipped' }, statusTexts.skipped, reloads)
    case 'snooze': case 'tonight': case 'weekend': {
      const time = action === 'snooze' ? field('date') || field('until') : action
      const until = snoozeEnd(time)
      if (!(Date.parse(until) > Date.now())) return toast('That time is past: choose a later one.')
      return mark(ids, { status: 'snoozed', until }, /^\d/.test(time) ? 'Snoozed' : snoozeTexts[time] ?? statusTexts.snoozed, reloads)
    }
    case 'save': case 'unsave': return mark(ids, { saved: action === 'save' }, action === 'save' ? 'Saved' : 'Removed from saved', reloads)
    case 'note': {
      const { note } = form.elements
      const previous = note.defaultValue
      note.defaultValue = note.value
      return mark(ids, { note: field('note'), previous }, field('note') ? 'Note kept' : 'Note removed', { reload: true })
    }
    case 'collect': case 'uncollect': {
      const collection = field('collection')
      if (!collection) return toast('Which collection?')
      form.reset()
      return mark(ids, { collection, member: action === 'collect' }, `${action === 'collect' ? 'Added to' : 'Removed from'} ${collection}`, reloads)
    }
  }
}

/** Marks what is selected by a key, else the subject, and goes on to the next card where this one stays. */
export function markByKey(action, on = false) {
  const chosen = takeSelection()
  if (chosen.length) return markAs(action, chosen)
  const { id, data, card } = subject() ?? {}
  if (!id) return shownCards().length && toast('No video is chosen yet: j goes to the first one.')
  const isSet = { watched: data.status === 'watched', skip: data.status === 'skipped' }[action]
  markAs(action === 'save' && data.saved === 'true' ? 'unsave' : isSet ? 'new' : action, [id])
  if (on && card && currentCard() === card) move(1)
}

/** Marks every card above the current one as watched. */
export function markAbove() {
  const cards = shownCards()
  const index = cards.indexOf(currentCard())
  mark(cards.slice(0, Math.max(0, index)).filter((card) => card.dataset.status !== 'watched').map((card) => card.dataset.video), { status: 'watched' }, statusTexts.watched)
}
