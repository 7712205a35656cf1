// The queue of changes and how it is sent.

import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { hub, offlineNotice, setFull, timers } from './browser.mjs'

const { queue } = await import('../../../Sources/Hub/HubPage/Assets/script/queue.mjs')
const { connected } = await import('../../../Sources/Hub/HubPage/Assets/script/connection.mjs')
const { flush, onAcknowledged, onRefused } = await import('../../../Sources/Hub/HubPage/Assets/script/sending.mjs')

const acknowledged = []
const refused = []
onAcknowledged.add((key, entry, answer) => acknowledged.push({ key, entry, answer }))
onRefused.add((key, entry, status) => refused.push({ key, entry, status }))

const watched = (video) => ({ marks: [{ video, status: 'watched' }] })
const videosOf = (requests) => requests.map(({ body }) => body.marks.map(({ video }) => video).join())

beforeEach(() => {
  setFull(false)
  for (const key of queue.keys()) queue.remove(key)
  for (const key of Object.keys(localStorage)) localStorage.removeItem(key)
  for (const list of [timers, acknowledged, refused]) list.length = 0
  connected(true)
})

test('Changes are sent in the order in which they were made, and forgotten once the hub has them', async () => {
  const requests = hub(() => ({ status: 200, body: { action: 'a1' } }))
  const keys = ['one', 'two', 'three'].map((video) => queue.add(watched(video)))
  await flush()
  assert.deepEqual(videosOf(requests), ['one', 'two', 'three'])
  assert.deepEqual(requests[0], { method: 'POST', url: '/metube/api/v1/marks', body: { marks: [{ video: 'one', status: 'watched' }] } })
  assert.deepEqual(acknowledged.map(({ key, answer }) => [key, answer.action]), keys.map((key) => [key, 'a1']))
  assert.deepEqual(queue.keys(), [])
})

test('What is added while another change is sent follows it', async () => {
  const requests = hub((_, count) => { if (count === 1) { queue.add(watched('two')); flush() } return 200 })
  queue.add(watched('one'))
  await flush()
  assert.deepEqual(videosOf(requests), ['one', 'two'])
})

test('A lost connection keeps every change, says so, and sends them when the hub is back', async () => {
  hub(() => null)
  for (const video of ['one', 'two']) queue.add(watched(video))
  await flush()
  assert.equal(queue.keys().length, 2)
  assert.equal(queue.read(queue.keys()[0]).isTried, true)
  assert.equal(offlineNotice(), 'No connection to the hub. 2 changes wait to be sent.')
  const requests = hub(() => 200)
  connected(true)
  await flush()
  assert.deepEqual(videosOf(requests), ['one', 'two'])
  assert.equal(offlineNotice(), '')
})

test('An overloaded hub gets the time that it asks for, of a minute at most', async () => {
  for (const [header, seconds] of [['7', 7], ['3600', 60], [undefined, 5]]) {
    timers.length = 0
    hub(() => ({ status: 503, headers: header ? { 'Retry-After': header } : {} }))
    queue.add(watched('one'))
    await flush()
    assert.deepEqual(timers.map(({ milliseconds }) => milliseconds), [1000 * seconds])
    const requests = hub(() => 200)
    await timers[0].run()
    assert.deepEqual([...new Set(videosOf(requests))], ['one'])
    assert.deepEqual(queue.keys(), [])
  }
})

test('After a logout every change waits', async () => {
  const requests = hub(() => 401)
  for (const video of ['one', 'two']) queue.add(watched(video))
  await flush()
  assert.equal(requests.length, 1)
  assert.equal(queue.keys().length, 2)
})

test('A change that the hub refuses is reported and holds up no other; one that nobody asked for is not reported', async () => {
  const requests = hub(({ body }) => (body.marks[0].video === 'three' ? 200 : 422))
  const key = queue.add(watched('one'))
  queue.add({ ...watched('two'), isQuiet: true })
  queue.add(watched('three'))
  await flush()
  assert.deepEqual(videosOf(requests), ['one', 'two', 'three'])
  assert.deepEqual(refused.map(({ key: one, status }) => [one, status]), [[key, 422]])
  assert.deepEqual(acknowledged.map(({ entry }) => entry.marks[0].video), ['three'])
})

test('A change made long ago says how long', async () => {
  const requests = hub(() => 200)
  queue.add({ ...watched('old'), at: Date.now() - 90_000 })
  queue.add(watched('new'))
  await flush()
  const [old, present] = requests.map(({ body }) => body.marks[0].secondsAgo)
  assert.ok(old >= 90)
  assert.equal(present, undefined)
})

test('A snooze that ended before it could be sent leaves the video new', async () => {
  const requests = hub(() => 200)
  queue.add({ marks: [{ video: 'one', status: 'snoozed', until: '2020-01-01T00:00:00Z' }] })
  queue.add({ marks: [{ video: 'two', status: 'snoozed', until: '2999-01-01T00:00:00Z' }] })
  await flush()
  assert.deepEqual(videosOf(requests), ['two'])
  assert.deepEqual(queue.keys(), [])
})

test('An undo names the action; one of a change that was not confirmed sends the inverse marks', async () => {
  const requests = hub(() => 200)
  queue.add({ undo: '0000000000001-000-abc/&' })
  queue.add({ of: 'change:me:1', marks: [{ video: 'one', status: 'new' }] })
  await flush()
  assert.deepEqual(requests.map(({ url, body }) => [url, body]), [
    ['/metube/api/v1/undo?yes=true&action=0000000000001-000-abc%2F%26', undefined],
    ['/metube/api/v1/marks', { marks: [{ video: 'one', status: 'new' }] }],
  ])
})

test('Of the positions of a play that wait, the newest is sent', async () => {
  hub((_, count) => {
    if (count === 1) queue.add({ marks: [{ video: 'one', progressSeconds: 20 }], play: 'p1', isQuiet: true })
    return null
  })
  queue.add({ marks: [{ video: 'one', progressSeconds: 10 }], play: 'p1', isQuiet: true })
  await flush()
  assert.deepEqual(queue.positions('p1').map((key) => queue.read(key).marks[0].progressSeconds), [20])
})

test('Full storage loses no change of this window', async () => {
  setFull(true)
  const requests = hub(() => 200)
  for (const video of ['one', 'two']) queue.add(watched(video))
  assert.deepEqual(Object.keys(localStorage), [])
  await flush()
  assert.deepEqual(videosOf(requests), ['one', 'two'])
})

test('The changes of another user and of another hub of this host stay where they are', async () => {
  const requests = hub(() => 200)
  localStorage.setItem('/metubechange:other:1-000001-a', JSON.stringify({ at: 0, ...watched('theirs') }))
  localStorage.setItem('/second/change:me:1-000001-a', JSON.stringify({ at: 0, ...watched('elsewhere') }))
  await flush()
  assert.deepEqual(requests, [])
  assert.equal(Object.keys(localStorage).length, 2)
})
