import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../../../infra/runtime/testing.ts'
import { formatTraceparent, newTrace } from '../../../infra/runtime/traces.ts'
import { type Collector, valuesOf } from '../../../infra/telemetry/testing-collector.ts'
import { STEPS } from '../../../schemas/domain/vocabulary.ts'
import { type Agent, agentOf } from '../../support/agent.ts'
import type { Installation } from '../../support/installation.ts'
import { type CreatedSource, createSignalSource, type Person, signUp } from '../../support/person.ts'
import { post, sendSignal } from '../../support/sender.ts'

const STEP_SPANS = STEPS.map(step => `step ${step}`)

export const describeTelemetry = (installation: () => Installation, collector: () => Collector): void => {
  describe('What OpenTelemetry is told', () => {
    let person: Person
    let agent: Agent
    let source: CreatedSource
    before(async () => {
      person = await signUp(installation().baseUrl)
      agent = await agentOf(person)
      source = await createSignalSource(person)
    })
    after(() => agent?.close())

    const spansOf = (traceId: string) => collector().spans.filter(span => span.traceId === traceId)
    const hasSteps = (traceId: string) => {
      const names = spansOf(traceId).map(({ name }) => name)
      return STEP_SPANS.every(name => names.includes(name)) && names.includes('postgresql transaction')
    }

    it('shows a webhook, the log, each step and the stores in the sender’s own trace', async () => {
      const trace = newTrace()
      const { status, headers } = await sendSignal(
        source,
        { text: 'The trace of this report is looked at.', source: 'desk' },
        { traceparent: formatTraceparent(trace) },
      )
      assert.equal(status, 200)
      assert.equal(headers.get('x-request-id'), trace.traceId)
      await eventually('every step', () => hasSteps(trace.traceId), 30_000)
      // Each thread sends its spans by itself, so those of the edge may be the last to come.
      const edge = await eventually(
        'the request',
        () => spansOf(trace.traceId).find(({ name }) => name === 'POST signal') ?? null,
      )
      const spans = spansOf(trace.traceId)
      assert.equal(edge.parentSpanId, trace.spanId)
      for (const { name, parentSpanId, service } of spans.filter(span => /^(step|log)/.test(span.name))) {
        assert.deepEqual([name, parentSpanId, service], [name, edge.spanId, 'processors'])
      }
      const insert = spans.find(({ name }) => name === 'step insert')
      assert.ok(spans.some(span => span.name === 'postgresql transaction' && span.parentSpanId === insert?.spanId))
      // Nothing that the sender wrote is in a trace.
      assert.doesNotMatch(JSON.stringify(spans), /is looked at|desk/)
    })

    it('shows an agent’s call, and what becomes of the signal that it captured, in one tree', async () => {
      const { data } = await agent.call<{ readonly snippet_id: string }>('service_capture', {
        mode: 'signal',
        text: 'An agent heard that the second trace matters.',
      })
      const isOfIt = ({ attributes }: Collector['spans'][number]) =>
        valuesOf(attributes)['assay.signal.id'] === data.snippet_id
      const { traceId } = await eventually('a step', () => collector().spans.find(isOfIt) ?? null, 30_000)
      await eventually('every step', () => hasSteps(traceId), 30_000)
      const names = spansOf(traceId).map(({ name }) => name)
      // Activity is written for many signals at once, and is a trace of its own.
      const sink = await eventually(
        'activity is written',
        () => collector().spans.find(({ name }) => name === 'sink activity') ?? null,
      )
      await eventually('what it asked the store', () =>
        spansOf(sink.traceId).some(
          ({ name, parentSpanId }) => name === 'clickhouse insert' && parentSpanId === sink.spanId,
        ),
      )
      assert.ok(names.includes('POST /api/mcp') && names.includes('call capture_signal'), names.join())
    })

    it('names a refused request by its id, and sends metrics as they are exposed', async () => {
      const { headers, status } = await post(source.url, '{}')
      const id = headers.get('x-request-id')
      assert.match(id ?? '', /^[0-9a-f]{32}$/)
      const refused = await eventually(
        'the refusal',
        () => collector().spans.find(({ traceId }) => traceId === id) ?? null,
      )
      assert.equal(Number(valuesOf(refused.attributes)['http.response.status_code']), status)
      await eventually('metrics of both threads', () =>
        ['assay_ingest_accepted_total', 'assay_step_duration_seconds'].every(metric =>
          collector().metrics.some(({ name }) => name === metric),
        ),
      )
    })
  })
}
