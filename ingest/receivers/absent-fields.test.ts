import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ConnectionBody } from '../../schemas/http/connection.ts'
import { MetricBody } from '../../schemas/http/metric.ts'
import { SignalBody } from '../../schemas/http/signal.ts'
import { JSON_SENDERS } from '../hostile/senders.ts'
import { testSource } from '../registry/testing.ts'

const nullFor = (optional: readonly string[]) => Object.fromEntries(optional.map(name => [name, null]))

/** Of each receiver whose body is described: the names that may be left out. */
const OPTIONAL = [SignalBody, MetricBody, ConnectionBody].map(({ properties, required }) =>
  Object.keys(properties).filter(name => !required.includes(name as never)),
)

describe('an optional field that is null', () => {
  it('is absent at every receiver of JSON, however deep the signal is', () => {
    const names = OPTIONAL.flat()
    for (const sender of JSON_SENDERS) {
      const { receiver, headers, body } = sender
      const from = testSource(sender.source)
      const receivedAt = Date.now()
      const contentOf = (sent: object) => {
        const bytes = Buffer.from(JSON.stringify(sent))
        const taken = receiver.receive({ headers: headers(bytes), body: bytes, source: from, receivedAt, traceId: '' })
        assert.equal(taken.kind, 'taken', `${sender.name}: ${JSON.stringify(taken)}`)
        const [draft] = taken.kind === 'taken' ? taken.drafts : []
        if (draft?.what === 'signal') return draft.record.received?.body
        return draft?.what === 'metric_point' ? [draft.record.value, draft.record.occurred_at] : undefined
      }
      const { type: _, timestamp: __, source: ___, ...bare } = JSON.parse(body)
      const data = bare.data === undefined ? {} : { data: { ...nullFor(OPTIONAL[0] ?? []), text: bare.data.text } }
      const without = bare.data === undefined ? {} : { data: { text: bare.data.text } }
      assert.deepEqual(contentOf({ ...nullFor(names), ...bare, ...data }), contentOf({ ...bare, ...without }))
    }
  })
})
