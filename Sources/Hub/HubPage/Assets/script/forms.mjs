// Forms, sent without leaving the document where they can be.

import { $, api, element, local } from './page.mjs'
import { kept } from './storage.mjs'
import { toast } from './messages.mjs'
import { connected } from './connection.mjs'
import { openCards } from './cards.mjs'
import { clearSelection, selected } from './selection.mjs'
import { onDone, views, visit } from './views.mjs'
import { addStep, undo } from './steps.mjs'
import { markAs } from './marks.mjs'

function pollText({ state, pollerSeen }) {
  if (state === 'running') return 'A check of the feeds is running already.'
  if (state !== 'waiting') return 'Checking the feeds that are due…'
  const seen = pollerSeen ? `the last one was seen ${new Date(pollerSeen).toLocaleString()}` : 'none was seen for a week'
  return `No poller works; ${seen}. The feeds are checked as soon as one does.`
}

export async function poll() {
  try {
    const response = await fetch(`${api}/poll`, { method: 'POST' })
    const result = await response.json()
    toast(response.ok ? pollText(result) : result.detail)
  } catch { connected(false); toast('No connection: the feeds were not checked.') }
}

/** Says what a form did; its action is one more step to undo. */
function sayDone({ text, action, isFollow }) {
  const shown = toast(element('bdi', { textContent: text }), ...(action ? [{ text: 'Undo', run: undo }] : []), ...(isFollow ? [{ text: 'Check now', run: poll }] : []))
  if (action) addStep({ parts: [{ action, inverse: [] }], text }, shown)
}

onDone.add(sayDone)

document.addEventListener('submit', (event) => {
  const form = event.target
  const button = event.submitter
  const action = new URL(button?.getAttribute('formaction') ?? form.getAttribute('action') ?? '', location.href)
  if (event.defaultPrevented || form.method === 'dialog' || action.origin !== location.origin) return
  const path = local(action.pathname)
  if (['/login', '/logout', '/switch', '/join'].includes(path)) return forget(path)
  const data = new FormData(form, button)
  event.preventDefault()
  if (form.method === 'get') {
    action.search = new URLSearchParams([...data].filter(([, value]) => value !== ''))
    return visit(action)
  }
  if (path === '/poll') return poll()
  if (path === '/undo' && !data.get('action')) return undo()
  if (path === '/marks') {
    const ids = form.id === 'bulk' ? selected().map((chosen) => chosen.value)
      : form.matches('.all') ? openCards().map((card) => card.dataset.video) : data.getAll('video')
    const kind = data.get('action')
    if (form.id === 'bulk' && (kind !== 'collect' || data.get('collection').trim())) clearSelection()
    if (['watched', 'new', 'skip', 'snooze', 'save', 'unsave', 'note', 'collect', 'uncollect'].includes(kind)) return markAs(kind, ids, form)
  }
  if (form.ariaBusy === 'true') return
  form.ariaBusy = 'true'
  views.clear()
  const isFile = form.enctype === 'multipart/form-data'
  visit(action, 'push', { method: 'POST', body: isFile ? data : new URLSearchParams(data) }).finally(() => { form.ariaBusy = null })
})

/** Before a logout nothing of this user stays on this machine; before another user comes only what is this user's alone. */
function forget(path) {
  if (!['/logout', '/switch', '/join'].includes(path)) return
  if (path === '/logout') for (const key of kept.keys()) if (key.startsWith('change:')) kept.remove(key)
  try { sessionStorage.clear() } catch { }
  navigator.serviceWorker?.controller?.postMessage('forget')
}

// A file dropped anywhere on the view of an import is its file.
for (const kind of ['dragover', 'dragleave', 'drop']) {
  document.addEventListener(kind, (event) => {
    const field = $('#main .drop input[type="file"]')
    if (!field || !event.dataTransfer?.types.includes('Files')) return
    event.preventDefault()
    field.closest('.drop').classList.toggle('over', kind === 'dragover')
    if (kind !== 'drop' || !event.dataTransfer.files.length) return
    field.files = event.dataTransfer.files
    const { form } = field
    form.requestSubmit($('button[value="import"]', form))
  })
}
