// Whether the hub responds.

import { $, base, hook } from './page.mjs'
import { toast } from './messages.mjs'
import { queue } from './queue.mjs'

/** Runs when the hub responds again. */
export const onReturn = hook()

export let isConnected = true

/** Says whether the hub responds, and how many marks wait for it. */
export function connected(state) {
  const returned = state && !isConnected
  isConnected = state
  const waiting = queue.keys().length
  const notice = $('#offline')
  notice.hidden = state
  notice.textContent = state
    ? ''
    : `No connection to the hub.${waiting ? ` ${waiting} ${waiting === 1 ? 'change waits' : 'changes wait'} to be sent.` : ' Changes are kept here until it is back.'}`
  if (returned) onReturn()
}

export const loggedOut = () => toast('You are logged out. What was not sent yet is sent once you log in again.', { text: 'Log in', run: () => location.assign(`${base}/login`) })
