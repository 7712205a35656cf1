// The document, the URLs of the hub, and what every module uses.

export const $ = (selector, root = document) => root.querySelector(selector)
export const $$ = (selector, root = document) => [...root.querySelectorAll(selector)]
export const root = document.documentElement
export const { api = '/api/v1', embed = '', user = '' } = document.body.dataset

/** The path below which a proxy serves the hub: `/metube`; empty for all of its host. */
export const base = api.slice(0, -'/api/v1'.length)

/** The hub's own form of a path of the address bar; null for a path of another program on this host. */
export const local = (path) => (path === base ? '/' : path.startsWith(`${base}/`) ? path.slice(base.length) : null)

export const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)')

/** An element with properties and children; text is never parsed as HTML. */
export function element(name, properties = {}, ...children) {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(properties)) {
    if (key in made) made[key] = value
    else made.setAttribute(key, value)
  }
  made.append(...children)
  return made
}

/** One of the icons that each document has. */
export function icon(name) {
  const [svg, use] = ['svg', 'use'].map((part) => document.createElementNS('http://www.w3.org/2000/svg', part))
  use.setAttribute('href', `#i-${name}`)
  svg.setAttribute('class', 'icon')
  svg.setAttribute('aria-hidden', 'true')
  svg.append(use)
  return svg
}

/** A call against the direction of imports: later modules add the functions that run, in this order. */
export function hook() {
  const handlers = []
  const call = (...values) => { for (const handler of handlers) handler(...values) }
  call.add = (handler) => { handlers.push(handler) }
  return call
}
