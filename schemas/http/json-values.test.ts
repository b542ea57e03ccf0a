import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { withoutNulls } from './json-values.ts'

const schema = Type.Object({
  needed: Type.String(),
  optional: Type.Optional(Type.String()),
  word: Type.Optional(Type.Enum(['a', 'b'])),
  cleared: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  anything: Type.Optional(Type.Unknown()),
  inner: Type.Optional(Type.Object({ needed: Type.String(), optional: Type.Optional(Type.Number()) })),
  open: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
})

test('an optional field that is null is left out, and nothing else', () => {
  const sent = {
    needed: null,
    optional: null,
    word: null,
    cleared: null,
    anything: null,
    inner: { needed: null, optional: null, unknown: null },
    open: { key: null },
    unknown: null,
  }
  assert.deepEqual(withoutNulls(schema, sent), {
    needed: null,
    cleared: null,
    anything: null,
    inner: { needed: null, unknown: null },
    open: { key: null },
    unknown: null,
  })
  assert.equal(sent.optional, null, 'what came is not changed')
  const full = { needed: 'x', inner: { needed: 'y' } }
  assert.equal(withoutNulls(schema, full), full)
  for (const other of [null, 7, 'text', [null]]) assert.equal(withoutNulls(schema, other), other)
})
