import assert from 'node:assert/strict'
import { test } from 'node:test'
import { twinsOf } from './searches.ts'

const report = (id: string, text: string, duplicate_of: readonly string[]) => ({
  id,
  title: '',
  text,
  created_at: '2026-01-01T00:00:00Z',
  duplicate_of: [...duplicate_of],
})

test('of two that say the same the first is stored, and the text of the other one is what is typed', () => {
  const { texts, queries } = twinsOf([
    report('1a', 'one', ['1b']),
    report('1b', 'the same', ['1a']),
    report('2a', 'alone', []),
  ])
  assert.deepEqual(
    texts.map(({ id }) => id),
    ['1a', '2a'],
  )
  assert.deepEqual(queries, [{ query: 'the same', language: '', wanted: '1a' }])
})
