// The service worker: without a connection the last feed is shown, with the style and the script that it needs.
// Everything comes from the hub while that responds; what is kept is only for when it does not.

/** The path below which a proxy serves the hub; empty for all of its host. */
const base = new URL(self.registration.scope).pathname.slice(0, -1)
const shell = `metube-shell${base}`
const feed = `metube-feed${base}`
const mostFeeds = 4
/** Grows with each logout: what was requested before it is not kept after it. */
let logouts = 0

self.addEventListener('install', (event) => event.waitUntil(keepShell().then(() => self.skipWaiting())))
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))
self.addEventListener('message', (event) => { if (event.data === 'forget') event.waitUntil(forget()) })

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname: whole, search } = new URL(request.url)
  if (origin !== self.location.origin || !`${whole}/`.startsWith(`${base}/`)) return
  const pathname = whole.slice(base.length) || '/'
  if (request.method !== 'GET') {
    if (['/logout', '/switch', '/join'].includes(pathname) || (request.method === 'DELETE' && pathname === '/api/v1/session')) event.waitUntil(forget())
  } else if (/^\/(style\.css|script\.js|icon[-.]|manifest\.)/.test(pathname)) event.respondWith(asset(request))
  else if (!/^\/(api|feeds|health|metrics|login|play|share)\b/.test(pathname) && request.headers.get('Accept')?.includes('text/html')) {
    event.respondWith(view(request, pathname, search))
  }
})

/** Keeps the view that says that nothing is kept, and what documents link to. */
async function keepShell() {
  const cache = await caches.open(shell)
  const response = await fetch(`${base}/offline`, { cache: 'no-cache' })
  const text = await response.clone().text()
  const links = [...text.matchAll(/(?:href|src)="([^"#]*\/(?:style|script|icon|manifest)[^"/]*)"/g)].map((match) => match[1])
  await cache.put(`${base}/offline`, response)
  await cache.addAll([...new Set(links)])
}

function forget() {
  logouts += 1
  return caches.delete(feed)
}

async function asset(request) {
  const cache = await caches.open(shell)
  try {
    const response = await fetch(request)
    if (response.ok) {
      // Of each file only the newest form.
      for (const key of await cache.keys()) if (new URL(key.url).pathname === new URL(request.url).pathname && key.url !== request.url) await cache.delete(key)
      await cache.put(request, response.clone())
    }
    return response
  } catch (error) {
    const kept = await cache.match(request, { ignoreSearch: true })
    if (kept) return kept
    throw error
  }
}

async function view(request, pathname, search) {
  const before = logouts
  try {
    const response = await fetch(request)
    if (pathname !== '/') return response
    // A redirect leads to the login: whoever was here is no longer.
    if (response.redirected || response.type === 'opaqueredirect' || response.status === 401) await forget()
    else if (response.ok && before === logouts && !/[?&](done|undone)=/.test(search)) await keepFeed(search, response.clone())
    return response
  } catch {
    const kept = (pathname === '/' && (await (await caches.open(feed)).match(`${base}/${search}`))) || (await (await caches.open(shell)).match(`${base}/offline`))
    if (!kept) return Response.error()
    const headers = new Headers(kept.headers)
    headers.set('X-Offline', '1')
    return new Response(kept.body, { status: 200, headers })
  }
}

async function keepFeed(search, response) {
  const cache = await caches.open(feed)
  await cache.put(`${base}/${search}`, response)
  const others = (await cache.keys()).filter((key) => new URL(key.url).search)
  for (const key of others.slice(0, -mostFeeds)) await cache.delete(key)
}
