import assert from 'node:assert/strict'
import { test } from 'node:test'
import { relative } from './relative.ts'

test('a time is told in the greatest unit that fits it', () => {
  const now = new Date('2026-06-15T12:00:00Z')
  const cases = {
    '2026-06-15T11:59:01Z': 'just now',
    '2026-06-15T12:00:30Z': 'just now',
    '2026-06-15T11:58:59Z': '1 min. ago',
    '2026-06-15T09:00:00Z': '3 hr. ago',
    '2026-06-14T11:00:00Z': 'yesterday',
    '2026-06-17T12:00:00Z': 'in 2 days',
    '2026-06-01T12:00:00Z': '2 wk. ago',
    '2025-12-01T12:00:00Z': '6 mo. ago',
    '2020-06-15T12:00:00Z': '5 yr. ago',
  }
  for (const [at, said] of Object.entries(cases)) assert.equal(relative(new Date(at), now), said, at)
})
