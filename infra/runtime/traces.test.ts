import assert from 'node:assert/strict'
import { test } from 'node:test'
import { childOf, formatTraceparent, newTrace, parseTraceparent } from './traces.ts'

const EXAMPLE = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

test('the example of the specification is read and written back', () => {
  const trace = parseTraceparent(EXAMPLE)
  assert.deepEqual(trace, { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', sampled: true })
  assert.equal(trace && formatTraceparent(trace), EXAMPLE)
})

test('a child is another span of the same trace, sampled as its parent is', () => {
  const parent = { ...newTrace(), sampled: false }
  const child = childOf(parent)
  assert.equal(child.traceId, parent.traceId)
  assert.notEqual(child.spanId, parent.spanId)
  assert.equal(child.sampled, false)
})

test('a new trace is valid', () => {
  const trace = newTrace()
  assert.deepEqual(parseTraceparent(formatTraceparent(trace)), trace)
})

test('a later version may carry more', () => {
  assert.ok(parseTraceparent(EXAMPLE.replace('00-', '01-').concat('-what-comes')))
})

test('what is not valid is no trace', () => {
  const wrong = [
    undefined,
    null,
    '',
    'nonsense',
    EXAMPLE.toUpperCase(),
    `${EXAMPLE}-more`,
    EXAMPLE.replace('00-', 'ff-'),
    EXAMPLE.replace('0af7651916cd43dd8448eb211c80319c', '0'.repeat(32)),
    EXAMPLE.replace('b7ad6b7169203331', '0'.repeat(16)),
    EXAMPLE.slice(0, -1),
  ]
  for (const header of wrong) assert.equal(parseTraceparent(header), null, String(header))
})
