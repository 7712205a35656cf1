// What this window did, step by step, to be undone.

import { $, base, user } from './page.mjs'
import { ofWindow } from './storage.mjs'
import { named, toast } from './messages.mjs'
import { queue } from './queue.mjs'
import { connected, isConnected } from './connection.mjs'
import { flush, onAcknowledged, onRefused } from './sending.mjs'
import { paint, settle } from './cards.mjs'
import { arrange } from './list.mjs'
import { isTyping, precedes, reload, visit } from './views.mjs'
import { playing } from './playing.mjs'

const steps = ofWindow.read(`steps:${user}`) ?? []
const saveSteps = () => ofWindow.write(`steps:${user}`, steps.slice(-200))

/** The messages that offer to undo a step; gone when it is undone. */
const toastOf = new WeakMap()

export function addStep(step, shown) {
  steps.push(step)
  toastOf.set(step, shown)
  saveSteps()
}

/** Undoes the last step of this window; without one it shows what others did last, to choose from. */
export async function undo() {
  const step = steps.pop()
  if (!step) return visit(`${base}/undo`)
  saveSteps()
  toastOf.get(step)?.remove()
  for (const { key, inverse, action } of step.parts) {
    const entry = queue.read(key)
    if (entry && key !== queue.sending && !entry.isTried) queue.remove(key)
    else if (action) queue.add({ undo: action })
    else queue.add({ of: key, marks: inverse })
    for (const mark of inverse) {
      if (entry) settle(mark.video)
      paint(mark.video, mark)
    }
  }
  arrange(step.parts.flatMap((part) => part.inverse.map((mark) => mark.video)))
  const text = `Undone: ${step.text[0].toLowerCase()}${step.text.slice(1)}`
  toast(step.title ? [`${text}: `, named(step.title)] : text)
  if (!isConnected) connected(false)
  await flush()
  // What a form did shows on any view.
  const isOfForm = step.parts.some((part) => !part.inverse.length)
  if ((isOfForm || !$('#list')) && !isTyping()) reload()
}

/** Whether a view was shown, or asked for, that may lack a change acknowledged since. */
let isStale = false

function acknowledged(key, entry, result) {
  if (!entry.undo && result.action) {
    for (const step of steps) for (const part of step.parts) if (part.key === key) part.action = result.action
    saveSteps()
    if (entry.play && entry.play === playing?.key) playing.action = result.action
    // Its undo waits behind it.
    for (const other of queue.keys()) {
      const waiting = queue.read(other)
      if (waiting?.of === key) queue.write(other, { ...waiting, undo: result.action })
    }
  }
  for (const mark of entry.marks ?? []) settle(mark.video)
  isStale ||= !entry.isQuiet && precedes(entry.at)
  const renews = isStale && !queue.keys().length && !isTyping()
  if (renews) isStale = false
  if ((renews || entry.reload) && !isTyping()) reload()
}

function refused(key, entry, status, result) {
  // If nothing is left to undo, the undo has not failed.
  if (entry.undo && (status === 404 || status === 409)) return
  for (const mark of entry.marks ?? []) settle(mark.video)
  for (const mark of entry.inverse ?? []) paint(mark.video, mark)
  arrange((entry.inverse ?? []).map((mark) => mark.video))
  const index = steps.findIndex((step) => step.parts.some((part) => part.key === key))
  if (index >= 0) steps.splice(index, 1)
  saveSteps()
  toast(`The hub refused the change: ${result.detail ?? `status ${status}`}`)
}

onAcknowledged.add(acknowledged)
onRefused.add(refused)
