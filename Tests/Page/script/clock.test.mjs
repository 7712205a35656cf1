// Times in the reader's zone, and when snoozes end.

import assert from 'node:assert/strict'
import { test } from 'node:test'

process.env.TZ = 'Asia/Tokyo'
const { momentText, sectionOf, snoozeEnd } = await import('../../../Sources/Hub/HubPage/Assets/script/clock.mjs')

const now = new Date('2026-11-28T03:00:00Z') // Saturday, 12:00 in Tokyo.
const at = (text) => new Date(text)

test('Moments near now are named by their day', () => {
  assert.equal(momentText(at('2026-11-28T14:59:00Z'), now), 'today 23:59')
  assert.equal(momentText(at('2026-11-28T15:00:00Z'), now), 'tomorrow 00:00')
  assert.equal(momentText(at('2026-11-26T15:30:00Z'), now), 'yesterday 00:30')
  assert.equal(momentText(at('2026-11-24T00:00:00Z'), now), 'Tuesday 09:00')
  assert.equal(momentText(at('2026-12-12T09:05:00Z'), now), '12 December 18:05')
  assert.equal(momentText(at('2025-01-02T09:05:00Z'), now), '2 January 2025 18:05')
})

test('A list is divided by days for a week, then by months', () => {
  assert.deepEqual(sectionOf(at('2026-11-27T15:00:00Z'), now), { key: '2026-11-28', heading: 'Today' })
  assert.deepEqual(sectionOf(at('2026-11-22T00:00:00Z'), now), { key: '2026-11-22', heading: 'Sunday' })
  assert.deepEqual(sectionOf(at('2026-11-20T00:00:00Z'), now), { key: '2026-11', heading: 'Earlier in November' })
  assert.deepEqual(sectionOf(at('2026-10-31T15:00:00Z'), now), { key: '2026-11', heading: 'Earlier in November' })
  assert.deepEqual(sectionOf(at('2026-10-31T14:59:00Z'), now), { key: '2026-10', heading: 'October' })
  assert.deepEqual(sectionOf(at('2025-12-31T14:59:00Z'), now), { key: '2025-12', heading: 'December 2025' })
})

test('A snooze ends tonight, tomorrow, on Saturday, after a span, or at a day', () => {
  const end = (text, from = now) => snoozeEnd(text, from)
  assert.equal(end('tonight'), '2026-11-28T11:00:00Z')
  assert.equal(end('tonight', at('2026-11-28T10:00:00Z')), '2026-11-28T13:00:00Z', 'at 19:00 in three hours')
  assert.equal(end('tomorrow'), '2026-11-28T21:00:00Z')
  assert.equal(end('weekend'), '2026-12-05T00:00:00Z', 'on Saturday the next one')
  assert.equal(end('weekend', at('2026-11-24T00:00:00Z')), '2026-11-28T00:00:00Z')
  assert.equal(end('3d'), '2026-12-01T03:00:00Z')
  assert.equal(end('2026-12-24'), '2026-12-23T15:00:00Z')
})
