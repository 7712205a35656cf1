// Messages of the player, and the positions that are kept.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import './browser.mjs'

const { call, listening, reported } = await import('../../../Sources/Hub/HubPage/Assets/script/protocol.mjs')
const { positionToKeep, startOf } = await import('../../../Sources/Hub/HubPage/Assets/script/playing.mjs')

const report = (message) => reported(JSON.stringify(message))

test('Commands are what the frame expects', () => {
  assert.deepEqual(JSON.parse(listening), { event: 'listening', id: 1, channel: 'widget' })
  assert.deepEqual(JSON.parse(call('seekTo', [12.5, true])), { event: 'command', func: 'seekTo', args: [12.5, true], id: 1, channel: 'widget' })
})

test('Progress has what the frame knows so far, and nothing that is no number of seconds', () => {
  const delivery = (info) => report({ event: 'infoDelivery', info })
  assert.deepEqual(delivery({ currentTime: 3.5, duration: 60, playerState: 1, volume: 100 }), { isProgress: true, time: 3.5, duration: 60, state: 1 })
  assert.deepEqual(delivery({ duration: 0, currentTime: 0 }), { isProgress: true, time: 0 })
  assert.deepEqual(delivery({ duration: '60', currentTime: -1 }), { isProgress: true })
  assert.deepEqual(delivery({ currentTime: null, duration: null }), { isProgress: true })
})

test('A new state and an error are reported; an unknown error by its number', () => {
  assert.deepEqual(report({ event: 'onStateChange', info: 0 }), { state: 0 })
  assert.deepEqual(report({ event: 'onError', info: 100 }), { error: 'The video was removed or is private.' })
  assert.deepEqual(report({ event: 'onError', info: 101 }), report({ event: 'onError', info: 150 }))
  assert.deepEqual(report({ event: 'onError', info: 99 }), { error: 'YouTube reports error 99.' })
})

test('Other messages of the frame say that it listens; what is no JSON is none', () => {
  for (const message of [{ event: 'onReady' }, { event: 'initialDelivery', info: null }, null, 1, [], 'text']) assert.deepEqual(report(message), {})
  for (const data of ['', '{', 'text', undefined, null, {}, 1]) assert.equal(reported(data), null)
})

test('A video starts where it was left, unless that is its beginning or its end', () => {
  for (const [position, duration, start] of [
    [0, 600, 0], [5, 600, 0], [5.5, 600, 5], [90.9, 600, 90], [590, 600, 590], [591, 600, 0], [700, 600, 0], [90, 0, 90],
  ]) assert.equal(startOf({ position, duration }), start, `${position} of ${duration}`)
})

test('A position is kept every ten seconds, at once when it is left, and never at the end', () => {
  const video = { time: 19.9, duration: 600, kept: 10, isOver: false }
  assert.equal(positionToKeep(video), null)
  assert.equal(positionToKeep({ ...video, time: 20.2 }), 20)
  assert.equal(positionToKeep({ ...video, time: 0.4 }), 0)
  assert.equal(positionToKeep(video, true), 19)
  assert.equal(positionToKeep({ ...video, time: 10.7 }, true), null)
  assert.equal(positionToKeep({ ...video, time: 590.5 }, true), null)
  assert.equal(positionToKeep({ ...video, time: 590.5, duration: 0 }, true), 590)
  assert.equal(positionToKeep({ ...video, isOver: true }, true), null)
})
