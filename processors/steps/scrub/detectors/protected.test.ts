import assert from 'node:assert/strict'
import { test } from 'node:test'
import { protectedSpans } from '../redact.ts'

for (const line of [
  'id «550e8400-e29b-41d4-a716-446655440000»',
  'on «15.01.2024», «2024-01-15», «2024-01-15T10:30:00», «01/02/2024»',
  'neither 1.2.2024.5 nor 99.99.2024 nor 2024-13-99',
]) {
  test(`kept for its form: ${line}`, () => {
    const text = line.replace(/[«»]/g, '')
    assert.deepEqual(
      protectedSpans(text)
        .map(({ start, end }) => text.slice(start, end))
        .toSorted(),
      Array.from(line.matchAll(/«(.*?)»/g), match => match[1]).toSorted(),
    )
  })
}
