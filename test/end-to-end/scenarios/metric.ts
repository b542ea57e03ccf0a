import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../../../infra/runtime/testing.ts'
import { type Agent, agentOf } from '../../support/agent.ts'
import type { Installation } from '../../support/installation.ts'
import { type CreatedSource, type Person, signUp } from '../../support/person.ts'
import { post, type SenderAnswer } from '../../support/sender.ts'

interface Reading {
  readonly value: number
  readonly occurred_at: string
}

interface BoundMetric {
  readonly metric_id: string
  readonly name: string
  readonly newest: Reading | null
  readonly previous: Reading | null
  readonly change: string | null
  readonly on_target: boolean | null
}

interface MapAnswer {
  readonly items: readonly { readonly metrics: readonly BoundMetric[] }[]
}

export const describeMetric = (installation: () => Installation): void => {
  describe('A metric’s points show on the map', () => {
    let person: Person
    let metric: CreatedSource
    let agent: Agent

    before(async () => {
      person = await signUp(installation().baseUrl)
      metric = await person.call<CreatedSource>('create_source', { kind: 'metric', name: 'Failed exports' })
      agent = await agentOf(person)
      await agent.call('service_map', { mode: 'add_node', name: 'Exports' })
      const binding = { id: 'Exports', metric_id: 'Failed exports', direction: 'down_is_good', target: 3 }
      await agent.call('service_map', { mode: 'bind_metric', ...binding })
    })
    after(async () => {
      await agent?.close()
    })

    const send = (point: object, headers: Readonly<Record<string, string>> = {}): Promise<SenderAnswer> =>
      post(metric.url, JSON.stringify(point), { authorization: `Bearer ${metric.secret}`, ...headers })

    /** The bound metric once its newest value is the one that is waited for. */
    const showing = (value: number): Promise<BoundMetric> =>
      eventually(`the map shows ${value}`, async () => {
        const { data } = await agent.call<MapAnswer>('service_map', { mode: 'read', depth: 'standard' })
        const [bound] = data.items[0]?.metrics ?? []
        return bound?.newest?.value === value ? bound : null
      })

    it('answers with the metric and the instant, and the node shows value, change and target', async () => {
      const first = await send({ value: 9, date: '2026-01-01' })
      assert.equal(first.status, 200, JSON.stringify(first.body))
      assert.deepEqual(first.body, { ok: true, metric_id: metric.id, occurred_at: '2026-01-01T00:00:00.000Z' })
      await showing(9)
      await send({ value: 4, timestamp: '2026-01-02T08:00:00+01:00' })
      const bound = await showing(4)
      assert.deepEqual(bound.newest, { value: 4, occurred_at: '2026-01-02T07:00:00.000Z' })
      assert.deepEqual(bound.previous, { value: 9, occurred_at: '2026-01-01T00:00:00.000Z' })
      assert.deepEqual([bound.name, bound.change, bound.on_target], ['Failed exports', 'better', false])
    })

    it('takes history without showing it as news, and a correction of an instant in its place', async () => {
      await send({ value: 100, time: Date.UTC(2025, 0, 1) / 1000 })
      await send({ value: 5, occurred_at: Date.UTC(2026, 0, 2, 7) })
      const bound = await showing(5)
      assert.equal(bound.previous?.value, 9)
    })

    it('lets a late retry of an older point undo nothing', async () => {
      const key = { 'x-idempotency-key': 'upload-1' }
      await send({ value: 50 }, key)
      await showing(50)
      await send({ value: 2 }, { 'x-idempotency-key': 'upload-2' })
      await showing(2)
      assert.equal((await send({ value: 50 }, key)).status, 200)
      // The map shows a point that is behind the retry on the log: the retry has been dealt with.
      await send({ value: 3 })
      const bound = await showing(3)
      assert.deepEqual([bound.previous?.value, bound.change, bound.on_target], [2, 'worse', true])
    })

    it('makes no signal of any point', async () => {
      const { data } = await agent.call<{ count: number }>('service_lookup', { mode: 'triage' })
      assert.equal(data.count, 0)
    })

    it('refuses another secret, a value that is no number and a date of another age', async () => {
      const forged = await send({ value: 1 }, { authorization: 'Bearer another' })
      assert.equal(forged.status, 401)
      assert.match(forged.headers.get('www-authenticate') ?? '', /^Bearer/)
      for (const [body, pointer] of [
        [{ value: '1' }, '/value'],
        [{ value: 1, date: '1999-12-31' }, '/date'],
      ] as const) {
        const { status, body: problem } = await send(body)
        assert.equal(status, 422)
        assert.match(JSON.stringify(problem.violations), new RegExp(pointer))
      }
    })
  })
}
