// What modules of the page need of a browser, for tests in node. Import it before them.

/** Storage that may be full. */
class Area {
  static isFull = false
  getItem(key) { return Object.hasOwn(this, key) ? this[key] : null }
  setItem(key, value) {
    if (Area.isFull) throw new Error('QuotaExceededError')
    this[key] = String(value)
  }
  removeItem(key) { delete this[key] }
}

/** An element that keeps its properties and its children. */
function made() {
  const children = []
  return {
    children, dataset: {}, classList: { add() { }, remove() { } },
    append: (...added) => { children.push(...added) }, setAttribute() { }, matches: () => false, remove() { },
  }
}

const found = new Map()
const body = Object.assign(made(), { dataset: { api: '/metube/api/v1', embed: 'https://www.youtube.com', user: 'me' } })

Object.assign(globalThis, {
  document: {
    body, documentElement: made(), createElement: made,
    querySelector: (selector) => found.get(selector) ?? found.set(selector, made()).get(selector), querySelectorAll: () => [],
  },
  matchMedia: () => ({ matches: false }),
  localStorage: new Area(), sessionStorage: new Area(),
  // What is set waits until a test runs it.
  setTimeout: (run, milliseconds) => { timers.push({ run, milliseconds }) },
})
Object.defineProperty(globalThis, 'navigator', { value: {}, configurable: true })

/** The timers that were set: `{ run, milliseconds }`. */
export const timers = []

/** Whether storage takes nothing more. */
export const setFull = (isFull) => { Area.isFull = isFull }

/** The text of the notice that the hub does not answer; empty while it answers. */
export const offlineNotice = () => (document.querySelector('#offline').hidden ? '' : document.querySelector('#offline').textContent)

/** A hub: `answer(request)` gives what it answers, a status or `{ status, headers, body }`; null is a lost connection. */
export function hub(answer) {
  const requests = []
  globalThis.fetch = async (url, { method, body: text }) => {
    const request = { method, url, ...(text !== undefined && { body: JSON.parse(text) }) }
    requests.push(request)
    // A request never ends within the call that starts it.
    await undefined
    const answered = await answer(request, requests.length)
    if (answered === null) throw new TypeError('Failed to fetch')
    const { status, headers = {}, body = {} } = typeof answered === 'number' ? { status: answered } : answered
    return new Response(JSON.stringify(body), { status, headers })
  }
  return requests
}
