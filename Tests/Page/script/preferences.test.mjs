// What a video counts as watched from, and what the document says of the player.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import './browser.mjs'

const { preferred, takeLook, watchedFrom } = await import('../../../Sources/Hub/HubPage/Assets/script/preferences.mjs')

test('A share of the length, or seconds before the end; never of an unknown length', () => {
  for (const [threshold, duration, second] of [
    ['90%', 600, 540], ['100%', 600, 600], ['1%', 50, 0.5], ['30s', 600, 570], ['0s', 600, 600], ['30s', 20, 20], ['30s', 30, 30],
  ]) assert.equal(watchedFrom(threshold, duration), second, `${threshold} of ${duration}`)
  for (const duration of [0, undefined, NaN]) assert.equal(watchedFrom('90%', duration), Infinity)
})

test('Without a word in the document the defaults of the table hold', () => {
  assert.deepEqual(preferred(), { watchedAt: '90%', playsNext: true, speed: '1' })
  Object.assign(document.body.dataset, { watchedAt: '30s', autoplay: 'no', speed: '1.5' })
  assert.deepEqual(preferred(), { watchedAt: '30s', playsNext: false, speed: '1.5' })
})

test('A document that was fetched brings its looks, and takes those away that it does not have', () => {
  const page = (looks, player) => ({ documentElement: { dataset: looks }, body: { dataset: player }, querySelectorAll: () => [] })
  takeLook(page({ theme: 'dark', view: 'feed' }, { speed: '2' }))
  const { dataset } = document.documentElement
  assert.equal(dataset.theme, 'dark')
  assert.equal(dataset.view, undefined)
  assert.equal(preferred().speed, '2')
  takeLook(page({ density: 'compact' }, {}))
  assert.equal(dataset.theme, undefined)
  assert.equal(dataset.density, 'compact')
  assert.deepEqual(preferred(), { watchedAt: '90%', playsNext: true, speed: '1' })
})
