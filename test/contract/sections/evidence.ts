import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { saidOnce } from '../../../query-api/mcp/said-once.ts'
import { holds } from '../holds.ts'
import { likeness } from '../models.ts'
import type { Story } from '../story.ts'
import { type Beginning, EXPORTS } from '../world.ts'

export const describeEvidence = ({ world, early }: Beginning, story: () => Story): void => {
  describe('How evidence arrives', () => {
    const call = async <Data>(tool: string, input: Readonly<Record<string, unknown>>) =>
      (await world().agent.call<Data>(tool, input)).data
    const anchored = early(({ send }) => send({ text: `About leaving ${likeness('exports', 0.9)}` }))
    const repeated = early(async ({ send, signal }) => {
      const text = 'Two people say word for word that the stairs are slippery.'
      const original = await send({ text, source: 'one' })
      await signal(original)
      await send({ text, source: 'other' })
      return original
    })

    holds('service-1', async () => {
      const { id, reference } = story().problem
      const { data } = await world().agent.call<object>('service_lookup', { mode: 'reference', query: reference })
      assert.ok(JSON.stringify(data).includes(id))
    })
    holds('service-2', async () => {
      const { items } = await call<{ items: { kind: string }[] }>('service_connect', { mode: 'list' })
      const kinds = new Set(items.map(({ kind }) => kind))
      for (const kind of ['signal', 'email', 'code_host', 'metric', 'connection']) assert.ok(kinds.has(kind), kind)
    })
    holds('service-3', () => assert.equal(story().problem.state, 'triage'))
    holds('service-4', async () => assert.equal((await world().signal(anchored())).node?.name, EXPORTS))
    holds('service-5', async () => {
      const { occurrences } = await world().signal(repeated(), signal => signal.occurrences > 0)
      assert.equal(occurrences, 1)
    })
    holds('service-6', async () => {
      const claim = await call<{ kind: string; evidence: object }>('service_lookup', {
        mode: 'claim',
        id: story().problemClaim,
      })
      assert.equal(claim.kind, 'problem')
      assert.ok(JSON.stringify(claim.evidence).includes(story().problem.reference))
    })
    holds('service-7', async () => {
      const claim = await call<{ kind: string }>('service_lookup', { mode: 'claim', id: story().ideaClaim })
      assert.equal(claim.kind, 'opportunity')
    })
    holds('service-10', async () => {
      const { person } = world()
      const seen = await person.call<object>('lookup_claim', { id: story().problemClaim, depth: 'standard' })
      const read = await call<object>('service_lookup', { mode: 'claim', id: story().problemClaim, depth: 'standard' })
      // Evidence weighs less from moment to moment; to agents the words of strangers may be marked, and a text that is
      // the title beside it is said once.
      const lasting = (claim: object) =>
        saidOnce(JSON.parse(JSON.stringify({ ...claim, evidence_priority: 0 }).replaceAll(/[‹›]/g, '')))
      assert.deepEqual(lasting(read), lasting(seen))
    })
    holds('service-11', async () => {
      const { id } = story().problem
      const { receipt, steps } = await call<{ receipt: { channel: string; source_id: string }; steps: object[] }>(
        'service_support',
        { mode: 'signal', id },
      )
      assert.deepEqual([receipt.channel, receipt.source_id], ['webhook', world().sources.signal.id])
      assert.ok(steps.length > 1)
    })
    holds('service-12', async () => {
      const query = { query: 'colours of the calendar', types: ['claim'] }
      const { items } = await call<{ items: { reference: string }[] }>('service_lookup', { mode: 'search', ...query })
      // A line of a list names its object by the reference, which is taken wherever an id is.
      const [{ reference } = { reference: '' }] = items
      const claim = await call<{ id: string; kind: string }>('service_lookup', { mode: 'claim', id: reference })
      assert.deepEqual([claim.id, claim.kind], [story().ideaClaim, 'opportunity'])
    })
    holds('object-16', async () => {
      const claim = await call<{ id: string }>('service_lookup', { mode: 'claim', id: story().problemClaim })
      assert.equal(claim.id, story().problemClaim)
    })
  })
}
